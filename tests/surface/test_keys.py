"""Keys of positions: equal for equal positions, whatever order led there, and for no others."""

import json
import random
from collections.abc import Callable
from typing import Any

import find_key_collisions
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.notation import do
from support.values import play_on, positions, reached

from carc import PASS, Action, Rules, State
from carc.base.board import tile_laying
from carc.base.cells import cell_at
from carc.commands.bench import is_compiled

SPECS = ["base", "base+ghosts+spellcircles", "mists:6+spellcircles", "mists:5"]


def test_positions_reached_in_other_orders_are_equal() -> None:
    """The same two lay the same tiles in the same places, the first player's in either order."""
    city, field = "N place:0,-1,2 pass", "V place:0,1,0 pass"
    ends = "U place:1,0,1 claim:0,meeple"
    one = reached(city, ends, field)
    other = reached(field, ends, city)
    assert one.key() == other.key()
    assert one == other
    assert one.to_text() == other.to_text()
    assert [t["kind"] for t in one.to_dict()["tiles"]] != [
        t["kind"] for t in other.to_dict()["tiles"]
    ]
    assert reached(city, ends) != reached(field, ends)
    assert one != one.to_text()


@pytest.mark.parametrize(
    "spec", ["base", "base+dragon", "base+ghosts", "base+hills", "base+mage", "mists:1", "mists:5"]
)
def test_what_looks_the_same_at_a_draw_is_the_same_whatever_was_laid_last(spec: str) -> None:
    """A player's tiles of two turns laid in either order, the other player's between them: where
    all that is to be seen is the same, keys are.
    """
    rng = random.Random(6)
    met = 0
    while met < 3:
        state = Rules.cached(spec, 2).start()
        for _ in range(rng.randrange(20, 90)):
            if not state.is_terminal:
                state.apply(rng.choice(state.legal_actions()))
        turns: list[list[Action]] = []
        ends = state.copy()
        while len(turns) < 3 and turned(ends, rng, turns):
            pass
        if len(turns) == 3 and (other := swapped(state, turns)) and seen(other) == seen(ends):
            assert other.to_text() == ends.to_text()
            assert other.key() == ends.key()
            met += 1


def turned(state: State, rng: random.Random, turns: list[list[Action]]) -> bool:
    """Play a turn in place and note it: whether it began and ended at a draw."""
    taken: list[Action] = []
    while not state.is_terminal and not (taken and state.step is state.rules._draw_step):
        if not taken and state.step is not state.rules._draw_step:
            return False
        legal = state.legal_actions()
        taken.append(legal[-1] if legal[-1] is PASS else rng.choice(legal))
        state.apply(taken[-1])
    turns.append(taken)
    return not state.is_terminal


def swapped(state: State, turns: list[list[Action]]) -> State | None:
    """The state after these turns with first and last swapped, if that may be."""
    state = state.copy()
    for action in [*turns[2], *turns[1], *turns[0]]:
        if state.is_terminal or action not in state.legal_actions():
            return None
        state.apply(action)
    return None if state.is_terminal or state.step is not state.rules._draw_step else state


def seen(state: State) -> str:
    """All that is to be seen of a position, in one order; nothing of what it is made again from."""

    def sort(data: Any) -> Any:
        if isinstance(data, dict):
            return {name: sort(one) for name, one in data.items() if name != "engine"}
        return sorted(map(sort, data), key=json.dumps) if isinstance(data, list) else data

    return json.dumps(sort(state.to_dict()))


@settings(max_examples=25 if is_compiled() else 8, deadline=None)
@given(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)))
def test_equal_positions_have_equal_keys_whatever_the_order(seeds: tuple[int, int]) -> None:
    """The tiles of a position are laid in another order; a difference anywhere is another key."""
    rng = random.Random(seeds[0])
    some = positions(Rules.cached(rng.choice(SPECS), 2), seeds[1])
    state = rng.choice(some)
    data = state.to_dict()
    rng.shuffle(data["tiles"])
    rng.shuffle(data["engine"]["followers"])
    rng.shuffle(data["discarded"])
    again = State.from_dict(data)
    assert again.key() == state.key()
    assert again.to_text() == state.to_text()
    play_on([again, state.copy()], seeds[0])
    for other in some:
        assert (other.key() == state.key()) == (other.to_text() == state.to_text())


def test_everything_that_counts_is_in_the_key() -> None:
    state = reached("E place:0,-1,2 claim:0,meeple", "V place:1,0,1 pass")
    keys = {state.key()}

    def other(name: str, change: Callable[[State], object]) -> None:
        changed = state.copy()
        change(changed)
        assert changed.key() not in keys, name
        keys.add(changed.key())

    def another(name: str, value: Any) -> None:
        other(name, lambda changed: setattr(changed, name, value))

    another("scores", [1, 0])
    another("bag", [*state.bag[1:], 0])
    another("tiles_left", state.tiles_left - 1)
    another("discarded", [2])
    another("active_player", 1 - state.active_player)
    other("another kept open at 0", lambda changed: changed.board.keep_open(0))
    another("current_player", 0)
    another("tile_in_hand", 3)
    road = state.board.segment_at(1, 0, 0)
    other("another kept open", lambda changed: changed.board.keep_open(road))
    other("a way opened", lambda changed: changed.board.open_edge(road))
    other("a way opened elsewhere", lambda changed: changed.board.open_edge(0))
    other("another step", lambda changed: changed.push(changed.rules.turn[1], 0))
    other("supply", lambda changed: changed.board.add_supply(1, 0, -1))
    other("agenda", lambda changed: changed.push(changed.rules.turn[-1], 0))
    other("who decides", lambda changed: changed.push(changed.rules.turn[-1], 1))
    other(
        "a tile face down", lambda changed: tile_laying.lay_face_down(changed.board, cell_at(0, 1))
    )
    state.apply(state.rules.parse("draw:V"))
    state.apply(state.legal_actions()[0])
    keys = {state.key()}
    for name, value in (("last_tile", 0), ("_overlays_met", 1), ("completed", [3])):

        def put(changed: State, name: str = name, value: object = value) -> None:
            setattr(changed.board, name, value)

        other(name, put)
    unclaimed = reached("E place:0,-1,2 pass", "V place:1,0,1 pass")
    assert unclaimed.key() != reached("E place:0,-1,2 claim:0,meeple", "V place:1,0,1 pass").key()


def test_the_rules_and_what_expansions_keep_are_in_the_key() -> None:
    assert (
        Rules.from_spec("base").start().key() != Rules.from_spec("base(fields=off)").start().key()
    )
    state = Rules.cached("base+ghosts", 2).start()
    changed = state.copy()
    changed.expansion_states[0].stock -= 1  # type: ignore[attr-defined]
    assert changed.key() != state.key()
    assert changed.to_text() != state.to_text()


@pytest.mark.parametrize("spec", ["base", "base+ghosts", "mists:5"])
def test_positions_with_one_key_have_one_text(spec: str) -> None:
    """The start has one key in every game; `tools/find_key_collisions.py` looks at millions."""
    looked, again, wrong = find_key_collisions.collisions(Rules.cached(spec, 2), 1, 1500)
    assert wrong == 0 < again < looked


def test_where_and_how_each_tile_and_follower_is_is_in_the_key() -> None:
    """Alike in all else: a tile turned or elsewhere, a follower elsewhere, another's, of a kind."""
    turned = [reached(f"B place:0,1,{rotation} pass") for rotation in range(4)]
    moved = [reached("U place:1,0,1 pass", f"B place:{x},1,0 pass") for x in (0, 1)]
    claimed = [reached(f"V place:1,0,1 claim:{segment},meeple") for segment in range(3)]
    data = reached("V place:1,0,1 claim:0,meeple").to_dict()
    owned = []
    for owner in (0, 1):
        data["engine"]["followers"] = [[1, 0, 0, owner, 0]]
        owned.append(State.from_dict(data))
    for some in (turned, moved, claimed, owned):
        assert len({state.key() for state in some}) == len(some)
        assert len({state.to_text() for state in some}) == len(some)


def test_the_kind_of_a_follower_is_in_the_key() -> None:
    state = Rules.cached("base+inns", 2).start()
    keys = set()
    for kind in ("meeple", "big"):
        data = do(state.copy(), f"draw:V place:1,0,1 claim:0,{kind}").to_dict()
        data["supplies"] = state.to_dict()["supplies"]
        keys.add(State.from_dict(data).key())
    assert len(keys) == 2
