"""Make docs/rules.md and the golden playthroughs: `python tools/make_docs.py`, part of `make docs`.

It needs `PYTHONPATH=tests`. The diff is for review.
"""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

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
    "INN": "Inns & Cathedrals",
    "RIV": "The River, I and II",
    "ABB": "The Abbot",
    "TRD": "Traders & Builders",
    "KNG": "King & Robber Baron",
    "DRG": "The Princess & the Dragon",
    "FLY": "The Flying Machines",
    "HIL": "Hills & Sheep",
    "MAG": "Mage & Witch",
    "GLD": "The Goldmines",
    "FES": "The Festival",
    "CRC": "The Crop Circles, I and II",
    "ROB": "The Robber's Son",
    "CNT": "The Count of Carcassonne",
    "BRC": "Bridges, Castles & Bazaars",
    "FER": "The Ferries",
    "RUS": "The Russian promotional tiles",
    "SIE": "The Besiegers and The Cathars",
    "ABM": "Abbey & Mayor",
    "TOW": "The Tower",
    "BIG": "Under the Big Top",
    "GQ": "Games Quarterly 11",
    "SPD": "Spiel Doch",
    "DAR": "Darmstadt",
    "LAB": "The Labyrinth",
    "TUN": "The Tunnel",
    "PHA": "The Phantom",
    "WAT": "The Watchtowers",
    "MON": "German Monasteries",
    "CUL": "The Cult",
    "LIT": "Little Buildings",
    "WIN": "The Wind Roses",
}

HEAD = """\
# Rules

Every rule that carc plays has an identifier, such as BASE-04. Error messages, tests and the source
code use the same identifiers. Below a rule are

- *Decided*: what carc does where the sources are unclear or silent, and why;
- *Tests*: the tests that show the rule, in the folder `tests`.

`make docs` makes this page from `docs/rules.toml` and the marks of the tests.

Brackets name the source of a sentence: `[R p.5]` is page 5 of source R, `[F Dized 0044]` an
official answer by its number, `[F 11/2022]` one by its date.

| source | |
|---|---|
| **B** | the published rules of the base game, third edition |
| **R** | the rulebook of *Mists over Carcassonne*, the co-operative game, 2023 |
| **F** | the French rules of that game, with the publisher's official answers |
| **T** | the publisher's text on scoring during the turn, step by step, for all expansions |
| **G** | the rules of Ghosts, Castles & Cemeteries, in German |
| **S** | the rules of The Spell Circles |

The classic expansions follow their published rules, and T for scoring. Where both are silent they
follow the games recorded by another engine. Such a decision says "the recorded games".

Where the publisher's texts disagree there is an option: `joint_scoring` (COOP-18), `level6_scoring`
(LVL6-01), `hounds` (LVL3-03), `misty_roads` (MIST-07).

| word | meaning |
|---|---|
| follower | a figure that can claim a feature |
| meeple, guard | an ordinary follower; a follower that ghosts leave alone |
| supply | a player's figures that are not on the board |
| bag | the tiles not drawn yet |
| segment, feature | a part of one tile; all segments that are joined across tiles |
| neighbours | the tiles on the 8 cells around a tile |
| misty, clear | an edge under mist; an edge without mist. A misty tile shows mist |
| bank | mist that is joined across tiles (MIST-04) |
| stock | ghosts or guards that are not in play |
| to bury | to put a follower on a cemetery for the rest of the game (LVL2-03) |
"""

INTRODUCTIONS = {
    "GCC": """\
A turn of `base+ghosts` has these steps:

| step | what happens | rules |
|---|---|---|
| 1 | place a tile | GCC-06 |
| 2a | ghosts are placed | GCC-07 to GCC-12 |
| 2b | a follower may be placed | GCC-13 to GCC-15 |
| 3 | completed features are scored | GCC-16 to GCC-20 |

GCC-21 to GCC-24 are about the end of the game.
""",
    "COOP": """\
A turn of `mists` has these steps:

| step | what happens | rules |
|---|---|---|
| 1a | place a tile | COOP-10 |
| 1b | ghosts leave the banks that are finished | COOP-11 |
| 1c | a cemetery that is closed gets a burial | COOP-12, LVL2-02, LVL5-01 |
| 2a | ghosts are placed | COOP-13, LVL2-04, LVL5-02, SPC-04 |
| 2b | a follower may be placed | COOP-15 |
| 3a | completed features are scored | COOP-16 to COOP-20 |
| 3b | hounds come, with `hounds=after_scoring` | LVL3-03 |
| 3c | on levels 5 and 6, a tile is placed face down | LVL5-03 |
""",
}


def rules() -> dict[str, dict[str, object]]:
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


def rules_page() -> str:
    """Return the text of docs/rules.md."""
    tests = tests_by_rule()
    parts = [HEAD]
    family = ""
    for rule, entry in rules().items():
        if rule.partition("-")[0] != family:
            family = rule.partition("-")[0]
            parts.append(f"\n## {FAMILIES[family]}\n")
            if family in INTRODUCTIONS:
                parts.append(INTRODUCTIONS[family])
        parts.append(f"- **{rule}** {entry['text']}")
        for decision in entry.get("decisions", ()):  # type: ignore[attr-defined]
            parts.append(f"  - *Decided:* {decision}")
        listed = ", ".join(f"`{test}`" for test in tests.get(rule, ())) or "none"
        parts.append(f"  - *Tests:* {listed}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)) + "\n"


def main() -> None:
    """Write the page and the playthroughs."""
    PAGE.write_text(rules_page(), encoding="utf-8")
    write_all()


if __name__ == "__main__":
    main()
