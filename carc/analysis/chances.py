"""The chances to win that expected points promise, as often as players of equal strength won.

The constants are those that `python tools/calibrate_analysis.py fit` prints. `Lookahead` has its
own chances, by which the bots choose; they are nearer to one half than the games turn out.
"""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final

from carc.base.game.rules import Rules

TURN_POINTS: Final = 2.19
"""The points that the player whose turn begins can expect from it."""
SPREAD_AT_END: Final = 0.5
"""A lead of so many points makes the odds e to 1 when no tile is left to draw."""
SPREADS: Final = {"base": 1.25, "base, many": 1.9, "ghosts": 2.54, "other": 3.02}
"""What is added to that, for each kind of game, by the root of the number of tiles left."""


def kind(rules: Rules) -> str:
    """Return the kind of game that rules belong to, a key of `SPREADS`."""
    if rules.spec == "base":
        return "base" if rules.players == 2 else "base, many"
    return "ghosts" if rules.spec == "base+ghosts" and rules.players == 2 else "other"


def chances(points: Sequence[float], tiles_left: int, spread: float) -> list[float]:
    """Return each player's chance to win by expected points and a `SPREADS`, 1 together."""
    scale = SPREAD_AT_END + spread * sqrt(tiles_left)
    best = max(points)
    odds = [exp((each - best) / scale) for each in points]
    total = sum(odds)
    return [each / total for each in odds]
