"""What things look like: drawings by the names of kinds, marks and pieces.

The drawings are in `assets/artwork.svg`. A name without a drawing is shown as a token with its
initials, so that everything an expansion brings is visible.
"""

from __future__ import annotations

import re
from typing import Final

from carc.drawing.style import asset, disc, label

LYING: Final = frozenset({"field"})
"""Kinds of segment on which followers lie down."""
UPRIGHT: Final = frozenset({"barn", "pig", "shepherd", "wagon"})
"""Kinds of follower that stand everywhere."""

OWNERS: Final = (
    ("#cf2b23", "#fff", "M-4-4h8v8h-8z"),
    ("#0e8a5f", "#fff", "M0-5.4 5.2 4h-10.4z"),
    ("#2361cc", "#fff", "M0-5.6 5.6 0 0 5.6-5.6 0z"),
    ("#f7cf1d", "#222", "M-5-1.7h3.3v-3.3h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3z"),
    ("#27272e", "#fff", "M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0"),
    ("#ee86bf", "#222", "M-5.4-2.6h10.8v5.2h-10.8z"),
)
"""For each owner the fill, a colour that contrasts with it, and an emblem for the colour-blind."""


def _table(name: str) -> dict[str, str]:
    """Return the drawings of one table of `artwork.svg`."""
    groups = re.findall(
        rf'^<g id="{name}/([^"]+)">\n(.*?)^</g>$', asset("artwork.svg"), re.MULTILINE | re.DOTALL
    )
    return {key: re.sub(r"\n? {2}(?=<)|\n$", "", lines) for key, lines in groups}


_BUILDINGS: Final = _table("building")
BUILDINGS: Final = {
    **_BUILDINGS,
    "graveyard": _BUILDINGS["cemetery"],
    "abbey": _BUILDINGS["monastery"],
}
MARKS: Final = _table("mark")
FIGURES: Final = _table("figure")
PIECES: Final = _table("piece")

COMPASS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""Where a mark may point, clockwise from north."""
ARROW: Final = '<path d="M0-20-4.5-13h3v3h3v-3h3z" fill="#fffbe8" stroke="#333"/>'
"""The arrow of a mark that points north."""


def initials(name: str) -> str:
    """Return one or two letters that stand for a name."""
    words = name.replace("_", " ").replace("-", " ").split()
    return (words[0][0] + words[1][0] if len(words) > 1 else name[:2]).title()


def token(name: str, radius: float = 11) -> str:
    """Return the drawing for a name that has no drawing of its own."""
    return disc("tk", radius) + label(initials(name), 0, radius * 0.36, radius)


def figure(kind: str, owner: int, lying: bool) -> str:
    """Return the drawing of a follower, with its owner's emblem.

    A kind without a figure of its own is shown as a meeple with its initials.
    """
    fill, contrast, emblem = OWNERS[owner % len(OWNERS)]
    body = FIGURES.get(kind, FIGURES["meeple"]).replace("currentColor", fill)
    body += f'<path d="{emblem}" fill="{contrast}" transform="translate(0 5.6) scale(.72)"/>'
    turn = ' transform="rotate(-90)"' if lying and kind not in UPRIGHT else ""
    named = "" if kind in FIGURES else f'<g transform="translate(9 -8)">{token(kind, 7)}</g>'
    return f"<g{turn}>{body}</g>{named}"
