"""A position as JSON data (`docs/positions.md`): one function for each shape of a part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from carc.errors import BadPosition

HIGHEST: Final = 10**9  # of any number
PARTS: Final = ("tile_in_hand", "tiles", "supplies", "scores", "bag", "discarded", "engine")
TILE: Final = ("x", "y", "kind", "rotation")
ENGINE: Final = (
    "active", "agenda", "last", "met", "completed", "ways", "never_complete", "followers",
    "face_down", "unseen", "dealt", "slices",
)  # fmt: skip
_SHOWN: Final = 60


def shown(data: object) -> str:
    """Return data for a message, cut where it is long."""
    words = repr(data)
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}..."


def read_parts(data: Any) -> dict[str, Any]:
    """Return the attributes of the `Position` that data describe.

    Raises:
        BadPosition: A part is missing or not as it should be; the message names it.
    """
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
        "tiles": [_tile(*one) for one in _items(parts["tiles"], "tiles")],
        "face_down": [_cell(*one) for one in _items(engine["face_down"], "engine face_down")],
        "followers": [_follower(*one) for one in _items(engine["followers"], "engine followers")],
        "supplies": [_counts(*one) for one in _items(parts["supplies"], "supplies")],
        "scores": [_number(*one) for one in _items(parts["scores"], "scores")],
        "bag": _counts(parts["bag"], "bag"),
        "unseen": _number(engine["unseen"], "engine unseen"),
        "dealt": _number(engine["dealt"], "engine dealt"),
        "discarded": [_text(*one) for one in _items(parts["discarded"], "discarded")],
        "tile_in_hand": None if hand is None else _text(hand, "tile_in_hand", " or null"),
        "active_player": _number(engine["active"], "engine active"),
        "agenda": [_step(*one) for one in _items(engine["agenda"], "engine agenda")],
        "last_tile": None if last is None else _cell(last, "engine last", " or null"),
        "overlays_met": _number(engine["met"], "engine met"),
        "completed": [_place(*one) for one in _items(engine["completed"], "engine completed")],
        "never_complete": [
            _place(*one) for one in _items(engine["never_complete"], "engine never_complete")
        ],
        "edge_overrides": [_override(*one) for one in _items(engine["ways"], "engine ways")],
        "expansion_states": [state for state, _ in _items(engine["slices"], "engine slices")],
        "claims": {name: data[name] for name in ("current_player", "decision") if name in data},
    }


def _refusal(data: object, what: str, form: str) -> BadPosition:
    return BadPosition(f"the position's {what} is {shown(data)}; it should be {form}")


def _number(data: Any, what: str) -> int:
    if not isinstance(data, int) or isinstance(data, bool) or abs(data) > HIGHEST:
        raise _refusal(data, what, "a whole number")
    return data


def _text(data: Any, what: str, otherwise: str = "") -> str:
    if not isinstance(data, str):
        raise _refusal(data, what, f"a text{otherwise}")
    return data


def _items(data: Any, what: str) -> list[tuple[Any, str]]:
    """Return the items of a list, each with the words for it."""
    if not isinstance(data, list | tuple):
        raise _refusal(data, what, "a list")
    return [(item, f"{what}[{i}]") for i, item in enumerate(data)]


def _row(data: Any, what: str, length: int, form: str) -> list[Any]:
    """Return the items of a list of this length."""
    if not isinstance(data, list | tuple) or len(data) != length:
        raise _refusal(data, what, form)
    return list(data)


def _mapping(data: Any, names: tuple[str, ...], what: str) -> Mapping[str, Any]:
    """Return a mapping that has these names, and perhaps others."""
    form = f"a mapping with {', '.join(names)}"
    if not isinstance(data, Mapping):
        raise _refusal(data, what, form)
    for name in names:
        if name not in data:
            raise BadPosition(f"the position's {what} has no {name!r}; it should be {form}")
    return data


def _counts(data: Any, what: str) -> dict[str, int]:
    """Return numbers by name."""
    if not isinstance(data, Mapping):
        raise _refusal(data, what, "numbers by name")
    return {
        _text(name, f"{what}'s name"): _number(n, f"{what}[{name!r}]") for name, n in data.items()
    }


def _tile(data: Any, what: str) -> tuple[str, int, int, int]:
    tile = _mapping(data, TILE, what)
    return (
        _text(tile["kind"], f"{what} kind"),
        _number(tile["x"], f"{what} x"),
        _number(tile["y"], f"{what} y"),
        _number(tile["rotation"], f"{what} rotation"),
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
    code, one, other = _row(data, what, 3, "[what, [x, y, segment], [x, y, segment]]")
    return _number(code, what), _place(one, what), _place(other, what)
