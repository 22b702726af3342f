"""The style sheets of pictures, and small SVG elements in their classes."""

import re
from importlib.resources import files
from typing import Final
from xml.sax.saxutils import escape


def asset(name: str) -> str:
    """Return the text of a file in `assets`."""
    return files("carc.drawing").joinpath("assets", name).read_text(encoding="utf-8")


def _rules(name: str) -> dict[str, str]:
    return dict(re.findall(r"\.c-(\w+)\{(.*)\}", asset(name)))


LIGHT: Final = _rules("light.css")
"""CSS declarations by class, without the prefix `c-`."""
DARK: Final = _rules("dark.css")
"""Declarations for a dark page, in place of those of `LIGHT`."""


def style(theme: str) -> str:
    """Return the style sheet of a picture: `light`, `dark`, or `auto`, which the reader decides."""
    rules = {**LIGHT, **DARK} if theme == "dark" else LIGHT
    text = "".join(f".c-{name}{{{rule}}}" for name, rule in rules.items())
    if theme == "auto":
        dark = "".join(f".c-{name}{{{rule}}}" for name, rule in DARK.items())
        text += f"@media(prefers-color-scheme:dark){{{dark}}}"
    return text


def shape(name: str, data: str) -> str:
    """Return a path in a class of the style sheet."""
    return f'<path class="c-{name}" d="{data}"/>'


def label(text: str, x: float, y: float, size: float, name: str = "tt") -> str:
    """Return a text in a class of the style sheet."""
    return f'<text class="c-{name}" x="{x:g}" y="{y:g}" font-size="{size:g}">{escape(text)}</text>'


def disc(name: str, radius: float, x: float = 0, y: float = 0) -> str:
    """Return a disc in a class of the style sheet."""
    return f'<circle class="c-{name}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'
