"""What is known of the printed tiles of Mists over Carcassonne, and what contradicts it."""

from collections import Counter
from collections.abc import Sequence

from carc.base.tiles.tile import Tile, TileSet
from carc.tilesets.tiles import bag_tiles, count_marks, count_road_ends, has_segment

# The mist tiles by number: the ghost symbols of each copy (the public list of the tiles).
NUMBERS: dict[int, tuple[int, ...]] = {
    1: (0, 0), 3: (1,), 4: (2,), 5: (2,), 6: (2,), 7: (0, 0), 9: (0, 0), 11: (1,), 12: (3,),
    13: (3,), 14: (3, 3, 2), 17: (0,), 18: (2,), 19: (2,), 20: (0,), 21: (1,), 22: (0,), 23: (3, 2),
    25: (2,), 26: (2,), 27: (1,), 28: (2,), 29: (2,), 30: (0,), 31: (1,), 32: (3,), 33: (1,),
    34: (2,), 35: (2,), 36: (2,), 37: (1,), 38: (0, 0), 40: (0,), 41: (1,), 42: (1,), 43: (1,),
    44: (1,), 45: (1,), 46: (0,), 47: (3,), 48: (0,), 49: (0,), 50: (1,), 51: (1,), 52: (2,),
    54: (2, 1), 55: (0,), 56: (1,), 57: (2,), 58: (2,),
    59: (1,), 60: (2,),
}  # fmt: skip


def check_mists(tile_set: TileSet) -> list[str]:
    """Return what contradicts the known facts of the mist tiles, a sentence each.

    Known are the copies and ghost symbols of each number (MIST-01, COOP-02), and counts from rules
    and reviews. Tiles without a number count in the totals only.
    """
    if tile_set.name != "mists":
        return [f"the set is named {tile_set.name!r}; these tiles' set is named 'mists'"]
    drawn = bag_tiles(tile_set)
    return [
        *_against_numbers(drawn),
        *_against_counts(drawn),
        *_against_kinds(tile_set, drawn),
        *_against_variety(drawn),
        *_against_large_start(tile_set),
    ]


def _against_counts(drawn: Sequence[Tile]) -> list[str]:
    known = {"besides the start tile": (len(drawn), 60)}
    for symbols in range(4):
        printed = sum(copies.count(symbols) for copies in NUMBERS.values())
        count = sum(_ghosts(tile) == symbols for tile in drawn)
        known[f"with {_times(symbols, 'ghost symbol')}"] = (count, printed)
    for kind, printed in (("castle", 5), ("cemetery", 5), ("monastery", 0)):
        known[f"with a {kind}"] = (sum(has_segment(tile, kind) for tile in drawn), printed)
    contradictions = [
        f"tiles {what}: {count}; known: {printed}"
        for what, (count, printed) in known.items()
        if count != printed
    ]
    misty = sum(bool(_misty(tile)) for tile in drawn)
    if misty != 48:
        contradictions.append(f"tiles with mist: {misty}; known: 48 (by a review's count)")
    return contradictions


def _against_kinds(tile_set: TileSet, drawn: Sequence[Tile]) -> list[str]:
    contradictions = [
        f"{tile.name} shows {_ghosts(tile)} ghost symbols; known: at most 3 on a tile"
        for tile in drawn
        if _ghosts(tile) > 3
    ]
    contradictions += [
        f"{tile.name}: castles show mist without a ghost symbol (inferred from the counts)"
        for tile in drawn
        if has_segment(tile, "castle") and (not _misty(tile) or _ghosts(tile))
    ]
    contradictions += [
        f"{tile.name}: cemeteries show no mist (inferred from the counts)"
        for tile in drawn
        if has_segment(tile, "cemetery") and _misty(tile)
    ]
    contradictions += [
        f"{tile.name} has mist over a city edge; mist lies over fields and roads only"
        for tile in tile_set.tiles
        if any(tile.edges[edge] == "C" for edge in _misty(tile))
    ]
    return contradictions


def _against_variety(drawn: Sequence[Tile]) -> list[str]:
    castles, cemeteries = (
        [t for t in drawn if has_segment(t, kind)] for kind in ("castle", "cemetery")
    )
    misty = [tile for tile in drawn if _misty(tile)]
    known = (
        ("no castle has a road that ends at it", any(count_road_ends(t) for t in castles)),
        ("no cemetery has a city beside it", any(has_segment(t, "city") for t in cemeteries)),
        ("no cemetery has a road", any(has_segment(t, "road") for t in cemeteries)),
        ("no city has a coat of arms", any(count_marks(t, "coat_of_arms") for t in drawn)),
        ("no misty tile has a city", any(has_segment(t, "city") for t in misty)),
        ("no road runs under mist", any(t.edges[e] == "R" for t in misty for e in _misty(t))),
    )
    return [f"{what}; known: at least one" for what, holds in known if not holds]


def _against_numbers(drawn: Sequence[Tile]) -> list[str]:
    contradictions = []
    named = sorted({tile.number for tile in drawn if tile.number is not None})
    all_numbered = all(tile.number is not None for tile in drawn)
    for number in named:
        mine = [tile for tile in drawn if tile.number == number]
        symbols = Counter(_ghosts(tile) for tile in mine)
        known = Counter(NUMBERS.get(number, ()))
        if not known:
            contradictions.append(f"{mine[0].name} has number {number}, which no printed tile has")
        elif symbols != known if all_numbered else symbols - known:
            contradictions.append(f"number {number}: {_copies(symbols)}; known: {_copies(known)}")
    if all_numbered:
        contradictions += [
            f"number {number} is missing; known: {_copies(Counter(known))}"
            for number, known in NUMBERS.items()
            if number not in named
        ]
    return contradictions


def _against_large_start(tile_set: TileSet) -> list[str]:
    cells = sorted((x, y) for _, x, y in tile_set.start)
    if not cells or cells != [(cells[0][0] + x, cells[0][1] + y) for x in (0, 1) for y in (0, 1)]:
        where = " ".join(f"{x},{y}" for x, y in cells) or "no cell"
        return [f"start tiles lie at {where}; known: four quarters laid 2 by 2"]
    contradictions = []
    by_name = {tile.name: tile for tile in tile_set.tiles}
    quarters = [by_name[name] for name, _, _ in tile_set.start]
    symbols = sorted(_ghosts(tile) for tile in quarters)
    if symbols != [0, 0, 1, 2]:
        counts = " ".join(map(str, symbols))
        contradictions.append(
            f"the start tile's quarters show {counts} ghost symbols; known: 0 0 1 2"
        )
    for kind in ("castle", "cemetery", "monastery"):
        if any(has_segment(tile, kind) for tile in quarters):
            contradictions.append(
                f"the start tile shows a {kind}; known: ruins that are no feature"
            )
    if not any(has_segment(tile, "road") for tile in quarters):
        contradictions.append(
            "the start tile has no road; known: roads lead to the ruins and end there"
        )
    if _count_fields(tile_set, by_name) < 2:
        contradictions.append(
            "the start tile's ground is one field; known: the ruins separate fields"
        )
    return contradictions


def _count_fields(tile_set: TileSet, by_name: dict[str, Tile]) -> int:
    """Return how many separate fields there are on the start tiles."""
    # Each part of a field -> another part of it; the last one is its own.
    owner: dict[tuple[int, int, int], tuple[int, int, int]] = {}

    def root(part: tuple[int, int, int]) -> tuple[int, int, int]:
        while owner[part] != part:
            part = owner[part]
        return part

    # Each place on the border of a tile -> the field seen there first.
    borders: dict[tuple[int, int], tuple[int, int, int]] = {}
    for name, x, y in tile_set.start:
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
    counts = ", ".join(str(n) for n in sorted(symbols.elements(), reverse=True))
    return f"{_times(symbols.total(), 'tile')} with {counts} ghost symbols"
