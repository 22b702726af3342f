"""Arenas of one ladder, at tables of two, with three games to a secret."""

from collections.abc import Callable
from typing import Any

from carc.arena.ledger import LadderLedger
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


def stages(ledger: LadderLedger) -> list[str]:
    return [entry.stage for entry in ledger.entries()]
