"""Ghosts, Castles & Cemeteries: the competitive expansion `base+ghosts`; and what mist is in every mode."""

from typing import Any

from carc.expansion_ghosts.competitive import Ghosts, GhostSlice

__all__ = ["GhostSlice", "Ghosts"]


def __getattr__(name: str) -> Any:
    """`Mists` by its old address, for installations whose entry points still name it."""
    if name == "Mists":
        from carc.mists import Mists  # noqa: PLC0415 (it imports this package)

        return Mists
    raise AttributeError(name)
