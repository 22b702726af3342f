"""What things look like: tables from the names of kinds, marks and pieces to small drawings, all of this project's own.

Whatever has no entry is drawn as a token with its initials, so that nothing an expansion brings stays unseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from xml.sax.saxutils import escape

# What stands upright in a city, lies in a field, and so on: follower figures lie on segments of these kinds.
LYING: Final = frozenset({"field"})
# Kinds of follower that lie nowhere.
UPRIGHT: Final = frozenset({"barn", "pig", "shepherd", "wagon"})

# Of owners, in their order: fill, what contrasts with it, and the emblem that tells them apart without colour.
OWNERS: Final = (
    ("#cf2b23", "#fff", "M-4-4h8v8h-8z"),
    ("#0e8a5f", "#fff", "M0-5.4 5.2 4h-10.4z"),
    ("#2361cc", "#fff", "M0-5.6 5.6 0 0 5.6-5.6 0z"),
    ("#f7cf1d", "#222", "M-5-1.7h3.3v-3.3h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3z"),
    ("#27272e", "#fff", "M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0"),
    ("#ee86bf", "#222", "M-5.4-2.6h10.8v5.2h-10.8z"),
)
NOBODY: Final = ("#77736b", "#fff", "")

# CSS by class; the second table is for a dark page.
LIGHT: Final = {
    "f": "fill:#a9c873", "ft": "fill:none;stroke:#86a950;stroke-width:1.5;stroke-linecap:round",
    "tr": "fill:#5f8f3e;stroke:#3f6b2a;stroke-width:.8", "ed": "fill:none;stroke:#4b4a2c;stroke-opacity:.5",
    "cg": "fill:#d3a063", "wl": "fill:none;stroke:#6b543c;stroke-width:6.5;stroke-linecap:round",
    "wt": "fill:none;stroke:#c9b79b;stroke-width:3.2;stroke-dasharray:3.6 2.2",
    "hw": "fill:#f4e6c8;stroke:#7a5a38;stroke-width:.6", "hr": "fill:#b8512f;stroke:#7d3018;stroke-width:.6",
    "fp": "fill:#b7d383", "fq": "fill:#9fc069", "hq": "fill:#9c6a3c;stroke:#5f3d1e;stroke-width:.6",
    "wd": "fill:#6fb7dd;stroke:#3d7fa6;stroke-width:1", "gp": "fill:#b9c6dc;stroke:#7186a8;stroke-width:1.2;stroke-dasharray:2.4 1.6",
    "sq": "fill:#f6efdc;stroke:#8b7a58;stroke-width:1.5", "mr": "fill:#93a6c2",
    "rs": "fill:none;stroke:#8b7a58;stroke-width:10.5;stroke-linecap:round",
    "rd": "fill:none;stroke:#f6efdc;stroke-width:7.5;stroke-linecap:round",
    "vs": "fill:none;stroke:#3d7fa6;stroke-width:19;stroke-linecap:round",
    "vr": "fill:none;stroke:#6fb7dd;stroke-width:15.5;stroke-linecap:round",
    "vw": "fill:none;stroke:#b9e0f2;stroke-width:1.4;stroke-dasharray:7 9;stroke-linecap:round",
    "mi": "fill:#f1f4fa", "ml": "fill:none;stroke:#9fb0c9;stroke-width:1.8;stroke-linecap:round",
    "st": "fill:#d9d2c3;stroke:#55493a;stroke-width:1.3;stroke-linejoin:round",
    "sd": "fill:#8d8270;stroke:#55493a;stroke-width:1", "rf": "fill:#a23f2d;stroke:#5e2117;stroke-width:1.2;stroke-linejoin:round",
    "dk": "fill:#3a3128", "wh": "fill:#fffdf6;stroke:#3a4660;stroke-width:1.3;stroke-linejoin:round",
    "sh": "fill:#2f5fb3;stroke:#fff;stroke-width:1.6", "go": "fill:#f0c649;stroke:#6d4d0b;stroke-width:1",
    "vi": "fill:#7c4bb0;stroke:#fff;stroke-width:1.1", "gr": "fill:#557f35;stroke:#33521f;stroke-width:1",
    "tk": "fill:#fffbe8;stroke:#333;stroke-width:1.4", "tt": "fill:#222;text-anchor:middle;font-family:sans-serif;font-weight:700",
    "ax": "fill:#6a6a6a;text-anchor:middle;font-family:sans-serif",
    "cp": "fill:#2a2a2a;font-family:sans-serif;font-size:20px",
    "la": "fill:none;stroke:#ff9f0a;stroke-width:5", "lb": "fill:none;stroke:#3a2400;stroke-width:1.2",
    "tg": "fill:#7fa8d8;fill-opacity:.18;stroke:#3f74b5;stroke-width:2.5;stroke-dasharray:9 6",
    "bk": "fill:#454c66;stroke:#22263a;stroke-width:2", "bp": "fill:none;stroke:#8089ad;stroke-width:2.4",
    "bq": "fill:#cfd5ee;text-anchor:middle;font-family:sans-serif;font-weight:700",
    "un": "fill:#c9a6d8;fill-opacity:.55;stroke:#6a4480;stroke-width:1.5",
    "sw": "fill:#000;fill-opacity:.22",
}  # fmt: skip
DARK: Final = {
    "f": "fill:#728f4d", "ft": "fill:none;stroke:#587339;stroke-width:1.5;stroke-linecap:round",
    "tr": "fill:#47702f;stroke:#2d4d1d;stroke-width:.8", "cg": "fill:#a3784a",
    "fp": "fill:#7c9a55", "fq": "fill:#688446", "hq": "fill:#7d5530;stroke:#4a2f17;stroke-width:.6", "sq": "fill:#dcd3bb;stroke:#6b5d42;stroke-width:1.5",
    "hw": "fill:#d9c7a2;stroke:#5f4529;stroke-width:.6", "hr": "fill:#994227;stroke:#642512;stroke-width:.6",
    "rd": "fill:none;stroke:#dcd3bb;stroke-width:7.5;stroke-linecap:round",
    "mi": "fill:#d6dbe6", "vr": "fill:none;stroke:#4f94ba;stroke-width:15.5;stroke-linecap:round",
    "ed": "fill:none;stroke:#15150c;stroke-opacity:.7",
    "ax": "fill:#a8a8a8;text-anchor:middle;font-family:sans-serif",
    "cp": "fill:#e8e8e8;font-family:sans-serif;font-size:20px",
    "tg": "fill:#9cc4f5;fill-opacity:.16;stroke:#8dbbf0;stroke-width:2.5;stroke-dasharray:9 6",
}  # fmt: skip


def style(theme: str) -> str:
    """The style sheet of a picture: `light`, `dark`, or `auto`, which follows the reader's page."""
    chosen = {**LIGHT, **DARK} if theme == "dark" else LIGHT
    text = "".join(f".c-{name}{{{rule}}}" for name, rule in chosen.items())
    if theme == "auto":
        night = "".join(f".c-{name}{{{rule}}}" for name, rule in DARK.items())
        text += f"@media(prefers-color-scheme:dark){{{night}}}"
    return text


def shape(name: str, data: str) -> str:
    """A path in a class of the style sheet."""
    return f'<path class="c-{name}" d="{data}"/>'


def label(text: str, x: float, y: float, size: float, name: str = "tt") -> str:
    """A text in a class of the style sheet."""
    return f'<text class="c-{name}" x="{x:g}" y="{y:g}" font-size="{size:g}">{escape(text)}</text>'


def disc(name: str, radius: float, x: float = 0, y: float = 0) -> str:
    """A disc in a class of the style sheet."""
    return f'<circle class="c-{name}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


def initials(name: str) -> str:
    """One or two letters that stand for a name."""
    words = name.replace("_", " ").replace("-", " ").split()
    return (words[0][0] + words[1][0] if len(words) > 1 else name[:2]).title()


def token(name: str, radius: float = 11) -> str:
    """What stands for a name that has no drawing."""
    return disc("tk", radius) + label(initials(name), 0, radius * 0.36, radius)


# Buildings, about 30 by 30 around the middle of a segment that reaches no edge.
_BUILDINGS: Final[Mapping[str, str]] = {
    "monastery": (
        '<ellipse class="c-sw" cx="1" cy="14" rx="18" ry="5"/>'
        + shape("st", "M-15 13v-13l9-7 9 7v13z")
        + shape("rf", "M-17 1 -6-9 5 1z")
        + shape("st", "M3 13v-22h10v22z")
        + shape("rf", "M1-8 8-19l7 11z")
        + shape("dk", "M-9 13v-6a3 3 0 0 1 6 0v6zM6.5-3h3v6h-3z")
        + shape("go", "M7.2-24h1.6v2h2v1.6h-2v3h-1.6v-3h-2v-1.6h2z")
    ),
    "castle": (
        '<ellipse class="c-sw" cx="0" cy="14" rx="20" ry="5"/>'
        + shape("st", "M-18 14v-26h3v4h3v-4h3v4h3v10h12v-10h3v-4h3v4h3v-4h3v26z")
        + shape("sd", "M-18-5h9v3h-9zM9-5h9v3h-9z")
        + shape("dk", "M-4 14v-7a4 4 0 0 1 8 0v7zM-15 1h3v5h-3zM12 1h3v5h-3z")
        + shape("sh", "M13-12v-9l7 3-7 3z")
    ),
    "cemetery": (
        '<ellipse class="c-gr" cx="0" cy="4" rx="19" ry="13"/>'
        + shape("st", "M-14 9v-11a4.5 4.5 0 0 1 9 0v11zM5 12v-11a4.5 4.5 0 0 1 9 0v11z")
        + shape("sd", "M-2 2v-13h-4v-4h4v-4h4v4h4v4h-4v13z")
        + shape("dk", "M-12 1h5v1.4h-5zM-12 4h5v1.4h-5zM7 4h5v1.4h-5z")
    ),
    "garden": (
        '<rect class="c-gr" x="-15" y="-12" width="30" height="24" rx="4"/>'
        + shape("ft", "M-15 0h30M0-12v24")
        + "".join(
            disc(name, 2.6, x, y)
            for name, x, y in (
                ("rf", -9, -6), ("go", -4, -6), ("vi", 6, -6), ("rf", 10, -6),
                ("vi", -9, 6), ("rf", -4, 6), ("go", 6, 6), ("vi", 10, 6),
            )
        )
    ),
    "tower": shape("st", "M-12-12h24v24h-24z") + shape("sd", "M-6-6h12v12h-12z") + shape("dk", "M-2.5-2.5h5v5h-5z"),
}  # fmt: skip
BUILDINGS: Final = {
    **_BUILDINGS,
    "graveyard": _BUILDINGS["cemetery"],
    "abbey": _BUILDINGS["monastery"],
}

GHOST: Final = "M-8 10v-12a8 8.5 0 0 1 16 0v12l-2.7-3-2.6 3-2.7-3-2.7 3-2.6-3z"
_EYES: Final = shape(
    "dk",
    "M-4.6-3a1.7 2.3 0 1 0 3.4 0a1.7 2.3 0 1 0-3.4 0M1.2-3a1.7 2.3 0 1 0 3.4 0a1.7 2.3 0 1 0-3.4 0",
)

# What is printed on segments and tiles, about 16 by 16.
MARKS: Final[Mapping[str, str]] = {
    "coat_of_arms": shape("sh", "M-7.5-8h15v8q0 6-7.5 9.5q-7.5-3.5-7.5-9.5z") + shape("go", "M-2-5.5h4v3.5h3.5v4h-3.5v4h-4v-4h-3.5v-4h3.5z"),
    "ghosts": f'<g transform="scale(.74)">{shape("gp", GHOST)}{_EYES}</g>',
    "circles": '<g fill="none" stroke="#6b3fa8" stroke-width="2.2"><circle r="8.5" fill="#e6d6f7"/><circle r="4"/></g>' + shape("vi", "M0-2.6 .8-.8 2.6 0 .8.8 0 2.6-.8.8-2.6 0-.8-.8z"),
    "inn": '<ellipse cx="0" cy="2" rx="11" ry="8" fill="#5aa5cf" stroke="#2d6c91"/>' + shape("hw", "M-5 3v-6h10v6z") + shape("hr", "M-7-2 0-9 7-2z"),
    "cathedral": '<g transform="scale(1.5)">' + shape("st", "M-9 10v-14l4-9 4 9h2l4-9 4 9v14z") + shape("rf", "M-9-4-5-14-1-4zM1-4 5-14 9-4z") + disc("vi", 3, 0, 2) + "</g>",
    "princess": shape("vi", "M-7 9 0-6 7 9z") + disc("hw", 3.6, 0, -6) + shape("go", "M-4-8v-4l2 2 2-3 2 3 2-2v4z"),
    "wine": shape("vi", "M-5-6h10q0 7-4 8v5h3v2h-8v-2h3v-5q-4-1-4-8z"),
    "grain": shape("go", "M-1 9v-17h2v17zM-1-4q-6 0-6-5q6 0 6 5M1-4q6 0 6-5q-6 0-6 5M-1 2q-6 0-6-5q6 0 6 5M1 2q6 0 6-5q-6 0-6 5"),
    "cloth": shape("sh", "M-7-5h14v10h-14z") + shape("hw", "M-7-1.5h14v3h-14z"),
    "well": disc("st", 7) + disc("wd", 4),
    "tunnel": shape("sd", "M-9 8v-7a9 9 0 0 1 18 0v7z") + shape("dk", "M-5.5 8v-6.5a5.5 5.5 0 0 1 11 0v6.5z"),
    "pig_herd": '<ellipse cx="0" cy="0" rx="8.5" ry="5.5" fill="#efa6a0" stroke="#7d4742"/><circle cx="7" cy="-1" r="3.4" fill="#f3bbb5" stroke="#7d4742"/>' + shape("dk", "M6-1.6h.9v1.2h-.9zM7.6-1.6h.9v1.2h-.9zM-5 5h2v3h-2zM3 5h2v3h-2z"),
    "volcano": shape("sd", "M-11 9-3-8h6l8 17z") + shape("rf", "M-3-8h6l2 5-3 3-2-3-2 5-3-4z"),
    "dragon": shape("rf", "M-9 6q-2-12 8-12l3-4 1 4q7 2 6 6l-6-1q0 5 5 6q-4 5-9 2q-5 3-8-1z") + shape("dk", "M3-4h1.6v1.6h-1.6z"),
    "portal": '<g fill="none" stroke="#2b6f8f" stroke-width="3"><circle r="8" fill="#c9ecf7"/><path d="M-4 1a4 4 0 1 1 4 4"/></g>',
    "goldmine": shape("go", "M-9 6-6-1h12l3 7zM-5-2l2-6h6l2 6z"),
    "vineyard": '<g transform="scale(1.25)">' + shape("vi", "M-6-4a3 3 0 1 0 6 0a3 3 0 1 0-6 0M0-4a3 3 0 1 0 6 0a3 3 0 1 0-6 0M-3 1a3 3 0 1 0 6 0a3 3 0 1 0-6 0") + shape("gr", "M-.8-7q-3-5-6-3q1 4 6 3zM-.8-11h1.6v4h-1.6z") + "</g>",
    "flier": shape("hq", "M-9 3q9 7 18 0l-2 4q-7 4-14 0z") + shape("hw", "M-11-1-1-6v7zM11-1 1-6v7z") + shape("dk", "M-.8-9h1.6v13h-1.6z"),
    "mage": shape("vi", "M-9 7q9 4 18 0l-2-2L2-10-7 5z") + shape("go", "M-1-2 .5 1l3 .5-2.2 2 .6 3-2.7-1.5-2.6 1.5 .5-3-2.2-2 3-.5z"),
    "festival": shape("rf", "M-10 0q10-12 20 0q-3 3-5 0q-2.5 3-5 0q-2.5 3-5 0q-2 3-5 0z") + shape("hw", "M-8 1h16v8h-16z") + shape("dk", "M-2.5 9v-5h5v5z") + shape("go", "M-.6-11h1.2v3h-1.2z"),
    "crop_circle": '<g fill="none" stroke="#c79a1e" stroke-width="2.4"><circle r="8" fill="#f3e2a0"/><circle r="3.6"/></g>',
    "hill": shape("gr", "M-13 8q4-15 10-15q4 0 6 6q3-3 6 0q3 3 4 9z"),
}  # fmt: skip

# Where a mark points, clockwise from north, and the arrow to it, pointing north.
COMPASS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
ARROW: Final = '<path d="M0-20-4.5-13h3v3h3v-3h3z" fill="#fffbe8" stroke="#333"/>'

# Figures of owners, about 20 by 30, standing with their feet at 0,12; `{}` is the fill.
_BODY: Final = "M-9 12c0-6 3-9 4-12-4-1.5-4.5-3-3-5 2 .6 3.6 .4 4.4-.4a6.2 6.2 0 1 1 7.2 0c.8 .8 2.4 1 4.4 .4 1.5 2 1 3.5-3 5 1 3 4 6 4 12z"
FIGURES: Final[Mapping[str, str]] = {
    "meeple": f'<path d="{_BODY}" fill="{{}}" stroke="#fff" stroke-width="1.8"/>',
    "guard": f'<path d="{_BODY}" fill="{{}}" stroke="#fff" stroke-width="1.8"/>'
    '<path d="M11.5 13v-29M11.5-17l-3 6h6z" fill="{}" stroke="#fff" stroke-width="3.6"/>'
    '<path d="M11.5 13v-27" stroke="#4a3a28" stroke-width="2"/><path d="M11.5-19l-3 7h6z" fill="#cfd6e0" stroke="#39424f"/>',
    "big": f'<path transform="translate(0 -3.5)scale(1.3)" d="{_BODY}" fill="{{}}" stroke="#fff" stroke-width="1.8"/>',
    "builder": f'<path d="{_BODY}" fill="{{}}" stroke="#fff" stroke-width="1.8"/>'
    + shape("go", "M-9-11h18v-2h-2.5a6.5 6 0 0 0-13 0h-2.5z"),
    "abbot": f'<path d="{_BODY}" fill="{{}}" stroke="#fff" stroke-width="1.8"/>'
    + shape("wh", "M-6-12q-2-7 6-13q8 6 6 13z") + shape("go", "M-.8-21h1.6v3h2.4v1.6h-2.4v3.4h-1.6v-3.4h-2.4v-1.6h2.4z"),
    "mayor": f'<path d="{_BODY}" fill="{{}}" stroke="#fff" stroke-width="1.8"/>' + shape("dk", "M-8-12h16v-2.5h-3v-7h-10v7h-3z"),
    "shepherd": f'<path d="{_BODY}" fill="{{}}" stroke="#fff" stroke-width="1.8"/>'
    '<path d="M10.5 13v-24q0-6 4-6t4 5" fill="none" stroke="#fff" stroke-width="4.5"/>'
    '<path d="M10.5 13v-24q0-6 4-6t4 5" fill="none" stroke="#6b4a24" stroke-width="2.4"/>',
    "pig": '<path d="M-13 6v-6q0-8 9-8h5q2-5 6-5l-1 4q6 2 6 7l-3 3v5h-5v-4h-8v4h-6v-5z" fill="{}" stroke="#fff" stroke-width="1.8"/>',
    "wagon": '<path d="M-13 6v-10q13-12 26 0v10z" fill="{}" stroke="#fff" stroke-width="1.8"/>'
    + "".join(f'<circle cx="{x}" cy="8" r="4.5" fill="#4a3a28" stroke="#fff" stroke-width="1.4"/>' for x in (-7, 7)),
    "barn": '<path d="M-14 12v-14l14-11 14 11v14z" fill="{}" stroke="#fff" stroke-width="1.8"/>',
    "phantom": f'<path d="{_BODY}" fill="{{}}" fill-opacity=".6" stroke="#fff" stroke-width="1.8" stroke-dasharray="3 1.5"/>',
}  # fmt: skip

# Pieces that belong to nobody, about 18 by 18.
PIECES: Final[Mapping[str, str]] = {
    "ghost": shape("wh", GHOST) + _EYES,
    "hound": (
        '<path d="M-11 9v-9q0-4 5-4h7l2-5 2 3h3l4 3v4h-5v8h-4v-5h-6v5z" fill="#6d4a2f" stroke="#fff" stroke-width="1.6"/>'
        + shape("wh", "M6-3.4h1.8v1.8h-1.8z")
    ),
    "cat": (
        '<path d="M-7 11q-3-9 2-12v-9l3.4 3h3.2l3.4-3v9q5 3 2 12z" fill="#2b2b33" stroke="#fff" stroke-width="1.6"/>'
        '<path d="M-3.4-3.4h2v2h-2zM1.6-3.4h2v2h-2z" fill="#ffd54a"/>'
    ),
    "bound ghost": '<circle r="11" fill="#e6d6f7" stroke="#6b3fa8" stroke-width="2.2"/>'
    + f'<g transform="scale(.8)">{shape("wh", GHOST)}{_EYES}</g>',
    "grave": '<rect x="-6" y="-9" width="12" height="18" rx="2.5" fill="#5d4630" stroke="#fff" stroke-width="1.4"/>'
    + shape("wh", "M-1-6h2v4h3v2h-3v6h-2v-6h-3v-2h3z"),
    "dragon": f'<g transform="scale(1.8)">{MARKS["dragon"]}</g>',
    "fairy": '<path d="M0-2q-12-12-13-3q0 6 13 6q13 0 13-6q-1-9-13 3z" fill="#d9f0ff" stroke="#39424f"/>' + shape("go", "M-5 12 0-6 5 12z") + disc("wh", 4, 0, -8),
    "mage": '<g transform="scale(1.3)">' + MARKS["mage"] + "</g>",
    "witch": shape("dk", "M-14 6h28q-5-4-9-4l-5-17-6 17q-4 0-8 4z") + shape("vi", "M-7 2h13l-1-3.5h-11z"),
    "gold": '<g transform="scale(1.2)">' + shape("go", "M-9 5-6-4h12l3 9z") + "</g>",
    "sheep": shape("wh", "M-9 5a5 5 0 0 1-1-8a6 6 0 0 1 9-4a6 6 0 0 1 9 3a5 5 0 0 1-1 9z") + shape("dk", "M6-5q6-1 5 4q-3 2-6-1zM-6 5h2v5h-2zM3 5h2v5h-2z"),
}  # fmt: skip


def figure(kind: str, owner: int, lying: bool) -> str:
    """A follower of an owner: its figure, the owner's emblem on it, and the kind's initial where it has no figure of its own."""
    fill, contrast, emblem = OWNERS[owner % len(OWNERS)]
    body = FIGURES.get(kind, FIGURES["meeple"]).replace("{}", fill)
    body += f'<path d="{emblem}" fill="{contrast}" transform="translate(0 5.6) scale(.72)"/>'
    turn = ' transform="rotate(-90)"' if lying and kind not in UPRIGHT else ""
    named = "" if kind in FIGURES else f'<g transform="translate(9 -8)">{token(kind, 7)}</g>'
    return f"<g{turn}>{body}</g>{named}"
