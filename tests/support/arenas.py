"""Arenas of one ladder, at tables of two, with three games to a secret."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import combinations
from pathlib import Path
from typing import Any

from carc.arena.ledger import LadderLedger
from carc.arena.relay import Relay
from carc.arena.service import Arena
from carc.arena.verification import verify
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.ledger.standings import Standing
from carc.tournaments.outcomes.outcome import Outcome, row
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game
from support.flips import flip

SETTINGS = """
jobs = 2
epoch = 3

[ladders.two]
title = "Two"
table = 2
"""


BOTS = 'bots = ["random", "greedy", "greedy-blind"]\n'


Opening = Callable[[], AbstractContextManager[LadderLedger]]
"""Opens a ladder's ledger, as the service does when it starts."""


def entrant(name: str, **more: Any) -> Entrant:
    """A made-up bot."""
    return Entrant(name, name, more.pop("digest", f"digest of {name}"), **more)


def fill(ledger: LadderLedger, *bots: str) -> None:
    for bot in bots:
        ledger.enter(entrant(bot))


def played(
    ledger: LadderLedger, *bots: str, play: Callable[[Game], Outcome] = flip, **changes: Any
) -> str:
    """Play a game of made-up bots; its id."""
    game = ledger.deal(tuple(map(entrant, bots)))
    ledger.add([row(play(game)._replace(**changes))])
    return game.id


def stages(ledger: Ledger) -> list[str]:
    return [entry.stage for entry in ledger.entries()]


# -- a service, with games that are flips of a coin -----------------------------------------------


class Turns:
    """Everybody plays everybody in turn."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.bots: dict[str, tuple[float, float]] = {}
        self.number = 0

    def enter(self, bot: str, mu: float, sigma: float, group: str = "") -> None:
        self.bots[bot] = mu, sigma

    def leave(self, bot: str) -> None:
        del self.bots[bot]

    def table(self, busy: Iterable[str] = ()) -> tuple[str, ...] | None:
        tables = list(combinations(sorted(self.bots.keys() - set(busy)), self.seats))
        self.number += 1
        return tables[self.number % len(tables)] if tables else None


class Present(Relay):
    """A relay at which these bots are."""

    def __init__(self, bots: Iterable[str]) -> None:
        super().__init__()
        self.bots = frozenset(bots)

    def present(self, ladder: str = "") -> frozenset[str]:
        return self.bots


@contextmanager
def serving(folder: Path, at_once: bool = False, **more: Any) -> Iterator[Arena]:
    arena = Arena(folder, Turns, **{"play": flip, **more})
    arena.start()
    try:
        yield arena
    finally:
        arena.close(at_once)


def standings_of(folder: Path) -> dict[str, Standing]:
    with Ledger.reading(folder / "two") as ledger:
        return {each.bot: each for each in ledger.standings.all()}


def stages_of(folder: Path, ladder: str = "two") -> list[str]:
    with Ledger.reading(folder / ladder) as ledger:
        return stages(ledger)


def problems(folder: Path) -> list[str]:
    """What is wrong with a ladder but that flips of a coin have no records."""
    return [each for each in verify(folder).problems if "is this a carc record" not in each]


def rated(folder: Path) -> int:
    """How many games were rated."""
    return stages_of(folder).count("rated")
