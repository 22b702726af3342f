"""`State.to_dict`: everything visible of a position, as JSON data (`docs/positions.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.arrays import NOTHING
from carc.base.cells import SIDES, WIDTH, xy
from carc.base.game import position
from carc.base.game.places import followers_by_place

if TYPE_CHECKING:
    from carc.base.game.state import State

TILES: Final = 4096  # more than any game has


def features(state: State) -> list[dict[str, Any]]:
    """Return every feature on the board, sorted by kind, then segments."""
    rules = state.rules
    catalogue = rules.catalogue
    by_feature: dict[int, dict[str, Any]] = {}
    segments: dict[int, list[list[int]]] = {}
    tiles: dict[int, list[list[int]]] = {}
    ordered: list[list[dict[str, Any]]] = [[] for _ in catalogue.kinds]
    # Tiles by x, then y: segments, tiles and features then come in their order.
    across = sorted(
        [
            _across(state.board.cell_of(tile)) * TILES + tile
            for tile in range(state.board.tile_count)
        ]
    )
    for key in across:
        tile = key % TILES
        x, y = xy(state.board.cell_of(tile))
        first: i64 = state.board._first_segment[tile]
        count: i64 = catalogue.segment_count[state.board._oriented_kind[tile] >> 2]
        for index in range(count):
            feature: int = state.board._feature[first + index]
            if catalogue.kinds[state.board._kind[feature]].name[0] == "_":
                continue
            own = segments.get(feature)
            if own is None:
                own = []
                segments[feature] = own
                on: list[list[int]] = []
                tiles[feature] = on
                data = _feature(state, feature, own, on)
                by_feature[feature] = data
                ordered[state.board._kind[feature]].append(data)
            own.append([x, y, index])
            on = tiles[feature]
            if not on or on[-1][0] != x or on[-1][1] != y:
                on.append([x, y])
    for feature, n in _open_edges(state).items():
        by_feature[feature]["open_edges"] = n
    names = [kind.name for kind in rules.follower_kinds]
    for segment, owner, follower in followers_by_place(state):
        x, y, number = state.board.place_of(segment)
        followers: list[dict[str, Any]] = by_feature[state.board.feature_of(segment)]["followers"]
        followers.append(
            {"owner": owner, "kind": names[follower], "x": x, "y": y, "segment": number}
        )
    by_name = sorted([(kind.name, at) for at, kind in enumerate(catalogue.kinds)])
    return [each for _, at in by_name for each in ordered[at]]


def _across(cell: int) -> int:
    """Return a number that sorts cells by x, then y."""
    x, y = xy(cell)
    return (x + WIDTH // 2) * WIDTH + y + WIDTH // 2


def _feature(
    state: State, feature: int, segments: list[list[int]], tiles: list[list[int]]
) -> dict[str, Any]:
    """Return the data of a feature but for its places, open edges and followers."""
    catalogue = state.rules.catalogue
    kind = catalogue.kinds[state.board._kind[feature]]
    marks: dict[str, int] = {}
    for number, name in enumerate(catalogue.marks):
        n = state.board.mark(feature, number)
        if n:
            marks[name] = n
    return {
        "kind": kind.name,
        "segments": segments,
        "tiles": tiles,
        "open_edges": 0,
        "complete": kind.completed_by != "never" and not state.board.is_open(feature),
        "marks": marks,
        "followers": [],
    }


def _open_edges(state: State) -> dict[int, int]:
    """Return by feature how many edges (half-edges beside roads) have no tile beyond."""
    catalogue = state.rules.catalogue
    main, left, right = catalogue.main, catalogue.left, catalogue.right
    also, overlay = catalogue.also, catalogue.overlay
    count: dict[int, int] = {}
    here = vec[i64]([0] * 5)
    for tile in range(state.board.tile_count):
        cell: int = state.board._cell[tile]
        first: i64 = state.board._first_segment[tile]
        row: i64 = state.board._oriented_kind[tile]
        for side in range(4):
            if state.board.tile_on_cell(cell + SIDES[side]) != NOTHING:
                continue
            at: i64 = row * 4 + side
            here[0] = main[at]
            here[1] = left[at]
            here[2] = right[at]
            here[3] = also[at]
            here[4] = overlay[at]
            for n in range(5):
                index: i64 = here[n]
                if index >= 0:
                    feature: int = state.board._feature[first + index]
                    count[feature] = count.get(feature, 0) + 1
    return count


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
    if parts and all(name in PARTS for name in parts):
        return {name: part(state, name) for name in parts}
    data = {name: part(state, name) for name in PARTS}
    data["pieces"] = []
    data["out_of_play"] = {}
    for expansion in state.rules.hooks.describe:
        data = expansion.describe(state, data)
    data["pieces"].sort(key=lambda each: (each["kind"], each["y"], each["x"], each["segment"] or 0))
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
    """
    x, y = xy(cell)
    index: int | None = None
    if segment >= 0:
        x, y, index = state.board.place_of(segment)
    return {
        "kind": kind,
        "x": x,
        "y": y,
        "segment": index,
        "owner": owner if owner >= 0 else None,
        "count": count,
        "text": text,
    }
