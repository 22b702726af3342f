"""What both modes of The Spell Circles share: the nine tiles and their circles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from carc.base.rules import Rules

TILES: Final = Path(__file__).with_name("data") / "circles.txt"


def circles_on(rules: Rules) -> list[tuple[tuple[int, int], ...]]:
    """For each kind of tile: (segment's index, number of circles) for its mist segments with circles."""
    found: list[tuple[tuple[int, int], ...]] = []
    for tile in rules.catalogue.tiles:
        here = [(i, dict(s.marks).get("circles", 0)) for i, s in enumerate(tile.segments)]
        found.append(tuple((i, n) for i, n in here if n))
    return found
