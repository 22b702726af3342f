"""`State.to_dict`: everything visible of a position, as JSON data (`docs/positions.md`)."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board.arrays import NOTHING
from carc.base.board.vectors import sort_in_place
from carc.base.cells import WIDTH, WIDTH_BITS, beyond, xy
from carc.base.game import position
from carc.base.game.places import followers_by_place

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.state import State

TILES: Final = 4096  # more than any game has


def features(state: State) -> list[dict[str, Any]]:
    """Return every feature on the board, sorted by kind, then segments."""
    board, catalogue = state.board, state.rules.catalogue
    ordered = vec[i64]()  # the features, as they come
    index_of = vec[i64]([-1] * board.segment_count)  # by feature: where it is in `ordered`
    latest_tile = vec[i64]()
    segments: list[list[list[int]]] = []
    tiles: list[list[list[int]]] = []
    for tile in _tiles_by_x(board):
        x, y = xy(board._cell[tile])
        first = board._first_segment[tile]
        count: i64 = catalogue.segment_count[board._oriented_kind[tile] >> 2]
        for index in range(count):
            feature = board._feature[first + index]
            at = index_of[feature]
            if at < 0:
                at = len(ordered)
                index_of[feature] = at
                ordered = append(ordered, feature)
                latest_tile = append(latest_tile, -1)
                segments.append([])
                tiles.append([])
            segments[at].append([x, y, index])
            if latest_tile[at] != tile:
                latest_tile[at] = tile
                tiles[at].append([x, y])
    followers: list[list[dict[str, Any]]] = [[] for _ in segments]
    for segment, follower in _followers(state):
        followers[index_of[board._feature[segment]]].append(follower)
    open_edges = _open_edges(board)
    numbered = enumerate(catalogue.kinds)
    shown = sorted([(kind.name, number) for number, kind in numbered if kind.name[0] != "_"])
    return [
        {
            "kind": name,
            "segments": segments[at],
            "tiles": tiles[at],
            "open_edges": open_edges[ordered[at]],
            "complete": catalogue.completes[kind] != 0 and board._open[ordered[at]] == 0,
            "marks": _marks(board, ordered[at]),
            "followers": followers[at],
        }
        for name, kind in shown
        for at in range(len(ordered))
        if board._kind[ordered[at]] == kind
    ]


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


def _followers(state: State) -> list[tuple[int, dict[str, Any]]]:
    """Return the segment and the data of each follower, by place."""
    names = [kind.name for kind in state.rules.follower_kinds]
    followers: list[tuple[int, dict[str, Any]]] = []
    for segment, owner, kind in followers_by_place(state):
        x, y, index = state.board.place_of(segment)
        data = {"owner": owner, "kind": names[kind], "x": x, "y": y, "segment": index}
        followers.append((segment, data))
    return followers


def _marks(board: Board, feature: int) -> dict[str, int]:
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
    tables = vec[vec[i64]](
        [catalogue.main, catalogue.left, catalogue.right, catalogue.also, catalogue.overlay]
    )
    counts = vec[i64]([0] * board.segment_count)
    for tile in range(board.tile_count):
        cell = board._cell[tile]
        first = board._first_segment[tile]
        row = board._oriented_kind[tile]
        for side in range(4):
            if board.tile_on_cell(beyond(cell, side)) == NOTHING:
                for table in tables:
                    index = table[row * 4 + side]
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
        return position.decision(state)
    if name == "features":
        return features(state)
    if name == "winners":
        return state.winners if state.is_terminal else None
    return position.basic(state, name)


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
    cell: int,
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
        cell: Where it stands as a whole.
        segment: The segment on which it stands, if it stands on one.
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
