"""Mists over Carcassonne: the competitive expansion `base+ghosts` and the co-operative game `mists:LEVEL`."""

from carc.expansion_ghosts.competitive import Ghosts, GhostSlice
from carc.expansion_ghosts.cooperative import Mists

__all__ = ["GhostSlice", "Ghosts", "Mists"]
