"""Ghosts, Castles & Cemeteries: the competitive expansion `base+ghosts`; and what mist is in every mode."""

from carc.expansion_ghosts.competitive import Ghosts, GhostsState

__all__ = ["Ghosts", "GhostsState"]
