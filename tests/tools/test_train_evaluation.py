"""`tools/train_evaluation.py`: weights from the results of games."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from train_evaluation import FIXED, SIZE, Sums, as_vector, fitted, hand_made, main

from carc.base.evaluation.descriptors import DESCRIPTORS, KNOTS
from carc.base.evaluation.learned_weights import read_weights


def test_known_weights_are_found_again_and_a_point_stays_a_point() -> None:
    """From 20,000 positions whose margins follow from known weights, with noise of a point."""
    rng = np.random.default_rng(1)
    true = as_vector(hand_made())
    at = DESCRIPTORS.index("trailing") * len(KNOTS)
    true[at] = -4.0
    rows = rng.normal(size=(20_000, SIZE))
    sums = Sums()
    sums.add(rows, rows @ true + rng.normal(size=len(rows)))
    weights = fitted(sums)
    # Ridge takes one part in eleven, and the least ridge a little more.
    assert weights["trailing"][0] == pytest.approx(-4.0 / 1.115, abs=0.05)
    assert all(weights[name] == pytest.approx([1.0] * len(KNOTS), abs=1e-3) for name in FIXED)


def test_a_call_that_was_cut_off_continues_to_the_same_weights(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"

    def train(games: int, out: Path) -> None:
        result = CliRunner().invoke(main, ["--games", str(games), "--out", str(out)])
        assert result.exit_code == 0, result.output

    train(2, whole)
    train(1, parts)
    (parts / "round-1.txt").unlink()
    train(2, parts)
    weights = [
        read_weights((out / "round-1.txt").read_text(encoding="utf-8")) for out in (whole, parts)
    ]
    assert weights[0] == weights[1]
    assert list(weights[0]) == list(DESCRIPTORS)
