"""Browser tests are skipped, with the reason, where there is no browser; CI installs one."""

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from support import browser as chromium
from support.arenas import SETTINGS
from support.cups import ANN, EVE
from support.ladders import enter
from support.served import Visitor, Waiting, read_at_once, serving

from carc import Rules, play
from carc.arena.ledger import LadderLedger
from carc.arena.settings import read_settings
from carc.bots import by_name
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import Outcome, row
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import rotation_set
from carc.tournaments.submission.registry import VARIABLE
from carc.web import game_analyses
from carc.web.app import make_app
from carc.web.tournament_reader import ReaderPool


def _opened(width: int, height: int) -> Iterator[Any]:
    if why := chromium.missing():
        pytest.skip(why)
    with chromium.browser(width, height) as driver:
        yield driver


@pytest.fixture(scope="session")
def _wide() -> Iterator[Any]:
    yield from _opened(1280, 900)


@pytest.fixture(scope="session")
def _narrow() -> Iterator[Any]:
    yield from _opened(360, 740)


def _emptied(driver: Any) -> Any:
    """The window as new: no page, no messages of the test before."""
    driver.set_script_timeout(120)
    driver.get("about:blank")
    chromium.complaints(driver)
    chromium.asked_for(driver)
    return driver


@pytest.fixture
def browser(_wide: Any) -> Any:
    """A browser window 1280 pixels wide."""
    return _emptied(_wide)


@pytest.fixture
def phone(_narrow: Any) -> Any:
    """A browser window 360 pixels wide."""
    return _emptied(_narrow)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where an application is served that the tests of a module share."""
    with serving(tmp_path_factory.mktemp("runs")) as where:
        yield where


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    """Somebody at an application of its own."""
    with TestClient(make_app(tmp_path, hosts=["testserver"])) as client:
        yield Visitor(client)


@pytest.fixture(scope="module")
def record() -> str:
    """Of a real match."""
    bots = [by_name("random", 1), by_name("random", 2)]
    return play(Rules.from_spec("base", 2), bots, seed=3, names=["x", "y"]).to_text()


@pytest.fixture
def cup(tmp_path: Path, record: str) -> Callable[..., list[Outcome]]:
    """Return a function that writes games of made-up bots into the ledger of `cup`.

    `cup(["a", "b"], deals=2)`; the bot that is first by name wins all games.
    """

    def write(bots: list[str], deals: int = 1, planned: int = 0, **changes: Any) -> list[Outcome]:
        entrants = [Entrant(name, name, f"digest of {name}") for name in bots]
        configuration = Configuration("base", "1-test", entrants, [2], planned or deals, 1)
        written = []
        with Ledger.writing(tmp_path / "cup", configuration) as ledger:
            known = ledger.ids()
            pairs = itertools.combinations(configuration.bots, 2)
            games = [
                game
                for deal, pair in itertools.product(range(deals), pairs)
                for game in rotation_set(configuration, deal, pair)
            ]
            for number, game in enumerate(games):
                if game.id in known:
                    continue
                names = tuple(bot.name for bot in game.seats)
                first = names.index(min(names))
                parts = {
                    "id": game.id,
                    "rotation_set": game.rotation_set,
                    "deal": game.deal,
                    "deal_seed": game.deal_seed,
                    "rules": game.rules,
                    "seats": names,
                    "digests": tuple(bot.digest for bot in game.seats),
                    "isolation": ("none",) * 2,
                    "verdict": "ok",
                    "ranks": tuple(int(seat != first) for seat in range(2)),
                    "scores": tuple(50 + number if seat == first else 10 for seat in range(2)),
                    "winners": (first,),
                    "verdicts": ("ok",) * 2,
                    "moves": (1, 1),
                    "wall": (0.5, 0.5),
                    "cpu": (0.2, 0.2),
                    "kinds": ({}, {}),
                    "finished": f"2026-01-01T00:00:{number:02}+00:00",
                    "times": ([(0.5, 0.2)], [(0.5, 0.2)]),
                    "stderr": ("\x1b[2Jred herring", "green"),
                    "record": record.replace('["x", "y"]', json.dumps(names)),
                }
                written.append(Outcome(**{**parts, **changes}))
                ledger.add([row(written[-1])])
        return written

    return write


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "registry"))
    monkeypatch.setattr(ReaderPool, "submit", read_at_once)
    app = make_app(tmp_path, hosts=["testserver"], author={ANN: "ann", EVE: "eve"}.get)
    with TestClient(app) as client:
        yield client


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Waiting:
    """The executor of analyses, which never begins."""
    pool = Waiting()
    monkeypatch.setattr(game_analyses, "ProcessPoolExecutor", lambda *_, **__: pool)
    return pool


@pytest.fixture
def ladder(tmp_path: Path) -> Iterator[LadderLedger]:
    """The ledger of `two`, with a bot of ann's and one of eve's, and `greedy`."""
    (tmp_path / "arena.toml").write_text(SETTINGS)
    configuration = read_settings(tmp_path).ladders[0].configuration
    with LadderLedger.opening(tmp_path / "two", configuration, 3) as ledger:
        enter(ledger)
        yield ledger
