"""Writes a state as JSON data: what is needed to make it again, and everything visible.

Tiles and segments are numbered in the order of placement, so data contain no such number. The form
is in `docs/positions.md`.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board.place_order import first_place, followers_by_place
from carc.base.board.vectors import sort_in_place
from carc.base.cells import HALF, WIDTH, WIDTH_BITS, beyond, xy
from carc.base.tiles.catalogue import demanding_cell, terrain_of

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.state import State

BASICS: Final = (
    "rules", "rules_version", "players", "tile_in_hand", "tiles", "supplies", "scores", "bag",
    "discarded", "engine",
)  # fmt: skip
"""The parts of `State.to_dict` from which a state is made again."""


def decision(state: State) -> str | None:
    """Return the name of the step that is to be decided; None at the end."""
    return None if state.is_terminal else state.step.name


def forgets(state: State) -> bool:
    """Return True if the last tile no longer matters.

    The game is over, or the next tile is drawn or about to be.
    """
    if state._agenda is None or state.tile_in_hand >= 0:
        return True
    return state._agenda.step is state.rules._draw_step


def basics(state: State) -> dict[str, Any]:
    """Return `BASICS` by name."""
    return {name: basic(state, name) for name in BASICS}


def basic(state: State, name: str) -> Any:
    """Return one of `BASICS`, as `to_dict` has it."""
    rules = state.rules
    names = rules.tile_names
    if name == "rules":
        return rules.spec
    if name == "rules_version":
        return rules.version
    if name == "players":
        return rules.players
    if name == "supplies":
        return _supplies(state)
    if name == "scores":
        return state.scores.copy()
    if name == "engine":
        return _engine(state)
    if name == "tile_in_hand":
        return names[state.tile_in_hand] if state.tile_in_hand >= 0 else None
    if name == "bag":
        return {names[kind]: n for kind, n in enumerate(state.bag) if n}
    if name == "discarded":
        return [names[kind] for kind in state.discarded]
    return _tiles(state)


def _supplies(state: State) -> list[dict[str, int]]:
    kinds = [kind.name for kind in state.rules.follower_kinds]
    return [
        {name: state.board.supply_of(owner, kind) for kind, name in enumerate(kinds)}
        for owner in range(state.rules.owners)
    ]


def _tiles(state: State) -> list[dict[str, Any]]:
    board = state.board
    tiles: list[dict[str, Any]] = []
    for tile in range(board.tile_count):
        data = state.rules.catalogue.tile_data[board._oriented_kind[tile]].copy()
        cell = board._cell[tile]
        data["x"] = (cell & WIDTH - 1) - HALF
        data["y"] = (cell >> WIDTH_BITS) - HALF
        tiles.append(data)
    return tiles


def _engine(state: State) -> dict[str, Any]:
    """Return what is needed to play on and not visible on the table."""
    board = state.board
    last = board.last_tile
    return {
        "active": state.active_player,
        "agenda": [[state.rules._steps.name(step), player] for step, player in state.agenda],
        "last": list(xy(board.cell_of(last))) if last >= 0 else None,
        "met": board._overlays_met,
        "completed": [list(first_place(board, feature)) for feature in board.completed],
        "ways": [
            [what, list(board.place_of(a)), list(board.place_of(b))]
            for what, a, b in board._edge_overrides
        ],
        "never_complete": [list(first_place(board, feature)) for feature in board._never_complete],
        "followers": _followers(state),
        "face_down": [list(xy(cell)) for cell in board.face_down_cells()],
        "unseen": sum(state.bag) - state.tiles_left,
        "dealt": state._dealt,
        "slices": [own.to_data(state) for own in state.expansion_states],
    }


def _followers(state: State) -> list[list[int]]:
    """Return the followers in the order of the board: x, y, segment, owner, kind."""
    followers: list[list[int]] = []
    for segment, owner, kind in state.board.all_followers():
        x, y, index = state.board.place_of(segment)
        followers.append([x, y, index, owner, kind])
    return followers


# -- everything visible ----------------------------------------------------------------------------

TILES: Final = 4096  # more than any game has

# A feature with what most have in common, to be copied: that is faster than to make a dict.
FEATURE: Final[dict[str, Any]] = {
    "kind": "",
    "segments": [],
    "tiles": [],
    "open_edges": 1,
    "complete": False,
    "marks": {},
    "followers": [],
}


def features(state: State) -> list[dict[str, Any]]:
    """Return every feature on the board, sorted by kind, then segments."""
    board, catalogue = state.board, state.rules.catalogue
    kind_of, tile_of, first_segment = board._kind, board._tile_of, board._first_segment
    cells = board._cell
    starts, following = _chains(board)
    open_edges = _open_edges(board)
    described: list[dict[str, Any]] = []
    place_of = vec[i64]([0] * board.segment_count)  # by feature: its place in `described`
    numbered = enumerate(catalogue.kinds)
    shown = sorted([(kind.name, number) for number, kind in numbered if kind.name[0] != "_"])
    for name, kind in shown:
        of_kind = FEATURE.copy()
        of_kind["kind"] = name
        can_complete = catalogue.completes[kind] != 0
        for start in starts:
            if kind_of[start] != kind:
                continue
            segments: list[list[Any]] = []
            tiles: list[list[Any]] = []
            latest: i64 = -1
            segment = start
            while segment >= 0:
                tile = tile_of[segment]
                x: Any = (cells[tile] & WIDTH - 1) - HALF
                y: Any = (cells[tile] >> WIDTH_BITS) - HALF
                segments.append([x, y, segment - first_segment[tile]])
                if tile != latest:
                    tiles.append([x, y])
                    latest = tile
                segment = following[segment]
            feature = board._feature[start]
            data = of_kind.copy()
            data["segments"] = segments
            data["tiles"] = tiles
            if open_edges[feature] != 1:
                data["open_edges"] = open_edges[feature]
            if can_complete and board._open[feature] == 0:
                data["complete"] = True
            data["marks"] = _marks(board, feature) if board.is_marked(feature) else {}
            data["followers"] = []
            place_of[feature] = len(described)
            described.append(data)
    names = [kind.name for kind in state.rules.follower_kinds]
    for follower, owner, number in followers_by_place(board):
        x, y, index = board.place_of(follower)
        there: list[dict[str, Any]] = described[place_of[board._feature[follower]]]["followers"]
        there.append({"owner": owner, "kind": names[number], "x": x, "y": y, "segment": index})
    return described


def _chains(board: Board) -> tuple[vec[i64], vec[i64]]:
    """Return the first segments of all features, and by segment the next one of its feature.

    Segments are in the order of x, y and index.
    """
    last = vec[i64]([-1] * board.segment_count)  # by feature
    following = vec[i64]([-1] * board.segment_count)
    starts = vec[i64]()
    segment_count = board.components.catalogue.segment_count
    for tile in _tiles_by_x(board):
        start = board._first_segment[tile]
        for segment in range(start, start + segment_count[board._oriented_kind[tile] >> 2]):
            feature = board._feature[segment]
            if last[feature] < 0:
                starts = append(starts, segment)
            else:
                following[last[feature]] = segment
            last[feature] = segment
    return starts, following


def _tiles_by_x(board: Board) -> vec[i64]:
    """Return the tiles by x, then y: segments, tiles and features then come in their order."""
    keys = vec[i64]([0] * board.tile_count)
    for tile in range(board.tile_count):
        cell = board._cell[tile]
        keys[tile] = ((cell & WIDTH - 1) * WIDTH + (cell >> WIDTH_BITS)) * TILES + tile
    keys = sort_in_place(keys)
    for at in range(len(keys)):
        keys[at] &= TILES - 1
    return keys


def _marks(board: Board, feature: i64) -> dict[str, int]:
    """Return how often a feature carries each mark that it carries."""
    marks: dict[str, int] = {}
    for number, name in enumerate(board.components.catalogue.marks):
        n = board.mark(feature, number)
        if n:
            marks[name] = n
    return marks


def _open_edges(board: Board) -> vec[i64]:
    """Return by feature how many edges (half-edges beside roads) have no tile beyond."""
    catalogue = board.components.catalogue
    tables = vec[vec[i64]]([catalogue.main, catalogue.left, catalogue.right])
    if catalogue.shared:
        tables = append(tables, catalogue.also)
    if catalogue.overlays:
        tables = append(tables, catalogue.overlay)
    counts = vec[i64]([0] * board.segment_count)
    for free in board.demands():
        for side in range(4):
            if not terrain_of(free, side):
                continue
            tile = board.tile_on_cell(beyond(demanding_cell(free), side))
            edge = board._oriented_kind[tile] * 4 + (side ^ 2)
            first = board._first_segment[tile]
            for table in tables:
                index = table[edge]
                if index >= 0:
                    counts[board._feature[first + index]] += 1
    return counts


PARTS: Final = (
    "rules", "rules_version", "players", "current_player", "decision", "tile_in_hand", "tiles",
    "features", "supplies", "scores", "bag", "discarded", "winners", "engine",
)  # fmt: skip


def part(state: State, name: str) -> Any:
    """Return one of `PARTS`."""
    if name == "current_player":
        return state.current_player
    if name == "decision":
        return decision(state)
    if name == "features":
        return features(state)
    if name == "winners":
        return state.winners if state.is_terminal else None
    return basic(state, name)


def to_dict(state: State, parts: Sequence[str]) -> dict[str, Any]:
    """Return everything visible as JSON data (`docs/positions.md`), or only some parts."""
    if not gc.isenabled():
        return _described(state, parts)
    # A thousand lists and dicts, none of them garbage: to look through them takes as long as half
    # of all else.
    gc.disable()
    try:
        return _described(state, parts)
    finally:
        gc.enable()


def _described(state: State, parts: Sequence[str]) -> dict[str, Any]:
    if parts and all(name in PARTS for name in parts):
        return {name: part(state, name) for name in parts}
    data = {name: part(state, name) for name in PARTS}
    data["pieces"] = []
    data["out_of_play"] = {}
    for expansion in state.rules.hooks.describe:
        data = expansion.describe(state, data)
    data["pieces"].sort(key=lambda one: (one["kind"], one["y"], one["x"], one["segment"] or 0))
    if not parts:
        return data
    for name in parts:
        if name not in data:
            raise KeyError(f"to_dict has no part {name!r}; it has {' '.join(data)}")
    return {name: data[name] for name in parts}


def piece(
    state: State,
    kind: str,
    cell: int = -1,
    segment: int = -1,
    *,
    owner: int = -1,
    count: int = 1,
    text: str = "",
    to: int = -1,
) -> dict[str, Any]:
    """Return something on the table that is no follower, for `pieces` of `to_dict`.

    Args:
        state: The position.
        kind: What it is.
        cell: Where it stands, if it stands on no segment.
        segment: The segment on which it stands.
        owner: Whose it is.
        count: How many there are.
        text: What is written on it.
        to: Another segment of the tile, to which it reaches, if it reaches to one.
    """
    x, y = xy(cell)
    index: int | None = None
    if segment >= 0:
        x, y, index = state.board.place_of(segment)
    more = {"to": state.board.place_of(to)[2]} if to >= 0 else {}
    return {
        "kind": kind,
        "x": x,
        "y": y,
        "segment": index,
        "owner": owner if owner >= 0 else None,
        "count": count,
        "text": text,
        **more,
    }
