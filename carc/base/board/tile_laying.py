"""Laying tiles on a board and joining the features they continue; opening and closing edges."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.arrays import FACE_DOWN, NOTHING, Arrays
from carc.base.board.vectors import insert, place_in, remove
from carc.base.cells import WIDTH, beyond
from carc.base.tiles.catalogue import DEMAND_BITS, TERRAIN_BITS, demands_all_sides
from carc.base.tiles.tile import FIELD

# What the overlays of a tile met when it was laid.
JOINED: Final = 1  # an overlaid edge of it touches an overlaid edge
TORN: Final = 2  # an overlaid edge, its own or the board's, touches one without an overlay

# What expansions do to features besides laying tiles (`_edge_overrides`).
OPENED: Final = 0
CLOSED: Final = 1
CONNECTED: Final = 2
LINKED: Final = 3  # until `unlink`


def lay(board: Arrays, kind: i64, cell: i64, rotation: i64) -> i64:
    """Lay a tile, join its segments with those around it, note what it completes.

    Returns the number of the tile.
    """
    catalogue = board.components.catalogue
    tile = board.tile_count
    base = board.segment_count
    count = catalogue.segment_count[kind]
    if base + count > len(board._kind) or tile == len(board._oriented_kind):
        board._make_room()
    board.tile_count = tile + 1
    board.segment_count = base + count
    board._oriented_kind[tile] = kind * 4 + rotation
    board._cell[tile] = cell
    board._first_segment[tile] = base
    _add_segments(board, tile, kind, base, count)
    board.last_tile = tile
    board._enter_in_grid(cell, tile)
    free = _join_around(board, tile, cell, base)
    _move_frontier(board, cell, (kind * 4 + rotation) * 4, free)
    feature = board._feature
    completed = board.completed
    for index in range(count):
        f: i64 = feature[base + index]
        if board._open[f] == 0 and catalogue.by_edges[board._kind[f]] and f not in completed:
            completed.append(f)
    _count_for_centres(board, cell)
    if catalogue.centres[kind]:
        missing = 8 - count_neighbours(board, cell)
        if missing:
            board._centres = insert(
                board._centres, place_in(board._centres, cell << 4), cell << 4 | missing
            )
        else:
            _complete_centre(board, tile)
    return tile


def lay_face_down(board: Arrays, cell: i64) -> None:
    """Lay a tile face down: its kind stays unknown, and nothing joins it."""
    board._face_down_count += 1
    board._enter_in_grid(cell, FACE_DOWN)
    _move_frontier(board, cell, 0, 0)
    _count_for_centres(board, cell)


def count_neighbours(board: Arrays, cell: i64) -> i64:
    """Return how many of the eight cells around a cell hold tiles, face down or not."""
    count: i64 = 0
    for row in range(cell - WIDTH, cell + WIDTH + 1, WIDTH):
        for around in range(row - 1, row + 2):
            if around != cell and board.tile_on_cell(around) != NOTHING:
                count += 1
    return count


def has_enclosed_cell(board: Arrays) -> bool:
    """Return True if there is a free cell beside which tiles lie on all four sides."""
    return any(demands_all_sides(entry) for entry in board._frontier)


def enclosed_cells(board: Arrays) -> list[int]:
    """Return the free cells beside which tiles lie on all four sides, in order."""
    cells: list[int] = []
    for entry in board._frontier:
        if demands_all_sides(entry):
            cells.append(entry >> DEMAND_BITS)
    return cells


def _add_segments(board: Arrays, tile: i64, kind: i64, base: i64, count: i64) -> None:
    """Add the segments of a tile, each a feature of its own."""
    catalogue = board.components.catalogue
    offset: i64 = catalogue.segment_start[kind]
    words: i64 = catalogue.mark_words
    tile_of, kinds, opens, paired = board._tile_of, board._kind, board._open, board._paired
    for index in range(count):
        segment = base + index
        like = offset + index
        tile_of[segment] = tile
        kinds[segment] = catalogue.segment_kind[like]
        opens[segment] = catalogue.segment_open[like]
        paired[segment] = catalogue.segment_paired[like]
    marks, printed = board._marks, catalogue.segment_marks
    for word in range(count * words):
        marks[base * words + word] = printed[offset * words + word]


def _join_around(board: Arrays, tile: i64, cell: i64, base: i64) -> i64:
    """Join what meets at the sides of a tile; return the sides without a tile, a bit each."""
    catalogue = board.components.catalogue
    main, left, right = catalogue.main, catalogue.left, catalogue.right
    overlays, ends = catalogue.overlays, catalogue.ends
    shared = catalogue.shared
    met_shared = False  # whether two segments share one of the edges that meet
    met: i64 = 0
    free: i64 = 0
    here: i64 = board._oriented_kind[tile] * 4
    for side in range(4):
        beside = beyond(cell, side)
        other = board.tile_on_cell(beside)
        mine: i64 = here + side
        opposite: i64 = side ^ 2
        if other >= 0:
            first: i64 = board._first_segment[other]
            theirs = board._oriented_kind[other] * 4 + opposite
            if shared and (catalogue.also[mine] >= 0 or catalogue.also[theirs] >= 0):
                met_shared = True
            differ = ends and catalogue.terrain[mine] != catalogue.terrain[theirs]
            if differ and not _end_at_gate(board, base, mine, first, theirs):
                met |= _end_edges(board, base, mine, first, theirs)
                continue
            a: i64 = main[mine]
            b: i64 = main[theirs]
            if a >= 0 and b >= 0:
                join(board, base + a, first + b)
            a = left[mine]
            b = right[theirs]
            if a >= 0 and b >= 0:
                join(board, base + a, first + b)
            a = right[mine]
            b = left[theirs]
            if a >= 0 and b >= 0:
                join(board, base + a, first + b)
            if overlays:
                met |= _join_overlays(board, base, mine, first, theirs)
        elif other == NOTHING:
            free |= 1 << side
    board._overlays_met = met
    if met_shared:
        _join_shared(board, cell, base, here)
    return free


def _join_overlays(board: Arrays, base: i64, mine: i64, first: i64, theirs: i64) -> i64:
    """Join the overlays at two edges that meet; return JOINED, or TORN if one edge has none."""
    overlay = board.components.catalogue.overlay
    a: i64 = overlay[mine]
    b: i64 = overlay[theirs]
    if a >= 0 and b >= 0:
        join(board, base + a, first + b)
        return JOINED
    if a >= 0:
        _end_fields(board, first, theirs)
        return TORN
    if b >= 0:
        _end_fields(board, base, mine)
        return TORN
    return 0


def _join_shared(board: Arrays, cell: i64, base: i64, here: i64) -> None:
    """Join the second segments of edges that two segments share; the first ones are joined."""
    catalogue = board.components.catalogue
    for side in range(4):
        other = board.tile_on_cell(beyond(cell, side))
        mine: i64 = here + side
        if other >= 0:
            first = board._first_segment[other]
            theirs: i64 = board._oriented_kind[other] * 4 + (side ^ 2)
            _join_second(board, base, catalogue.also[mine], first, catalogue.main[theirs])
            _join_second(board, base, catalogue.main[mine], first, catalogue.also[theirs])


def _join_second(board: Arrays, base: i64, a: i64, first: i64, b: i64) -> None:
    if a >= 0 and b >= 0:
        join(board, base + a, first + b)
        # The segment already joined has lost its open edge.
        board._open[board._feature[base + a]] += 1


def _move_frontier(board: Arrays, cell: i64, here: i64, free: i64) -> None:
    """Take a cell off the frontier; note there what the free cells beside it demand now.

    Args:
        board: The board.
        cell: The cell of the tile just laid.
        here: Where the tables of edges have its northern side.
        free: The sides beyond which the cell is free, a bit each.
    """
    frontier = board._frontier
    at = place_in(frontier, cell << DEMAND_BITS)
    held = at < len(frontier) and frontier[at] >> DEMAND_BITS == cell
    # In the order of cells, west and east are next to the cell: nothing need be searched, and what
    # is new there takes its place.
    if free & 8:
        entry = _demand(board, cell, here, 3)
        if at > 0 and frontier[at - 1] >> DEMAND_BITS == cell - 1:
            frontier[at - 1] |= entry
        else:
            if held:
                frontier[at] = entry
            else:
                frontier = insert(frontier, at, entry)
            held = False
            at += 1
    if free & 2:
        entry = _demand(board, cell, here, 1)
        after = at + 1 if held else at
        if after < len(frontier) and frontier[after] >> DEMAND_BITS == cell + 1:
            frontier[after] |= entry
        elif held:
            frontier[at] = entry
            held = False
        else:
            frontier = insert(frontier, at, entry)
    if held:
        frontier = remove(frontier, at)
    if free & 1:
        frontier = _with_demand(frontier, _demand(board, cell, here, 0))
    if free & 4:
        frontier = _with_demand(frontier, _demand(board, cell, here, 2))
    board._frontier = frontier


def _demand(board: Arrays, cell: i64, here: i64, side: i64) -> i64:
    """Return what a tile demands of the cell beyond a side, as an entry of the frontier."""
    terrain = board.components.catalogue.terrain[here + side]
    return beyond(cell, side) << DEMAND_BITS | terrain << (TERRAIN_BITS * (side ^ 2))


def _with_demand(frontier: vec[i64], entry: i64) -> vec[i64]:
    """Return the frontier with a demand of a free cell; the argument must not be used again."""
    at = place_in(frontier, entry >> DEMAND_BITS << DEMAND_BITS)
    if at < len(frontier) and frontier[at] >> DEMAND_BITS == entry >> DEMAND_BITS:
        frontier[at] |= entry
        return frontier
    return insert(frontier, at, entry)


def _end_edges(board: Arrays, base: i64, mine: i64, first: i64, theirs: i64) -> i64:
    """End what reaches two edges that meet; return TORN if an overlay reaches one of them."""
    _end_edge(board, base, mine)
    _end_edge(board, first, theirs)
    catalogue = board.components.catalogue
    if catalogue.overlays and (catalogue.overlay[mine] >= 0 or catalogue.overlay[theirs] >= 0):
        return TORN
    return 0


def _end_at_gate(board: Arrays, base: i64, mine: i64, first: i64, theirs: i64) -> bool:
    """End a road that meets a gate; return False if there is none, but an edge that fits any."""
    catalogue = board.components.catalogue
    if catalogue.wild in (catalogue.terrain[mine], catalogue.terrain[theirs]):
        return False
    for start, at in ((base, mine), (first, theirs)):
        if catalogue.main[at] >= 0:
            close_edge(board, start + catalogue.main[at])
    return True


def _end_edge(board: Arrays, first: i64, at: i64) -> None:
    """End what reaches an edge: it meets an edge that fits any."""
    catalogue = board.components.catalogue
    for table in (catalogue.main, catalogue.left, catalogue.right, catalogue.also):
        if table[at] >= 0:
            close_edge(board, first + table[at])


def _end_fields(board: Arrays, first: i64, at: i64) -> None:
    """End the fields at an edge that the other tile's overlay covers."""
    catalogue = board.components.catalogue
    _end_field(board, first, catalogue.main[at])
    _end_field(board, first, catalogue.left[at])
    _end_field(board, first, catalogue.right[at])


def _end_field(board: Arrays, first: i64, index: i64) -> None:
    if index >= 0 and board._kind[first + index] == FIELD:
        board._open[board._feature[first + index]] -= 1


def close_edge(board: Arrays, segment: i64) -> None:
    """Take one open edge off a segment's feature; without any left it is completed."""
    feature = board._feature[segment]
    board._open[feature] -= 1
    note_completed(board, feature)


def note_completed(board: Arrays, feature: i64) -> None:
    """Note a feature as completed if it has lost its last open edge."""
    by_edges = board.components.catalogue.by_edges[board._kind[feature]]
    if board._open[feature] == 0 and by_edges and feature not in board.completed:
        board.completed.append(feature)


def _count_for_centres(board: Arrays, cell: i64) -> None:
    """Count the tile just laid for the features that it surrounds."""
    # They are in the order of cells: from the cell's north-western neighbour to its south-eastern.
    at = place_in(board._centres, cell - WIDTH - 1 << 4)
    while at < len(board._centres):
        entry = board._centres[at]
        off = (entry >> 4) - cell + WIDTH + 1
        if off > 2 * WIDTH + 2:
            return
        if off & (WIDTH - 1) > 2:
            at += 1
        elif entry & 15 > 1:
            board._centres[at] = entry - 1
            at += 1
        else:
            board._centres = remove(board._centres, at)
            _complete_centre(board, board.tile_on_cell(entry >> 4))


def _complete_centre(board: Arrays, tile: i64) -> None:
    first = board._first_segment[tile]
    for index in board.components.catalogue.centres[board._oriented_kind[tile] >> 2]:
        board._open[first + index] = 0
        board.completed.append(first + index)


def join(board: Arrays, a: i64, b: i64) -> None:
    """Join the features of two segments across one edge; a tile in both counts once (BASE-10)."""
    feature = board._feature
    keep: i64 = feature[a]
    gone: i64 = feature[b]
    if keep == gone:
        board._open[keep] -= 2
        return
    size = board._size
    if size[keep] < size[gone]:
        keep, gone = gone, keep
    follow = board._next
    total: i64 = size[keep] + size[gone]
    if board._paired[keep] and board._paired[gone]:
        total -= _count_shared_tiles(board, keep, gone)
    board._paired[keep] += board._paired[gone]
    segment: i64 = gone
    while True:
        feature[segment] = keep
        segment = follow[segment]
        if segment == gone:
            break
    segment = follow[keep]
    follow[keep] = follow[gone]
    follow[gone] = segment
    size[keep] = total
    board._open[keep] += board._open[gone] - 2
    words: i64 = board.components.catalogue.mark_words
    if words == 1:
        board._marks[keep] += board._marks[gone]
    else:
        for word in range(words):
            board._marks[keep * words + word] += board._marks[gone * words + word]
    board._claimed[keep] += board._claimed[gone]


def _count_shared_tiles(board: Arrays, keep: i64, gone: i64) -> i64:
    """Return how many tiles have segments in both features, so that each counts once (BASE-10)."""
    feature = board._feature
    counts = board.components.catalogue.segment_count
    shared: i64 = 0
    segment: i64 = gone
    while True:
        tile: i64 = board._tile_of[segment]
        first: i64 = board._first_segment[tile]
        both = False
        for sibling in range(first, first + counts[board._oriented_kind[tile] >> 2]):
            root: i64 = feature[sibling]
            if root == gone and sibling < segment:
                both = False  # counted with that sibling
                break
            if root == keep:
                both = True
        if both:
            shared += 1
        segment = board._next[segment]
        if segment == gone:
            return shared
