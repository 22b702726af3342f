"""Where two expansions touch the same thing: what docs/rules.md makes of docs/meetings.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent.parent / "docs" / "meetings.toml"


def meetings() -> dict[str, list[dict[str, Any]]]:
    """Return the steps of a turn (`turn`) and the hooks that several have (`meeting`)."""
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


def told() -> str:
    """Return both in lines."""
    data = meetings()
    lines = [
        "In each part of a turn the steps of all expansions follow one another so:",
        "",
    ]
    for number, one in enumerate(data["turn"], 1):
        lines.append(f"{number}. {one['step']}: {one['why']}")
    lines += [
        "",
        "Where several expansions touch the same thing in one step, these go in an order:",
        "",
    ]
    lines += [_told(one) for one in data["meeting"] if one["first"] != "any"]
    lines += ["", "In any order:", ""]
    lines += [_told(one) for one in data["meeting"] if one["first"] == "any"]
    lines += [
        "",
        "Points are changed in the order of [stages](#the-order-in-which-points-are-made).",
    ]
    return "\n".join(lines) + "\n"


def _told(meeting: dict[str, Any]) -> str:
    """Return a line: what is touched, by whom, those who go first before the others, and why."""
    first, among = meeting["first"], [f"`{name}`" for name in meeting["among"]]
    if first == "any":
        return f"- {meeting['what']} ({', '.join(among)}): {meeting['why']}"
    if first != "as listed":
        among = [f"`{first}`", ", ".join(name for name in among if name != f"`{first}`")]
    return f"- {meeting['what']} ({', then '.join(among)}): {meeting['why']}"
