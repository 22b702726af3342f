"""Ladders of made-up bots, as pages show them."""

import json
from typing import Any

from carc.arena.ledger import LadderLedger
from carc.tournaments.outcomes.outcome import row
from carc.tournaments.schedule.entrants import Entrant
from support.flips import flip

NAMES = ("ann/x@1", "ann/x@2", "eve/y@1", "greedy")


def bots() -> dict[str, Entrant]:
    """Two versions of a remote bot, an isolated one and the organiser's."""
    where = ("remote", "remote", "namespaces", "none")
    return {
        name: Entrant(name, f"remote:{name}" if at == "remote" else name, f"digest of {name}", at)
        for name, at in zip(NAMES, where, strict=True)
    }


def enter(ledger: LadderLedger, *names: str) -> None:
    for name in names or NAMES[:1] + NAMES[2:]:
        ledger.enter(bots()[name], name.partition("/")[0] if "/" in name else "")


def play(ledger: LadderLedger, record: str, *names: str, **changes: Any) -> str:
    """Play a game that the first of them wins 50 to 10, the second seat's first; its id."""
    game = ledger.deal(tuple(bots()[name] for name in names))
    number = game.deal
    parts = {
        "ranks": (0, 1),
        "scores": (50 + number, 10),
        "winners": (0,),
        "record": record.replace('["x", "y"]', json.dumps(names)),
        "finished": f"2026-01-01T00:{number:02}:00+00:00",
    }
    ledger.add([row(flip(game)._replace(**{**parts, **changes}))])
    return game.id
