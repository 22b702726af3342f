"""The form of a position's text: its parts, written and read (`docs/positions.md`, "Text")."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from carc.base.position.data import shown
from carc.bounded import parse_json
from carc.errors import BadPosition

T = TypeVar("T")

FACE_DOWN: Final = "?"
NONE: Final = "-"
FORMS: Final = {
    "rules": "a spec",
    "players": "as a number",
    "version": "as a word",
    "tiles": "KIND:X,Y,R and ?:X,Y between /",
    "followers": "X,Y,SEGMENT=OWNER.KIND between /",
    "supplies": "by owner between /, a number for each kind of follower between commas",
    "scores": "by owner, numbers between /",
    "bag": "KIND*COPIES between /",
    "unseen": "as a number",
    "discarded": "KIND between /",
    "hand": "KIND",
    "turn": "PLAYER, then STEP@PLAYER between /",
    "last": "X,Y,MET, then X,Y,SEGMENT between /",
    "never complete": "X,Y,SEGMENT between /",
    "ways": "WHAT:X,Y,SEGMENT:X,Y,SEGMENT between /",
    "slices": "as a JSON list",
}
"""The fields in order, and how each is written; `-` for nothing."""
FIELDS: Final = tuple(FORMS)


# -- writing ---------------------------------------------------------------------------------------


def places_text(places: Sequence[tuple[int, int, int]]) -> list[str]:
    """Return places of segments as text, one each."""
    return [place_text(x, y, index) for x, y, index in places]


def tile_text(kind: str, x: int, y: int, rotation: int) -> str:
    """Return a tile as text."""
    return f"{kind}:{x},{y},{rotation}"


def face_down_text(x: int, y: int) -> str:
    """Return a tile that lies face down as text."""
    return f"{FACE_DOWN}:{x},{y}"


def follower_text(x: int, y: int, index: int, owner: int, kind: str) -> str:
    """Return a follower on the table as text."""
    return f"{x},{y},{index}={owner}.{kind}"


def place_text(x: int, y: int, index: int) -> str:
    """Return the place of a segment as text."""
    return f"{x},{y},{index}"


def count_text(kind: str, n: int) -> str:
    """Return how many tiles of a kind there are as text."""
    return f"{kind}*{n}"


def turn_text(step: str, player: int) -> str:
    """Return a step on the agenda as text."""
    return f"{step}@{player}"


def override_text(what: int, first: tuple[int, int, int], second: tuple[int, int, int]) -> str:
    """Return what an expansion did to edges as text."""
    return f"{what}:{place_text(*first)}:{place_text(*second)}"


def compose(
    *,
    rules: str,
    players: int,
    version: str,
    tiles: list[str],
    followers: list[str],
    supplies: list[str],
    scores: list[str],
    bag: list[str],
    unseen: int,
    discarded: list[str],
    hand: str,
    turn: list[str],
    last: list[str],
    never_complete: list[str],
    ways: list[str],
    slices: list[Any],
) -> str:
    """Return the line with these fields, which are named as in `FIELDS`."""
    fields = [
        rules,
        str(players),
        version,
        "/".join(tiles) or NONE,
        "/".join(followers) or NONE,
        "/".join(supplies) or NONE,
        "/".join(scores) or NONE,
        "/".join(bag) or NONE,
        str(unseen),
        "/".join(discarded) or NONE,
        hand,
        "/".join(turn),
        "/".join(last) or NONE,
        "/".join(sorted(never_complete)) or NONE,
        "/".join(ways) or NONE,
        compact_json(slices) if slices else NONE,
    ]
    return " ".join(fields)


def compact_json(data: Sequence[Any]) -> str:
    """Return data as JSON without a space."""
    return json.dumps(data, separators=(",", ":")).replace(" ", "\\u0020")


# -- reading ---------------------------------------------------------------------------------------


class _Fields:
    """The fields of a text by name."""

    def __init__(self, line: str) -> None:
        fields = line.split()
        if len(fields) != len(FIELDS):
            raise BadPosition(
                f"a position has {len(FIELDS)} fields ({', '.join(FIELDS)}), not {len(fields)}: the"
                " text is cut, or of another version of carc"
            )
        self.by_name: Final = dict(zip(FIELDS, fields, strict=True))

    def read(self, name: str, reader: Callable[[str], T]) -> T:
        """Return what a field says; raise `BadPosition` if it cannot be read."""
        field = self.by_name[name]
        try:
            return reader(field)
        except (ValueError, RecursionError):
            raise BadPosition(
                f"the position's {name} {shown(field)} cannot be read; it is written {FORMS[name]}"
            ) from None


def read_fields(line: str) -> dict[str, Any]:
    """Return the attributes of the `Position` in a text; `BadPosition` names a bad field."""
    fields = _Fields(line)
    tiles, face_down = fields.read("tiles", _tiles)
    active_player, agenda = fields.read("turn", _turn)
    last_tile, overlays_met, completed = fields.read("last", _last)
    return {
        "rules": fields.by_name["rules"],
        "players": fields.read("players", int),
        "version": fields.by_name["version"],
        "tiles": tiles,
        "face_down": face_down,
        "followers": fields.read("followers", _followers),
        "supplies": fields.read("supplies", _supplies),
        "scores": fields.read("scores", _scores),
        "bag": fields.read("bag", _bag),
        "unseen": fields.read("unseen", int),
        "dealt": None,
        "discarded": _parts(fields.by_name["discarded"]),
        "tile_in_hand": None if fields.by_name["hand"] == NONE else fields.by_name["hand"],
        "active_player": active_player,
        "agenda": agenda,
        "last_tile": last_tile,
        "overlays_met": overlays_met,
        "completed": completed,
        "never_complete": fields.read("never complete", _read_places),
        "edge_overrides": fields.read("ways", _edge_overrides),
        "expansion_states": fields.read("slices", _expansion_states),
    }


def _parts(field: str) -> list[str]:
    return [] if field == NONE else field.split("/")


def _cell(part: str) -> tuple[int, int]:
    x, y = part.split(",")
    return int(x), int(y)


def _place(part: str) -> tuple[int, int, int]:
    x, y, index = part.split(",")
    return int(x), int(y), int(index)


def _read_places(field: str) -> list[tuple[int, int, int]]:
    return [_place(part) for part in _parts(field)]


def _tiles(field: str) -> tuple[list[tuple[str, int, int, int]], list[tuple[int, int]]]:
    """Return the tiles, and the cells of those that lie face down."""
    tiles: list[tuple[str, int, int, int]] = []
    face_down: list[tuple[int, int]] = []
    for part in _parts(field):
        kind, _, where = part.partition(":")
        if kind == FACE_DOWN:
            face_down.append(_cell(where))
        else:
            x, y, rotation = _place(where)
            tiles.append((kind, x, y, rotation))
    return tiles, face_down


def _followers(field: str) -> list[tuple[int, int, int, int, str]]:
    followers: list[tuple[int, int, int, int, str]] = []
    for part in _parts(field):
        where, who = part.split("=")
        x, y, index = _place(where)
        owner, kind = who.split(".")
        followers.append((x, y, index, int(owner), kind))
    return followers


def _supplies(field: str) -> list[list[int]]:
    return [[int(n) for n in part.split(",")] for part in _parts(field)]


def _scores(field: str) -> list[int]:
    return [int(part) for part in _parts(field)]


def _bag(field: str) -> dict[str, int]:
    bag: dict[str, int] = {}
    for part in _parts(field):
        kind, n = part.split("*")
        bag[kind] = int(n)
    return bag


def _turn(field: str) -> tuple[int, list[tuple[str, int]]]:
    active_player, *steps = _parts(field) or [""]
    agenda: list[tuple[str, int]] = []
    for part in steps:
        step, player = part.split("@")
        agenda.append((step, int(player)))
    return int(active_player), agenda


def _last(field: str) -> tuple[tuple[int, int] | None, int, list[tuple[int, int, int]]]:
    """Return the cell of the last tile, what its overlays met, and what it completed."""
    if field == NONE:
        return None, 0, []
    first, *completed = _parts(field)
    x, y, overlays_met = _place(first)
    return (x, y), overlays_met, [_place(part) for part in completed]


def _edge_overrides(
    field: str,
) -> list[tuple[int, tuple[int, int, int], tuple[int, int, int]]]:
    overrides: list[tuple[int, tuple[int, int, int], tuple[int, int, int]]] = []
    for part in _parts(field):
        what, first, second = part.split(":")
        overrides.append((int(what), _place(first), _place(second)))
    return overrides


def _expansion_states(field: str) -> list[Any]:
    states = [] if field == NONE else parse_json(field)
    if not isinstance(states, list):
        raise ValueError("not a list")
    return states
