"""One kind of tile as SVG, in a box of 100 by 100."""

import math
import random
from collections.abc import Iterator
from functools import lru_cache

from carc.base.tiles.tile import GATE, Segment, Tile
from carc.drawing import artwork
from carc.drawing.geometry import Point, Region, flat, path
from carc.drawing.style import disc, label, shape
from carc.drawing.tile_layout import TileLayout, tile_layout

_MARK_SCALE = 1.25  # from the drawings of artwork.svg to marks on a tile
_LETTER = 0.6  # the width of a letter, in its size
_WIDEST = 84.0  # size of letters times their number, in a text that fits on a tile


def _moved(point: Point, drawing: str, scale: float = 1.0) -> str:
    size = "" if scale == 1.0 else f"scale({scale:g})"
    return f'<g transform="translate({point[0]:.3g} {point[1]:.3g}){size}">{drawing}</g>'


def _ellipse(x: float, y: float, radius: float, flattened: float = 1.0) -> str:
    """Return a circle, or an ellipse with its height flattened, as path data."""
    arc = f"a{radius:.3g} {radius * flattened:.3g} 0 1 1"
    return f"M{x - radius:.3g} {y:.3g}{arc} {2 * radius:.3g} 0{arc}-{2 * radius:.3g} 0"


@lru_cache(maxsize=1024)
def tile_svg(tile: Tile, rotation: int = 0) -> str:
    """Return the tile, not rotated. The same tile is always drawn the same.

    Texts are upright once it is rotated by so many quarter turns clockwise.
    """
    layout = tile_layout(tile)
    rng = random.Random(tile.name)
    return "".join(
        (
            '<g clip-path="url(#c-box)"><rect class="c-f" width="100" height="100"/>',
            *_fields(tile, layout, rng),
            *_ways(tile, layout, "river"),
            *_ways(tile, layout, "road"),
            *_mist(tile, layout, rng),
            *(
                part
                for region in layout.regions
                for part in _region(tile, region, layout, rng, rotation)
            ),
            *_gates(tile),
            *_bridges(tile, layout),
            *_hub(tile, layout),
            *(_moved(at, _building(tile.segments[i], rotation)) for i, at in layout.buildings),
            *_marks(tile, layout, rotation),
            '<rect class="c-ed" width="100" height="100"/></g>',
        )
    )


def _fields(tile: Tile, layout: TileLayout, rng: random.Random) -> Iterator[str]:
    """Yield tufts of grass all over the fields, and some trees."""
    patches = [
        _ellipse(rng.uniform(5, 95), rng.uniform(5, 95), rng.uniform(12, 24), 0.55)
        for _ in range(5)
    ]
    yield shape("fp", "".join(patches[:3])) + shape("fq", "".join(patches[3:]))
    tufts = []
    trees = []
    things = [at for _, at in layout.buildings] or ([layout.hub] if layout.ends else [])
    for index, segment in enumerate(tile.segments):
        if segment.kind != "field":
            continue
        for x, y in layout.inside[index]:
            jx, jy = x + rng.uniform(-5, 5), y + rng.uniform(-5, 5)
            at_edge = not (8 < jx < 92 and 8 < jy < 92)
            crowded = any(math.dist((jx, jy), thing) < 24 for thing in things)
            if not at_edge and not crowded and rng.random() < 0.14:
                trees.append((jx, jy))
            elif rng.random() < 0.75:
                tufts.append(f"M{jx:.3g} {jy:.3g}q-.5-3-2.6-4.4m2.6 4.4v-5.4m0 5.4q.5-3 2.6-4.4")
    if tufts:
        yield shape("ft", "".join(tufts))
    crown = "v-3a4.6 4.6 0 0 1-3-7a4.6 4.6 0 0 1 8.4 0a4.6 4.6 0 0 1-3 7v3z"
    for x, y in trees:
        yield shape("tr", f"M{x - 1:.3g} {y + 5:.3g}{crown}")


def _ways(tile: Tile, layout: TileLayout, kind: str) -> Iterator[str]:
    ways = [(start, curves) for i, start, curves in layout.ways if tile.segments[i].kind == kind]
    if not ways:
        return
    data = "".join(path(start, curves) for start, curves in ways)
    for name in ("rs", "rd") if kind == "road" else ("vs", "vr", "vw"):
        yield shape(name, data)
    if kind == "river":
        for i, _, _ in layout.ways:
            if tile.segments[i].kind == kind and len(tile.segments[i].edges) == 1:
                yield _moved(layout.hub, disc("wd", 17))
                yield _moved(layout.hub, shape("vw", "M-9-4q4-4 8 0t8 0M-8 5q4-4 8 0t8 0"))


def _mist(tile: Tile, layout: TileLayout, rng: random.Random) -> Iterator[str]:
    """Yield mist over what is beneath it, with puffs along its border. Roads show through."""
    clouds = []
    wisps = []
    for region in layout.regions:
        if tile.segments[region.segment].kind != "mist":
            continue
        puffs: list[str] = []
        rims: list[str] = []
        for start, curve in region.walls:
            for x, y in flat(start, (curve,), 9)[1:-1]:
                radius = rng.uniform(6.5, 9.5)
                puffs.append(_ellipse(x, y, radius))
                rims.append(_ellipse(x, y, radius + 1.4))
        clouds += [shape("mr", "".join(rims)), shape("mi", region.path() + "".join(puffs))]
        wisps += [
            f"M{x - 8:.3g} {y:.3g}q4-5 8 0t8 0"
            for x, y in layout.inside[region.segment]
            if 12 < x < 88 and 8 < y < 94 and rng.random() < 0.6
        ]
    if not clouds:
        return
    yield f'<g opacity=".84">{"".join(clouds)}</g>'
    if wisps:
        yield shape("ml", "".join(wisps))
    roads = "".join(_ways(tile, layout, "road"))
    if roads:
        yield f'<g opacity=".45">{roads}</g>'


def _region(
    tile: Tile, region: Region, layout: TileLayout, rng: random.Random, rotation: int
) -> Iterator[str]:
    kind = tile.segments[region.segment].kind
    if kind == "mist":
        return
    if kind != "city":
        yield shape("un", region.path())
        token = _upright(artwork.token(kind, 8), rotation)
        yield _moved(layout.spots[region.segment][-1], token)
        return
    yield shape("cg", region.path())
    yield from _houses(layout.inside[region.segment], rng)
    border = "".join(path(start, (curve,)) for start, curve in region.walls)
    if not region.walls and not tile.segments[region.segment].edges:
        border = region.path()
    if border:
        yield shape("wl", border)
        yield shape("wt", border)


def _houses(places: tuple[Point, ...], rng: random.Random) -> Iterator[str]:
    walls: list[str] = []
    roofs: tuple[list[str], list[str]] = ([], [])
    for x, y in places:
        if rng.random() < 0.1:
            continue
        jx, jy = x + rng.uniform(-2.6, 2.6), y + rng.uniform(-2.6, 2.6)
        wide, high = rng.uniform(8, 10.5), rng.uniform(4.5, 6.5)
        walls.append(f"M{jx - wide / 2:.3g} {jy + high:.3g}v-{high:.3g}h{wide:.3g}v{high:.3g}z")
        rng.choice(roofs).append(
            f"M{jx - wide / 2 - 1.2:.3g} {jy:.3g}l2.4-5h{wide - 2.4:.3g}l2.4 5z"
        )
    if walls:
        yield shape("hw", "".join(walls))
        yield shape("hr", "".join(roofs[0])) + shape("hq", "".join(roofs[1]))


def _gates(tile: Tile) -> Iterator[str]:
    """Yield a gate, with some city behind it, at each edge that has one."""
    wall = "M30 0q0 24 20 24t20-24"
    drawn = shape("cg", wall) + shape("wl", wall) + shape("wt", wall)
    door = shape("dk", "M43 0v6a7 7 0 0 0 14 0v-6z")
    for edge, letter in enumerate(tile.edges):
        if letter == GATE:
            yield f'<g transform="rotate({90 * edge} 50 50)">{drawn}{door}</g>'


def _is_straight(segment: Segment) -> bool:
    return len(segment.edges) == 2 and (segment.edges[0] - segment.edges[1]) % 2 == 0


def _bridges(tile: Tile, layout: TileLayout) -> Iterator[str]:
    """Yield straight roads that cross a city: they are drawn over it."""
    wide = [
        set(segment.edges)
        for segment in tile.segments
        if segment.kind == "city" and _is_straight(segment)
    ]
    for i, start, curves in layout.ways:
        segment = tile.segments[i]
        crosses = any(not set(segment.edges) & edges for edges in wide)
        if segment.kind == "road" and _is_straight(segment) and crosses:
            data = path(start, curves)
            yield shape("rs", data) + shape("rd", data)


def _hub(tile: Tile, layout: TileLayout) -> Iterator[str]:
    """Yield what stands where roads end in the open: a village, or a house for a single road.

    A symbol of the tile may have a drawing of its own for this place.
    """
    for name, _ in tile.symbols:
        if hub := artwork.drawing("hub", name):
            yield _moved(layout.hub, hub)
            return
    if layout.ends == 0 or (layout.ends == 1 and layout.gated):
        return
    house = shape("hw", "M-5 4v-6h10v6z") + shape("hr", "M-7-1.5 0-8 7-1.5z")
    x, y = layout.hub
    if layout.ends == 1:
        yield _moved(layout.hub, house, 1.25)
        return
    yield f'<circle class="c-sq" cx="{x:g}" cy="{y:g}" r="9.5"/>'
    yield _moved((x, y), disc("wd", 3))
    for dx, dy in ((-9, -6), (9.5, -7), (9, 8.5)):
        yield _moved((x + dx, y + dy), house, 0.95)


def _building(segment: Segment, rotation: int) -> str:
    drawn = artwork.drawing("building", segment.kind)
    return drawn or _upright(artwork.token(segment.kind, 13), rotation)


def _marks(tile: Tile, layout: TileLayout, rotation: int) -> Iterator[str]:
    """Yield the marks on segments, away from where followers stand, and the tile's symbols."""
    for index, segment in enumerate(tile.segments):
        marks = [name for name, count in segment.marks for _ in range(count)]
        places = layout.spots[index][1:] or layout.spots[index]
        for number, name in enumerate(marks):
            x, y = places[min(number, len(places) - 1)]
            aside = 9.0 * max(0, number - len(places) + 1)
            yield _mark((x + aside, y), name, "", rotation)
    drawn = {*(segment.kind for segment in tile.segments)}
    for spot, (name, value) in zip(layout.printed, tile.symbols, strict=True):
        if not artwork.drawing("hub", name) and name not in drawn:
            yield _mark(spot, name, value, rotation)


def _mark(at: Point, name: str, value: str, rotation: int) -> str:
    """Return a mark, moved so that all of it is on the tile.

    A value that is a point of the compass is shown as an arrow, others as a drawing or a text.
    Before a slash stands a number of what comes after it.
    """
    drawn = artwork.drawing("mark", name) or _upright(artwork.token(name, 8), rotation)
    number, _, what = value.rpartition("/")
    inner = _shown(what.replace("-", "_"))
    text = number if inner else value
    margin = 15.0
    if value in artwork.COMPASS:
        turn = f"rotate({45 * artwork.COMPASS.index(value)})"
        drawn += f'<g transform="{turn}">{artwork.ARROW}</g>'
        margin = 27.0
    else:
        beside = f'<g transform="translate(8 7)scale(.5)">{inner}</g>' if inner else ""
        if text:
            size = min(8.0, _WIDEST / len(text))
            beside = _upright(beside + label(text, 0, 15, size), rotation)
            margin = max(21.0, 4.0 + _MARK_SCALE * size * len(text) * _LETTER / 2)
        drawn += beside
    x, y = (min(max(each, margin), 100 - margin) for each in at)
    return _moved((x, y), drawn, _MARK_SCALE)


def _shown(name: str) -> str:
    """Return the drawing of a mark, a building or a figure of nobody by its name; or nothing."""
    drawn = artwork.drawing("mark", name) or artwork.drawing("building", name)
    return drawn or artwork.drawing("figure", name).replace("currentColor", "#8a8478")


def _upright(drawn: str, rotation: int) -> str:
    """Return what is upright on a tile that will be rotated."""
    return f'<g transform="rotate({-90 * rotation})">{drawn}</g>' if rotation else drawn
