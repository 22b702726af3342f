"""Ghosts, Castles & Cemeteries: the competitive expansion `base+ghosts`; and what mist is in every mode."""

from carc.expansion_ghosts.competitive import Ghosts, GhostSlice

__all__ = ["GhostSlice", "Ghosts"]
