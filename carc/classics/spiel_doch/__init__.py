"""Spiel Doch: `base+spiel_doch`, two tiles without rules of their own (SPD-01)."""

from __future__ import annotations

from pathlib import Path

from carc.classics.tile_set_expansion import TileSetExpansion


class SpielDoch(TileSetExpansion):
    """Two more tiles."""

    TILES = Path(__file__).with_name("spiel_doch.txt")
