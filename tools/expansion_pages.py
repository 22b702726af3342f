"""What is made for the pages in docs/expansions, one for each classic expansion.

Each page has a picture. The moves that lead to the position it shows are in a file of text beside
it, whose first line names the rules, as `base+tower, 2 players`. A tile file before that line
replaces the set of that name. `make_docs.py` writes the rules into the pages, `make_pictures.py`
draws the positions and the thumbnails of the index.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from carc import Rules
from carc.base.expansions.spec import expansions_named
from carc.base.game.state import State
from carc.drawing import board_svg, tiles_by_name
from carc.web import rules_cards

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "expansions"
INDEX = ROOT / "docs" / "classics.md"
PICTURES = ROOT / "docs" / "pictures" / "expansions"
NAMES = tuple(sorted(path.parent.name for path in (ROOT / "carc/classics").glob("*/__init__.py")))
THUMBNAIL = 72  # pixels
MADE = re.compile(r"(<!-- `make docs` makes this -->\n).*?(?=<!-- end -->)", re.DOTALL)

_HEAD = re.compile(r"^(\S+), (\d) players\n", re.MULTILINE)


def page(name: str) -> Path:
    """Return the page of an expansion."""
    return FOLDER / f"{name}.md"


def position(name: str) -> State:
    """Return the position that the picture of an expansion shows: play the moves beside it."""
    text = (PICTURES / f"{name}.txt").read_text(encoding="utf-8")
    tiles, spec, players, moves = _HEAD.split(text)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tiles.txt"
        file.write_text(tiles, encoding="utf-8")
        state = Rules(expansions_named(spec), int(players), "", [file] if tiles else []).start()
    for move in moves.split():
        state.apply(state.check(state.rules.parse(move)))
    return state


def picture(name: str) -> str:
    """Return the picture of an expansion as SVG."""
    state = position(name)
    return board_svg.board(state.to_dict(), tiles_by_name(state.rules), size=90)


def thumbnail(name: str) -> str:
    """Return the picture of an expansion's card as SVG, at the size of the index."""
    size = f'width="{THUMBNAIL}" height="{THUMBNAIL}" '
    return rules_cards.picture(name).replace("<svg ", f"<svg {size}", 1)


def index_list(families: dict[str, str]) -> str:
    """Return the list of all classic expansions, in the order of the page for a new game.

    Args:
        families: What the identifiers of each expansion's rules begin with.
    """
    lines = []
    for card in rules_cards.cards():
        if card.name in NAMES:
            image = f"![](pictures/expansions/{card.name}-card.svg)"
            link = f"[{card.words.title}](expansions/{card.name}.md)"
            names = f"`{card.name}`, {families[card.name]}"
            lines.append(f"- {image} {link}, {names}: {card.words.summary}")
    return "\n".join(lines) + "\n"


def options_list(name: str) -> str:
    """Return the options of an expansion in the words of its menus; empty if it has none."""
    (card,) = (card for card in rules_cards.cards() if card.name == name)
    lines = ["## Options", ""]
    for option in card.options:
        told = "; ".join(f"{words} (`{value}`)" for value, words in option.values.items())
        lines.append(f"- {option.title}: {told.replace('(`', f'(`{option.name}=', 1)}")
    return "\n".join(lines) + "\n" if card.options else ""


def with_made(text: str, made: str) -> str:
    """Return the text of a page with its made part replaced.

    Raises:
        ValueError: The page does not have exactly one.
    """
    text, parts = MADE.subn(lambda match: f"{match[1]}\n{made}\n", text)
    if parts != 1:
        raise ValueError(f"{parts} parts to make instead of one")
    return text
