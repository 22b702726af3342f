"""Ratings of teams and levels: right on games made to measure."""

from math import log

import pytest

from carc.tournaments.campaign import Tally, ratings, ratings_table


def test_a_team_wins_with_the_odds_of_the_difference() -> None:
    # By hand: three quarters of the games at level 1, a quarter at level 2: log 3 above the one, below the other.
    teams, levels = ratings({"a": [Tally(1, 2, 4000, 3000), Tally(2, 2, 4000, 1000)]})
    assert teams["a x 2"].value == pytest.approx(0, abs=0.01)
    assert levels["level 1"].value == pytest.approx(-log(3), abs=0.01)
    assert levels["level 2"].value == pytest.approx(log(3), abs=0.01)


def test_a_team_that_played_other_levels_is_compared_through_them() -> None:
    teams, levels = ratings(
        {
            "a": [Tally(1, 1, 4000, 2000), Tally(2, 1, 4000, 1000)],
            "b": [Tally(2, 1, 4000, 2000)],
        }
    )
    difference = teams["b x 1"].value - teams["a x 1"].value
    assert difference == pytest.approx(log(3), abs=0.01)
    assert levels["level 2"].value - levels["level 1"].value == pytest.approx(log(3), abs=0.01)
    names = [line.split(" | ")[0][2:] for line in ratings_table(teams, levels).splitlines()[2:]]
    assert set(names[:2]) == {"b x 1", "level 2"}


def test_few_games_and_none_won_are_rated_with_room() -> None:
    teams, levels = ratings({"a": [Tally(6, 3, 5, 0)]})
    assert teams["a x 3"].low < teams["a x 3"].value < teams["a x 3"].high < levels["level 6"].high
    assert teams["a x 3"].high - teams["a x 3"].low > 1
