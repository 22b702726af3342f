"""The state of an expansion as JSON data, made by the types of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, get_origin, get_type_hints

from carc.base.game.attributes import attributes
from carc.base.game.converters import ANY, Converter, converter, sort_key
from carc.base.position.data import shown
from carc.errors import BadPosition, BadRules

if TYPE_CHECKING:
    from carc.base.game.expansion import ExpansionState
    from carc.base.game.state import State

_CONVERTERS: Final[dict[type, dict[str, Converter]]] = {}


def converters(cls: type[ExpansionState]) -> Mapping[str, Converter]:
    """Return the converters of a class by field: those of its `FIELDS`, then of its annotations.

    Raises:
        BadRules: An annotation names what its module does not.
    """
    known = _CONVERTERS.get(cls)
    if known is None:
        declared = {**cls.FIELDS}
        for name, hint in _annotations(cls).items():
            if get_origin(hint) is not ClassVar and hint is not ClassVar:
                declared.setdefault(name, hint)
        known = {name: converter(type_) for name, type_ in declared.items()}
        _CONVERTERS[cls] = known
    return known


def _annotations(cls: type) -> dict[str, Any]:
    try:
        return get_type_hints(cls, include_extras=True)
    except (NameError, TypeError) as error:
        raise BadRules(
            f"the annotations of {cls.__name__} cannot be evaluated ({error}): import what they"
            " name, or declare FIELDS"
        ) from None


def state_data(state: State, own: ExpansionState) -> dict[str, Any]:
    """Return the state of an expansion as JSON data.

    Raises:
        BadPosition: It holds what cannot be written.
    """
    by_field = converters(type(own))
    names: Mapping[str, str] = type(own).DATA_NAMES
    added = type(own).ADDED_FIELDS
    return {
        names.get(name, name): by_field.get(name, ANY).write(state, value)
        for name, value in attributes(own).items()
        if value or name not in added
    }


def read_state_data(state: State, own: ExpansionState, data: Mapping[str, Any]) -> None:
    """Set the fields of a fresh state to what `state_data` returned.

    Raises:
        BadPosition: The data are not those of such a state.
    """
    title = type(own).__name__
    fresh = attributes(own)
    if not isinstance(data, Mapping):
        raise BadPosition(f"a {title} keeps {sorted(fresh)}, not {shown(data)}")
    names = {written: name for name, written in type(own).DATA_NAMES.items()}
    fields = {names.get(name, name): value for name, value in data.items()}
    added = set(type(own).ADDED_FIELDS)
    if fields.keys() | added != fresh.keys() | added or fields.keys() - fresh.keys():
        raise BadPosition(f"a {title} keeps {sorted(fresh)}, not {sorted(fields)}")
    by_field = converters(type(own))
    for name, value in fields.items():
        try:
            setattr(own, name, by_field.get(name, ANY).read(state, value, fresh[name]))
        except ValueError as error:
            raise BadPosition(
                f"what a {title} keeps as {name} cannot be {shown(value)}: {error}"
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
