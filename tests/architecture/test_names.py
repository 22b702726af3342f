"""What is general names no expansion."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from carc import Rules
from carc.base.expansions.spec import registered
from carc.drawing import artwork

ROOT = Path(__file__).resolve().parents[2]
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
    "carc/web/openapi.py": {"guard"},
    "carc/web/remote_bots.py": {"guard"},
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


def test_neither_the_core_nor_its_data_name_an_expansion() -> None:
    """An expansion of a stranger could not add its own there."""
    paths = sorted(ROOT.glob("carc/*.py"))
    for room in ROOMS:
        found = (ROOT / "carc" / room).rglob("*")
        paths += sorted(path for path in found if path.suffix in {".py", *DATA})
    assert {path for path in paths if path.suffix in DATA}
    assert {path: names for path in paths if (names := names_in(path))} == {}


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
    assert names_in(path) == {*("ghosts", "cemetery", "wind_rose", "acrobats", "wagons", "big_top")}
    page = tmp_path / "page.html"
    page.write_text('<!-- the Abbot --><p class="bigTop">Moats and hounds</p>')
    assert names_in(page) == {"abbot", "big_top", "hounds"}
