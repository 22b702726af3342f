"""Which way data flows, what the specs of the expansions shipped say, tile sets of one's own.

The mechanism: `test_carnival.py`.
"""

import ast
import re
from pathlib import Path

import pytest

from carc import Rules
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


def test_the_base_names_no_expansion() -> None:
    words = re.compile(
        r"ghost|mist\b|mists|castle|cemeter|hound|circle(?!s? of)|spell|guard|cat\b", re.I
    )
    for path in (ROOT / "carc" / "base").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        allowed = re.sub(r"`[^`]*`|circular|misty?pe|misspelt", "", text)
        found = words.findall(allowed)
        assert not found, f"{path.name} names {set(found)}"


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


WORDS = re.compile(
    r"ghost|\bmists?\b|misty|castle|cemeter|hound|circles?\b|spell|guard\b|\bcat\b|\bcats\b", re.I
)
# How pieces, marks and kinds of feature look is data, by their names.
DATA = {
    "carc/drawing/artwork.py": {"BUILDINGS"},
    "carc/drawing/descriptions.py": {"_PHRASES"},
}
ALLOWED = {
    "carc/drawing/tile_svg.py": {"mist"},  # a kind of feature drawn as clouds; a shape
    "carc/drawing/board_text.py": {"~ mist"},  # the legend's word for what is covered
    "carc/web/app.py": {"Guard", "guard"},  # keeps hostile requests out
    "carc/web/guard.py": {"Guard"},
}


def names_in(path: Path) -> set[str]:
    """The identifiers and strings of a module that name an expansion's things, docstrings and
    tables of data left out.
    """
    where = path.relative_to(ROOT).as_posix()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [  # type: ignore[attr-defined]
                one
                for one in body
                if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
                and not (
                    isinstance(one, ast.Assign | ast.AnnAssign)
                    and {n.id for n in ast.walk(one) if isinstance(n, ast.Name)}
                    & DATA.get(where, set())
                )
            ]
    found: set[str] = set()
    for node in ast.walk(tree):
        for name in ("id", "attr", "arg", "name", "module", "value"):
            said = getattr(node, name, None)
            if isinstance(said, str) and WORDS.search(said):
                found.add(said)
    allowed = ALLOWED.get(where, set())
    svg = re.compile(r"</?circle\b")
    return {
        said
        for said in found
        if not any(word in said for word in allowed) and WORDS.search(svg.sub("", said))
    }


@pytest.mark.parametrize(
    "room", ["carc/*.py", "carc/base/*.py", "carc/drawing/*.py", "carc/web/*.py"]
)
def test_the_core_names_no_expansion(room: str) -> None:
    paths = sorted(ROOT.glob(room))
    assert paths
    assert {path.name: names for path in paths if (names := names_in(path))} == {}


def test_a_name_in_the_core_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    path = tmp_path / "core.py"
    path.write_text(
        '"""Ghosts may be examples."""\nfrom carc import expansion_ghosts\nX = "cemetery"\n'
    )
    assert names_in(path) == {"expansion_ghosts", "cemetery"}
