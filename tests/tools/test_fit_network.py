"""`tools/fit_network.py`: networks learn what the weights leave out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from fit_network import Positions, fitted, main, played

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


@pytest.mark.parametrize("by_winner", [False, True])
def test_a_network_learns_what_is_not_linear(by_winner: bool) -> None:
    """Whoever has the first descriptor far from its mean is ahead: no line predicts that."""
    rng = np.random.default_rng(1)
    owners = rng.normal(size=(20_000, 2, len(DESCRIPTORS))).astype(np.float32)
    margin = 10 * (np.abs(owners[:, 0, 0]) - np.abs(owners[:, 1, 0]))
    data = Positions(made(margin, owners))
    added = fitted(data, both=False, hidden=16, by_winner=by_winner)
    unseen = data.unseen
    assert unseen.sum() == 2000
    assert np.corrcoef(added[unseen], margin[unseen])[0, 1] > 0.5


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
    said = CliRunner().invoke(main, ["--games", "10", "--out", str(out)]).output
    assert "the weights as shipped" in said and said.count("winner 0.") == 5
    assert CliRunner().invoke(main, ["--out", str(out)]).output == said  # no games are played
