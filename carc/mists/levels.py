"""The six levels of Mists over Carcassonne, co-operative (rules COOP-02, LVL-*)."""

from __future__ import annotations

from typing import Final


class Level:
    """What one level plays with; `milestones` and `goal` are points, `ghosts` pieces."""

    def __init__(
        self, number: int, goal: int, ghosts: int, milestones: tuple[int, ...] = ()
    ) -> None:
        self.number: Final = number
        self.goal: Final = goal
        self.ghosts: Final = ghosts
        self.milestones: Final = milestones
        # Into how many piles the tiles are split (LVL3-01).
        self.piles: Final[int] = 1 + len(milestones)
        # Castles and cemeteries are among the tiles (LVL2-*).
        self.buildings: Final[bool] = number >= 2
        # Cemeteries are closed by 8 tiles and call for face-down ones (LVL5-01).
        self.haunted: Final[bool] = number >= 5
        # Points are counted for each colour (LVL6-01).
        self.markers: Final[bool] = number >= 6


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
