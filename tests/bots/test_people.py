"""`people`: what describes a turn, what it chooses by, that it plays under every spec."""

import random
from collections.abc import Callable
from math import isfinite

import pytest
from support.modes import LONG_WHEN_INTERPRETED
from support.notation import begin, do

from carc import CHANCE, Rules, State
from carc.base.evaluation.learned_weights import best_evaluation, read_weights
from carc.base.game.actions import PASS, Place
from carc.base.game.playout import random_action
from carc.base.game.spec import registered
from carc.bots import by_name, people
from carc.bots.lookahead import Lookahead
from carc.bots.turn_features import NAMES, Turn, TurnFeatures

# The start tile has a city in the north, and a road from west to east. `E` has one city.
OPENING = "draw:U place:1,0,1 claim:0,meeple draw:E"
CLASSICS = sorted(n for n, at in registered().items() if at.value.startswith("carc.classics."))
SPECS = [
    "base+ghosts+spellcircles",
    "+".join(("base", *CLASSICS)),
    "mists:4",
    *(
        pytest.param(f"base+{name}", marks=() if number % 8 == 0 else LONG_WHEN_INTERPRETED)
        for number, name in enumerate([*CLASSICS, "ghosts"])
    ),
]


def turns_of(state: State) -> list[Turn]:
    features = TurnFeatures(state.rules, Lookahead(state.rules, best_evaluation(state.rules)))
    features.look(state)
    return [turn for action in state.legal_actions() for turn in features.turns(state, action)]


def described(state: State, placement: str, claim: str) -> dict[str, float]:
    """The features of a turn that are not 0."""
    (turn,) = [
        turn
        for turn in turns_of(state)
        if (str(turn.action), str(turn.claim or PASS)) == (placement, claim)
    ]
    return {name: each for name, each in zip(NAMES, turn.row, strict=True) if each}


def preferring(changes: dict[str, float]) -> Callable[[], list[float]]:
    """Weights that are 0 but for these."""
    return lambda: [changes.get(name, 0.0) for name in NAMES]


def test_a_turn_is_described_as_it_looks() -> None:
    """The second player closes the city of the start tile: four points, the follower comes home."""
    state = do(begin("base", 2), OPENING)
    closing = described(state, "place:0,-1,2", "claim:0,meeple")
    for name, value in {
        "last_corner": 1.0,  # the road lies at 1,0
        "around": 2.0,
        "from_start": 1.0,
        "extends_city_free": 1.0,
        "claim_city": 1.0,
        "claim_returns": 1.0,
        "scores": 1.0,
    }.items():
        assert closing[name] == value, name
    for absent in ("last_beside", "mine_corner", "new_city", "leaves_city", "claim_city_last_2"):
        assert absent not in closing
    passing = described(state, "place:0,-1,2", "pass")
    assert "scores" not in passing
    assert "claim_city" not in passing
    assert closing["points"] - passing["points"] == pytest.approx(4.0, abs=2.0)


def test_whose_features_are_extended_is_seen() -> None:
    state = do(begin("base", 2), "draw:U place:1,0,1 claim:0,meeple draw:U")
    assert described(state, "place:2,0,1", "pass")["extends_road_rival"] == 1.0
    state = do(state, "place:0,1,1 pass draw:U")
    own = described(state, "place:2,0,1", "pass")
    assert own["extends_road_own"] == own["mine_beside"] == 1.0


def test_what_is_left_to_others_is_seen() -> None:
    state = do(begin("base", 2), "draw:U place:1,0,1 claim:0,meeple draw:G")
    left = described(state, "place:0,-1,0", "pass")
    assert (left["leaves_city"], left["leaves_city_tiles"]) == (1.0, 2.0)
    assert "leaves_city" not in described(state, "place:0,-1,0", "claim:0,meeple")


@pytest.mark.parametrize(("weight", "steps"), [(-1.0, 1), (1.0, 4)])
def test_it_plays_what_its_weights_prefer(
    monkeypatch: pytest.MonkeyPatch, weight: float, steps: int
) -> None:
    """Near the last tile, or far from it."""
    monkeypatch.setattr(people, "shipped_weights", preferring({"last_far": weight}))
    monkeypatch.setattr(people, "WIDTH", 1000)
    state = do(begin("base", 2), "draw:U place:1,0,1 draw:U place:2,0,1 draw:U place:3,0,1 draw:V")
    action = by_name("people", 1).choose(state)
    assert isinstance(action, Place)
    x, y = map(int, str(action).removeprefix("place:").split(",")[:2])
    assert abs(x - 3) + abs(y) == steps


def test_it_takes_what_is_there_to_take() -> None:
    state = do(begin("base", 2), OPENING)
    bot = by_name("people", 1)
    for wanted in ("place:0,-1,2", "claim:0,meeple"):
        action = bot.choose(state)
        assert str(action) == wanted
        state.apply(action)


def test_with_a_temperature_it_varies() -> None:
    state = do(begin("base", 2), "draw:U place:1,0,1 claim:0,meeple draw:V")
    chosen = {str(by_name("people:1", seed).choose(state)) for seed in range(20)}
    assert len(chosen) > 2


def test_there_is_a_weight_for_each_feature_and_no_other() -> None:
    table = read_weights(people.SHIPPED.read_text(encoding="utf-8"))
    assert list(table) == list(NAMES)
    assert all(len(row) == 1 and isfinite(row[0]) for row in table.values())
    assert table["points"][0] > 0


@pytest.mark.parametrize("spec", SPECS)
def test_it_plays_under_every_spec(spec: str) -> None:
    """From positions of random games; a seed decides what it does."""
    rules = Rules.cached(spec, 3)
    state, deal = rules.start(), rules.deal(7)
    bots, rng = [by_name("people:overlook=0.3", 5) for _ in range(2)], random.Random(3)
    for step in range(60):
        if state.is_terminal:
            break
        if state.current_player == CHANCE:
            state.apply(deal.choose(state))
        elif step % 6:
            state.apply(random_action(state, rng))
        else:
            action, again = (bot.choose(state.copy()) for bot in bots)
            assert action == again
            state.apply(state.check(action))
