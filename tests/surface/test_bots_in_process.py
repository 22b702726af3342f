"""What a bot in the process is given is its own: common idioms cannot reach the match."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from support.modes import thinned

from carc import CHANCE, Action, Rules, State, play, read_record, replay
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
    state.to_dict("features")["features"].clear()
    state.scores.clear()
    state.bag.clear()
    state.agenda.clear()
    state.board.occupied_segments().clear()


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


@pytest.mark.parametrize(
    "harm", thinned([clears, plays_on, shuffles, appends, empties_what_it_sees], 4)
)
def test_what_a_bot_does_to_its_state_stays_there(harm: Callable[[State], None]) -> None:
    rules = Rules.from_spec("base+ghosts")
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
    match = play(Rules.from_spec("base"), bots, seed=3)
    assert not any("for nothing" in one.text for move in match.moves for one in move.scored)


class Texts:
    """Says notation."""

    def choose(self, state: State) -> str:
        return str(state.legal_actions()[-1])


class Leaves:
    def choose(self, state: State) -> Action:
        raise SystemExit(3)


class Mumbles:
    def choose(self, state: State) -> None:
        return None


def test_notation_is_an_action_too() -> None:
    match = play("base", [Texts(), Texts()], 1)  # type: ignore[list-item]
    assert match.result.faults == ()
    state = Rules.from_spec("base").start()
    deal = state.rules.deal(1)
    while not state.is_terminal:
        chance = state.current_player == CHANCE
        state.apply(deal.choose(state) if chance else state.legal_actions()[-1])
    assert match.end == state


def test_a_bot_that_leaves_or_says_nothing_is_at_fault_and_the_match_goes_on() -> None:
    for bot, says in ((Leaves(), "the bot called exit(3)"), (Mumbles(), "'None'")):
        match = play("base", [by_name("random", 1), bot], 1)  # type: ignore[list-item]
        (fault,) = match.result.faults
        assert fault.seat == 1
        assert says in fault.detail
        assert len(match.actions) > 140


def test_rules_are_shared_and_cannot_be_changed_by_what_lists_allow() -> None:
    rules = Rules.from_spec("base")
    for of_rules in (
        rules.expansions,
        rules.turn,
        rules.colours,
        rules.components.supply,
        rules.follower_kinds,
    ):
        assert isinstance(of_rules, tuple)
    for of_tiles in (rules.catalogue.tiles, rules.catalogue.copies, rules.catalogue.kinds):
        assert isinstance(of_tiles, tuple)


def test_a_match_has_the_state_it_ended_in() -> None:
    rules = Rules.from_spec("base+ghosts")
    match = play(rules, [by_name("random", 1), by_name("random", 2)], seed=3)
    assert match.end is not None
    assert match.end.to_dict() == replay(match, rules).to_dict()
    assert read_record(match.to_text()) == match


class ByIndex:
    """Chooses by the number of actions alone."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def choose(self, state: State) -> Action:
        raise AssertionError("it is asked for an index")

    def choose_index(self, count: int) -> Any:
        return self._answer(count) if callable(self._answer) else self._answer


class ByState(ByIndex):
    """Changes how one that chooses by an index chooses."""

    def choose(self, state: State) -> Action:
        return state.legal_actions()[-1]


@pytest.mark.parametrize("spec", ["base", "base+ghosts", "base+inns+river+dragon"])
def test_a_bot_asked_for_an_index_plays_the_same_game(spec: str) -> None:
    rules = Rules.from_spec(spec)
    plain = play(rules, [by_name("random", 1), by_name("random", 2)], seed=3, names=["a", "b"])
    asked = [Careless(lambda state: None, 1), Careless(lambda state: None, 2)]
    assert plain.result.faults == ()
    assert play(rules, asked, seed=3, names=["a", "b"]) == plain


def test_the_index_is_of_the_legal_actions() -> None:
    rules = Rules.from_spec("base")
    bots: list[Any] = [ByIndex(lambda count: count - 1), ByState(0)]
    match = play(rules, bots, seed=3)
    other: list[Any] = [ByState(0), ByState(0)]
    assert match.result.faults == ()
    assert match.actions == play(rules, other, seed=3).actions


def test_a_class_that_chooses_by_the_state_again_is_shown_it() -> None:
    rules = Rules.from_spec("base")
    mocked: Any = ByIndex(0)
    mocked.choose = lambda state: state.legal_actions()[-1]
    one = play(rules, [ByState(0), ByState(0)], seed=3)
    two = play(rules, [mocked, ByState(0)], seed=3)
    assert one.result.faults == two.result.faults == ()
    assert one.actions == two.actions


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (lambda count: count, "illegal"),
        (-1, "illegal"),
        (10**30, "illegal"),
        ("0", "crash"),
        (0.0, "crash"),
        (None, "crash"),
    ],
)
def test_what_is_no_index_is_the_bot_s_fault(answer: Any, verdict: str) -> None:
    match = play(Rules.from_spec("base"), [ByIndex(answer), by_name("random", 2)], seed=3)
    assert [(fault.seat, fault.verdict) for fault in match.result.faults] == [(0, verdict)]
    assert match.result.ranks == (1, 0)
