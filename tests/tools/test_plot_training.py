"""`tools/plot_training.py`: what a training achieved, drawn."""

from pathlib import Path

import numpy as np
import pytest
import train_evaluation
from click.testing import CliRunner
from matplotlib.container import ErrorbarContainer
from measure_tables import Tally
from plot_training import draw, main


@pytest.mark.long
def test_a_training_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_evaluation, "GAMES_PER_SAVE", 2)
    rules = ["--rules", "base+ghosts"]
    words = ["--games", "4", "--rounds", "1", "--out", str(tmp_path), *rules]
    assert CliRunner().invoke(train_evaluation.main, words).exit_code == 0
    result = CliRunner().invoke(main, [str(tmp_path), "--deals", "2", *rules])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("round 1 against the start: ahead in ")
    assert "<svg" in (tmp_path / "training.svg").read_text(encoding="utf-8")


def test_the_drawing_shows_mean_errors_and_shares_with_their_intervals() -> None:
    """What is fitted to no games yet is left out: 2.0 by 3.0, then 3.0 by 8.0 in both together."""
    curve = np.array([[0, 9.0, 9.0], [200, 3.0, 2.0], [400, 5.0, 1.0]])
    figure = draw([curve], [Tally(ahead=[0.5, 1.0], margins=[0.0, 1.0], games=4)], 0.5)
    errors, strength = figure.axes
    curve_drawn, _ = (np.asarray(line.get_xydata()).tolist() for line in errors.get_lines())
    assert curve_drawn == [[200, pytest.approx(2 / 3)], [400, pytest.approx(3 / 8)]]
    (points,) = strength.containers
    assert isinstance(points, ErrorbarContainer)
    marks, _, bars = points.lines
    assert marks is not None
    assert np.asarray(marks.get_xydata()).tolist() == [[1, 0.75]]
    (bar,) = bars[0].get_segments()
    assert bar[:, 1] == pytest.approx([0.75 - 0.49, 0.75 + 0.49])


def test_a_folder_without_a_training_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [str(tmp_path)])
    assert result.exit_code == 2
    assert f"{tmp_path} holds no round of a training" in result.output
