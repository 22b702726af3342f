"""`tools/fit_people.py`: a conditional logit over the turns of games."""

from pathlib import Path

import fit_people
import numpy as np
import pytest
from fit_people import Decision, fitted, found, main

from carc import Rules, play
from carc.base.evaluation.learned_weights import read_weights
from carc.bots import by_name
from carc.bots.turn_features import NAMES


def drawn(true: np.ndarray, count: int) -> list[Decision]:
    """Decisions among six turns, played with the chances that these weights give."""
    rng = np.random.default_rng(1)
    turns = []
    for _ in range(count):
        rows = rng.normal(size=(6, len(true)))
        chances = np.exp(rows @ true)
        played = int(rng.choice(6, p=chances / chances.sum()))
        shown = np.ones(6, bool)
        turns.append(Decision(0, rows, played, np.arange(6) // 2 == played // 2, shown))
    return turns


def test_known_weights_are_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The standard error of such weights is about 1 / sqrt(3000 * 5 / 6)."""
    true = np.array([1.0, -0.5, 0.0])
    monkeypatch.setattr(fit_people, "ODD", 0.0)
    assert fitted(drawn(true, 3000), np.full(3, 1e-6)) == pytest.approx(true, abs=0.1)


def test_equal_turns_share_what_is_found_and_unseen_ones_find_nothing() -> None:
    placed = np.array([True, True, False])
    turn = Decision(0, np.array([[1.0], [1.0], [0.0]]), 1, placed, np.array([True, True, True]))
    assert found(turn, np.array([1.0])) == (1.0, 0.5)
    assert found(turn, np.array([-1.0])) == (0.0, 0.0)
    hidden = Decision(0, turn.rows, 1, placed, np.array([False, False, True]))
    assert found(hidden, np.array([1.0])) == (0.0, 0.0)


def test_the_weights_of_a_folder_of_games_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It finds turns of `greedy` far more often than those of people: they follow from points."""
    for name, value in {"RESAMPLES": 10, "RIDGES": (200.0,), "WIDTH": 3, "STEPS": 4}.items():
        monkeypatch.setattr(fit_people, name, value)
    rules = Rules.from_spec("base", 2)
    for seed in (1, 2):
        bots = [by_name("greedy", seed) for _ in range(2)]
        play(rules, bots, seed=seed).write(tmp_path / f"{seed}.jsonl")
    out = tmp_path / "weights.txt"
    main([str(tmp_path), "--out", str(out)])
    said = capsys.readouterr().out
    assert said.startswith("2 games, 142 turns")
    assert float(said.partition("the placement in ")[2].partition("%")[0]) > 60
    assert list(read_weights(out.read_text(encoding="utf-8"))) == list(NAMES)
