"""Ghosts, Castles & Cemeteries (`base+ghosts`), and mist as it is in every mode.

Called by: the expansions.
Imports: base, tilesets.
"""

from carc.expansion_ghosts.competitive import Ghosts
from carc.expansion_ghosts.ghosts_state import GhostsState

__all__ = ["Ghosts", "GhostsState"]
