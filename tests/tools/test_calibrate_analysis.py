"""The constants of chances are found again where they are known; bins hold when they should."""

import random
from math import sqrt

import numpy as np
import pytest
from calibrate_analysis import Bin, Fitted, Row, bins, fit, picture
from matplotlib.container import ErrorbarContainer

from carc.analysis.chances import chances


def rows(spread: float, games: int) -> list[Row]:
    """Moves of games that are won as often as `chances` says."""
    rng = random.Random(1)
    made = []
    for _ in range(games):
        points = [rng.gauss(40, 8), rng.gauss(40, 8)]
        won = float(rng.random() < chances(points, 25, spread)[0])
        made.append({"player": 0, "ends": [[25, -1, *points]] * 2, "won": won})
    return made


def test_the_fit_finds_the_spread_that_was_put_in() -> None:
    at_end, _, spreads = fit({"base": [Fitted.of(rows(2.0, 3000))]})
    assert at_end + spreads["base"] * sqrt(25) == pytest.approx(1 + 2.0 * sqrt(25), rel=0.1)


def stated(chance: float, won: int, games: int) -> list[Row]:
    """One move in each of some games."""
    return [
        {"bots": "a,b", "deal": deal, "played": chance, "won": float(deal < won)}
        for deal in range(games)
    ]


def test_a_bin_holds_if_about_as_many_are_won_as_stated() -> None:
    """The 95 % interval of 30 of 100 is 21.9 % to 39.6 % (Wilson)."""
    (one,) = bins(stated(0.35, 30, 100), "played")
    assert (one.games, one.won) == (100, 0.30)
    assert one.stated == pytest.approx(0.35)
    assert (round(one.low, 3), round(one.high, 3)) == (0.219, 0.396)
    assert one.holds
    assert not bins(stated(0.35, 20, 100), "played")[0].holds


def test_a_game_counts_once_in_a_bin() -> None:
    moves = [*stated(0.31, 5, 10), *stated(0.39, 0, 10), *stated(0.95, 10, 10), *stated(1.0, 0, 3)]
    low, high = bins(moves, "played")
    assert (low.games, low.won) == (10, 0.5)
    assert low.stated == pytest.approx(0.31)
    assert (high.games, high.won) == (10, 1.0)


def test_the_picture_shows_each_bin_with_its_interval() -> None:
    (axes,) = picture([Bin(100, 0.35, 0.30, 0.22, 0.40)], "base").axes
    (points,) = axes.containers
    assert isinstance(points, ErrorbarContainer)
    marks, _, bars = points.lines
    assert marks is not None
    assert np.asarray(marks.get_xydata()) == pytest.approx(np.array([[0.35, 0.30]]))
    (bar,) = bars[0].get_segments()
    assert bar[:, 1] == pytest.approx([0.22, 0.40])
