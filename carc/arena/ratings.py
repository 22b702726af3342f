"""The rating of a bot in a ladder: TrueSkill, updated game by game in the order of the chain.

A rating is a normal distribution; a game multiplies it by what the game tells. A game that is taken
back later divides by that again. What later games told stays as it was.
"""

from collections.abc import Sequence
from math import sqrt

from trueskill import Rating as Skill

from carc.tournaments.rating.tally import MU, SIGMA, Skills

Rating = tuple[float, float]
"""mu and sigma."""

FIRST: Rating = (MU, SIGMA)
_skills = Skills()


def after(ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the ratings after a game, by seat."""
    rated = _skills.after([Skill(*rating) for rating in ratings], ranks)
    return [(float(each.mu), float(each.sigma)) for each in rated]


def without(now: Rating, before_game: Rating, after_game: Rating) -> Rating:
    """Return a rating without what a game told, given the ratings around that game."""
    precision = [1 / (sigma * sigma) for _, sigma in (now, before_game, after_game)]
    weighted = [
        mu * each for (mu, _), each in zip((now, before_game, after_game), precision, strict=True)
    ]
    left = max(precision[0] - (precision[2] - precision[1]), 1 / (SIGMA * SIGMA))
    return (weighted[0] - (weighted[2] - weighted[1])) / left, sqrt(1 / left)
