"""Positions and tiles drawn for people, as text and as SVG, in an art of this project's own.

Everything is found from the tiles' data and `State.to_dict()`; no expansion is known by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from carc.drawing import svg, text

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.tiles.tile import Tile


def tiles_of(rules: Rules) -> Mapping[str, Tile]:
    """The kinds of tile of a game by name."""
    return {tile.name: tile for tile in rules.catalogue.tiles}


def draw_text(state: State, names: Sequence[str] = ()) -> str:
    """The table as text; `names` of who plays, by owner."""
    return text.text(state.to_dict(), tiles_of(state.rules), names)


def draw_svg(state: State) -> str:
    """The table as an SVG picture with a caption."""
    data = state.to_dict()
    return svg.board(data, tiles_of(state.rules), caption=text.caption(data))
