"""Features that are claimed by parts (`SegmentKind.parted_by`)."""

from __future__ import annotations

from mypy_extensions import i64

from carc.base.board.arrays import KIND_MASK, SEGMENT_AT, Arrays
from carc.base.board.links import beside


def is_free_part(board: Arrays, segment: i64) -> bool:
    """Return True if a segment is in a part, which nobody claims, of a feature claimed by parts."""
    if not board.mark(board._feature[segment], board.components.parting[board._kind[segment]]):
        return False
    part = [segment]
    alone = _parts(board, segment)
    for one in part:
        if _is_claimed_at(board, one):
            return False
        for other in beside(board, one):
            if not alone and other not in part and not _parts(board, other):
                part.append(other)
    return True


def free_parts(board: Arrays, tile: i64) -> i64:
    """Return the segments of a tile that are free parts of claimed features, a bit each index."""
    kind, claimed, feature = board._kind, board._claimed, board._feature
    first, parted = board._first_segment[tile], board.components.parted
    free: i64 = 0
    for index in range(board.components.catalogue.segment_count[board._oriented_kind[tile] >> 2]):
        segment = first + index
        if parted >> kind[segment] & 1 and claimed[feature[segment]]:
            free |= i64(is_free_part(board, segment)) << index
    return free


def open_parts(board: Arrays, before: i64) -> list[int]:
    """Return the segments before one of the free parts of claimed features, if incomplete."""
    found: list[int] = []
    for segment in range(before):
        feature = board._feature[segment]
        if board._claimed[feature] and board._open[feature] and is_free_part(board, segment):
            found.append(segment)
    return found


def _parts(board: Arrays, segment: i64) -> bool:
    """Return True if a segment parts its feature for claims."""
    tile = board._tile_of[segment]
    components = board.components
    start = components.catalogue.segment_start[board._oriented_kind[tile] >> 2]
    return components.parts[start + segment - board._first_segment[tile]] != 0


def _is_claimed_at(board: Arrays, segment: i64) -> bool:
    """Return True if a follower that claims features stands on a segment."""
    for entry in board._followers:
        power = board.components.follower_kinds[entry & KIND_MASK].power
        if power and entry >> SEGMENT_AT == segment:
            return True
    return False
