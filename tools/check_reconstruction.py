"""Check the reconstructed tiles of the mist games: `python tools/check_reconstruction.py`.

They must keep to the known facts and to the base game's proportions.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import pairwise

from carc.base.tiles.tile import Segment, Tile, TileSet
from carc.expansion_ghosts.printed_tiles import check_mists
from carc.spellcircles.printed_tiles import check_circles
from carc.tilesets import by_name, summarize
from carc.tilesets.tiles import bag_tiles, count_marks, count_road_ends


def check_reconstruction(one: TileSet, base: TileSet) -> list[str]:
    """Return where a set departs from the known facts or the base game's proportions.

    Args:
        one: The reconstructed set, `mists` or `circles`.
        base: The base game's set.

    Returns:
        A sentence for each departure.
    """
    complaints = (
        (check_mists if one.name == "mists" else check_circles)(one)
        + _out_of_proportion(one, base)
        + _alike(bag_tiles(one))
    )
    return complaints + _wrong_in_amount(one) if one.name == "mists" else complaints


def _out_of_proportion(one: TileSet, base: TileSet) -> list[str]:
    complaints = []
    mine, theirs = summarize(one).shares, summarize(base).shares
    for letter, what in (("C", "city"), ("R", "road"), ("F", "field")):
        if abs(mine[letter] - theirs[letter]) > 0.05:
            complaints.append(
                f"{mine[letter]:.1%} of the edges are {what} edges; "
                f"within 5 points of {theirs[letter]:.1%} is allowed"
            )
    drawn = bag_tiles(one)
    cities = [len(s.edges) for tile in drawn for s in tile.segments if s.kind == "city"]
    small = sum(edges <= 2 for edges in cities)
    if small <= len(cities) / 2:
        complaints.append(f"{small} of {len(cities)} cities have one or two edges; most should")
    through = [s.edges for t in drawn for s in t.segments if s.kind == "road" and len(s.edges) == 2]
    threes = sum(count_road_ends(tile) == 3 for tile in drawn)
    for what, true in (
        ("curves", any((b - a) % 2 for a, b in through)),
        ("straight roads", any((b - a) % 2 == 0 for a, b in through)),
        ("a few three-way roads", 1 <= threes <= len(drawn) / 6),
    ):
        if not true:
            complaints.append(f"the set should have {what}")
    return complaints


def _wrong_in_amount(one: TileSet) -> list[str]:
    """Return where coats of arms and mist depart from the known amounts."""
    complaints = []
    drawn = bag_tiles(one)
    figures = summarize(one)
    arms = figures.marks["coat_of_arms"]
    if not 6 <= arms <= 8:
        complaints.append(f"{arms} coats of arms; 6 to 8 are allowed")
    misty = [tile for tile in drawn if _misty(tile)]
    mean = sum(len(_misty(tile)) for tile in misty) / len(misty)
    if not 2.05 <= mean <= 2.35:
        complaints.append(f"{mean:.2f} misty edges on a misty tile; about 2.2 is allowed")
    by_symbols = [
        sum(map(len, edges)) / len(edges)
        for symbols in (1, 2, 3)
        if (edges := [_misty(tile) for tile in misty if count_marks(tile, "ghosts") == symbols])
    ]
    if any(more <= fewer for fewer, more in pairwise(by_symbols)):
        complaints.append("more ghost symbols should go with more mist")
    misty_roads = figures.covered_roads.get("mist", 0.0)
    if not 0.28 <= misty_roads <= 0.39:
        complaints.append(
            f"{misty_roads:.0%} of the road edges are misty; about a third is allowed"
        )
    split = [tile for tile in drawn if sum(s.kind == "mist" for s in tile.segments) == 2]
    if not 5 <= len(split) <= 8:
        complaints.append(f"{len(split)} tiles have two separate mists; 5 to 8 are allowed")
    for tile in split:
        if not all(dict(s.marks).get("ghosts") for s in tile.segments if s.kind == "mist"):
            complaints.append(f"{tile.name}: two separate mists share the tile's symbols")
    return complaints


def _alike(drawn: Sequence[Tile]) -> list[str]:
    """Return kinds with different numbers that look the same in some rotation."""
    seen: dict[object, Tile] = {}
    complaints = []
    for tile in drawn:
        other = seen.setdefault(min(_turned(tile, rotation) for rotation in range(4)), tile)
        if (other.number or other.name) != (tile.number or tile.name):
            complaints.append(f"{other.name} and {tile.name} are the same in everything")
    return complaints


def _turned(tile: Tile, rotation: int) -> str:
    """Return a text that is equal for tiles that look the same after quarter turns clockwise."""

    def looks(s: Segment) -> tuple[object, ...]:
        edges = sorted((edge + rotation) % 4 for edge in s.edges)
        halves = sorted((half + 2 * rotation) % 8 for half in s.halves)
        cities = sorted(looks(tile.segments[index]) for index in s.touches)
        return (s.kind, edges, halves, sorted(s.marks), cities)

    edges = "".join(tile.edges[(side - rotation) % 4] for side in range(4))
    return f"{edges} {sorted(map(looks, tile.segments))}"


def _misty(tile: Tile) -> set[int]:
    return {edge for s in tile.segments if s.kind == "mist" for edge in s.edges}


def main() -> None:
    """Print the departures of the shipped sets; fail if there are any."""
    base = by_name("base")
    complaints = [
        f"{name}: {complaint}"
        for name in ("mists", "circles")
        for complaint in check_reconstruction(by_name(name), base)
    ]
    print("\n".join(complaints) or "mists and circles keep to the facts and proportions")
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
