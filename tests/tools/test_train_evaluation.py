"""`tools/train_evaluation.py`: weights from the results of games and from playouts."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import train_evaluation
from click.testing import CliRunner
from train_evaluation import (
    BEST,
    COMPARED_AT_LEAST,
    COMPARED_RIDGE,
    FIXED,
    OTHERS,
    RIDGE,
    RIDGE_AT_LEAST,
    as_vector,
    by_name,
    compared_lines,
    hand_made,
    lead,
    lookahead_by,
    main,
    solved,
)
from training_sums import Sums, collect

from carc import Rules
from carc.base.evaluation.descriptors import DESCRIPTORS, KNOTS
from carc.base.evaluation.learned_weights import SHIPPED, read_weights, write_weights

SIZE = len(DESCRIPTORS) * len(KNOTS)


@pytest.mark.parametrize(
    ("held", "shrunk"),
    [
        # Ridge takes one part in eleven, and the least ridge a little more.
        pytest.param((RIDGE, RIDGE_AT_LEAST), 1.115, id="results"),
        # One part in a hundred.
        pytest.param((COMPARED_RIDGE, COMPARED_AT_LEAST), 1.0105, id="lines"),
    ],
)
def test_known_weights_are_found_again_and_a_point_stays_a_point(
    held: tuple[float, float], shrunk: float
) -> None:
    """From 20,000 positions whose margins follow from known weights, with noise of a point."""
    rng = np.random.default_rng(1)
    true = as_vector(hand_made())
    at = DESCRIPTORS.index("trailing") * len(KNOTS)
    true[at] = -4.0
    rows = rng.normal(size=(20_000, SIZE))
    sums = Sums(SIZE)
    sums.add(rows, rows @ true + rng.normal(size=len(rows)))
    weights = by_name(solved(sums, as_vector(hand_made()), *held), DESCRIPTORS)
    assert weights["trailing"][0] == pytest.approx(-4.0 / shrunk, abs=0.05)
    assert all(weights[name] == pytest.approx([1.0] * len(KNOTS), abs=1e-3) for name in FIXED)


@pytest.fixture(autouse=True)
def few_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare the lines of three turns a game, by short playouts."""
    monkeypatch.setattr(train_evaluation, "COMPARED_TURNS", 0.04)
    monkeypatch.setattr(train_evaluation, "PLAYOUT_TURNS", 2)


def test_the_lines_of_a_turn_are_compared_with_each_other_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever all lines of a turn share is no reason for one of them."""
    monkeypatch.setattr(train_evaluation, "COMPARED_TURNS", 0.1)
    weights = hand_made()
    rows, margins, _ = compared_lines(lookahead_by(Rules.from_spec("base", 2), weights), 1)
    assert len(rows) == len(margins) >= 2 * (BEST + OTHERS)
    first = slice(0, BEST + OTHERS)  # the first turn that was compared
    assert margins[first].mean() == pytest.approx(0.0, abs=1e-9)
    assert np.abs(rows[first].mean(axis=0)).max() == pytest.approx(0.0, abs=1e-9)
    # Weights by which the playouts go foretell in part how they end.
    assert np.corrcoef(rows @ as_vector(weights), margins)[0, 1] > 0.5


def test_a_lead_is_over_the_mean_of_the_others() -> None:
    """With two players, over the other."""
    assert lead([7.0, 4.0], 1) == -3.0
    assert lead([9.0, 4.0, 2.0], 0) == 6.0
    assert lead(np.array([[9.0, 1.0], [4.0, 1.0], [2.0, 4.0]]), 2).tolist() == [-4.5, 3.0]


def test_training_starts_with_given_weights_at_larger_tables(tmp_path: Path) -> None:
    """The weights of the start are kept for what hardly any game shows, and lines are compared."""
    start = {name: [float(at)] * len(KNOTS) for at, name in enumerate(DESCRIPTORS)}
    (tmp_path / "start.txt").write_text(write_weights(start, []), encoding="utf-8")
    options = ["--players", "3", "--rounds", "1", "--games", "2", "--compared", "1"]
    options += ["--out", str(tmp_path), "--start", str(tmp_path / "start.txt")]
    result = CliRunner().invoke(main, options)
    assert result.exit_code == 0, result.output
    begun, after = (
        read_weights((tmp_path / f"round-{number}.txt").read_text(encoding="utf-8"))
        for number in (0, 1)
    )
    assert begun == start
    assert all(after[name] == start[name] for name in FIXED)
    assert after != start
    assert "--players 3" in (tmp_path / "round-1.txt").read_text(encoding="utf-8")
    with np.load(tmp_path / "round-1.npz") as sums:
        assert sums["games"] == 1


def test_training_fits_what_expansions_describe_too(tmp_path: Path) -> None:
    options = ["--rules", "base+dragon", "--rounds", "1", "--compared", "1"]
    options += ["--out", str(tmp_path), "--start", str(SHIPPED[2])]
    result = CliRunner().invoke(main, options)
    assert result.exit_code == 0, result.output
    after = read_weights((tmp_path / "round-1.txt").read_text(encoding="utf-8"))
    (dragon,) = (
        each for each in Rules.from_spec("base+dragon", 2).expansions if each.name == "dragon"
    )
    estimates = dragon.estimates()
    assert estimates is not None
    own = estimates.DESCRIPTORS
    assert list(after) == [*DESCRIPTORS, *own]
    assert any(after[name] != pytest.approx(list(weights)) for name, weights in own.items())


def test_progress_is_how_far_off_weights_are_in_games_they_were_not_fitted_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games 0 to 3 follow from true weights; in games 4 and 5 margins are 6 points more."""
    rng = np.random.default_rng(1)
    true = as_vector(hand_made())

    def watch(seed: int) -> tuple[Any, Any, float]:
        rows = rng.normal(size=(1000, SIZE))
        return rows, rows @ true + (6.0 if seed >= 4 else 0.0), 0.5

    # What is held is not fitted, so leave it at the truth.
    fit = partial(solved, start=true * np.isin(np.arange(SIZE), held_at()), ridge=1e-6, least=1e-6)
    sums = collect(
        watch, fit, range(6), size=SIZE, file=tmp_path / "round-1.txt", per_save=2, jobs=1
    )
    assert sums.curve[:, 0].tolist() == [0, 2, 4]
    before, fitted = sums.curve[:, 1], sums.curve[:, 2]
    assert fitted[0] == before[0]  # nothing is fitted yet
    assert fitted[1] == pytest.approx(0.0, abs=0.01)
    assert fitted[2] == pytest.approx(6.0, abs=0.01)
    assert before[2] ** 2 == pytest.approx(before[0] ** 2 + 36.0, rel=0.05)
    assert (sums.games, sums.positions, sums.seconds) == (6, 6000, 3.0)
    assert sums.error(true) == pytest.approx(12**0.5)  # 36 in a third of the games
    assert "round-1: 6 of 6 games, 3 s; in the last ones off by 6.00" in capsys.readouterr().out


def held_at() -> list[int]:
    """The places of the weights that are not fitted."""
    knots = range(len(KNOTS))
    return [DESCRIPTORS.index(name) * len(KNOTS) + knot for name in FIXED for knot in knots]


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.long)])
def test_a_call_that_was_cut_off_continues_to_the_same_weights(tmp_path: Path, jobs: int) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"

    def train(games: int, compared: int, rounds: int, out: Path) -> None:
        options = ["--games", games, "--compared", compared, "--rounds", rounds, "--jobs", jobs]
        options += ["--out", out]
        result = CliRunner().invoke(main, [str(option) for option in options])
        assert result.exit_code == 0, result.output

    train(2, 2, 2, whole)
    train(1, 1, 1, parts)
    (parts / "round-1.txt").unlink()
    train(2, 1, 2, parts)
    (parts / "round-2.txt").unlink()
    train(2, 2, 2, parts)
    for file in ("round-1.txt", "round-2.txt"):
        weights = [read_weights((out / file).read_text(encoding="utf-8")) for out in (whole, parts)]
        assert weights[0] == weights[1]
        assert list(weights[0]) == list(DESCRIPTORS)
