"""A position in a line of text (`docs/positions.md`, "Text")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from carc.base.cells import xy
from carc.base.game.expansion_data import first_place, slices_text, step_name
from carc.base.game.position import check_rules, forgets, in_place, rules_in
from carc.base.game.schema import shown
from carc.bounded import parse_json
from carc.errors import BadPosition

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

UNKNOWN: Final = "?"  # a tile lying face down
NONE: Final = "-"
FIELDS: Final = (
    "rules", "players", "version", "tiles", "followers", "supplies", "scores", "bag", "unseen", "discarded",
    "hand", "turn", "last", "never complete", "ways", "slices",
)  # fmt: skip
WRITTEN: Final = {
    "tiles": "KIND:X,Y,R and ?:X,Y between /",
    "followers": "X,Y,SEGMENT=OWNER.KIND between /",
    "supplies": "by owner between /, a number for each kind of follower between commas",
    "scores": "by owner, numbers between /",
    "bag": "KIND*COPIES between /",
    "unseen": "as a number",
    "turn": "PLAYER, then STEP@PLAYER between /",
    "last": "X,Y,MET, then X,Y,SEGMENT between /",
    "never complete": "X,Y,SEGMENT between /",
    "ways": "WHAT:X,Y,SEGMENT:X,Y,SEGMENT between /",
    "slices": "as a JSON list",
}
"""How fields are written that may be written wrongly; - for nothing."""


def text(state: State) -> str:
    """The position in a line, the same for equal positions (`docs/positions.md`, "Text")."""
    rules = state.rules
    names = rules.tile_names
    laid: list[str] = []
    for tile in state.board._tiles_in_place():
        x, y = xy(state.board.cell_of(tile))
        laid.append(
            f"{names[state.board.kind_of_tile(tile)]}:{x},{y},{state.board.rotation_of(tile)}"
        )
    for cell in state.board.face_down_cells():
        x, y = xy(cell)
        laid.append(f"{UNKNOWN}:{x},{y}")
    kinds = [kind.name for kind in rules.follower_kinds]
    figures: list[str] = []
    for segment, owner, kind in in_place(state):
        x, y, index = state.board.place_of(segment)
        figures.append(f"{x},{y},{index}={owner}.{kinds[kind]}")
    last = NONE
    if state.board.last_tile >= 0 and not forgets(state):
        x, y = xy(state.board.cell_of(state.board.last_tile))
        last = _joined(
            [
                f"{x},{y},{state.board._overlays_met}",
                *[_told(state, f) for f in state.board.completed],
            ]
        )
    supplies = [
        ",".join([str(state.board.supply_of(owner, kind)) for kind in range(len(kinds))])
        for owner in range(rules.owners)
    ]
    agenda = [f"{step_name(state, step)}@{player}" for step, player in state.agenda]
    fields = [
        rules.spec,
        str(rules.players),
        rules.version,
        _joined(laid),
        _joined(figures),
        _joined(supplies),
        _joined([str(score) for score in state.scores]),
        _joined([f"{names[kind]}*{n}" for kind, n in enumerate(state.bag) if n]),
        str(sum(state.bag) - state.tiles_left),
        _joined([names[kind] for kind in sorted(state.discarded)]),
        names[state.tile_in_hand] if state.tile_in_hand >= 0 else NONE,
        _joined([str(state.active_player), *agenda]),
        last,
        _joined(sorted([_told(state, feature) for feature in state.board._never_complete])),
        _joined([_way(state, what, a, b) for what, a, b in state.board._edge_overrides]),
        slices_text(state) if state.expansion_states else NONE,
    ]
    return " ".join(fields)


def _joined(parts: Sequence[str]) -> str:
    return "/".join(parts) or NONE


def _told(state: State, feature: int) -> str:
    x, y, index = first_place(state, feature)
    return f"{x},{y},{index}"


def _way(state: State, what: int, a: int, b: int) -> str:
    places = [",".join(map(str, state.board.place_of(segment))) for segment in (a, b)]
    return f"{what}:{places[0]}:{places[1]}"


def fields_of(told: str) -> list[str]:
    """The fields of a position's text. Raises `BadPosition` if there are not as many as there should be."""
    fields = told.split()
    if len(fields) != len(FIELDS):
        raise BadPosition(
            f"a position has {len(FIELDS)} fields ({', '.join(FIELDS)}), not {len(fields)}: the text is cut, or of "
            "another version of carc"
        )
    return fields


def rules_of(told: str) -> Rules:
    """The rules that a position's text names. Raises `BadPosition`."""
    spec, players, *_ = fields_of(told)
    return rules_in({"rules": spec, "players": _players(players)})


def _players(field: str) -> int | str:
    return int(field) if field.isdecimal() and len(field) < 9 else field


def data_of(rules: Rules, told: str) -> dict[str, Any]:
    """What a position's text says, as `state_from` reads it. Raises `BadPosition`, naming the field that cannot be read."""
    fields = fields_of(told)
    spec, players, told_version, *_ = fields
    check_rules(rules, spec, _players(players), told_version)
    at = 0
    try:
        found: list[Any] = []
        for at, field in enumerate(fields):
            found.append(_field(rules, FIELDS[at], field))
    except (ValueError, KeyError, IndexError, RecursionError):
        raise BadPosition(
            f"the position's {FIELDS[at]} {shown(fields[at])} cannot be read; it is written {WRITTEN[FIELDS[at]]}"
        ) from None
    _, _, _, tiles, followers, supplies, scores, bag, unseen, discarded = found[:10]
    hand, (active, agenda), (last, met, completed), never, ways, slices = found[10:]
    gone = len(discarded) + len(tiles[0]) - len(rules.catalogue.start) + (hand is not None)
    return {
        "rules": rules.spec,
        "players": rules.players,
        "rules_version": rules.version,
        "tile_in_hand": hand,
        "tiles": tiles[0],
        "supplies": supplies,
        "scores": scores,
        "bag": bag,
        "discarded": discarded,
        "engine": {
            "active": active,
            "agenda": agenda,
            "last": last,
            "met": met,
            "completed": completed,
            "never_complete": never,
            "ways": ways,
            "followers": followers,
            "face_down": tiles[1],
            "unseen": unseen,
            "dealt": gone + unseen,
            "slices": slices,
        },
    }


def _field(rules: Rules, name: str, field: str) -> Any:
    """What one field says."""
    parts = [] if field == NONE else field.split("/")
    kinds = [kind.name for kind in rules.follower_kinds]
    if name == "tiles":
        return _tiles(parts)
    if name == "followers":
        found = []
        for part in parts:
            place, _, who = part.partition("=")
            owner, _, kind = who.partition(".")
            found.append([*_numbers(place, 3), int(owner), kinds.index(kind)])
        return found
    if name == "supplies":
        return [dict(zip(kinds, _numbers(part, len(kinds)), strict=True)) for part in parts]
    if name == "scores":
        return [int(part) for part in parts]
    if name == "bag":
        return {name: int(n) for name, n in [part.split("*") for part in parts]}
    if name == "unseen":
        return int(field)
    if name == "discarded":
        return parts
    if name == "hand":
        return None if field == NONE else field
    if name == "turn":
        agenda = [part.split("@") for part in parts[1:]]
        return int(parts[0]), [[step, int(player)] for step, player in agenda]
    if name == "last":
        if not parts:
            return None, 0, []
        x, y, met = _numbers(parts[0], 3)
        return [x, y], met, [_numbers(part, 3) for part in parts[1:]]
    if name == "never complete":
        return [_numbers(part, 3) for part in parts]
    if name == "ways":
        return [
            [int(what), _numbers(a, 3), _numbers(b, 3)]
            for what, a, b in [part.split(":") for part in parts]
        ]
    if name == "slices":
        return [] if field == NONE else parse_json(field)
    return field


def _tiles(parts: Sequence[str]) -> tuple[list[dict[str, Any]], list[list[int]]]:
    """Tiles, and cells where one lies face down."""
    tiles: list[dict[str, Any]] = []
    hidden: list[list[int]] = []
    for part in parts:
        name, _, where = part.partition(":")
        if name == UNKNOWN:
            hidden.append(_numbers(where, 2))
        else:
            x, y, rotation = _numbers(where, 3)
            tiles.append({"x": x, "y": y, "kind": name, "rotation": rotation})
    return tiles, hidden


def _numbers(text: str, n: int) -> list[int]:
    found = [int(part) for part in text.split(",")]
    if len(found) != n:
        raise ValueError(f"{text!r} is not {n} numbers")
    return found
