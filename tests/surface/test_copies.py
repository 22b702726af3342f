"""A copy of a slice holds all that the slice does, and shares nothing that changes."""

from typing import Any

import pytest

from carc import Rules, Slice

SLICES = {
    type(one).__name__: one
    for spec in ("base+ghosts+spellcircles", "mists:6+spellcircles")
    for one in Rules.named(spec, 3).start().slices
}


def attributes(one: Slice) -> list[str]:
    """All an instance has; compiled classes have no `__dict__` and list them."""
    return list(getattr(one, "__dict__", None) or type(one).__mypyc_attrs__)  # type: ignore[attr-defined]


def filled(value: Any) -> Any:
    """Another value of the same type, unlike any that a new slice has."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, list):
        return [*value, 7]
    if isinstance(value, dict):
        return {**value, 7: 8}
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
    assert set(SLICES) == {"GhostSlice", "CircleSlice", "MistsSlice", "CatSlice"}
    assert all(len(attributes(one)) > 1 for one in SLICES.values())
