"""What `tools/kill_processes.py` does twenty times, twice."""

from pathlib import Path

import pytest
from kill_processes import disturb

from carc.tournaments.isolation import host


@pytest.mark.long
@pytest.mark.parametrize("kind", ["worker", "bot"])  # the others: test_program.py, test_cluster.py
def test_kills_change_nothing(kind: str, tmp_path: Path) -> None:
    if kind == "bot" and host.missing("confined"):
        pytest.skip(host.missing("confined"))
    assert disturb(kind, 2, tmp_path).startswith(f"{kind}: killed 2 times")
