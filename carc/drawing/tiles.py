"""One kind of tile as SVG, in a box of 100 by 100."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from functools import lru_cache

from carc.base.tiles.tile import Segment, Tile
from carc.drawing import art
from carc.drawing.geometry import Point, Region, flat, path
from carc.drawing.layout import Layout, layout

_MARK = 1.25  # of marks on a tile to those in the tables of art


def _at(point: Point, drawing: str, scale: float = 1.0) -> str:
    size = "" if scale == 1.0 else f"scale({scale:g})"
    return f'<g transform="translate({point[0]:.3g} {point[1]:.3g}){size}">{drawing}</g>'


def _circle(x: float, y: float, radius: float, flat_by: float = 1.0) -> str:
    """A circle, or an ellipse lying flat, as path data."""
    arc = f"a{radius:.3g} {radius * flat_by:.3g} 0 1 1"
    return f"M{x - radius:.3g} {y:.3g}{arc} {2 * radius:.3g} 0{arc}-{2 * radius:.3g} 0"


@lru_cache(maxsize=1024)
def tile_art(tile: Tile) -> str:
    """The tile, unturned."""
    plan = layout(tile)
    rng = random.Random(tile.name)
    return "".join(
        (
            '<g clip-path="url(#c-box)"><rect class="c-f" width="100" height="100"/>',
            *_fields(tile, plan, rng),
            *_ways(tile, plan, "river"),
            *_ways(tile, plan, "road"),
            *_clouds(tile, plan, rng),
            *(part for r in plan.regions for part in _region(tile, r, plan, rng)),
            *_bridges(tile, plan),
            *_hub(plan),
            *(_at(at, _building(tile.segments[i])) for i, at in plan.buildings),
            *_marks(tile, plan),
            '<rect class="c-ed" width="100" height="100"/></g>',
        )
    )


def _fields(tile: Tile, plan: Layout, rng: random.Random) -> Iterator[str]:
    """Tufts of grass all over the fields, and a tree or bush here and there."""
    patches = [
        _circle(rng.uniform(5, 95), rng.uniform(5, 95), rng.uniform(12, 24), 0.55) for _ in range(5)
    ]
    yield art.shape("fp", "".join(patches[:3])) + art.shape("fq", "".join(patches[3:]))
    tufts = []
    trees = []
    things = [at for _, at in plan.buildings] or ([plan.hub] if plan.ends else [])
    for index, one in enumerate(tile.segments):
        if one.kind != "field":
            continue
        for x, y in plan.inside[index]:
            jx, jy = x + rng.uniform(-5, 5), y + rng.uniform(-5, 5)
            at_edge = not (8 < jx < 92 and 8 < jy < 92)
            crowded = any(math.dist((jx, jy), thing) < 24 for thing in things)
            if not at_edge and not crowded and rng.random() < 0.14:
                trees.append((jx, jy))
            elif rng.random() < 0.75:
                tufts.append(f"M{jx:.3g} {jy:.3g}q-.5-3-2.6-4.4m2.6 4.4v-5.4m0 5.4q.5-3 2.6-4.4")
    if tufts:
        yield art.shape("ft", "".join(tufts))
    for x, y in trees:
        yield art.shape(
            "tr",
            f"M{x - 1:.3g} {y + 5:.3g}v-3a4.6 4.6 0 0 1-3-7a4.6 4.6 0 0 1 8.4 0a4.6 4.6 0 0 1-3 7v3z",
        )


def _ways(tile: Tile, plan: Layout, kind: str) -> Iterator[str]:
    mine = [(start, curves) for i, start, curves in plan.ways if tile.segments[i].kind == kind]
    if not mine:
        return
    data = "".join(path(start, curves) for start, curves in mine)
    for name in ("rs", "rd") if kind == "road" else ("vs", "vr", "vw"):
        yield art.shape(name, data)
    if kind == "river":
        for i, _, _ in plan.ways:
            if tile.segments[i].kind == kind and len(tile.segments[i].edges) == 1:
                yield _at(plan.hub, art.disc("wd", 17))
                yield _at(plan.hub, art.shape("vw", "M-9-4q4-4 8 0t8 0M-8 5q4-4 8 0t8 0"))


def _clouds(tile: Tile, plan: Layout, rng: random.Random) -> Iterator[str]:
    """Mist: drifting over what is beneath, with puffs along its border; roads are dimly seen in it."""
    clouds = []
    wisps = []
    for one in plan.regions:
        if tile.segments[one.segment].kind != "mist":
            continue
        puffs: list[str] = []
        rims: list[str] = []
        for start, curve in one.walls:
            for x, y in flat(start, (curve,), 9)[1:-1]:
                radius = rng.uniform(6.5, 9.5)
                puffs.append(_circle(x, y, radius))
                rims.append(_circle(x, y, radius + 1.4))
        clouds += [art.shape("mr", "".join(rims)), art.shape("mi", one.path() + "".join(puffs))]
        wisps += [
            f"M{x - 8:.3g} {y:.3g}q4-5 8 0t8 0"
            for x, y in plan.inside[one.segment]
            if 12 < x < 88 and 8 < y < 94 and rng.random() < 0.6
        ]
    if not clouds:
        return
    yield f'<g opacity=".84">{"".join(clouds)}</g>'
    if wisps:
        yield art.shape("ml", "".join(wisps))
    dim = "".join(_ways(tile, plan, "road"))
    if dim:
        yield f'<g opacity=".45">{dim}</g>'


def _region(tile: Tile, one: Region, plan: Layout, rng: random.Random) -> Iterator[str]:
    kind = tile.segments[one.segment].kind
    if kind == "mist":
        return
    if kind != "city":
        yield art.shape("un", one.path())
        yield _at(plan.spots[one.segment][-1], art.token(kind, 8))
        return
    yield art.shape("cg", one.path())
    walls: list[str] = []
    roofs: tuple[list[str], list[str]] = ([], [])
    for x, y in plan.inside[one.segment]:
        if rng.random() < 0.1:
            continue
        jx, jy = x + rng.uniform(-2.6, 2.6), y + rng.uniform(-2.6, 2.6)
        wide, high = rng.uniform(8, 10.5), rng.uniform(4.5, 6.5)
        walls.append(f"M{jx - wide / 2:.3g} {jy + high:.3g}v-{high:.3g}h{wide:.3g}v{high:.3g}z")
        rng.choice(roofs).append(
            f"M{jx - wide / 2 - 1.2:.3g} {jy:.3g}l2.4-5h{wide - 2.4:.3g}l2.4 5z"
        )
    if walls:
        yield art.shape("hw", "".join(walls))
        yield art.shape("hr", "".join(roofs[0])) + art.shape("hq", "".join(roofs[1]))
    border = "".join(path(start, (curve,)) for start, curve in one.walls)
    if not one.walls and not tile.segments[one.segment].edges:
        border = one.path()
    if border:
        yield art.shape("wl", border)
        yield art.shape("wt", border)


def _bridges(tile: Tile, plan: Layout) -> Iterator[str]:
    """A road through the tile that a city would hide goes over it."""
    wide = [
        set(one.edges)
        for one in tile.segments
        if one.kind == "city" and len(one.edges) == 2 and (one.edges[0] - one.edges[1]) % 2 == 0
    ]
    for i, start, curves in plan.ways:
        one = tile.segments[i]
        straight = len(one.edges) == 2 and (one.edges[0] - one.edges[1]) % 2 == 0
        if one.kind == "road" and straight and any(not set(one.edges) & edges for edges in wide):
            data = path(start, curves)
            yield art.shape("rs", data) + art.shape("rd", data)


def _hub(plan: Layout) -> Iterator[str]:
    """Where roads end in the open: a village; a house where only one does."""
    if plan.ends == 0 or (plan.ends == 1 and plan.gated):
        return
    house = art.shape("hw", "M-5 4v-6h10v6z") + art.shape("hr", "M-7-1.5 0-8 7-1.5z")
    x, y = plan.hub
    if plan.ends == 1:
        yield _at(plan.hub, house, 1.25)
        return
    yield f'<circle class="c-sq" cx="{x:g}" cy="{y:g}" r="9.5"/>'
    yield _at((x, y), art.disc("wd", 3))
    for dx, dy in ((-9, -6), (9.5, -7), (9, 8.5)):
        yield _at((x + dx, y + dy), house, 0.95)


def _building(one: Segment) -> str:
    return art.BUILDINGS.get(one.kind) or art.token(one.kind, 13)


def _marks(tile: Tile, plan: Layout) -> Iterator[str]:
    """What is printed on the segments, away from where followers stand, and on the tile as a whole."""
    for index, one in enumerate(tile.segments):
        each = [name for name, count in one.marks for _ in range(count)]
        spots = plan.spots[index]
        places = spots[1:] or spots
        for number, name in enumerate(each):
            x, y = places[min(number, len(places) - 1)]
            aside = 9.0 * max(0, number - len(places) + 1)
            yield _mark((x + aside, y), name)
    for spot, (name, value) in zip(plan.printed, tile.symbols, strict=True):
        yield _mark(spot, name, value)


def _mark(at: Point, name: str, value: str = "") -> str:
    """A mark, whole on the tile; with an arrow towards its value if that is a point of the compass."""
    x, y = (min(max(one, 15.0), 85.0) for one in at)
    drawn = art.MARKS.get(name) or art.token(name, 8)
    if value in art.COMPASS:
        turn = f"rotate({45 * art.COMPASS.index(value)})"
        drawn += f'<g transform="{turn}">{art.ARROW}</g>'
    elif value in art.MARKS or value in art.BUILDINGS:
        drawn += f'<g transform="translate(8 7)scale(.5)">{art.MARKS.get(value) or art.BUILDINGS[value]}</g>'
    elif value:
        drawn += art.label(value, 0, 15, 8)
    return _at((x, y), drawn, _MARK)
