"""Which way data flows, what the specs of the expansions shipped say, tile sets of one's own.

The mechanism: `test_carnival.py`.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from carc import Rules
from carc.base.game.spec import registered
from carc.drawing import artwork
from carc.errors import BadRules

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nonsense", "unknown rules 'nonsense'; known are base"),
        ("base+", "is no rules spec"),
        ("base ghosts", "expected '\\+' before 'ghosts'"),
        ("base+ghosts(castles=maybe)", "castles is on or off, not 'maybe'"),
        ("base+ghosts(moats=on)", "has no option 'moats'; it has ghosts castles"),
        ("base+ghosts+ghosts", "named twice"),
        ("ghosts", "comes after a game: base\\+ghosts"),
        ("base+mists:3", "mists comes first, in place of base: it is a game of its own"),
        ("mists:3+base", "base comes first, in place of mists: it is a game of its own"),
        ("base+base", "base is named twice in 'base\\+base'"),
        ("mists:9", "X one of 1 2 3 4 5 6"),
        ("base+ghosts:2", "takes nothing after a colon"),
    ],
)
def test_a_bad_spec_says_what_is_allowed(spec: str, message: str) -> None:
    with pytest.raises(BadRules, match=message):
        Rules.from_spec(spec, 2)


def test_data_flows_one_way() -> None:
    for package, forbidden in (
        ("base", "bots|tournaments|commands|web"),
        ("bots", "tournaments|commands|web"),
        ("tournaments", "commands|web"),
    ):
        for path in (ROOT / "carc" / package).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(rf"^\s*(from|import) carc\.({forbidden})\b", text, re.M), path
    for package in ("expansion_ghosts", "mists"):
        for path in (ROOT / "carc" / package).rglob("*.py"):
            assert "spellcircles" not in path.read_text(encoding="utf-8"), path


def test_a_tile_set_of_ones_own_takes_the_place_of_its_name(tmp_path: Path) -> None:
    text = (ROOT / "carc/base/tiles/base.txt").read_text(encoding="utf-8")
    path = tmp_path / "mine.txt"
    path.write_text(re.sub(r"tile C 1.*?(?=tile D)", "", text, flags=re.S), encoding="utf-8")
    made = Rules.from_spec("base", 2, tiles=[path])
    assert "C" not in made.catalogue.index
    assert made.version != Rules.from_spec("base", 2).version
    with pytest.raises(BadRules, match="plays with no tile set named 'base'"):
        Rules.from_spec("mists:1", 2, tiles=[path])


# -- what is general names no expansion ------------------------------------------------------------

ROOMS = ("base", "bots", "drawing", "learn", "match", "tournaments", "web")
# English words that expansions also use as names.
ORDINARY = {
    *("big", "buildings", "circles", "count", "enter", "escape", "farmers", "flock"),
    *("monasteries", "watch", "well"),
}
# By file, the names that it may say.
ALLOWED = {
    # Kinds of feature that are drawn as shapes of their own: clouds over what is there, water.
    "carc/drawing/board_text.py": {"mist", "river"},
    "carc/drawing/tile_layout.py": {"river", "builder"},  # the builder of a layout
    "carc/drawing/tile_svg.py": {"mist", "river", "bridges"},  # a road that crosses a city
    "carc/base/position/data.py": {"guard"},  # a TypeGuard
    "carc/web/app.py": {"guard"},  # keeps hostile requests out
    "carc/web/guard.py": {"guard"},
    # The bot and the campaigns of one game of a team: they import it, and name what is in it.
    "carc/bots/careful.py": {"ghosts", "hide", "hound", "markers", "mists"},
    "carc/bots/careful_worth.py": {
        "castle",
        "ghost",
        "ghosts",
        "hounds",
        "marker",
        "markers",
        "mist",
        "mists",
    },
    "carc/bots/team_mcts.py": {"mists"},  # an example in a message
    "carc/tournaments/campaign.py": {"mists"},
    # The class of `greedy-blind`, which ledgers of tournaments name.
    "carc/bots/__init__.py": {"ghost"},
    "carc/bots/greedy.py": {"ghost"},
    # Presets of the page for a new game: examples of rules.
    "carc/web/new_game.toml": {"castles", "ghosts", "mist", "mists"},
    # The way to the expansions: a picture of one, and examples of words to find some by.
    "carc/web/templates/home.html": {"dragon"},
    "carc/web/templates/new.html": {"cathedral", "dragon", "inns"},
    # The picture of a tile that is dragged.
    "carc/web/static/carc.css": {"ghost"},
    "carc/web/static/drag.js": {"ghost"},
    "carc/web/static/table.js": {"quarter"},  # of a turn, by which a tile is held
}
# What is no Python in the folders of the pages, the drawings and the bots.
DATA = {".css", ".html", ".js", ".svg", ".toml"}


def named_in(rules: Rules) -> set[str]:
    """The kinds of follower and of feature, steps, marks and symbols of some rules."""
    catalogue = rules.catalogue
    return {
        *(kind.name for kind in rules.follower_kinds),
        *(kind.name for kind in catalogue.kinds),
        *(step.name for step in (*rules.turn, *rules.ending)),
        *catalogue.marks,
        *(name for tile in catalogue.tiles for name, _ in tile.symbols),
    }


@cache
def words() -> re.Pattern[str]:
    """Finds the names of all expansions shipped, and of what they bring."""
    games = {"mists": "mists:6", "spellcircles": "base+ghosts+spellcircles"}
    shipped = [name for name, at in registered().items() if at.value.startswith("carc.")]
    found = set(shipped)
    for name in shipped:
        found |= named_in(Rules.cached(games.get(name, f"base+{name}")))
    # Pieces by their drawings: a test asks for one of each.
    found |= {key.removeprefix("piece/") for key in artwork.drawings() if key.startswith("piece/")}
    found -= named_in(Rules.cached("base")) | ORDINARY | {f"{word}s" for word in ORDINARY}
    some = sorted({re.sub("[_ ]", "[ _-]?", name.strip("_")) for name in found}, key=len)
    return re.compile(rf"(?<![a-z])(?:{'|'.join(reversed(some))})s?(?![a-z])")


def names_in(path: Path) -> set[str]:
    """The names in the identifiers and strings of a module that belong to an expansion.

    Docstrings may give examples. Of what is no Python all of the text counts.
    """
    text = path.read_text(encoding="utf-8")
    allowed = ALLOWED.get(path.relative_to(ROOT).as_posix(), set())
    if path.suffix in DATA:
        return said_in(text) - allowed
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [  # type: ignore[attr-defined]
                one
                for one in body
                if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
            ]
    found: set[str] = set()
    for node in ast.walk(tree):
        for name in ("id", "attr", "arg", "name", "module", "value"):
            said = getattr(node, name, None)
            if isinstance(said, str):
                found |= said_in(said)
    return found - allowed


def said_in(text: str) -> set[str]:
    return {*words().findall(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text).lower())}


@pytest.mark.parametrize("room", ["carc/*.py", *(f"carc/{room}/**/*.py" for room in ROOMS)])
def test_the_core_names_no_expansion(room: str) -> None:
    paths = sorted(ROOT.glob(room))
    assert paths
    assert {path.name: names for path in paths if (names := names_in(path))} == {}


@pytest.mark.parametrize("room", ["bots", "drawing", "web"])
def test_the_data_of_the_core_name_no_expansion(room: str) -> None:
    """An expansion of a stranger could not add its own there."""
    paths = sorted(path for path in (ROOT / "carc" / room).rglob("*") if path.suffix in DATA)
    assert paths
    assert {path.name: names for path in paths if (names := names_in(path))} == {}


def test_what_is_allowed_is_said() -> None:
    """An exception that is not needed any more would hide what comes there."""
    for path, allowed in ALLOWED.items():
        text = (ROOT / path).read_text(encoding="utf-8").lower()
        assert all(word in text for word in allowed), path


def test_a_name_in_the_core_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    path = tmp_path / "core.py"
    path.write_text(
        '"""Ghosts may be examples."""\nfrom carc import expansion_ghosts\nX = "cemetery"\n'
        "class WindRoseStep: acrobats = 1\n"
        "def of_wagons(big_top, encounter): pass\n"
    )
    assert names_in(path) == {
        *("ghosts", "cemetery", "wind_rose", "acrobats", "wagons", "big_top"),
    }
    page = tmp_path / "page.html"
    page.write_text('<!-- the Abbot --><p class="bigTop">Moats and hounds</p>')
    assert names_in(page) == {"abbot", "big_top", "hounds"}
