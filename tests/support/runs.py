"""Bots that misbehave, and what a tournament's folder holds."""

from pathlib import Path

from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.pairing.design import round_robin

SLOW = """
import random, time


class Slow:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def choose(self, state):
        time.sleep(0.001)
        return self.rng.choice(state.legal_actions())
"""
# Leaves a mark when it is first asked, and thinks for a second.
THINKS = """
import os, pathlib, time

mark = pathlib.Path(os.environ["HOME"], "thinking")


class Bot:
    def choose(self, state):
        if not mark.exists():
            mark.touch()
            time.sleep(1)
        return state.legal_actions()[0]
"""
STRANGE = """
import logging, os, random


class Raises:
    def choose(self, state):
        raise LookupError("I am lost")


class Leaves:
    def choose(self, state):
        raise SystemExit(7)


class Crashes:
    def choose(self, state):
        os.abort()


class StartsOnce:
    made = False

    def __init__(self):
        if StartsOnce.made:
            raise OSError("no more of me")
        StartsOnce.made = True

    def choose(self, state):
        return state.legal_actions()[0]


class Talks:
    def choose(self, state):
        print("printed by a bot")
        logging.getLogger("talks").warning("logged by a bot")
        return state.legal_actions()[0]
"""


def ledger_of(folder: Path) -> list[Outcome]:
    """The ledger's games, of which none is there twice and none that is not scheduled."""
    with Ledger.reading(folder) as ledger:
        outcomes = sorted(
            (ledger.outcome(each.id) for each in ledger.outcomes()), key=lambda each: each.id
        )
        ids = [outcome.id for outcome in outcomes]
        assert len(set(ids)) == len(ids)
        return outcomes


def is_whole(folder: Path) -> bool:
    with Ledger.reading(folder) as ledger:
        return ledger.ids() == {game.id for game in round_robin(ledger.configuration, ())}
