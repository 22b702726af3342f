"""`CallingTiles`: how many of the tiles to come may call for ghosts. For bots only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from carc.mists.team_game import TeamGame


class CallingTiles:
    """The tiles that call for ghosts."""

    def __init__(self, mists: TeamGame) -> None:
        """Look at the symbols on the tiles."""
        # By kind of tile: the most ghosts that it calls for where it touches mist.
        self._most: Final = [sum([ghosts for _, ghosts in some]) - 1 for some in mists.symbols]

    def share(self, bag: list[int], stock: int) -> float:
        """Return the share of the tiles to come, counted by kind, that may call for more ghosts."""
        calling = 0
        for kind, most in enumerate(self._most):
            if most > stock:
                calling += bag[kind]
        return float(calling) / float(max(1, sum(bag)))
