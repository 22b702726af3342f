"""Positions and tiles as text and as SVG, for people.

Everything is derived from the tiles' data and `State.to_dict()`. No expansion is known by name.

Called by: _names, commands, puzzles, testing, tournaments, web.
Imports: analysis, base, match.
"""

from collections.abc import Mapping, Sequence

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import Tile
from carc.drawing import board_svg, board_text


def tiles_by_name(rules: Rules) -> Mapping[str, Tile]:
    """Return the kinds of tile of a game by their names."""
    return {tile.name: tile for tile in rules.catalogue.tiles}


def draw_text(state: State, names: Sequence[str] = ()) -> str:
    """Return the board as text, with a name of each owner; `str(state)` is this text."""
    return board_text.text(state.to_dict(), tiles_by_name(state.rules), names)


def draw_svg(state: State) -> str:
    """Return the board as an SVG picture with a caption, as notebooks show it."""
    data = state.to_dict()
    caption = board_text.caption(data)
    return board_svg.board(data, tiles_by_name(state.rules), caption=caption)
