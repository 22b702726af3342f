"""What `tools/kill_arena.py` does 200 times, a few times."""

from pathlib import Path

import pytest
from kill_arena import disturb

from carc.tournaments.isolation import host


@pytest.mark.long
@pytest.mark.skipif(bool(host.missing("confined")), reason=host.missing("confined"))
def test_kills_lose_nothing(tmp_path: Path) -> None:
    assert disturb(tmp_path, 6, 1).endswith("none is lost, nothing is left")
