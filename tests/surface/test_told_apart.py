"""Every legal action reads differently from the others of its decision, and as English."""

import random
import re

import pytest

from carc import Rules
from carc.base.expansions.spec import registered
from carc.drawing.descriptions import decision_words, describe

GAMES = {"base", "mists"}
BESIDE = {"spellcircles": "base+ghosts+spellcircles"}
ALL = [f"base+{name}" for name in sorted(registered()) if name not in {*GAMES, *BESIDE}]
MIXTURES = [
    "base+abbey+bigtop+bridges+russian+tower+tunnel+watchtowers",
    "base+count+crops+dragon+ferries+ghosts+inns+mage+spellcircles",
    "base+ghosts+russian+spellcircles",
    "mists:6+spellcircles",
]
GAMES_EACH = 3
USUAL = ("draw", "place", "claim", "pass")


@pytest.mark.parametrize(
    ("spec", "players"),
    [(spec, 2) for spec in (*ALL, *BESIDE.values(), *MIXTURES)]
    + [("base", 3), ("mists:1", 2), ("mists:3", 1), ("mists:6", 4)],
)
def test_every_legal_action_reads_differently(spec: str, players: int) -> None:
    rules = Rules.from_spec(spec, players)
    rng = random.Random(spec)
    for _ in range(GAMES_EACH):
        state = rules.start()
        while not state.is_terminal:
            actions = state.legal_actions()
            if state.step.name != "draw" and not (
                state.step.name == "place" and rng.random() < 0.9
            ):
                texts = [str(action) for action in actions]
                data = state.to_dict("tiles", "tile_in_hand")
                said = {text: describe(text, data, rules) for text in texts}
                told = {words: text for text, words in said.items()}
                assert len(told) == len(texts), [
                    (text, told[words], words)
                    for text, words in said.items()
                    if told[words] != text
                ]
                asked = decision_words(texts, rules)
                for words in [asked, *told]:
                    assert not re.search(r"\bplays? |one of these|[{}_]|\ba a", words), words
            unusual = [each for each in actions if str(each).partition(":")[0] not in USUAL]
            state.apply(rng.choice(unusual if unusual and rng.random() < 0.5 else actions))
