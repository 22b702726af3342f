"""Tiles with room for a bridge, and the same tiles with a bridge (BRC-01)."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

import attrs

from carc.base.board.board import Board
from carc.base.cells import beyond
from carc.base.small_set import TileKinds
from carc.base.tiles.tile import GATE, WILD, Segment, SegmentKind, Tile, TileSet

PIER: Final = SegmentKind("_pier", claimable=False, scores=False)
WAYS: Final = {"ns": (0, 2), "we": (3, 1)}  # the edges that a bridge joins, before turning


def with_bridges(tile_set: TileSet, rising: Container[str]) -> TileSet:
    """Return a set with room for a bridge on each tile that can carry one, and tiles with it.

    Beneath a bridge there is no room for kinds of segment that rise.
    """
    tiles: list[Tile] = []
    for tile in tile_set.tiles:
        ways = [way for way, edges in WAYS.items() if _is_free(tile, edges)]
        pier = Segment(PIER.name)
        tiles.append(attrs.evolve(tile, segments=(*tile.segments, pier)) if ways else tile)
        tiles += [_bridged(tile, way, rising) for way in ways]
    return attrs.evolve(tile_set, tiles=tuple(tiles))


def _is_free(tile: Tile, edges: tuple[int, int]) -> bool:
    """Return True if both edges show nothing but field."""
    fields = [one for one in tile.segments if one.kind == "field"]
    return all(
        tile.edges[edge] == "F" and any(edge in field.edges for field in fields) for edge in edges
    )


def _bridged(tile: Tile, way: str, rising: Container[str]) -> Tile:
    """Return a tile with a bridge: a road over its fields, which stay whole beneath it."""
    edges = WAYS[way]
    segments: list[Segment] = []
    for part in tile.segments:
        under = [edge for edge in part.edges if edge in edges and part.kind == "field"]
        halves = [half for edge in under for half in (2 * edge, 2 * edge + 1)]
        kept = tuple(edge for edge in part.edges if edge not in under)
        there = attrs.evolve(part, edges=kept, halves=(*part.halves, *halves))
        segments.append(Segment(PIER.name) if part.kind in rising else there)
    road = Segment("road", edges=tuple(sorted(edges)))
    letters = "".join("R" if at in edges else letter for at, letter in enumerate(tile.edges))
    name = f"{tile.name}+{way}"
    return attrs.evolve(tile, name=name, copies=0, edges=letters, segments=(*segments, road))


def has_gate(tile: Tile) -> bool:
    """Return True if a bridge may end at a tile: at the gate of a city.

    An edge of a user's tile that fits any is a gate, too; an abbey's is none.
    """
    return not tile.hand and not {GATE, WILD}.isdisjoint(tile.edges)


def may_end(board: Board, gates: TileKinds, cell: int, side: int) -> bool:
    """Return True if a bridge over a cell may end at a side: at no tile, or at a gate."""
    there = beyond(cell, side)
    if board.is_free(there):
        return True
    tile = -1 if gates.is_empty else board.tile_on_cell(there)
    if tile < 0 or board.kind_of_tile(tile) not in gates:
        return False
    return board.tile_data(tile).edges[(side + 2 - board.rotation_of(tile)) % 4] in (GATE, WILD)


def parts_a_corner(tile: Tile) -> bool:
    """Return True if two fields meet at a corner: the tile's city reaches as far as that."""
    owner: dict[int, int] = {}
    for index, part in enumerate(tile.segments):
        if part.kind == "field":
            for half in (*part.halves, *[2 * edge + at for edge in part.edges for at in (0, 1)]):
                owner[half] = index
    corners = [(owner.get(2 * edge + 1), owner.get((2 * edge + 2) % 8)) for edge in range(4)]
    return any(one is not None and other not in (None, one) for one, other in corners)
