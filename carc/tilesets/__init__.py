"""Tile sets: which are installed, what their tiles show, and statistics. For `carc tiles`.

Called by: commands, the expansions.
Imports: base.
"""

from carc.tilesets.discovery import (
    InstalledTiles,
    by_name,
    contradictions,
    installed,
    read_file,
)
from carc.tilesets.statistics import TileRow, TileSetStatistics, compare, summarize

__all__ = [
    "InstalledTiles",
    "TileRow",
    "TileSetStatistics",
    "by_name",
    "compare",
    "contradictions",
    "installed",
    "read_file",
    "summarize",
]
