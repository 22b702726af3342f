"""Every name that an expansion brings has a drawing, and texts are upright however a tile lies."""

import math
import random
import re
import xml.etree.ElementTree as ET
from functools import lru_cache
from importlib.metadata import EntryPoint
from pathlib import Path

import attrs
import pytest
from support.notation import do

from carc import Rules
from carc.base.expansions.spec import registered
from carc.base.tiles.tile import Segment, Tile
from carc.drawing import artwork, board_svg, board_text, tiles_by_name

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
GAMES = ("mists", "spellcircles")
SPECS = [
    *("base", "base+ghosts+spellcircles", "mists:6+spellcircles"),
    *(f"base+{name}" for name in sorted(registered()) if name not in GAMES),
]
# What code draws, whatever its name: areas that reach edges, and a tile that shows its back.
DRAWN_BY_CODE = {"building": {"city", "field", "mist", "river", "road"}, "piece": {"face-down"}}


def names(table: str) -> set[str]:
    """The names that have a drawing in a table."""
    return {key.split("/", 1)[1] for key in artwork.drawings() if key.startswith(f"{table}/")}


def pieces(rules: Rules) -> set[str]:
    """The kinds of piece in some random games."""
    found = set()
    for seed in range(4):
        rng, state = random.Random(seed), rules.start()
        while not state.is_terminal:
            state.apply(rng.choice(state.legal_actions()))
            if rng.random() < 0.2 or state.is_terminal:
                found |= {one["kind"] for one in state.to_dict("pieces")["pieces"]}
    return found


@pytest.mark.parametrize("spec", SPECS)
def test_every_piece_and_mark_has_a_drawing_of_its_own(spec: str) -> None:
    rules = Rules.from_spec(spec)
    followers = {kind.name for kind in rules.follower_kinds}
    used: dict[str, set[str]] = {
        "building": set(),
        "mark": set(),
        "figure": followers - names("upright"),
        "piece": pieces(rules) - followers,
    }
    for tile in rules.catalogue.tiles:
        kinds = {segment.kind for segment in tile.segments if not segment.kind.startswith("_")}
        used["building"] |= kinds
        used["mark"] |= {name for name, _ in tile.symbols} - names("hub") - kinds
        used["mark"] |= {name for segment in tile.segments for name, _ in segment.marks}
    for table, some in used.items():
        assert some - names(table) - DRAWN_BY_CODE.get(table, set()) == set(), table


def test_no_name_is_drawn_twice() -> None:
    paths = [
        path
        for path in sorted((ROOT / "carc").rglob("artwork.svg"))
        if "templates" not in path.parts
    ]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    found = [name for text in texts for name in re.findall('^<g id="(.*)">$', text, re.M)]
    assert len(found) == len(set(found))
    assert set(found) == set(artwork.drawings())


# -- texts on tiles --------------------------------------------------------------------------------

Matrix = tuple[float, float, float, float, float, float]


def times(m: Matrix, n: Matrix) -> Matrix:
    a, b, c, d, e, f = m
    return (
        a * n[0] + c * n[1], b * n[0] + d * n[1],
        a * n[2] + c * n[3], b * n[2] + d * n[3],
        a * n[4] + c * n[5] + e, b * n[4] + d * n[5] + f,
    )  # fmt: skip


def matrix(transform: str) -> Matrix:
    """The matrix of an SVG transform."""
    result: Matrix = (1, 0, 0, 1, 0, 0)
    for name, numbers in re.findall(r"(\w+)\(([^)]*)\)", transform):
        x, *more = map(float, numbers.split())
        y = more[0] if more else 0.0
        if name == "translate":
            result = times(result, (1, 0, 0, 1, x, y))
        elif name == "scale":
            result = times(result, (x, 0, 0, more[0] if more else x, 0, 0))
        else:
            assert name == "rotate"
            at = (more[0], more[1]) if more else (0.0, 0.0)
            sine, cosine = math.sin(math.radians(x)), math.cos(math.radians(x))
            result = times(result, (1, 0, 0, 1, *at))
            result = times(result, (cosine, sine, -sine, cosine, 0, 0))
            result = times(result, (1, 0, 0, 1, -at[0], -at[1]))
    return result


@attrs.frozen
class Text:
    """A text in a picture: its turn in degrees and its box."""

    words: str
    turn: float
    box: tuple[float, float, float, float]


def texts_of(tile: Tile, rotation: int) -> list[Text]:
    """The texts on a tile in the picture of a board, where it is the only one."""
    start = {"x": 0, "y": 0, "kind": tile.name, "rotation": rotation}
    data = {"tiles": [start], "features": [], "pieces": []}
    picture = ET.fromstring(board_svg.board(data, {tile.name: tile}))
    by_id = {each.get("id"): each for each in picture.iter()}
    found = []

    def walk(element: ET.Element, m: Matrix) -> None:
        if element.tag == f"{SVG}defs" or element.get("class") == "c-ax":
            return
        m = times(m, matrix(element.get("transform", "")))
        if element.tag == f"{SVG}use":
            walk(by_id[element.get("href", "")[1:]], m)
        if element.tag == f"{SVG}text":
            scale = math.hypot(m[0], m[1])
            size = scale * float(element.get("font-size", ""))
            x, y = float(element.get("x", "")), float(element.get("y", ""))
            x, y = m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]
            half = 0.55 * size * len(element.text or "") / 2
            turn = round(math.degrees(math.atan2(m[1], m[0]))) % 360
            found.append(Text(element.text or "", turn, (x - half, y - size, x + half, y)))
        for child in element:
            walk(child, m)

    walk(picture, (1, 0, 0, 1, 0, 0))
    return found


ODD = Tile(
    "odd", 1, "LFFF",
    (
        Segment("lake", (0,), marks=(("pike", 1),)),
        Segment("sheep_fold"),
        Segment("field", (1, 2, 3)),
    ),
    symbols=(("whale", ""), ("tide", "as low as it can be"), ("lantern", "2/meeple")),
)  # fmt: skip


@pytest.mark.parametrize("rotation", range(4))
def test_texts_are_upright_and_on_the_tile(rotation: int) -> None:
    texts = texts_of(ODD, rotation)
    said = {"La", "Pi", "Sf", "Wh", "Ti", "as low as it can be", "2"}
    assert {text.words for text in texts} == said
    assert_readable(texts)


def assert_readable(texts: list[Text]) -> None:
    for text in texts:
        left, top, right, bottom = text.box
        assert text.turn == 0, text
        assert left > 0 < top and right < 100 > bottom, text


@lru_cache(maxsize=1)
def with_text() -> list[Tile]:
    """The shipped tiles with a text on them."""
    tiles = {tile.name: tile for spec in SPECS for tile in Rules.cached(spec).catalogue.tiles}
    return [tile for tile in tiles.values() if texts_of(tile, 0)]


def test_texts_of_shipped_tiles_are_upright_and_on_the_tile() -> None:
    some = with_text()
    assert {tile.name for tile in some} >= {"WT01", "WT11", "WR04"}
    for tile in some:
        for rotation in range(4):
            assert_readable(texts_of(tile, rotation))


def test_a_ferry_is_drawn_from_one_road_to_the_other() -> None:
    rules = Rules.from_spec("base+ferries")
    state = do(rules.start(), "draw:FR01 place:1,0,0 pass ferry:1,0,1,to2")
    data, tiles = state.to_dict(), tiles_by_name(rules)
    (piece,) = data["pieces"]
    assert (piece["segment"], piece["to"], piece["text"]) == (1, 2, "")
    drawn = board_svg.board(data, tiles)
    start, end = (board_svg.spot(tiles["FR01"], 0, index) for index in (1, 2))
    line = f"M{100 + start[0]:.5g} {start[1]:.5g}Q150 50 {100 + end[0]:.5g} {end[1]:.5g}"
    assert f'd="{line}"' in drawn
    assert artwork.drawing("piece", "ferry") in drawn
    assert artwork.drawing("hub", "ferry") in drawn  # the lake
    sides = ["north", "east", "south", "west"]
    one, other = (sides[tiles["FR01"].segments[index].edges[0]] for index in (1, 2))
    told = board_text.text(data, tiles)
    assert f"* ferry at (1, 0) (road in the {one}, to the {other})" in told


def test_an_expansion_brings_its_drawings_without_being_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "carc_odd" / "inner"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("raise RuntimeError('broken')\n")
    (package / "artwork.svg").write_text(
        '<svg>\n<g id="mark/whale">\n  <path d="M0 0h9"/>\n</g>\n'
        '<g id="figure/meeple">\n  <path d="M1 1h1"/>\n</g>\n</svg>\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    points = [
        EntryPoint(name, f"{module}:Odd", "carc.expansions")
        for name, module in (("odd", "carc_odd.inner"), ("gone", "carc_gone"))
    ]
    monkeypatch.setattr(artwork, "registered", lambda: {point.name: point for point in points})
    artwork.drawings.cache_clear()
    try:
        assert artwork.drawing("mark", "whale") == '<path d="M0 0h9"/>'
        assert "M1 1h1" not in artwork.drawing("figure", "meeple")  # the base game's comes first
    finally:
        artwork.drawings.cache_clear()
