"""`tools/fit_weights.py`: weights of chances from what was completed, all from who won."""

import random

import numpy as np
import pytest
from click.testing import CliRunner
from fit_weights import climb, logistic, main, watched

from carc.base.evaluation.weights import WEIGHTS
from carc.mists.estimates.win_weights import WEIGHTS as MISTS_WEIGHTS


def test_known_weights_are_found_again() -> None:
    """From 20,000 throws whose odds are known; the books' standard error of them is about 0.02."""
    rng = np.random.default_rng(1)
    signs = np.column_stack([np.ones(20_000), rng.normal(size=(20_000, 2))])
    true = np.array([-0.5, 1.0, -2.0])
    came = (rng.random(20_000) < 1.0 / (1.0 + np.exp(-signs @ true))).astype(float)
    assert logistic(signs, came) == pytest.approx(true, abs=0.1)


def test_what_was_seen_of_a_game_is_repeatable() -> None:
    one = list(watched("base", 2, "random", 3))
    assert one
    assert one == list(watched("base", 2, "random", 3))
    assert {kind for kind, _, _ in one} <= {"city", "road", "monastery"}


def test_the_command_prints_weights_by_their_names() -> None:
    found = CliRunner().invoke(main, ["--games", "6", "--bot", "random"])
    assert found.exit_code == 0, found.output
    names = [line.split()[0] for line in found.output.splitlines() if "seen" not in line]
    assert names
    assert set(names) <= set(WEIGHTS)


def test_a_climb_comes_to_what_wins() -> None:
    """A game whose margin is by how much nearer to (2, -1) one is, with noise as large."""
    noise = random.Random(1)

    def margin(one: dict[str, float], other: dict[str, float]) -> float:
        def off(at: dict[str, float]) -> float:
            return abs(at["a"] - 2.0) + abs(at["b"] + 1.0)

        return 20 * (off(other) - off(one)) + noise.gauss(0, 20)

    found = climb({"a": 1.0, "b": -0.5}, margin, 2000, random.Random(2))
    assert found == pytest.approx({"a": 2.0, "b": -1.0}, abs=0.25)


def test_a_climb_by_matches_prints_every_weight() -> None:
    found = CliRunner().invoke(main, ["--by", "matches", "--games", "4"])
    assert found.exit_code == 0, found.output
    assert [line.split()[0] for line in found.output.splitlines()] == list(WEIGHTS)


def test_a_climb_by_levels_prints_every_weight_of_a_team() -> None:
    found = CliRunner().invoke(main, ["--by", "levels", "--games", "8"])
    assert found.exit_code == 0, found.output
    assert [line.split()[0] for line in found.output.splitlines()] == list(MISTS_WEIGHTS)


@pytest.mark.parametrize("games", [0, -3])
def test_a_fit_wants_a_game(games: int) -> None:
    result = CliRunner().invoke(main, ["--games", str(games)])
    assert result.exit_code == 2
    assert f"{games} is not in the range x>=1" in result.output
