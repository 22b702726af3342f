"""A copy of a state, and of what expansions keep in one, holds all that the original does and
shares nothing that changes.
"""

import random
from typing import Any

import pytest
from support.fuzzed import CLASSICS

from carc import ExpansionState, Rules, State
from carc.base.position.instance_attributes import attributes
from carc.base.small_set import TileKinds
from carc.base.turn.scoring import Journal

SPECS = ("base+ghosts+spellcircles", "mists:6+spellcircles", "+".join(("base", *CLASSICS)))
SLICES = {
    type(one).__name__: one
    for spec in SPECS
    for one in Rules.from_spec(spec, 3).start().expansion_states
}
TABLES = {
    *("_oriented_kind", "_cell", "_first_segment", "_tile_of", "_kind", "_feature"),
    *("_next", "_open", "_size", "_paired", "_marks", "_claimed"),
}
SHARED = {"rules", "step", "components"}  # what states hold in common, and never change


def filled(value: Any) -> Any:
    """Another value of the same type, unlike any that a new slice has."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, list):
        return [*value, 7]
    if isinstance(value, dict):
        return {**value, 7: [8]}
    if value is None or isinstance(value, tuple):
        return (7, 8, 9)
    return {int: 41, str: "filled"}[type(value)]


def test_a_copy_has_every_attribute_and_shares_nothing_that_changes() -> None:
    assert {"GhostsState", "CirclesState", "MistsState", "TradersState", "DragonState"} <= {*SLICES}
    for name, shipped in SLICES.items():
        one = shipped.copy()
        assert attributes(one), name
        for attribute in attributes(one):
            setattr(one, attribute, filled(getattr(one, attribute)))
        copy = one.copy()
        for attribute in attributes(one):
            its, mine = getattr(copy, attribute), getattr(one, attribute)
            assert its == mine, (name, attribute)
            assert its is not mine or not isinstance(mine, list | dict), (name, attribute)


# -- states ----------------------------------------------------------------------------------------


def midway() -> State:
    """A position some turns into a game, with followers and a tile in the hand."""
    state = Rules.from_spec("base+ghosts", 3).start()
    rng = random.Random(3)
    while state.board.tile_count < 14 or state.step.name != "place":
        state.apply(rng.choice(state.legal_actions()))
    return state


def plain(value: Any) -> Any:
    """A value to compare by: what arrays, slices and lists hold."""
    if isinstance(value, ExpansionState):
        return {name: plain(getattr(value, name)) for name in attributes(value)}
    several = isinstance(value, list) or type(value).__name__.startswith("vec")
    return [plain(one) for one in value] if several else value


HOLDERS = ("state", "board")


def holder(state: State, name: str) -> Any:
    return state.board if name == "board" else state


def change(state: State, which: str, attribute: str) -> None:
    """Make an attribute another, in place where it can be changed in place."""
    owner = holder(state, which)
    value = getattr(owner, attribute)
    if attribute == "expansion_states":
        value[0] = SLICES["CirclesState"]
    elif attribute == "_agenda":
        state.push(state.step, 0)
    elif isinstance(value, dict):
        value[-99] = 1
    elif type(value).__name__.startswith("vec"):
        value[0] = value[0] + 41
    elif isinstance(value, list):
        value.append(value[0] if value else 41)
    elif isinstance(value, TileKinds):
        setattr(owner, attribute, TileKinds([True] * len(state.bag)))
    else:
        setattr(owner, attribute, value + ((41,) if isinstance(value, tuple) else 41))


def looked_at(state: State, which: str) -> list[str]:
    apart = {*SHARED, "journal", "board", "_choices"}
    return [name for name in attributes(holder(state, which)) if name not in apart]


@pytest.mark.parametrize("which", HOLDERS)
def test_every_attribute_is_copied(which: str) -> None:
    """Changed one after another before it is copied: the copy has what the original has then."""
    for attribute in looked_at(midway(), which):
        state = midway()
        change(state, which, attribute)
        its = plain(getattr(holder(state.copy(), which), attribute))
        mine = plain(getattr(holder(state, which), attribute))
        if attribute in TABLES:  # has room for few tiles more
            its = its[: state.board.segment_count]
            mine = mine[: len(its)]
        assert its == mine, attribute


@pytest.mark.parametrize("which", HOLDERS)
def test_no_attribute_of_a_copy_is_the_originals(which: str) -> None:
    state = midway()
    names = looked_at(state, which)
    before = {name: plain(getattr(holder(state, which), name)) for name in names}
    wanted = {"_feature", "_followers", "completed", "_overlays_met"}
    assert (wanted if which == "board" else {"_agenda", "bag", "expansion_states"}) <= set(before)
    for attribute, was in before.items():
        copy = state.copy()
        change(copy, which, attribute)
        assert plain(getattr(holder(copy, which), attribute)) != was, attribute
        assert plain(getattr(holder(state, which), attribute)) == was, attribute


def test_what_is_legal_is_copied_and_what_states_share_stays() -> None:
    state = midway()
    copy = state.copy()
    assert copy.legal_actions() == state.legal_actions() != []
    assert (copy.rules, copy.step) == (state.rules, state.step)
    assert copy.board.components is state.board.components
    state.journal = Journal()
    assert state.copy().journal is None


@pytest.mark.parametrize("which", HOLDERS)
def test_what_is_played_on_a_copy_leaves_the_original(which: str) -> None:
    state = midway()
    owner = holder(state, which)
    before = {name: plain(getattr(owner, name)) for name in looked_at(state, which)}
    copy = state.copy()
    rng = random.Random(5)
    while not copy.is_terminal:
        copy.apply(rng.choice(copy.legal_actions()))
    assert {name: plain(getattr(owner, name)) for name in before} == before
