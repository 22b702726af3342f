"""`Difference`: how far one line of play is ahead of another, and how certain that is."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

import attrs

from carc.analysis.outlook import Outlook

CONFIDENCE: Final = 1.96
"""The half of a 95 % interval, in standard errors."""
WORTH_CHANCE, WORTH_POINTS = 0.05, 2.0
"""What is certainly less is not measured more closely."""
_CLOSE: Final = 0.25  # a standard error of this share of a difference is close enough
# What lines that look different are apart, as a root mean square: the prior of every difference.
_PRIOR_CHANCE, _PRIOR_POINTS = 0.06, 2.0


@attrs.frozen
class Difference:
    """How far one line is ahead of another.

    A measured difference is drawn towards nothing, the more the less certain it is: otherwise the
    largest of many would be too large.

    Attributes:
        chance: The chance to win that it is ahead.
        margin: The points of expected margin that it is ahead.
        chance_error: Half of the 95 % interval of the chance; 0 if it is exact.
        margin_error: Half of the 95 % interval of the margin; 0 if it is exact.
        pairs: On how many pairs of playouts it was measured.
    """

    chance: float
    margin: float
    chance_error: float = 0.0
    margin_error: float = 0.0
    pairs: int = 0

    @classmethod
    def of(
        cls, ahead: Sequence[Outlook], behind: Sequence[Outlook], player: int, left: float
    ) -> Difference:
        """Return the difference of two lines from the ends of paired playouts, two at least.

        Args:
            ahead: The outlooks in which the playouts of one line ended.
            behind: Those of the other; with the same draws, one by one.
            player: The seat.
            left: The share of the difference that is left when the game is over.
        """
        pairs = list(zip(ahead, behind, strict=True))
        chances = [one.chances[player] - other.chances[player] for one, other in pairs]
        margins = [one.margins[player] - other.margins[player] for one, other in pairs]
        chance, chance_error = _shrunk(chances, left, _PRIOR_CHANCE)
        margin, margin_error = _shrunk(margins, left, _PRIOR_POINTS)
        return cls(chance, margin, chance_error, margin_error, len(pairs))

    @property
    def is_gain(self) -> bool:
        """Whether the line is better by more than the error: to win, else for the margin."""
        return self.chance > self.chance_error or (
            self.chance >= 0.0 and self.margin > self.margin_error
        )

    @property
    def certain_chance(self) -> float:
        """The chance to win that the line is ahead; 0 if that is within the error."""
        return self.chance if abs(self.chance) > self.chance_error else 0.0

    @property
    def certain_margin(self) -> float:
        """The points that the line is ahead; 0 if they are within the error."""
        return self.margin if abs(self.margin) > self.margin_error else 0.0

    @property
    def is_decided(self) -> bool:
        """Whether more pairs would change little: each number is close, or hardly worth telling."""
        return _is_decided(self.chance, self.chance_error, WORTH_CHANCE) and _is_decided(
            self.margin, self.margin_error, WORTH_POINTS
        )


def _is_decided(value: float, error: float, worth: float) -> bool:
    return value + error < worth or error < CONFIDENCE * _CLOSE * value


def _shrunk(values: Sequence[float], share: float, prior: float) -> tuple[float, float]:
    """Return a share of a mean and half of its 95 % interval, both drawn towards 0.

    They are those of the normal posterior, with a prior around 0.
    """
    count = len(values)
    mean = sum(values) / count
    variance = share**2 * sum((each - mean) ** 2 for each in values) / (count - 1) / count
    weight = prior**2 / (prior**2 + variance)
    return weight * share * mean, CONFIDENCE * sqrt(weight * variance)
