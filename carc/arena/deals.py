"""The games of a ladder: their numbers, and deals that nobody knows before they are played.

A game's number is the count of games that were started before it. Its deal is made from the secret
of its epoch, which is committed to in the chain before the first game and revealed there when all
games of the epoch have ended, and from the link of the chain before its start, which depends on
all that was rated until then.
"""

import hashlib
import json
from collections.abc import Sequence

from carc.tournaments.identifiers import fingerprint, seed_from
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game


def origin(configuration: Configuration) -> str:
    """Return the link before the first of a ladder's chain: the hash of what its games are."""
    what = [getattr(configuration, name) for name in ("rules", "rules_version", "tables", "clock")]
    return hashlib.sha256(f"carc ladder {json.dumps(what)}".encode()).hexdigest()


def identity(configuration: Configuration, bots: Sequence[tuple[str, str]], number: int) -> str:
    """Return the id of the game of a number; of the bots spec and digest, by seat."""
    seats = [[spec, digest] for spec, digest in bots]
    return fingerprint("game", configuration.rules, configuration.rules_version, seats, number)


def deal_seed(secret: str, link: str, number: int) -> int:
    """Return the seed of a game's deal, from its epoch's secret and the link before its start."""
    return seed_from(secret, "deal", link, number)


def game(
    configuration: Configuration, seats: tuple[Entrant, ...], number: int, secret: str, link: str
) -> Game:
    """Return the game of a number; the last arguments are those of `deal_seed`."""
    id = identity(configuration, [(bot.spec, bot.digest) for bot in seats], number)
    return Game(
        id=id,
        rules=configuration.rules,
        seats=seats,
        deal=number,
        deal_seed=deal_seed(secret, link, number),
        bot_seeds=tuple(seed_from(secret, "bot", link, seat) for seat in range(len(seats))),
        keeps_deal=True,
        rotation_set=id,
        clock=configuration.clock,
    )
