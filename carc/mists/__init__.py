"""Mists over Carcassonne, co-operative: `mists:LEVEL`, a team of 1 to 5 against the mist.

Called by: bots, the expansions.
Imports: base, the expansions.
"""

from carc.mists.game import Mists
from carc.mists.mists_state import MistsState

__all__ = ["Mists", "MistsState"]
