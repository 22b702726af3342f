"""A copy of a state, and of what expansions keep in one, holds all that the original does and
shares nothing that changes.
"""

import random
from typing import Any

import pytest

from carc import Rules, Slice, State, playout
from carc.base.game.expansion_data import attributes
from carc.base.game.scoring import Journal
from carc.base.game.spec import registered

CLASSICS = sorted(n for n, at in registered().items() if at.value.startswith("carc.classics."))
SPECS = ("base+ghosts+spellcircles", "mists:6+spellcircles", "+".join(("base", *CLASSICS)))
SLICES = {type(one).__name__: one for spec in SPECS for one in Rules.named(spec, 3).start().slices}
TABLES = {
    *("row", "cell", "first", "tile_of", "kind", "feature"),
    *("next", "open", "size", "paired", "marks", "claimed"),
}
SHARED = {"rules", "step"}  # what states hold in common, and never change


def filled(value: Any) -> Any:
    """Another value of the same type, unlike any that a new slice has."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, list):
        return [*value, 7]
    if isinstance(value, dict):
        return {**value, 7: 8}
    if value is None or isinstance(value, tuple):
        return (7, 8, 9)
    return {int: 41, str: "filled"}[type(value)]


@pytest.mark.parametrize("name", SLICES)
def test_a_copy_has_every_attribute(name: str) -> None:
    one = SLICES[name].copy()
    for attribute in attributes(one):
        setattr(one, attribute, filled(getattr(one, attribute)))
    copy = one.copy()
    for attribute in attributes(one):
        assert getattr(copy, attribute) == getattr(one, attribute), attribute


@pytest.mark.parametrize("name", SLICES)
def test_a_copy_shares_nothing_that_changes(name: str) -> None:
    one = SLICES[name].copy()
    copy = one.copy()
    for attribute in attributes(one):
        value = getattr(one, attribute)
        if isinstance(value, list | dict):
            assert getattr(copy, attribute) is not value, attribute


def test_every_slice_is_looked_at() -> None:
    assert {"GhostSlice", "CircleSlice", "MistsSlice", "CatSlice", "Market", "Fable"} <= {*SLICES}
    assert all(attributes(one) for one in SLICES.values())


# -- states ----------------------------------------------------------------------------------------


def midway() -> State:
    """A position some turns into a game, with followers and a tile in the hand."""
    state = Rules.named("base+ghosts", 3).start()
    rng = random.Random(3)
    while state.tiles < 14 or state.step.name != "place":
        state.apply(rng.choice(state.legal_actions()))
    return state


def plain(value: Any) -> Any:
    """A value to compare by: what arrays, slices and lists hold."""
    if isinstance(value, Slice):
        return {name: plain(getattr(value, name)) for name in attributes(value)}
    if type(value).__name__.startswith("vec"):
        return list(value)
    return [plain(one) for one in value] if isinstance(value, list) else value


def change(state: State, attribute: str) -> None:
    """Make an attribute of a state another, in place where it can be changed in place."""
    value = getattr(state, attribute)
    if attribute == "slices":
        value[0] = SLICES["CircleSlice"]
    elif attribute == "_waiting":
        state.push(state.step, 0)
    elif isinstance(value, dict):
        value[-99] = 1
    elif type(value).__name__.startswith("vec"):
        value[0] = value[0] + 41
    elif isinstance(value, list):
        value.append(value[0] if value else 41)
    else:
        setattr(state, attribute, value + ((41,) if isinstance(value, tuple) else 41))


def looked_at(state: State) -> list[str]:
    apart = {*SHARED, "journal", "_legal", "_ranks", "_counted", "_coming"}
    return [name for name in attributes(state) if name not in apart]


def test_every_attribute_of_a_state_is_copied() -> None:
    """Changed one after another before it is copied: the copy has what the original has then."""
    for attribute in looked_at(midway()):
        state = midway()
        change(state, attribute)
        its, mine = plain(getattr(state.copy(), attribute)), plain(getattr(state, attribute))
        if attribute in TABLES:  # has room for few tiles more
            its, mine = its[: state.segments], mine[: len(its[: state.segments])]
        assert its == mine, attribute


@pytest.mark.parametrize("spec", SPECS)
def test_a_copy_goes_on_to_the_end_as_the_original_does(spec: str) -> None:
    state = Rules.named(spec, 2).start()
    copy = state.copy()
    playout(state, random.Random(5))
    playout(copy, random.Random(5))
    assert copy.to_dict() == state.to_dict()


def test_no_attribute_of_a_copy_is_the_originals() -> None:
    state = midway()
    before = {name: plain(getattr(state, name)) for name in looked_at(state)}
    assert {"feature", "_waiting", "stands", "bag", "completed", "slices", "met"} <= set(before)
    for attribute, was in before.items():
        copy = state.copy()
        change(copy, attribute)
        assert plain(getattr(copy, attribute)) != was, attribute
        assert plain(getattr(state, attribute)) == was, attribute


def test_what_is_legal_is_copied_and_what_states_share_stays() -> None:
    state = midway()
    copy = state.copy()
    assert copy.legal_actions() == state.legal_actions() != []
    state.counting("me").add(5)
    copy = state.copy()
    assert state.counting("you").n == 0
    assert (copy.rank_at(0), copy.has_counted("me"), state.has_counted("me")) == (5, True, False)
    for name in SHARED:
        assert getattr(copy, name) is getattr(state, name)
    state.journal = Journal()
    assert state.copy().journal is None


def test_what_is_played_on_a_copy_leaves_every_attribute_of_the_original() -> None:
    state = midway()
    before = {name: plain(getattr(state, name)) for name in looked_at(state)}
    copy = state.copy()
    rng = random.Random(5)
    while not copy.is_terminal:
        copy.apply(rng.choice(copy.legal_actions()))
    assert {name: plain(getattr(state, name)) for name in before} == before
