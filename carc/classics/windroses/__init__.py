"""The Wind Roses: `base+windroses` (WIN-01, WIN-02)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import attrs

from carc.base.cells import xy
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.position.state_fields import TileCell
from carc.base.tiles.tile import TileSet, start_in_bag
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.errors import BadRules

POINTS: Final = 3
QUARTERS: Final = ("NE", "SE", "SW", "NW")  # clockwise
ROSE: Final = "NWSE"
NOWHERE: Final = -1
START: Final = "WR04"  # the tile with a rose on which the game may start (WIN-02)


class RoseState(ExpansionState):
    """Where the wind rose is.

    Attributes:
        rose: The cell of the rose that was laid last; -1: none yet.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {"rose": TileCell}

    def __init__(self) -> None:
        self.rose = NOWHERE

    def copy(self) -> RoseState:
        new = RoseState()
        new.rose = self.rose
        return new


class WindRoses(CompetitiveExpansion[RoseState]):
    """A tile that names a quarter scores if it is laid there, as seen from the wind rose.

    Option `start`: whether the game starts as usual, or on a tile with a rose.
    """

    TILES = Path(__file__).with_name("wind_roses.txt")
    ONLY_FOR = {"tile_placed": ("wind_rose",)}
    _ADDED_OPTIONS = {"start": "usual"}

    def options(self) -> Mapping[str, Sequence[str]]:
        """WIN-02: what lies on the table at the start."""
        return {"start": ("usual", "rose")}

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """WIN-02: with the option, a rose lies there in place of the base's start tile."""
        if self.chosen["start"] == "usual":
            return super().tile_sets(sets, read)
        base, *others = sets
        if any(other.start for other in others):
            raise BadRules(f"{self.name}(start=rose) needs the start of base alone")
        *others, own = super().tile_sets(others, read)
        return [start_in_bag(base), *others, attrs.evolve(own, start=((START, 0, 0),))]

    def bind(self, rules: Rules) -> None:
        """Look up the symbols on the tiles."""
        self.symbols = [tile.symbol("wind_rose") for tile in rules.catalogue.tiles]

    def setup(self, state: State) -> ExpansionState:
        """Start without a rose."""
        return RoseState()

    def tile_placed(self, state: State, tile: int) -> None:
        """WIN-01: a rose counts from now on; a quarter's tile scores 3 in its quarter."""
        own = self.state_of(state)
        board = state.board
        named = self.symbols[board.kind_of_tile(tile)]
        if named == ROSE:
            own.rose = board.cell_of(tile)
        elif named is not None and own.rose != NOWHERE:
            turned = board.rotation_of(board.tile_on_cell(own.rose))
            quarter = QUARTERS[(QUARTERS.index(named) + turned) % 4]
            if _lies_in(board.cell_of(tile), quarter, own.rose):
                state.award(state.rules.colours[state.active_player][0], "wind rose", 1, POINTS)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the rose that counts to the pieces."""
        rose = self.state_of(state).rose
        if rose != NOWHERE:
            data["pieces"].append(piece(state, "wind rose", rose))
        return data


def _lies_in(cell: int, quarter: str, rose: int) -> bool:
    """Return True if a cell is in a quarter, seen from the rose; its own row and column count."""
    (x, y), (from_x, from_y) = xy(cell), xy(rose)
    south = y - from_y if quarter[0] == "S" else from_y - y
    east = x - from_x if quarter[1] == "E" else from_x - x
    return south >= 0 and east >= 0
