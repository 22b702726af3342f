"""The weights of `WinEstimator`, found by playing."""

from __future__ import annotations

from typing import Final

# A name with `_marker` replaces the name without it in levels with several markers.
WEIGHTS: Final[dict[str, float]] = {
    # Points that a tile to come brings to each marker, besides those of followers on the board.
    "rate": 1.2,
    "rate_marker": 0.88,
    # How uncertain that is: always, and more the more tiles are to come.
    "spread": 1.44,
    "spread_marker": 0.95,
    "spread_more": 2.55,
    "spread_more_marker": 1.3,
    # The cost of one more ghost on the board: always, and more the fewer are left in the stock.
    "ghost": 0.056,
    "ghost_rare": 0.59,
    "ghost_rare_marker": 0.7,
    "ghost_falls": 4.0,
    # Which part of that cost follows the stock expected later, not the stock now.
    "ghost_hope": 0.56,
    # After how many tiles to come it reaches 63 % of its full value.
    "ghost_tiles": 14.36,
    # A free cell where a misty tile would call for one ghost fewer.
    "edge": 0.021,
    # A tile that calls for more ghosts than there are, if it were certain to come.
    "caught": 4.16,
    "caught_marker": 2.3,
    # The chance that a feature with one gap is completed, and the factor for each further gap.
    "closing": 0.95,
    "further": 0.7,
    # The factors for each gap of a bank, of a cemetery and of a castle.
    "finishing": 0.4,
    "finishing_marker": 0.59,
    "fencing": 0.55,
    "around": 0.92,
    # How many gaps a free cell around a castle counts as.
    "around_gap": 0.2,
    "around_gap_marker": 0.24,
    # The turns that filling a gap takes.
    "horizon": 20.5,
    # Tiles that each cemetery still to come will lay face down, as a part of the tiles to come.
    "coming": 0.0,
    "coming_marker": 2.5,
    # What a feature gains by a gap that is filled.
    "city_grows": 1.1,
    "city_grows_marker": 0.4,
    "road_grows": 0.52,
    "road_grows_marker": 0.4,
    "castle_grows": 1.6,
    "castle_grows_marker": 2.1,
    # Which part counts of what joining the features of two colours would bring.
    "joint": 0.33,
    "joint_marker": 0.1,
    # Which part counts of what an unclaimed feature would bring to any colour.
    "unclaimed": 0.0,
    "unclaimed_marker": 0.21,
    # The first follower in a supply, and the factor for each further one.
    "spare": 0.079,
    "spare_falls": 0.48,
    # The cost of an open cemetery, and of each free cell around it.
    "cemetery": 0.122,
    "cemetery_marker": 0.19,
    "cemetery_free": 0.107,
    "cemetery_free_marker": 0.214,
    # The worth of a position in which nothing is uncertain.
    "certain": 3.38,
    # Which part of all uncertainty counts with two piles to come, and with three.
    "sharp_2": 1.0,
    "sharp_2_marker": 0.8,
    "sharp_3": 1.0,
    "sharp_3_marker": 0.7,
}


def weights_of_level(markers: bool, changed: dict[str, float] | None) -> dict[str, float]:
    """Return all weights.

    Args:
        markers: Whether the level has several markers.
        changed: Weights that replace those of `WEIGHTS`.
    """
    weights = {**WEIGHTS, **(changed or {})}
    if markers:
        for name in list(weights):
            if name.endswith("_marker"):
                weights[name.removesuffix("_marker")] = weights[name]
    return weights
