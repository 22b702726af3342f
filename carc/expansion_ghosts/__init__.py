"""Mists over Carcassonne: the competitive expansion `base+ghosts` and the co-operative game `mists:LEVEL`."""

from carc.expansion_ghosts.competitive import GhostSlice, Ghosts, Haunt

__all__ = ["GhostSlice", "Ghosts", "Haunt"]
