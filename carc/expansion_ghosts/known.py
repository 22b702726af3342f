"""What is known of the printed tiles of Mists over Carcassonne, and what in a set of tiles contradicts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from carc.base.tiles.tile import Tile, TileSet
from carc.tilesets.tiles import bag_tiles, count_marks, count_road_ends, has_segment

# The mist tiles by number: the ghost symbols of each copy (the public list of the tiles).
NUMBERS: dict[int, tuple[int, ...]] = {
    1: (0, 0), 3: (1,), 4: (2,), 5: (2,), 6: (2,), 7: (0, 0), 9: (0, 0), 11: (1,), 12: (3,), 13: (3,),
    14: (3, 3, 2), 17: (0,), 18: (2,), 19: (2,), 20: (0,), 21: (1,), 22: (0,), 23: (3, 2), 25: (2,), 26: (2,),
    27: (1,), 28: (2,), 29: (2,), 30: (0,), 31: (1,), 32: (3,), 33: (1,), 34: (2,), 35: (2,), 36: (2,),
    37: (1,), 38: (0, 0), 40: (0,), 41: (1,), 42: (1,), 43: (1,), 44: (1,), 45: (1,), 46: (0,), 47: (3,),
    48: (0,), 49: (0,), 50: (1,), 51: (1,), 52: (2,), 54: (2, 1), 55: (0,), 56: (1,), 57: (2,), 58: (2,),
    59: (1,), 60: (2,),
}  # fmt: skip


def check_mists(one: TileSet) -> list[str]:
    """What contradicts the known facts of Mists over Carcassonne's tiles, a sentence each.

    Known are the copies and ghost symbols of each number (MIST-01, COOP-02) and counts from rules and reviews. Tiles
    without a number count in the totals only.
    """
    if one.name != "mists":
        return [f"the set is named {one.name!r}; these tiles' set is named 'mists'"]
    drawn = bag_tiles(one)
    found = _against_numbers(drawn)

    def count(what: str, tiles: Sequence[Tile], known: int, note: str = "") -> None:
        if len(tiles) != known:
            found.append(f"tiles {what}: {len(tiles)}; known: {known}{note}")

    count("besides the start tile", drawn, 60)
    for symbols in range(4):
        known = sum(copies.count(symbols) for copies in NUMBERS.values())
        tiles = [tile for tile in drawn if _ghosts(tile) == symbols]
        count(f"with {_times(symbols, 'ghost symbol')}", tiles, known)
    found += [
        f"{tile.name} shows {_ghosts(tile)} ghost symbols; known: at most 3 on a tile"
        for tile in drawn
        if _ghosts(tile) > 3
    ]
    castles, cemeteries = (
        [t for t in drawn if has_segment(t, kind)] for kind in ("castle", "cemetery")
    )
    count("with a castle", castles, 5)
    count("with a cemetery", cemeteries, 5)
    count("with a monastery", [t for t in drawn if has_segment(t, "monastery")], 0)
    misty = [tile for tile in drawn if _misty(tile)]
    count("with mist", misty, 48, " (by a review's count)")
    found += [
        f"{tile.name}: castles show mist without a ghost symbol (inferred from the counts)"
        for tile in castles
        if not _misty(tile) or _ghosts(tile)
    ]
    found += [
        f"{tile.name}: cemeteries show no mist (inferred from the counts)"
        for tile in cemeteries
        if _misty(tile)
    ]
    found += [
        f"{tile.name} has mist over a city edge; mist lies over fields and roads only"
        for tile in one.tiles
        if any(tile.edges[edge] == "C" for edge in _misty(tile))
    ]
    for what, true in (
        ("no castle has a road that ends at it", any(count_road_ends(t) for t in castles)),
        ("no cemetery has a city beside it", any(has_segment(t, "city") for t in cemeteries)),
        ("no cemetery has a road", any(has_segment(t, "road") for t in cemeteries)),
        ("no city has a coat of arms", any(count_marks(t, "coat_of_arms") for t in drawn)),
        ("no misty tile has a city", any(has_segment(t, "city") for t in misty)),
        ("no road runs under mist", any(t.edges[e] == "R" for t in misty for e in _misty(t))),
    ):
        if not true:
            found.append(f"{what}; known: at least one")
    return found + _against_large_start(one)


def _against_numbers(drawn: Sequence[Tile]) -> list[str]:
    found = []
    named = sorted({tile.number for tile in drawn if tile.number is not None})
    all_numbered = all(tile.number is not None for tile in drawn)
    for number in named:
        mine = [tile for tile in drawn if tile.number == number]
        symbols = Counter(_ghosts(tile) for tile in mine)
        known = Counter(NUMBERS.get(number, ()))
        if not known:
            found.append(f"{mine[0].name} has number {number}, which no printed tile has")
        elif symbols != known if all_numbered else symbols - known:
            found.append(f"number {number}: {_copies(symbols)}; known: {_copies(known)}")
    if all_numbered:
        found += [
            f"number {number} is missing; known: {_copies(Counter(known))}"
            for number, known in NUMBERS.items()
            if number not in named
        ]
    return found


def _against_large_start(one: TileSet) -> list[str]:
    cells = sorted((x, y) for _, x, y in one.start)
    if not cells or cells != [(cells[0][0] + x, cells[0][1] + y) for x in (0, 1) for y in (0, 1)]:
        return [
            f"start tiles lie at {' '.join(f'{x},{y}' for x, y in cells) or 'no cell'}; known: four quarters laid 2 by 2"
        ]
    found = []
    by_name = {tile.name: tile for tile in one.tiles}
    quarters = [by_name[name] for name, _, _ in one.start]
    symbols = sorted(_ghosts(tile) for tile in quarters)
    if symbols != [0, 0, 1, 2]:
        shown = " ".join(map(str, symbols))
        found.append(f"the start tile's quarters show {shown} ghost symbols; known: 0 0 1 2")
    for kind in ("castle", "cemetery", "monastery"):
        if any(has_segment(tile, kind) for tile in quarters):
            found.append(f"the start tile shows a {kind}; known: ruins that are no feature")
    if not any(has_segment(tile, "road") for tile in quarters):
        found.append("the start tile has no road; known: roads lead to the ruins and end there")
    if _grounds(one, by_name) < 2:
        found.append("the start tile's ground is one field; known: the ruins separate fields")
    return found


def _grounds(one: TileSet, by_name: dict[str, Tile]) -> int:
    """How many separate fields there are on the tiles of the start."""
    owner: dict[tuple[int, int, int], tuple[int, int, int]] = {}  # a field's parts to one of them

    def root(part: tuple[int, int, int]) -> tuple[int, int, int]:
        while owner[part] != part:
            part = owner[part]
        return part

    borders: dict[
        tuple[int, int], tuple[int, int, int]
    ] = {}  # by place: the field seen there first
    for name, x, y in one.start:
        for index, segment in enumerate(by_name[name].segments):
            if segment.kind != "field":
                continue
            part = (x, y, index)
            owner[part] = part
            halves = [half for edge in segment.edges for half in (2 * edge, 2 * edge + 1)]
            for half in (*halves, *segment.halves):
                across, down = _HALF_AT[half]
                border = (4 * x + across, 4 * y + down)
                if border in borders:
                    owner[root(part)] = root(borders[border])
                borders[border] = part
    return sum(owner[part] == part for part in owner)


# Where half-edges lie on a tile 4 by 4 with its north-west corner at 0,0: NL NR EL ER SL SR WL WR.
_HALF_AT = ((1, 0), (3, 0), (4, 1), (4, 3), (3, 4), (1, 4), (0, 3), (0, 1))


def _misty(tile: Tile) -> set[int]:
    return {edge for s in tile.segments if s.kind == "mist" for edge in s.edges}


def _ghosts(tile: Tile) -> int:
    return count_marks(tile, "ghosts")


def _times(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'' if n == 1 else 's'}"


def _copies(symbols: Counter[int]) -> str:
    shown = ", ".join(str(n) for n in sorted(symbols.elements(), reverse=True))
    return f"{_times(symbols.total(), 'tile')} with {shown} ghost symbols"
