"""Which way data flows, what the specs of the expansions shipped say, tile sets of one's own.

The mechanism: `test_carnival.py`.
"""

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
