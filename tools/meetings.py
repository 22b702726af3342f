"""Where two expansions touch the same thing: what docs/rules.md makes of docs/meetings.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent.parent / "docs" / "meetings.toml"


def meetings() -> dict[str, list[dict[str, Any]]]:
    """Return the steps of a turn (`turn`) and the hooks that several have (`meeting`)."""
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


def tables() -> str:
    """Return both in lines."""
    data = meetings()
    lines = [
        "In each part of a turn the steps of all expansions follow one another so:",
        "",
    ]
    for number, one in enumerate(data["turn"], 1):
        owner = f" (`{one['of']}`)" if "of" in one else ""
        lines.append(f"{number}. {one['step']}{owner}: {one['why']}")
    lines += [
        "",
        "Where several expansions touch the same thing in one step:",
        "",
        "| what | among | who goes first | why |",
        "|---|---|---|---|",
    ]
    for one in data["meeting"]:
        among = ", ".join(f"`{name}`" for name in one["among"])
        first = {"any": "makes no difference", "as listed": "as listed"}.get(
            one["first"], f"`{one['first']}`"
        )
        lines.append(f"| {one['what']} | {among} | {first} | {one['why']} |")
    lines += [
        "",
        "Points are changed in the order of [stages](#the-order-in-which-points-are-made).",
    ]
    return "\n".join(lines) + "\n"
