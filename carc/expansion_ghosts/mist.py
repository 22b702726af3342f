"""Mist and what stands in it, in every mode: banks, castles, cemeteries (MIST-*)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

from carc.base.position.state_data import piece
from carc.base.small_set import TileKinds
from carc.base.tiles.tile import SegmentKind

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

TILES: Final = Path(__file__).with_name("data") / "mists.txt"


@final
class Mist:
    """The mist on the tiles of a game.

    Attributes:
        bank: The number of the kind of feature `mist`.
        castle: That of castles.
        tiles: The kinds of tile that show mist.
    """

    def __init__(self, rules: Rules) -> None:
        catalogue = rules.catalogue
        self.bank: int = catalogue.kind_of["mist"]
        self.castle: int = catalogue.kind_of["castle"]
        self.tiles: TileKinds = TileKinds(
            [any(part.kind == "mist" for part in tile.segments) for tile in catalogue.tiles]
        )


def mist_kinds(castles: bool, cemeteries: bool) -> list[SegmentKind]:
    """Return mist, castles and cemeteries as kinds of feature; the latter two perhaps claimed."""
    return [
        SegmentKind("mist", overlay=True, completed_by="edges", claimable=False),
        SegmentKind("castle", completed_by="neighbours", claimable=castles, follower="lord"),
        SegmentKind("cemetery", completed_by="neighbours", claimable=cemeteries, follower="keeper"),
    ]


def take_ghost(ghosts: dict[int, int], segment: int, n: int = 1) -> None:
    """Take one ghost, or more, off a segment."""
    ghosts[segment] -= n
    if not ghosts[segment]:
        del ghosts[segment]


def standing(state: State, kind: str, ghosts: Mapping[int, int]) -> list[dict[str, Any]]:
    """Return ghosts by segment as pieces for `to_dict()`."""
    return [
        piece(state, kind, state.board.cell_under(segment), segment, count=n)
        for segment, n in ghosts.items()
    ]
