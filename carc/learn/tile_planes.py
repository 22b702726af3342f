"""`TilePlanes`: which planes of an observation each kind of tile fills (`carc.learn.encoding`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i64

if TYPE_CHECKING:
    from carc.base.tiles.catalogue import Catalogue

SIDE_NAMES: Final = "NESW"
PAIRS_OF_SIDES: Final = [(a, b) for a in range(4) for b in range(a + 1, 4)]
MAX_VALUE: Final = 255  # of a cell of a plane
VALUE_BITS: Final = 8  # an entry is `offset in the board << VALUE_BITS | value`
VALUE_MASK: Final = (1 << VALUE_BITS) - 1


class TilePlanes:
    """The planes of what is printed on tiles, and the slots of their segments.

    A *slot* is where on a tile a segment lies: at a side, at half a side, over a side (an overlay),
    or in the middle. Planes of features exist once for each slot.

    Attributes:
        names: The names of the planes.
        slots: The names of the slots.
        starts: By oriented kind (kind * 4 + rotation), where its entries begin in `entries`.
        entries: What a tile writes: the offset of the plane, and the value.
        slot_entries: Lists, by oriented kind, of slots and the index of the segment there.
    """

    def __init__(self, catalogue: Catalogue, cells: int) -> None:
        """Name the planes, and compute what each oriented kind of tile writes into them."""
        self._catalogue: Final = catalogue
        self._oriented_kinds: Final = range(len(catalogue.tiles) * 4)
        self._inner: Final = [self._inner_segments(kind) for kind in self._oriented_kinds]
        self.slots: list[str] = []
        self.slot_entries: list[list[tuple[int, int]]] = [[] for _ in self._oriented_kinds]
        self._find_slots()
        self.names: list[str] = self._plane_names()
        index = {name: number for number, name in enumerate(self.names)}
        starts = [0]
        entries: list[int] = []
        for kind in self._oriented_kinds:
            for plane, value in self._values(kind, index).items():
                entries.append(plane * cells << VALUE_BITS | value)
            starts.append(len(entries))
        self.starts: vec[i64] = vec[i64](starts)
        self.entries: vec[i64] = vec[i64](entries)

    def _find_slots(self) -> None:
        """Collect the slots that any tile has."""
        catalogue = self._catalogue
        columns: list[tuple[str, list[int]]] = []
        for suffix, table in (
            ("", catalogue.main),
            ("L", catalogue.left),
            ("R", catalogue.right),
            ("+", catalogue.also),
            ("over", catalogue.overlay),
        ):
            for side in range(4):
                column = [table[kind * 4 + side] for kind in self._oriented_kinds]
                columns.append((f"{SIDE_NAMES[side]}{suffix}", column))
        for n in range(max([len(segments) for segments in self._inner])):
            column = [segments[n] if n < len(segments) else -1 for segments in self._inner]
            columns.append((f"middle{n or ''}", column))
        for name, column in columns:
            if max(column) < 0:
                continue
            for kind, segment in enumerate(column):
                if segment >= 0:
                    self.slot_entries[kind].append((len(self.slots), segment))
            self.slots.append(name)

    def _inner_segments(self, kind: int) -> list[int]:
        """Return the segments of an oriented kind that reach no side."""
        catalogue = self._catalogue
        outer: set[int] = set()
        for table in (
            catalogue.main,
            catalogue.left,
            catalogue.right,
            catalogue.also,
            catalogue.overlay,
        ):
            outer.update([table[kind * 4 + side] for side in range(4)])
        return [i for i in range(len(catalogue.tiles[kind // 4].segments)) if i not in outer]

    def _plane_names(self) -> list[str]:
        catalogue = self._catalogue
        names = ["tile", "face down", "last"]
        names += [f"edge {side} {letter}" for side in SIDE_NAMES for letter in catalogue.letters]
        names += [f"joined {SIDE_NAMES[a]}{SIDE_NAMES[b]}" for a, b in PAIRS_OF_SIDES]
        names += [f"middle {kind.name}" for kind in catalogue.kinds]
        names += [f"mark {mark}" for mark in catalogue.marks]
        symbols = {symbol: None for tile in catalogue.tiles for symbol in tile.symbols}
        return names + [_symbol_name(symbol) for symbol in symbols]

    def _values(self, kind: int, index: dict[str, int]) -> dict[int, int]:
        """Return what an oriented kind of tile writes, by plane."""
        catalogue = self._catalogue
        tile = catalogue.tiles[kind // 4]
        values = {index["tile"]: 1}
        for side in range(4):
            letter = catalogue.letters[catalogue.terrain[kind * 4 + side] - 1]
            values[index[f"edge {SIDE_NAMES[side]} {letter}"]] = 1
        for a, b in PAIRS_OF_SIDES:
            if catalogue.main[kind * 4 + a] == catalogue.main[kind * 4 + b] >= 0:
                values[index[f"joined {SIDE_NAMES[a]}{SIDE_NAMES[b]}"]] = 1
        for segment in self._inner[kind]:
            values[index[f"middle {tile.segments[segment].kind}"]] = 1
        for symbol in tile.symbols:
            values[index[_symbol_name(symbol)]] = 1
        for part in tile.segments:
            for mark, n in part.marks:
                plane = index[f"mark {mark}"]
                values[plane] = min(MAX_VALUE, values.get(plane, 0) + n)
        return values


def _symbol_name(symbol: tuple[str, str]) -> str:
    """Return the name of the plane of a symbol that is printed on tiles."""
    name, value = symbol
    return f"symbol {name} {value}".rstrip()
