"""Nothing that a bot or a learner is given tells what others hold; `check` finds what does."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from support.hands import Hands, HandsState, Held
from support.hidden_hands import (
    SPEC,
    Watcher,
    dealt_otherwise,
    decisions,
    everything,
    held,
    late,
)

from carc import CHANCE, ExpansionState, Rules, State
from carc.base.position.state_fields import HiddenTile
from carc.errors import BadRules
from carc.learn.encoding import Encoding
from carc.learn.observation import encoding_for, observation
from carc.learn.token_arrays import table_columns, tokens
from carc.match import BotAdapter
from carc.testing import check


def test_a_bot_is_given_nothing_that_tells_what_others_hold() -> None:
    rng, asked = random.Random(4), 0
    for state in decisions(every=3):
        if (player := state.current_player) == CHANCE:
            continue
        watcher, asked = Watcher(), asked + 1
        for one in (state, dealt_otherwise(state, player, rng)):
            BotAdapter(watcher).ask(one)
        assert watcher.given[0] == watcher.given[1]
    assert asked > 20


def test_all_that_is_given_shows_what_it_should() -> None:
    """The test above can fail: what is the player's own is found."""
    state = late()
    other = dealt_otherwise(state, 1, random.Random(1))
    assert held(other)[0] != held(state)[0]
    assert everything(state.view(0)) != everything(other.view(0))
    assert everything(state) != everything(dealt_otherwise(state, 0, random.Random(1)))


def learner_is_given(state: State, player: int, encoding: Encoding) -> list[Any]:
    seen, rows = observation(state, player, encoding=encoding), tokens(state, player, encoding)
    return [*seen.values(), *rows.values()]


def test_a_learner_is_given_nothing_that_tells_what_others_hold() -> None:
    rng, encoding = random.Random(6), encoding_for(Rules.cached(SPEC), 9)
    for state in decisions(every=9):
        for player in (CHANCE, 0, 1):
            one, two = (
                learner_is_given(each, player, encoding)
                for each in (state, dealt_otherwise(state, player, rng))
            )
            assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_a_learner_sees_the_own_hand() -> None:
    state = late()
    encoding = encoding_for(state.rules)
    columns = table_columns(encoding)["numbers"]
    for player in (0, 1):
        hand = Counter(state.rules.tile_names[kind] for kind in held(state)[player])
        numbers = observation(state, player)["numbers"].tolist()
        by_name = dict(zip(encoding.number_names, numbers, strict=True))
        by_column = dict(zip(columns, tokens(state, player)["numbers"][0].tolist(), strict=True))
        for named in (by_name, by_column):
            shown = {tile: named[f"hands.tiles {tile}"] for tile in state.rules.tile_names}
            assert +Counter(shown) == hand


@pytest.mark.parametrize(
    ("slip", "sentence"),
    [
        ("seen_by", "which is more than is seen"),
        ("conceal", "which is less than is seen"),
        ("undeclared", "which is less than is seen"),
    ],
)
def test_check_finds_what_leaks(slip: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Open(HandsState):
        tiles: list[list[int]]

        def copy(self) -> ExpansionState:
            new = super().copy()
            assert isinstance(new, Open)
            new.tiles = [hand.copy() for hand in self.tiles]
            return new

    if slip == "undeclared":
        monkeypatch.setattr(Hands, "setup", lambda self, state: Open(state.rules.players))
    else:
        monkeypatch.delattr({"seen_by": Held, "conceal": HandsState}[slip], slip)
    with pytest.raises(AssertionError, match=sentence):
        check(Rules([Hands()], 2), games=1)


def test_check_finds_no_leak_in_the_trial_expansion() -> None:
    assert check(Rules([Hands()], 2), games=1, every=5) > 20


def test_rules_with_hidden_tiles_have_secrets() -> None:
    class Bare(HandsState):
        conceal = ExpansionState.conceal

    class Open(Hands):
        def setup(self, state: State) -> ExpansionState:
            return Bare(state.rules.players)

    assert Rules([Open()], 2).has_secrets
    assert not Rules.from_spec("mists:4").has_secrets


def test_hidden_tiles_of_nobody_are_refused() -> None:
    class Pile(ExpansionState):
        tiles: list[HiddenTile]

        def __init__(self) -> None:
            nobody: Any = [[], []]
            self.tiles = nobody

    class Piled(Hands):
        def setup(self, state: State) -> ExpansionState:
            return Pile()

    with pytest.raises(BadRules, match=r"Pile\.tiles holds hidden tiles, so it is a list\[list"):
        Rules([Piled()], 2)
