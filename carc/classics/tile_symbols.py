"""Tables of what is printed on the tiles of a game, indexed by kind of tile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from librt.vecs import vec
from mypy_extensions import i64

if TYPE_CHECKING:
    from carc.base.game.rules import Rules


def kinds_with_symbol(rules: Rules, symbol: str) -> vec[i64]:
    """Return for each kind of tile 1 if a symbol is printed on it, else 0."""
    return vec[i64]([int(tile.symbol(symbol) is not None) for tile in rules.catalogue.tiles])


def kinds_with_segment(rules: Rules, kind: str) -> vec[i64]:
    """Return for each kind of tile 1 if it has a segment of a kind, else 0."""
    tiles = rules.catalogue.tiles
    return vec[i64]([int(kind in [part.kind for part in tile.segments]) for tile in tiles])


def segments_of_kind(rules: Rules, kind: str) -> vec[i64]:
    """Return for each kind of tile its segments of a kind, as bits by their index."""
    return vec[i64](
        [
            sum([1 << at for at, part in enumerate(tile.segments) if part.kind == kind])
            for tile in rules.catalogue.tiles
        ]
    )


def segments_with_mark(rules: Rules, mark: str) -> vec[i64]:
    """Return for each kind of tile the segments that carry a mark, as bits by their index."""
    return vec[i64](
        [
            sum([1 << at for at, part in enumerate(tile.segments) if mark in dict(part.marks)])
            for tile in rules.catalogue.tiles
        ]
    )
