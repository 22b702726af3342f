"""`carc fit`: the weights of chances from games."""

import numpy as np
import pytest
from click.testing import CliRunner

from carc.base.evaluation import WEIGHTS
from carc.commands.fit import fit_command, logistic, watched


def test_known_weights_are_found_again() -> None:
    """From 20,000 throws whose odds are known; the books' standard error of such weights is about 0.02."""
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
    found = CliRunner().invoke(fit_command, ["--games", "2", "--bot", "random"])
    assert found.exit_code == 0, found.output
    names = [line.split()[0] for line in found.output.splitlines() if "seen" not in line]
    assert names
    assert set(names) <= set(WEIGHTS)
