"""The example that learns runs, and learns: the notebook's cells, the network what it is told."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.notation import do, start

from carc import Rules, play
from carc.bots import by_name

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "learn"


@pytest.fixture
def learner(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(FOLDER))
    import learner

    yield learner
    del sys.modules["learner"]


def runs(code: str, **environment: str) -> str:
    """What a program in the example's folder prints; a process of its own, for JAX has threads."""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=FOLDER,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_notebooks_cells_run() -> None:
    cells = json.loads((FOLDER / "learn.ipynb").read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    checks = "assert len(losses) == 1 and played.end.is_terminal and not played.result.faults"
    said = runs("\n".join([*code, checks]), CARC_GAMES="2")
    assert "against random: won" in said


def test_what_it_looks_at_is_told_of_both_sides(learner: Any) -> None:
    state = do(start(), "draw:E place:0,-1,2 claim:0,meeple draw:V place:1,0,1 claim:0,meeple")
    mine, ahead = learner.look(state, 0)
    theirs, behind = learner.look(state, 1)
    # The city of two tiles was scored, 4; the road of two tiles is the other's, 2.
    assert (ahead, behind) == (2.0, -2.0)
    side = learner.ONE_SIDE
    assert mine[:side] == theirs[side : 2 * side]
    road = 2 + 4 * learner.KINDS.index("road")
    assert theirs[road : road + 4] == [0.1, 0.1, pytest.approx(0.1 / 3), 1.0]
    assert theirs[1] == pytest.approx(6 / 7)


@pytest.mark.long
def test_it_learns_what_it_is_shown() -> None:
    first, last = json.loads(
        runs(
            """
import json
from carc import Rules
from learner import new_net, self_play
from teacher import Teacher

teacher = Teacher(new_net())
game = self_play(Rules.cached("base", 2), teacher.net, seed=7, exploration=0.3)
losses = [teacher.fit(game) for _ in range(300)]
print(json.dumps([losses[0], losses[-1]]))
"""
        )
    )
    assert last < first / 4


def test_what_was_learned_is_kept(learner: Any, tmp_path: Path) -> None:
    net = learner.new_net(3)
    learner.save(net, tmp_path / "net.npz")
    again = learner.load(tmp_path / "net.npz")
    seen = np.ones((2, learner.INPUTS), np.float32)
    assert learner.growth(again, seen).tolist() == learner.growth(net, seen).tolist()


def test_it_plays_a_match_without_a_fault(learner: Any) -> None:
    match = play(
        Rules.cached("base", 2), [learner.Learner(learner.new_net()), by_name("random", 1)]
    )
    assert match.result.faults == ()
    assert match.result.winners == (0,)
