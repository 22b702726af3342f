"""Contests that are interrupted end as they would have without."""

import random
import shutil
from functools import partial
from pathlib import Path

import pytest
from interrupt_tournaments import CONTESTS, WAYS, Contest, compare

from carc.tournaments.contest.verification import verify
from carc.tournaments.isolation import host
from carc.tournaments.isolation.command import PATH

pytestmark = [
    pytest.mark.skipif(bool(host.missing("process")), reason=host.missing("process")),
    pytest.mark.skipif(not shutil.which("python3", path=PATH), reason="no python3 for bots"),
]


@pytest.mark.long
def test_a_contest_killed_and_stopped(tmp_path: Path) -> None:
    contest = Contest(tmp_path / "contest", "duel", mirrored=False)
    rng = random.Random(1)
    assert contest.interrupt("kill -9", rng)
    contest.interrupt("Ctrl-C", rng)
    contest.finish()
    assert contest.games_begun() > 0
    assert verify(contest.room / "t").problems == ()


@pytest.mark.long
@pytest.mark.parametrize("mirrored", [True, False], ids=["mirrored", "fresh"])
@pytest.mark.parametrize("form", CONTESTS)
def test_a_contest_ends_as_an_uninterrupted_one(form: str, mirrored: bool, tmp_path: Path) -> None:
    made = partial(Contest, form=form, mirrored=mirrored)
    compare(tmp_path, made, mirrored, len(WAYS), random.Random(1))
