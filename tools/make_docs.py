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
}

HEAD = """\
# Rules

Every rule that carc plays has an identifier. It is followed by its source in brackets, the
decisions taken where the sources are unclear, and the tests that show it. Error messages, tests and
the source code use the same identifiers. `make docs` makes this page from `docs/rules.toml` and the
tests' marks.

| source | |
|---|---|
| **B** | the published rules of the base game, third edition |
| **R** | the co-operative rulebook, 2023 |
| **F** | the co-operative rules in French, with the publisher's official answers |
| **T** | scoring during the turn, step by step |
| **G** | Ghosts, Castles & Cemeteries, German |
| **S** | The Spell Circles |

The classic expansions follow the published rules, and **T** for scoring. Where both are silent,
they follow the recorded games of another engine; this is marked as a decision.

Where the publisher's texts disagree there is an option: `joint_scoring` (COOP-18), `level6_scoring`
(LVL6-01), `hounds` (LVL3-03), `misty_roads` (MIST-07).
"""


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
