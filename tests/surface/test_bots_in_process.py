"""What a bot in the process is given is its own: common idioms cannot reach the match."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from carc import Action, Rules, State, play, read_record, replay
from carc.bots import by_name


def clears(state: State) -> None:
    state.legal_actions().clear()


def shuffles(state: State) -> None:
    random.Random(1).shuffle(state.legal_actions())


def appends(state: State) -> None:
    state.legal_actions().append(state.rules.parse("place:40,40,0"))


def empties_what_it_sees(state: State) -> None:
    data = state.to_dict()
    for value in data.values():
        if isinstance(value, list | dict):
            value.clear()
    state.features().clear()
    state.scores.clear()
    state.bag.clear()
    state.agenda.clear()
    state.followers.clear()


def plays_on(state: State) -> None:
    while not state.is_terminal:
        state.apply(state.legal_actions()[0])


class Careless:
    """Does something to what it is given, then plays as `random`."""

    def __init__(self, harm: Callable[[State], None], seed: int) -> None:
        self._harm = harm
        self._bot = by_name("random", seed)

    def choose(self, state: State) -> Action:
        copy = state.copy()
        self._harm(state)
        return self._bot.choose(copy)


@pytest.mark.parametrize("harm", [clears, shuffles, appends, empties_what_it_sees, plays_on])
def test_what_a_bot_does_to_its_state_stays_there(harm: Callable[[State], None]) -> None:
    rules = Rules.named("base+ghosts")
    plain = play(rules, [by_name("random", 1), by_name("random", 2)], seed=3, names=["a", "b"])
    match = play(rules, [Careless(harm, 1), by_name("random", 2)], seed=3, names=["a", "b"])
    assert match.result.faults == ()
    assert match == plain


def test_an_action_made_up_is_its_own_fault_and_never_believed() -> None:
    """It equals a legal one by its text; what is performed is what was offered."""

    class Greedy(Action):
        def perform(self, state: State, player: int) -> None:
            state.award(player, "for nothing", 100, 1)

    class Cheat:
        def choose(self, state: State) -> Action:
            return Greedy(str(state.legal_actions()[0]))

    bots: list[Any] = [Cheat(), by_name("random", 2)]
    match = play(Rules.named("base"), bots, seed=3)
    assert not any("for nothing" in one.text for move in match.moves for one in move.scored)


def test_rules_are_shared_and_cannot_be_changed_by_what_lists_allow() -> None:
    rules = Rules.named("base")
    for shared in (rules.expansions, rules.turn, rules.colours, rules.supply, rules.follower_kinds):
        assert isinstance(shared, tuple)
    for shared in (rules.catalogue.tiles, rules.catalogue.copies, rules.catalogue.kinds):
        assert isinstance(shared, tuple)


def test_a_match_has_the_state_it_ended_in() -> None:
    rules = Rules.named("base+ghosts")
    match = play(rules, [by_name("random", 1), by_name("random", 2)], seed=3)
    assert match.end is not None
    assert match.end.to_dict() == replay(match, rules).to_dict()
    assert read_record(match.to_text()) == match
