"""Reads a position from JSON data (`docs/positions.md`): one function for each shape of a part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeGuard, TypeVar, cast

from carc.errors import BadPosition

HIGHEST: Final = 10**9  # of any number
PARTS: Final = ("tile_in_hand", "tiles", "supplies", "scores", "bag", "discarded", "engine")
TILE: Final = ("x", "y", "kind", "rotation")
ENGINE: Final = (
    "active", "agenda", "last", "met", "completed", "ways", "never_complete", "followers",
    "face_down", "unseen", "dealt", "slices",
)  # fmt: skip
_SHOWN: Final = 60
T = TypeVar("T")


def shown(data: object) -> str:
    """Return data for a message, cut where it is long."""
    words = repr(data)
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}..."


def read_parts(data: Any) -> dict[str, Any]:
    """Return the attributes of the `Position` that data describe; `BadPosition` names a part."""
    if not isinstance(data, Mapping):
        raise BadPosition(
            f"a position's data is a mapping, as `to_dict()` returns it, not {shown(data)}"
        )
    spec, players = data.get("rules"), data.get("players")
    if not isinstance(spec, str) or type(players) is not int:
        raise BadPosition(
            f"the position is of {shown(spec)} for {shown(players)} players, which are no rules"
        )
    parts = _mapping(data, PARTS, "data")
    engine = _mapping(parts["engine"], ENGINE, "engine")
    hand, last = parts["tile_in_hand"], engine["last"]
    return {
        "rules": spec,
        "players": players,
        "version": str(data.get("rules_version")),
        "tiles": _items(parts["tiles"], "tiles", _tile),
        "face_down": _items(engine["face_down"], "engine face_down", _cell),
        "followers": _items(engine["followers"], "engine followers", _follower),
        "supplies": _items(parts["supplies"], "supplies", _counts),
        "scores": _items(parts["scores"], "scores", _number),
        "bag": _counts(parts["bag"], "bag"),
        "unseen": _number(engine["unseen"], "engine unseen"),
        "dealt": _number(engine["dealt"], "engine dealt"),
        "discarded": _items(parts["discarded"], "discarded", _text),
        "tile_in_hand": None if hand is None else _text(hand, "tile_in_hand", "", " or null"),
        "active_player": _number(engine["active"], "engine active"),
        "agenda": _items(engine["agenda"], "engine agenda", _step),
        "last_tile": None if last is None else _cell(last, "engine last", " or null"),
        "overlays_met": _number(engine["met"], "engine met"),
        "completed": _items(engine["completed"], "engine completed", _place),
        "never_complete": _items(engine["never_complete"], "engine never_complete", _place),
        "edge_overrides": _items(engine["ways"], "engine ways", _override),
        "expansion_states": _list(engine["slices"], "engine slices"),
        "claims": {name: data[name] for name in ("current_player", "decision") if name in data},
    }


def _refusal(data: object, what: str, form: str) -> BadPosition:
    return BadPosition(f"the position's {what} is {shown(data)}; it should be {form}")


def _number(data: Any, what: str, part: str = "") -> int:
    if not _is_number(data):
        raise _refusal(data, what + part, "a whole number")
    return data


def _is_number(data: Any) -> TypeGuard[int]:
    return isinstance(data, int) and not isinstance(data, bool) and abs(data) <= HIGHEST


def _text(data: Any, what: str, part: str = "", otherwise: str = "") -> str:
    if not isinstance(data, str):
        raise _refusal(data, what + part, f"a text{otherwise}")
    return data


def _list(data: Any, what: str) -> list[Any]:
    if not isinstance(data, list | tuple):
        raise _refusal(data, what, "a list")
    return list(data)


def _items(data: Any, what: str, read: Callable[[Any, str], T]) -> list[T]:
    """Return the items of a list, each as `read` returns it.

    The words for each item are made only if one is refused; measured, they cost more than reading.
    """
    items = _list(data, what)
    try:
        return [read(item, what) for item in items]
    except BadPosition:
        return [read(item, f"{what}[{i}]") for i, item in enumerate(items)]


def _row(data: Any, what: str, length: int, form: str) -> list[Any]:
    """Return the items of a list of this length."""
    if not isinstance(data, list | tuple) or len(data) != length:
        raise _refusal(data, what, form)
    return list(data)


def _mapping(data: Any, names: tuple[str, ...], what: str) -> Mapping[str, Any]:
    """Return a mapping that has these names, and perhaps others."""
    if type(data) is not dict and not isinstance(data, Mapping):  # measured: the latter is slow
        raise _refusal(data, what, _mapping_with(names))
    for name in names:
        if name not in data:
            raise BadPosition(
                f"the position's {what} has no {name!r}; it should be {_mapping_with(names)}"
            )
    return cast(Mapping[str, Any], data)


def _mapping_with(names: tuple[str, ...]) -> str:
    return f"a mapping with {', '.join(names)}"


def _counts(data: Any, what: str) -> dict[str, int]:
    """Return numbers by name."""
    if not isinstance(data, Mapping):
        raise _refusal(data, what, "numbers by name")
    for name, n in data.items():
        if not _is_number(n):
            raise _refusal(n, f"{what}[{name!r}]", "a whole number")
    return {_text(name, what, "'s name"): n for name, n in data.items()}


def _tile(data: Any, what: str) -> tuple[str, int, int, int]:
    tile = _mapping(data, TILE, what)
    return (
        _text(tile["kind"], what, " kind"),
        _number(tile["x"], what, " x"),
        _number(tile["y"], what, " y"),
        _number(tile["rotation"], what, " rotation"),
    )


def _cell(data: Any, what: str, otherwise: str = "") -> tuple[int, int]:
    x, y = _row(data, what, 2, f"[x, y]{otherwise}")
    return _number(x, what), _number(y, what)


def _place(data: Any, what: str) -> tuple[int, int, int]:
    x, y, index = _row(data, what, 3, "[x, y, segment]")
    return _number(x, what), _number(y, what), _number(index, what)


def _follower(data: Any, what: str) -> tuple[int, int, int, int, int]:
    row = _row(data, what, 5, "[x, y, segment, owner, kind]")
    x, y, index, owner, kind = [_number(n, what) for n in row]
    return x, y, index, owner, kind


def _step(data: Any, what: str) -> tuple[str, int]:
    name, player = _row(data, what, 2, "[step, player]")
    return _text(name, what), _number(player, what)


def _override(data: Any, what: str) -> tuple[int, tuple[int, int, int], tuple[int, int, int]]:
    code, first, second = _row(data, what, 3, "[what, [x, y, segment], [x, y, segment]]")
    return _number(code, what), _place(first, what), _place(second, what)
