"""Which tiles may call for more ghosts than there are. For bots only."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from carc.mists.team_game import TeamGame


def calling_kinds(mists: TeamGame) -> list[list[int]]:
    """Return by the ghosts in the stock the kinds of tile that may call for more.

    Where a tile touches mist, it calls for a ghost less than it shows (COOP-13). The last entry is
    empty: a stock of as many or more is always enough.
    """
    most = [sum([ghosts for _, ghosts in some]) - 1 for some in mists.symbols]
    return [
        [kind for kind, ghosts in enumerate(most) if ghosts > stock]
        for stock in range(max(0, *most) + 1)
    ]
