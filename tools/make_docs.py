"""Make the pages of rules and the golden playthroughs, part of `make docs`.

Usage: `PYTHONPATH=tests python tools/make_docs.py`. The diff is for review.
"""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import expansion_pages
import meetings
from support.playthroughs import write_all

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "docs" / "rules.toml"
PAGE = ROOT / "docs" / "rules.md"

FAMILIES = {
    "BASE": "The base game",
    "MIST": "Mist, in every mode",
    "GCC": "Ghosts, Castles & Cemeteries, competitive",
    "COOP": "Mists over Carcassonne, co-operative, every level",
    "LVL2": "Level 2",
    "LVL3": "Level 3",
    "LVL4": "Level 4",
    "LVL5": "Level 5",
    "LVL6": "Level 6",
    "SPC": "The Spell Circles, co-operative",
    "SCC": "The Spell Circles, competitive",
    "SEQ": "The order in which points are made",
    "MEE": "Where expansions meet",
}
EXPANSIONS = {
    "INN": "inns",
    "RIV": "river",
    "ABB": "abbot",
    "TRD": "traders",
    "KNG": "king",
    "DRG": "dragon",
    "FLY": "flier",
    "HIL": "hills",
    "MAG": "mage",
    "GLD": "gold",
    "FES": "festival",
    "CRC": "crops",
    "ROB": "son",
    "CNT": "count",
    "BRC": "bridges",
    "FER": "ferries",
    "RUS": "russian",
    "SIE": "siege",
    "ABM": "abbey",
    "TOW": "tower",
    "BIG": "bigtop",
    "GQ": "gq11",
    "SPD": "spiel_doch",
    "GAT": "city_gates",
    "DAR": "darmstadt",
    "LAB": "labyrinth",
    "TUN": "tunnel",
    "PHA": "phantom",
    "WAT": "watchtowers",
    "MON": "monasteries",
    "CUL": "cult",
    "LIT": "buildings",
    "WIN": "windroses",
}
"""The expansion on whose page the rules of a family are; the others are in docs/rules.md."""

HEAD = """\
# Rules

Every rule that carc plays has an identifier, such as BASE-04. Error messages, tests and the source
code use the same identifiers. The lines below a rule say what carc does where the sources are
unclear or silent. The rules of the classic expansions are [on their pages](classics.md). `make
docs` makes all of this from `docs/rules.toml`.

Brackets name the source of a sentence: `[R p.5]` is page 5 of source R, `[F Dized 0044]` an
official answer by its number, `[F 11/2022]` one by its date, `[J 412]` an issue.

- **B**: the published rules of the base game, third edition
- **R**: the rulebook of *Mists over Carcassonne*, the co-operative game, 2023
- **F**: the French rules of that game, with the publisher's official answers
- **T**: the publisher's text on scoring during the turn, step by step, for all expansions
- **G**: the rules of Ghosts, Castles & Cemeteries, in German
- **S**: the rules of The Spell Circles
- **P**: rules and answers of the publisher on classic expansions
- **A**, **W**: the complete annotated rules; WikiCarpedia
- **J**: [JCloisterZone](jcloisterzone.md): games that it recorded, and its issues

The classic expansions follow their published rules, T for scoring, and J where both are silent.
[Who reaches whom](who-reaches-whom.md) says what reaches a figure, by where it is. Where texts
disagree there is an option.

[Concepts](concepts.md) explains the words of all pages. These are of the mist games:

- meeple, guard: an ordinary follower; a follower that ghosts leave alone
- neighbours: the tiles on the 8 cells around a tile
- misty, clear: an edge under mist; an edge without mist. A misty tile shows mist
- bank: mist that is joined across tiles (MIST-04)
- stock: ghosts or guards that are not in play
- to bury: to put a follower on a cemetery for the rest of the game (LVL2-03)
"""

INTRODUCTIONS = {
    "GCC": """\
A turn of `base+ghosts` has these steps: 1, a tile is placed (GCC-06); 2a, ghosts are placed
(GCC-07 to GCC-12); 2b, a follower may be placed (GCC-13 to GCC-15); 3, completed features are
scored (GCC-16 to GCC-20). GCC-21 to GCC-24 are about the end of the game.
""",
    "SEQ": """\
1. the value in itself: tiles, coats of arms, neighbours; castles of ghosts; castles of \
bridges, with all that changes the value of the feature near them; row and column of a German \
monastery; huts; barns, and farmers who join them
2. points per tile: inns, cathedrals, sieges; a besieged city beside a field
3. what is added per tile: the mage
4. what halves all so far: the witch
5. what is added once: vineyards, buildings, the Darmstadtium, herds of pigs, castles beside a \
field, the labyrinth
6. what is added to an owner's share: pigs
7. what lessens it: ghosts, 2 points each
8. what doubles it: nothing in carc
9. bonuses beside the share: the fairy, ringmasters, the labyrinth with `followers=owner`

Other points are scored by themselves, and nothing changes them:

- before the features of a turn: watchtowers, churches
- after them: the big top
- in another step of a turn: wind roses, flocks, abbots taken back, pyramids of acrobats, \
ransoms, bids, the fairy at the start of a turn
- at the end: goods, ingots, titles, acrobats, the vodyanoy
""",
    "COOP": """\
[The decisions of a turn](levels.md#decisions-and-their-notation) are in the order of its steps.
""",
}


def rules() -> dict[str, dict[str, Any]]:
    """Return every rule by identifier: its text and decisions."""
    return tomllib.loads(RULES.read_text(encoding="utf-8"))


@cache
def tests_by_rule() -> dict[str, list[str]]:
    """Return the tests that name each rule, as `file::test`, read from the sources."""
    tests: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                name = f"{path.relative_to(ROOT / 'tests').as_posix()}::{node.name}"
                for decorator in node.decorator_list:
                    for rule in _named(decorator):
                        tests.setdefault(rule, []).append(name)
    return tests


def _named(decorator: ast.expr) -> list[str]:
    if not (isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule"):
        return []
    return [ast.literal_eval(argument) for argument in decorator.args]


def _told(rule: str) -> list[str]:
    """Return a rule with its decisions, in lines."""
    entry = rules()[rule]
    lines = [f"- **{rule}** {entry['text']}"]
    return lines + [f"  - {each}" for each in entry.get("decisions", ())]


def _by_family() -> dict[str, list[str]]:
    """Return the identifiers of the rules by family."""
    families: dict[str, list[str]] = {}
    for rule in rules():
        families.setdefault(rule.partition("-")[0], []).append(rule)
    return families


def rules_page() -> str:
    """Return the text of docs/rules.md: all rules but those of the classics."""
    parts = [HEAD]
    for family, some in _by_family().items():
        if family not in EXPANSIONS:
            parts.append(f"\n## {FAMILIES[family]}\n")
            if family in INTRODUCTIONS:
                parts.append(INTRODUCTIONS[family])
            if family == "MEE":
                parts.append(meetings.told())
            for rule in some:
                parts += _told(rule)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)) + "\n"


def expansion_page(name: str) -> str:
    """Return the text of the page of an expansion, with its rules and options as they are."""
    (family,) = (family for family, expansion in EXPANSIONS.items() if expansion == name)
    lines = [line for rule in _by_family()[family] for line in _told(rule)]
    text = expansion_pages.page(name).read_text(encoding="utf-8")
    parts = ["\n".join(lines) + "\n", expansion_pages.options_list(name)]
    return expansion_pages.with_made(text, "\n".join(filter(None, parts)))


def index_page() -> str:
    """Return the text of docs/classics.md, with its list as it is."""
    text = expansion_pages.INDEX.read_text(encoding="utf-8")
    families = {name: family for family, name in EXPANSIONS.items()}
    return expansion_pages.with_made(text, expansion_pages.index_list(families))


def main() -> None:
    """Write the pages and the playthroughs."""
    PAGE.write_text(rules_page(), encoding="utf-8")
    expansion_pages.INDEX.write_text(index_page(), encoding="utf-8")
    for name in expansion_pages.NAMES:
        expansion_pages.page(name).write_text(expansion_page(name), encoding="utf-8")
    write_all()


if __name__ == "__main__":
    main()
