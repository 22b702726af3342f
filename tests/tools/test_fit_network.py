"""`tools/fit_network.py`: networks learn what the weights leave out.

JAX runs in processes of its own here: its threads stay, and other tests fork.
"""

import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import fit_network
import numpy as np
import pytest
from fit_network import Positions, fitted, played

from carc import Rules
from carc.base.evaluation.descriptors import DESCRIPTORS


def made(margin: Any, owners: Any) -> Mapping[str, Any]:
    """Positions whose weights expect nothing; ten games."""
    n = len(margin)
    tiles, zeros = np.full(n, 10.0), np.zeros(n)
    return {
        "owners": owners, "tiles": tiles, "expected": zeros, "moves": zeros, "margin": margin,
        "game": np.arange(n) % 10,
    }  # fmt: skip


@pytest.mark.parametrize("by_winner", [pytest.param(False, marks=pytest.mark.long), True])
def test_a_network_learns_what_is_not_linear(by_winner: bool) -> None:
    """Whoever has the first descriptor far from its mean is ahead: no line predicts that."""
    rng = np.random.default_rng(1)
    owners = rng.normal(size=(20_000, 2, len(DESCRIPTORS))).astype(np.float32)
    margin = 10 * (np.abs(owners[:, 0, 0]) - np.abs(owners[:, 1, 0]))
    data = Positions(made(margin, owners))
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        fitting = pool.submit(fitted, data, both=False, hidden=16, by_winner=by_winner)
        added = fitting.result()
    unseen = data.unseen
    assert unseen.sum() == 2000
    assert np.corrcoef(added[unseen], margin[unseen])[0, 1] > 0.5


@pytest.mark.long
def test_positions_of_games_are_told_with_their_result(tmp_path: Path) -> None:
    fields = played(Rules.from_spec("base", 2), 2, 0)
    assert fields["owners"].shape == (len(fields["margin"]), 2, len(DESCRIPTORS))
    for number in (0, 1):
        of_game = fields["game"] == number
        assert len(set(fields["margin"][of_game])) == 1
        tiles = fields["tiles"][of_game]
        assert tiles[0] == 71 and list(tiles) == sorted(tiles, reverse=True)
        last = fields["expected"][of_game][-1]  # hardly anything is open any more
        assert last == pytest.approx(fields["margin"][of_game][-1], abs=12)
    out = tmp_path / "few"
    said = output("--games", "10", "--out", str(out))
    assert "the weights as shipped" in said and said.count("winner 0.") == 5
    assert output("--out", str(out)) == said  # no games are played


def output(*options: str) -> str:
    """Run the tool and return what it prints."""
    command = [sys.executable, fit_network.__file__, *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
