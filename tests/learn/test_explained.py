"""How much of what playouts find the network of the example knows."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.values import decisions

from carc import Rules
from carc.base.evaluation.learned_weights import best_evaluation
from carc.bots.lookahead import Lookahead

BASE = Rules.cached("base", 2)


@pytest.fixture
def explained(example: Any) -> Iterator[Any]:
    yield importlib.import_module("explained")
    del sys.modules["explained"]


@pytest.mark.parametrize(("known", "share"), [(0.0, 0.0), (0.5, 0.75), (1.0, 1.0)])
def test_the_share_of_the_variance_that_a_network_explains(
    explained: Any, known: float, share: float
) -> None:
    rng, found = np.random.default_rng(1), []
    for _ in range(2000):
        true, noise = rng.standard_normal(4), 0.1 * rng.standard_normal((2, 4))
        found.append(
            explained.Compared(True, np.zeros(4), *(true + noise), np.zeros(4), known * true)
        )
    variance, explains, gains = explained.explained(found, "network")
    assert variance == pytest.approx(0.75, abs=0.03)  # of four numbers, about their mean
    assert explains == pytest.approx(share, abs=0.01)
    assert gains.mean() == pytest.approx(1.03 if known else 0.0, abs=0.05)  # the greatest of four
    assert explained.explained(found, "one")[2].mean() == pytest.approx(1.03, abs=0.05)


def test_the_next_player_replies_to_each_tile_with_what_is_worst_for_the_first(
    example: Any, explained: Any
) -> None:
    by = {"own": 0, "compared": 0.0, "turns": 1}
    teacher, state = example.games.Teacher(BASE, by, None), decisions(60)[-1]
    player = state.current_player
    line = teacher.playouts.start(state, 1)[0]
    expected, lookahead = 0.0, Lookahead(BASE, best_evaluation(BASE))
    for drawn, chance in line.after.chance_outcomes():
        after = line.after.copy()
        after.apply(drawn)
        expected += chance * min(each.values[player] for each in lookahead.action_values(after))
    assert explained.reply(teacher, line, player) == pytest.approx(100 * (expected - line.prior))


def test_what_is_compared_is_printed(
    example: Any,
    explained: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    net = example.network.Network(BASE, 8)
    np.savez(tmp_path / "network.npz", **net.new_weights(1))
    words = ["explained.py", str(tmp_path / "network.npz")]
    words += ["--games", "1", "--playouts", "2", "--turns", "1"]
    monkeypatch.setattr(sys, "argv", words)
    explained.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1].rstrip(",:") for line in lines[::4]] == ["placements", "claims"]
    assert all("gains" in line for n, line in enumerate(lines) if n % 4)
