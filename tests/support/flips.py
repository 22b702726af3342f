"""Tournaments whose games are the flip of a coin."""

import logging
import threading
import time
from collections.abc import Callable, Sequence

from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.stages import Cause, HostFailure
from carc.tournaments.outcomes.verdicts import OK
from carc.tournaments.pairing.design import round_robin
from carc.tournaments.running.playing import void
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.games import Game


def schedule(configuration: Configuration) -> list[Game]:
    return list(round_robin(configuration, ()))


Make = Callable[..., Configuration]
"""Makes a configuration of made-up bots."""
Ending = Callable[..., Outcome]
"""Makes the outcome of a game of theirs."""
Play = Callable[..., list[Outcome]]
"""Holds a tournament in the test's folder; what the ledger then holds."""
Result = Callable[[Game], Sequence[int]]
"""The ranks of a game."""


def flip(game: Game) -> Outcome:
    """A game whose result is its id's."""
    order = sorted(range(len(game.seats)), key=lambda seat: int(game.id, 16) >> seat & 7)
    logging.getLogger("flip").info("played %s", game.id)
    return void(game, HostFailure(Cause.PROGRAM, ""))._replace(
        verdict=OK,
        ranks=tuple(map(order.index, range(len(order)))),
        scores=tuple(range(len(order))),
        winners=(order[0],),
        verdicts=(OK,) * len(order),
        wall=(0.0,) * len(order),
        cpu=(0.0,) * len(order),
        seconds=0.001,
    )


class StopAfter(threading.Event):
    """Is set when so many games have ended, of which `advance` is told."""

    def __init__(self, games: int) -> None:
        super().__init__()
        self.left = games

    def advance(self, more: int) -> None:
        self.left -= more
        if self.left <= 0:
            self.set()


def flip_slowly(game: Game) -> Outcome:
    time.sleep(0.02)
    return flip(game)


def ids(configuration: Configuration) -> list[str]:
    return sorted(game.id for game in schedule(configuration))


def in_order(game: Game) -> list[int]:
    """The bot whose name comes first in the alphabet wins, and so on."""
    names = [bot.name for bot in game.seats]
    return [sorted(names).index(name) for name in names]
