"""`ExpansionState`: what an expansion keeps in a position, and how that is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, get_args, get_origin, get_type_hints

from mypy_extensions import mypyc_attr

from carc.base.position.data import shown
from carc.base.position.field_converters import ANY, Converter, converter, sort_key
from carc.base.position.instance_attributes import attributes
from carc.base.position.state_fields import UNKNOWN, HiddenTile
from carc.errors import BadPosition, BadRules

if TYPE_CHECKING:
    from carc.base.game.state import State


@mypyc_attr(allow_interpreted_subclasses=True)
class ExpansionState:
    """What an expansion keeps in a position: part of its key, its text, and what is pickled.

    Its attributes are its fields. They hold plain values, or lists, dicts, sets and tuples of
    them. What a number refers to is its type, one of `carc.base.position.state_fields`: data name
    segments by place, and positions in which a number refers to nothing are refused. A list or
    dict that begins with entries keeps their number, a dict its keys, unless they refer to places.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {}
    """Field -> its type: `{"dragon": TileCell, "ghosts": dict[Segment, Count]}`.

    Fields that it omits have the type in the annotations of the class body, or else the type of
    their first value. Compiled classes keep no annotations.
    """

    DATA_NAMES: ClassVar[Mapping[str, str]] = {}
    """Attribute -> its name in data, where positions were written before it was renamed."""
    ADDED_FIELDS: ClassVar[Sequence[str]] = ()
    """Attributes that older positions lack, and others while they are empty."""

    def copy(self) -> ExpansionState:
        """Return an independent copy.

        Default: lists, dicts and sets are copied, one level deep, and hands of hidden tiles.
        Override it for other values that change, and for speed.
        """
        cls = type(self)
        new: ExpansionState = cls.__new__(cls)
        for name, value in attributes(self).items():
            changes = isinstance(value, list | dict | set)
            setattr(new, name, value.copy() if changes else value)
        for name in hidden_fields(cls):
            setattr(new, name, [hand.copy() for hand in getattr(new, name)])
        return new

    def conceal(self, state: State, player: int) -> None:
        """Forget what a player does not see; `state`, to which this belongs, is a copy.

        Default: the hidden tiles of others go back into the bag. Override it for what else is
        secret. A choice made in secret is to be made again: push its step on the agenda.
        """
        for name in hidden_fields(type(self)):
            hands: list[list[int]] = getattr(self, name)
            for holder, hand in enumerate(hands):
                if holder != player:
                    for kind in hand:
                        state._lose_sight(kind)
                    hands[holder] = [UNKNOWN] * len(hand)

    def to_data(self, state: State) -> dict[str, Any]:
        """Return all fields as JSON data, or raise `BadPosition`."""
        by_field = converters(type(self))
        names: Mapping[str, str] = type(self).DATA_NAMES
        added = type(self).ADDED_FIELDS
        return {
            names.get(name, name): by_field.get(name, ANY).write(state, value)
            for name, value in attributes(self).items()
            if value or name not in added
        }

    def from_data(self, state: State, data: Mapping[str, Any]) -> None:
        """Set all fields to what `to_data` returned; raise `BadPosition` for other data."""
        title = type(self).__name__
        fresh = attributes(self)
        if not isinstance(data, Mapping):
            raise BadPosition(f"a {title} keeps {sorted(fresh)}, not {shown(data)}")
        names = {written: name for name, written in type(self).DATA_NAMES.items()}
        fields = {names.get(name, name): value for name, value in data.items()}
        added = set(type(self).ADDED_FIELDS)
        if fields.keys() | added != fresh.keys() | added or fields.keys() - fresh.keys():
            raise BadPosition(f"a {title} keeps {sorted(fresh)}, not {sorted(fields)}")
        by_field = converters(type(self))
        for name, value in fields.items():
            try:
                setattr(self, name, by_field.get(name, ANY).read(state, value, fresh[name]))
            except ValueError as error:
                raise BadPosition(
                    f"what a {title} keeps as {name} cannot be {shown(value)}: {error}"
                ) from None

    def is_valid(self, state: State) -> bool:
        """Return True if this may be so in a position that is being read.

        The types of fields are checked already. Default: True.
        """
        return True


_CONVERTERS: Final[dict[type, dict[str, Converter]]] = {}
_HIDDEN: Final[dict[type, list[str]]] = {}
_HANDS: Final[Any] = list[list[HiddenTile]]


def converters(cls: type[ExpansionState]) -> Mapping[str, Converter]:
    """Return the converters of a class by field: those of its `FIELDS`, then of its annotations.

    Raises `BadRules` if an annotation names what its module does not.
    """
    known = _CONVERTERS.get(cls)
    if known is None:
        known = {name: converter(type_) for name, type_ in _declared(cls).items()}
        _CONVERTERS[cls] = known
    return known


def hidden_fields(cls: type[ExpansionState]) -> list[str]:
    """Return the fields that hold the hidden tiles of each player; `BadRules` for another form."""
    known = _HIDDEN.get(cls)
    if known is None:
        known = []
        for name, type_ in _declared(cls).items():
            if type_ == _HANDS:
                known.append(name)
            elif _is_about(type_, HiddenTile):
                raise BadRules(
                    f"{cls.__name__}.{name} holds hidden tiles, so it is a"
                    " list[list[HiddenTile]]: by player, a hand"
                )
        _HIDDEN[cls] = known
    return known


def _is_about(declared: Any, what: object) -> bool:
    """Return True if a type is made of another one."""
    return declared == what or any(_is_about(part, what) for part in get_args(declared))


def _declared(cls: type[ExpansionState]) -> dict[str, Any]:
    """Return the types of fields: of `FIELDS`, then of annotations."""
    declared = {**cls.FIELDS}
    for name, hint in _annotations(cls).items():
        if get_origin(hint) is not ClassVar and hint is not ClassVar:
            declared.setdefault(name, hint)
    return declared


def _annotations(cls: type) -> dict[str, Any]:
    try:
        return get_type_hints(cls, include_extras=True)
    except (NameError, TypeError) as error:
        raise BadRules(
            f"the annotations of {cls.__name__} cannot be evaluated ({error}): import what they"
            " name, or declare FIELDS"
        ) from None


def _in_order(data: Any) -> Any:
    """Return data with dicts in one order, whatever the order in which they were filled."""
    if isinstance(data, list):
        return [_in_order(item) for item in data]
    if isinstance(data, dict):
        ordered = {name: _in_order(item) for name, item in data.items()}
        if len(ordered) == 1 and "dict" in ordered:
            ordered["dict"] = sorted(ordered["dict"], key=sort_key)
        return ordered
    return data


def ordered_state_data(state: State) -> list[Any]:
    """Return the states of all expansions as data, the same for equal positions."""
    return [_in_order(own.to_data(state)) for own in state.expansion_states]
