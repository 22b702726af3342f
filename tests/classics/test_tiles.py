"""The classic sets' fields against what their cities, roads and rivers leave of a tile."""

from functools import cache

import pytest
from support.ground import fields, fields_written

from carc import tilesets
from carc.base.tiles.tile import GATE, Tile

# Drawn in a way that edges do not tell: bridges, tunnels, roads that end at a house or at a
# river, fields inside a tile, and fields that a hill or a wall parts. So are gates.
DRAWN = {
    "CA03", "CB01", "CB03", "CB05", "FE01", "FE02", "FE05", "HS01", "HS07", "IC03", "IC05",
    "IC07", "KR04", "KR05", "MW03", "PD10", "PD18", "PD25", "RI05", "RJ02", "RJ05", "TB03", "TB04",
    "TB06", "TB07", "TB08", "TB12", "TB14", "TB22", "TB23", "GQ07", "GQ09", "TU04", "TO11", "TO13",
    "TO17", "WT01", "WT05", "WT06", "WT07", "WT08", "BT13", "BT14", "BT15", "BT16",
    "AM02", "AM03", "AM04", "AM07", "AM08", "AM09", "AM12", "AM-abbey", "RP02", "BB02",
    "BB04", "BB05", *(f"CO{number:02}" for number in range(1, 13)),
}  # fmt: skip
# The source of PD10 has its western field beside the northern city only, though both reach it.
AS_IN_THE_SOURCE = {"PD10"}


@cache
def tiles() -> list[Tile]:
    return [
        tile
        for name, tiles in sorted(tilesets.installed().sets.items())
        if name not in ("base", "mists", "circles")
        for tile in tiles.tiles
        if "+" not in tile.name  # with a bridge over its fields
    ]


def plain(tile: Tile) -> str:
    """The name of a tile, with or without a garden on it."""
    return tile.name.removesuffix("-garden")


@pytest.mark.rule("BASE-17", "BASE-18")
def test_fields_follow_from_cities_roads_and_rivers() -> None:
    drawn = [tile for tile in tiles() if plain(tile) in DRAWN or GATE in tile.edges]
    following = [tile for tile in tiles() if tile not in drawn]
    assert len(following) > 200
    assert [tile.name for tile in following if fields_written(tile) != fields(tile)] == []


@pytest.mark.rule("BASE-17")
def test_a_field_borders_the_cities_next_to_it_on_the_edge() -> None:
    for tile in tiles():
        if tile.name not in AS_IN_THE_SOURCE:
            borders_what_is_next_to_it(tile)


def borders_what_is_next_to_it(tile: Tile) -> None:
    """Walking round the tile by half-edges, grass next to a city belongs to a field beside it."""
    owner: dict[int, int] = {}
    for index, segment in enumerate(tile.segments):
        if segment.kind in ("city", "field"):
            for half in [h for e in segment.edges for h in (2 * e, 2 * e + 1)] + [*segment.halves]:
                owner[half] = index
    for half in range(8):
        pair = [owner.get(half), owner.get((half + 1) % 8)]
        for each, other in (pair, pair[::-1]):
            if each is None or other is None or tile.segments[each].kind != "field":
                continue
            if tile.segments[other].kind == "city":
                assert other in tile.segments[each].touches, f"{tile.name}, half-edge {half}"


def test_the_exceptions_are_tiles() -> None:
    assert {plain(tile) for tile in tiles()} >= DRAWN
