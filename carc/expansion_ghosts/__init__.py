"""Mists over Carcassonne: the competitive expansion `base+ghosts` and the co-operative game `mists:LEVEL`."""

from carc.expansion_ghosts.competitive import Ghosts, GhostSlice, Haunt
from carc.expansion_ghosts.cooperative import Mists

__all__ = ["GhostSlice", "Ghosts", "Haunt", "Mists"]
