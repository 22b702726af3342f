"""The City Gates: `base+city_gates`, edges that end roads and cities (GAT-01, GAT-02)."""

from __future__ import annotations

from pathlib import Path

from carc.classics.tile_set_expansion import TileSetExpansion


class CityGates(TileSetExpansion):
    """Tiles whose cities end at gates."""

    TILES = Path(__file__).with_name("city_gates.txt")
