"""The simulation that tries intervals knows the truth; percentiles of few are as wide as said."""

import numpy as np
import pytest
from calibrate_intervals import SPREAD, Case, played, truth

from carc.tournaments.rating.ratings import ranged
from carc.tournaments.rating.tally import Tally


@pytest.mark.parametrize("size", [2, 3, 5])
def test_without_a_deal_effect_the_truth_is_what_was_put_in(size: int) -> None:
    wanted = np.linspace(-SPREAD / 2, SPREAD / 2, 5)
    assert truth(Case(5, size, 0.0, 30)) == pytest.approx(wanted, abs=1e-5)


def test_the_truth_is_what_the_fit_of_many_games_tends_to() -> None:
    case = Case(4, 3, 0.8, 30)
    choices, _, _ = (
        Tally(skills=False)
        .add_all(played(case, 900, seed=1))
        .arrays([f"bot {number}" for number in range(4)])
    )
    fitted = choices.fit(np.ones((1, len(choices.wins))), np.zeros((1, 4)))[0]
    assert truth(case) == pytest.approx(fitted, abs=0.12)  # three times what is to be expected
    assert abs(truth(case)[0]) < 0.9  # luck with the deal hides some of the strength


def test_of_39_samples_all_but_the_outermost_fortieths_are_between() -> None:
    # By hand: 40 places for one more, of which 2.5 per cent are one, below the lowest.
    found = ranged(np.array([7.0, *range(1, 40)]))
    assert (found.value, found.low, found.high) == (7, 1, 39)
