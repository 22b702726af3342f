"""The weights of `Evaluation`."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

from carc.errors import CarcError

# Points, unless something else is said. The weights of chances were first fitted to what was
# completed; then all were moved to what wins (`tools/fit_weights.py`, `--by matches`).
WEIGHTS: Final[dict[str, float]] = {
    # The log-odds that a city is completed: a constant; times log(1 + draws of each player left);
    # times the number of free cells it needs; times the logarithm of the tiles left that fit the
    # rarest of these cells.
    "city": -2.6,
    "city_draws": 0.76,
    "city_gaps": -1.18,
    "city_fits": 0.86,
    # The same of a road.
    "road": -1.18,
    "road_draws": 0.45,
    "road_gaps": -1.64,
    "road_fits": 0.32,
    # The same of a monastery: a constant, draws, and missing neighbours.
    "around": -7.62,
    "around_draws": 1.44,
    "around_missing": -0.28,
    # What completion adds to a city or road by each open edge.
    "city_grows": 0.4,
    "road_grows": 0.31,
    # What a field gains by each open city, times the chance that it is completed; and in any case.
    "field_city": 1.92,
    "field_grows": 0.34,
    # What an incomplete monastery gains by each missing neighbour.
    "around_grows": 0.76,
    # The share of a field's cities that its farmer loses to others early in the game.
    "field_risk": 0.34,
    # The first follower in a supply early in the game; the factor for each further one; and what a
    # follower that is not the usual one is worth besides.
    "spare": 8.52,
    "spare_falls": 0.71,
    "spare_other": 0.06,
    # The share that counts of a follower who is likely to come home.
    "spare_back": 0.5,
    # With so many turns left to each player, followers are worth half of that.
    "spare_lasts": 3.81,
}


def with_changes(changed: Mapping[str, Any] | None) -> dict[str, float]:
    """Return the weights with some of them changed.

    Raises:
        CarcError: There is no such weight, or its value is not a finite number.
    """
    weights = dict(WEIGHTS)
    for name, weight in (changed or {}).items():
        if name not in WEIGHTS:
            raise CarcError(f"there is no weight {name!r}; they are {', '.join(WEIGHTS)}")
        if not isinstance(weight, int | float) or not isfinite(weight):
            raise CarcError(f"the weight {name} is a number, not {weight!r}")
        weights[name] = float(weight)
    return weights
