"""The six levels of Mists over Carcassonne, co-operative (rules COOP-02, LVL-*)."""

from __future__ import annotations

from typing import Final

import attrs


@attrs.frozen
class Level:
    """What one level plays with; `milestones` and `goal` are points, `ghosts` pieces."""

    number: int
    goal: int
    ghosts: int
    milestones: tuple[int, ...] = ()

    @property
    def buildings(self) -> bool:
        """Castles and cemeteries are among the tiles."""
        return self.number >= 2

    @property
    def piles(self) -> int:
        """Into how many piles the tiles are split (LVL3-01): one more than there are milestones."""
        return 1 + len(self.milestones)

    @property
    def haunted(self) -> bool:
        """Cemeteries are closed by 8 tiles and call for face-down ones (LVL5-01)."""
        return self.number >= 5

    @property
    def markers(self) -> bool:
        """Points are counted for each colour (LVL6-01)."""
        return self.number >= 6


LEVELS: Final = {
    str(level.number): level
    for level in (
        Level(1, goal=50, ghosts=15),
        Level(2, goal=75, ghosts=15),
        Level(3, goal=100, ghosts=15, milestones=(15, 50)),
        Level(4, goal=120, ghosts=13, milestones=(20, 60)),
        Level(5, goal=100, ghosts=13, milestones=(15, 50)),
        Level(6, goal=50, ghosts=12, milestones=(10, 25)),
    )
}
