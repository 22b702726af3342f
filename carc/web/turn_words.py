"""A turn in words for the people at a table, and where it points."""

from collections.abc import Sequence

from carc.base.game.state import State
from carc.drawing.descriptions import imperative, target
from carc.web.live_table import LiveTable

Cell = tuple[int, int]


def turn_words(table: LiveTable, state: State, turn: Sequence[str]) -> tuple[str, tuple[Cell, ...]]:
    """Return a turn from a position on as a command, and the cells that it points at."""
    state = state.copy()
    phrases, cells = [], []
    for text in turn:
        if text != "pass":
            before = state.to_dict("tile_in_hand", "tiles")
            cells.append(target(text, before).cell)
            phrases.append(imperative(table.words_for(text, before)))
        state.apply(state.rules.parse(text))
    return ", then ".join(phrases) or "pass", tuple(cell for cell in dict.fromkeys(cells) if cell)
