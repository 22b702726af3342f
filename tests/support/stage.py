"""An arena whose games stand still, and its pages."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from carc.arena.ladder import play_shown
from carc.arena.matching import Matching
from carc.arena.service import Arena
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.players import shown
from carc.tournaments.players.shown import Screen
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game
from carc.tournaments.submission.content import read
from carc.tournaments.submission.registry import VARIABLE, Registry
from carc.web.app import make_app
from carc.web.tournament_reader import ReaderPool
from support.arenas import SETTINGS
from support.served import read_at_once
from support.submitted import submit
from support.waiting import until

PRINTED = "what mine@1 printed"
SEEN = 41  # actions, after which games stand still


def slowly(folder: Path, game: Game) -> Outcome:
    """Play a game that stands still in the middle, but for the first two, until it may go on."""
    screen, gates = shown.screen, [folder / "all", folder / game.id]

    def show(action: str) -> None:
        Screen.show(screen, action)
        if game.deal > 1 and len(screen.actions(game.id) or ()) == SEEN:
            until(lambda: any(gate.exists() for gate in gates), 600)

    setattr(screen, "show", show)  # noqa: B010 (which mypy would not let be assigned)
    outcome = play_shown(game)
    printed = [PRINTED if bot.name == "mine@1" else "" for bot in game.seats]
    return outcome._replace(stderr=tuple(printed))


class Stage:
    """An arena whose games stand still, and its pages."""

    def __init__(
        self, arena: Arena, app: Starlette, client: TestClient, tokens: dict[str, str]
    ) -> None:
        self.arena, self.app, self.client, self.tokens = arena, app, client, tokens

    def running(self) -> list[Game]:
        return [each.game for each in self.arena.games("two")]

    def still(self) -> list[str]:
        """The games that stand still, or will."""
        return [game.id for game in self.running() if game.deal > 1]

    def get(self, path: str) -> Any:
        return self.client.get(path).json()


@contextmanager
def standing_still(folder: Path) -> Iterator[Stage]:
    """The stage, once two games stand still."""
    (folder / "arena.toml").write_text(SETTINGS + 'bots = ["random"]\n')
    arena = Arena(folder, partial(Matching, seed=1), play=partial(slowly, folder))
    tokens = {name: arena.authors.add(name) for name in ("ann", "eve")}
    arena.start()
    submit(folder / "bots", "mine")
    Registry(folder / "registry").add(read(folder / "bots" / "mine"), "ann")  # whose log it is
    mine = Entrant("mine@1", "random", "digest", "none")
    arena._do(partial(arena._ladders["two"].enter, mine, "ann"))
    app = make_app(folder, hosts=["testserver"], author=arena.author, arena=arena)
    with (
        pytest.MonkeyPatch.context() as patch,
        TestClient(app, raise_server_exceptions=False) as client,
    ):
        patch.setenv(VARIABLE, str(folder / "registry"))
        patch.setattr(ReaderPool, "submit", read_at_once)
        try:
            made = Stage(arena, app, client, tokens)
            until(lambda: [len(arena.actions(id)) for id in made.still()] == [SEEN, SEEN])
            yield made
        finally:
            (folder / "all").touch()
            arena.close()
