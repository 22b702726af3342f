"""A ladder whose games are flips of a coin, and a hall for remote bots."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from support.arenas import BOTS, SETTINGS, Opening
from support.remote_bots import Hall, arena

from carc.arena.ledger import LadderLedger
from carc.arena.settings import read_settings
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.submission.registry import VARIABLE


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An arena with a registry of its own."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "registry"))
    (tmp_path / "arena.toml").write_text(SETTINGS + BOTS)
    return tmp_path


@pytest.fixture
def configuration(tmp_path: Path) -> Configuration:
    (tmp_path / "arena.toml").write_text(SETTINGS)
    return read_settings(tmp_path).ladders[0].configuration


@pytest.fixture
def opening(tmp_path: Path, configuration: Configuration) -> Opening:
    """Opens the ladder's ledger, as the service does when it starts."""
    return partial(LadderLedger.opening, tmp_path / "two", configuration, 3)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with arena(tmp_path_factory.mktemp("arena")) as hall:
        yield hall
