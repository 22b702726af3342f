"""Which fields of expansion states an encoding shows: places as planes, other ints as numbers."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

from carc.base.position.expansion_state import converters, hidden_fields
from carc.base.position.field_converters import (
    ANY,
    Converter,
    DictConverter,
    ListConverter,
    ReferenceConverter,
    SetConverter,
    TupleConverter,
)
from carc.base.position.instance_attributes import attributes

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

SEGMENTS: Final = ("segment", "feature")
SINGLE: Final = -1
ALL: Final = -2


class PlaceField:
    """A field of an expansion state that refers to places, shown in planes.

    A number has a plane; in a list or tuple of fixed length each item has one. Numbers that come
    and go share a plane; if they refer to segments, there is a plane for each index of a segment on
    its tile.

    Attributes:
        plane: The first plane.
        state: The index of the expansion state.
        name: The field.
        part: `SINGLE`, the field is a number; `ALL`, it holds numbers that come and go; otherwise
            the index of an item.
        refers_to: What the numbers refer to: "cell", "tile", "segment" or "feature".
        weight: What a dict's values refer to, if its keys are the places; else empty.
        by_key: Whether a dict's keys are the places.
        by_index: Whether there is a plane for each index of a segment on its tile.
    """

    def __init__(
        self,
        plane: int,
        state: int,
        name: str,
        part: int,
        *,
        refers_to: str,
        weight: str,
        by_key: bool,
    ) -> None:
        self.plane: Final = plane
        self.state: Final = state
        self.name: Final = name
        self.part: Final = part
        self.refers_to: Final = refers_to
        self.weight: Final = weight
        self.by_key: Final = by_key
        self.by_index: Final = part == ALL and refers_to in SEGMENTS

    def read(self, field: object) -> tuple[list[object], list[object]]:
        """Return the numbers of places in a value of the field, and their weights, if any."""
        numbers: list[object] = [field]
        weights: list[object] = []
        if isinstance(field, dict):
            numbers = list(field if self.by_key else field.values())
            if self.weight:
                weights = list(field.values())
        elif isinstance(field, (list, tuple, set, frozenset)):
            numbers = list(field)
            if self.part != ALL:
                numbers = numbers[self.part : self.part + 1]
        return numbers, weights


class NumberField:
    """A field of an expansion state that is shown among the numbers.

    Attributes:
        state: The index of the expansion state.
        name: The field.
        keys: The indices or keys of its items that are shown; empty: the field is one number.
        of_hands: Whether it holds hidden tiles: the keys are the kinds, of which those are counted
            that are seen.
    """

    def __init__(self, state: int, name: str, keys: list[object], of_hands: bool) -> None:
        self.state: Final = state
        self.name: Final = name
        self.keys: Final = keys
        self.of_hands: Final = of_hands

    def read(self, state: State) -> list[int]:
        """Return the numbers of a state."""
        value: Any = getattr(state.expansion_states[self.state], self.name)
        if self.of_hands:
            return [sum([hand.count(kind) for hand in value]) for kind in self.keys]
        if not self.keys:
            return [_amount_of(value)]
        return [_amount_of(_item_of(value, key)) for key in self.keys]


def name_place_fields(rules: Rules, names: list[str], most_segments: int) -> list[PlaceField]:
    """Return the fields that refer to places, and add the names of their planes to those before."""
    fields: list[PlaceField] = []
    for state, own in enumerate(rules.start().expansion_states):
        for name, converter in converters(type(own)).items():
            if not converter.is_place:
                continue
            title = f"{_keeper(rules, state)}.{name}"
            initial = getattr(own, name)
            by_key = isinstance(converter, DictConverter) and _place_of(converter.key) != ""
            for part, refers_to, weight in _parts(converter, initial):
                field = PlaceField(
                    len(names),
                    state,
                    name,
                    part,
                    refers_to=refers_to,
                    weight=weight,
                    by_key=by_key,
                )
                fields.append(field)
                if part >= 0:
                    names.append(f"{title} {part}")
                elif field.by_index:
                    names += [f"{title} {index}" for index in range(most_segments)]
                else:
                    names.append(title)
    return fields


def _parts(converter: Converter, initial: object) -> list[tuple[int, str, str]]:
    """Return `part`, `refers_to` and `weight` of each `PlaceField` of a field.

    It gets the field's converter, and its value at the start of a game.
    """
    if isinstance(initial, (list, tuple)) and initial:
        places = [(part, _place_of(_item_at(converter, part))) for part in range(len(initial))]
        return [(part, place, "") for part, place in places if place]
    place, weight = _place_of(_item_at(converter, 0)), ""
    if isinstance(converter, DictConverter):
        place = _place_of(converter.key)
        if place and isinstance(converter.value, ReferenceConverter):
            weight = converter.value.to
        place = place or _place_of(converter.value)
    part = SINGLE if isinstance(initial, int) else ALL
    return [(part, place, weight)] if place else []


def _place_of(converter: Converter) -> str:
    """Return what a number refers to if that is a place; else an empty text."""
    if isinstance(converter, ReferenceConverter) and converter.is_place:
        return converter.to
    return ""


def _item_at(converter: Converter, index: int) -> Converter:
    """Return the converter of an item of a list, set or tuple; of another field, its own."""
    if isinstance(converter, TupleConverter):
        return converter.items[0 if converter.of_any_length else index]
    if isinstance(converter, (ListConverter, SetConverter)):
        return converter.item
    return converter


def name_number_fields(rules: Rules, names: list[str]) -> list[NumberField]:
    """Return the fields that are shown as numbers, and add their names to those before."""
    fields: list[NumberField] = []
    for state, own in enumerate(rules.start().expansion_states):
        by_field, hands = converters(type(own)), hidden_fields(type(own))
        for name, initial in attributes(own).items():
            title = f"{_keeper(rules, state)}.{name}"
            keys = _number_keys(by_field.get(name, ANY), initial, rules)
            if name in hands:
                keys = list(range(len(rules.tile_names)))
                names += [f"{title} {tile}" for tile in rules.tile_names]
            elif keys is not None:
                names += [f"{title} {key}" for key in keys] or [title]
            if keys is not None:
                fields.append(NumberField(state, name, keys, name in hands))
    return fields


def _number_keys(converter: Converter, initial: Any, rules: Rules) -> list[object] | None:
    """Return the keys of a `NumberField`; None if the field is not shown as numbers."""
    if converter.is_place:
        if isinstance(converter, TupleConverter):
            items = range(len(initial))
            return [item for item in items if not _item_at(converter, item).is_place] or None
        return None
    if isinstance(initial, int):
        return []
    if isinstance(initial, list):
        first: object = initial[0] if initial else 0
        return list(range(len(initial))) if isinstance(first, (int, list, tuple)) else None
    if isinstance(initial, dict):
        if not initial and isinstance(converter, DictConverter):
            return _all_keys(converter.key, rules)
        first = next(iter(initial.values()), None)
        return list(initial) if isinstance(first, (int, list, tuple)) else None
    return None


def _all_keys(converter: Converter, rules: Rules) -> list[object] | None:
    """Return all values of a type if they are known: owners, players, kinds, tuples of these."""
    if isinstance(converter, TupleConverter) and not converter.of_any_length:
        items = [_all_keys(item, rules) for item in converter.items]
        return None if None in items else list(product(*filter(None, items)))
    sizes = {
        "owner": rules.owners,
        "player": rules.players,
        "kind of follower": len(rules.follower_kinds),
    }
    size = sizes.get(converter.to, 0) if isinstance(converter, ReferenceConverter) else 0
    return list(range(size)) or None


def _keeper(rules: Rules, state: int) -> str:
    """Return the name of the expansion whose state has this index."""
    keepers = [expansion for expansion in rules.expansions if expansion._slot == state]
    return keepers[0].name or type(keepers[0]).__name__.lower()


def weight_of(value: object, refers_to: str) -> int:
    """Return what a dict says of a place as 1 or more.

    A count stays what it is. Of owners, players and kinds of follower, none (-1) is 1, the first
    is 2 and so on.
    """
    if not isinstance(value, int):
        return 1
    who = refers_to in ("owner", "player", "kind of follower")
    return max(1, value + 2 if who else value)


def _item_of(field: Any, key: Any) -> object:
    """Return an item of a list or dict; None if it has gone."""
    if isinstance(field, dict):
        return field.get(key)
    return field[key] if key < len(field) else None


def _amount_of(value: object) -> int:
    """Return a number; of several, their sum; of anything else, 0."""
    if isinstance(value, int):
        return value
    return sum([_amount_of(item) for item in value]) if isinstance(value, (list, tuple)) else 0
