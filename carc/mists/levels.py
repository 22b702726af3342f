"""The six levels of Mists over Carcassonne (COOP-02, LVL-*)."""

from __future__ import annotations

from typing import Final


class Level:
    """What one level is played with.

    Attributes:
        number: 1 to 6.
        goal: The points to reach.
        ghosts: The number of ghosts.
        milestones: The points to reach before each pile but the last runs out.
        piles: How many piles the tiles are split into (LVL3-01).
        buildings: Whether castles and cemeteries are among the tiles (LVL2-*).
        haunted: Whether cemeteries are closed by 8 tiles and need face-down tiles (LVL5-01).
        markers: Whether points are counted for each colour (LVL6-01).
    """

    def __init__(
        self, number: int, goal: int, ghosts: int, milestones: tuple[int, ...] = ()
    ) -> None:
        self.number: Final = number
        self.goal: Final = goal
        self.ghosts: Final = ghosts
        self.milestones: Final = milestones
        self.piles: Final[int] = 1 + len(milestones)
        self.buildings: Final[bool] = number >= 2
        self.haunted: Final[bool] = number >= 5
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
