"""What things look like: drawings by the names of kinds, marks and pieces.

Those of the base game are in `assets/artwork.svg`, those of an installed expansion in a file
`artwork.svg` beside its module. A name without a drawing is shown as a token with its initials, so
that everything an expansion brings is visible.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from carc.base.expansions.spec import registered
from carc.drawing.style import asset, disc, label

LYING: Final = frozenset({"field"})
"""Kinds of segment on which followers lie down."""

OWNERS: Final = (
    ("#cf2b23", "#fff", "M-4-4h8v8h-8z"),
    ("#0e8a5f", "#fff", "M0-5.4 5.2 4h-10.4z"),
    ("#2361cc", "#fff", "M0-5.6 5.6 0 0 5.6-5.6 0z"),
    ("#f7cf1d", "#222", "M-5-1.7h3.3v-3.3h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3z"),
    ("#27272e", "#fff", "M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0"),
    ("#ee86bf", "#222", "M-5.4-2.6h10.8v5.2h-10.8z"),
)
"""For each owner the fill, a colour that contrasts with it, and an emblem for the colour-blind."""

COMPASS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""Where a mark may point, clockwise from north."""
ARROW: Final = '<path d="M0-20-4.5-13h3v3h3v-3h3z" fill="#fffbe8" stroke="#333"/>'
"""The arrow of a mark that points north."""

_GROUP: Final = re.compile(r'^<g id="([^"]+)">\n(.*?)^</g>$', re.MULTILINE | re.DOTALL)


def drawing(table: str, name: str) -> str:
    """Return the drawing of a name in a table of `assets/artwork.svg`; empty if there is none."""
    return drawings().get(f"{table}/{name}", "")


@lru_cache(maxsize=1)
def drawings() -> Mapping[str, str]:
    """Return all drawings by `TABLE/NAME`. Of several, that of the base game comes first."""
    found: dict[str, str] = {}
    for text in _sources():
        for key, lines in _GROUP.findall(text):
            found.setdefault(key, re.sub(r"\n? {2}(?=<)|\n$", "", lines))
    return found


def _sources() -> Iterator[str]:
    yield asset("artwork.svg")
    for point in registered().values():
        for folder in _folders(point.module):
            path = folder / "artwork.svg"
            if path.is_file():
                yield path.read_text(encoding="utf-8")


def _folders(module: str) -> Iterator[Path]:
    """Yield where a module of a package lies. It is not imported: it may be broken, or slow."""
    top, *rest = module.split(".")
    spec = find_spec(top)
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        folder = Path(place, *rest)
        yield folder if folder.is_dir() else folder.parent


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
    upright = drawing("upright", kind)
    own = upright or drawing("figure", kind)
    body = (own or drawing("figure", "meeple")).replace("currentColor", fill)
    body += f'<path d="{emblem}" fill="{contrast}" transform="translate(0 5.6) scale(.72)"/>'
    turn = ' transform="rotate(-90)"' if lying and not upright else ""
    named = "" if own else f'<g transform="translate(9 -8)">{token(kind, 7)}</g>'
    return f"<g{turn}>{body}</g>{named}"
