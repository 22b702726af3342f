"""The games of a tournament: pure functions from its configuration and the number of a deal.

The unit is the *rotation set*: k bots in all k cyclic seatings, because the seat decides more than
most differences between bots. Trusted bots play *mirrored* deals: one deal in all seatings, the
same for all bots. A stranger's bot may remember a deal for the next game, whatever isolates it;
where one plays, every game has a deal of its own. In a contest it keeps it, however often it is
started, so that who stops a game gets no other tiles for it. Compiled: there are millions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from carc.tournaments.identifiers import Json, fingerprint, seed_from
from carc.tournaments.schedule.entrants import Entrant

if TYPE_CHECKING:
    from carc.tournaments.schedule.configuration import Configuration


class Game(NamedTuple):
    """One game to play."""

    id: str
    """Hash of what defines the game: rules and version, bots and digests by seat, deal."""
    rules: str
    seats: tuple[Entrant, ...]
    deal: int
    """Number of the deal, from 0; of fresh deals, among the games of these bots."""
    deal_seed: int
    bot_seeds: tuple[int, ...]
    """One for each seat."""
    keeps_deal: bool
    """Whether it is played on the same deal again: on a mirrored one, or a contest's."""
    rotation_set: str
    """The same for all seatings of the same bots and deal number."""
    clock: str
    voids: int = 0
    """How often it was void before."""
    aside: Mapping[int, str] = {}
    """Seats whose bots play no more, and why."""
    attempt: int = 0
    """How often it was started before, where a chain tells it."""
    first_deal_seed: int | None = None
    """The deal seed of its first attempt, if this is another."""

    def again(self, attempt: int, voids: int) -> Game:
        """Return the game to play after it was started or void so many times.

        Unless it keeps its deal it has other tiles, for its bots may have seen these.
        """
        if self.keeps_deal or not attempt:
            return self._replace(voids=voids, attempt=attempt)
        first = self.deal_seed if self.first_deal_seed is None else self.first_deal_seed
        return self._replace(
            voids=voids,
            attempt=attempt,
            deal_seed=seed_from(first, "void", attempt),
            first_deal_seed=first,
        )

    @property
    def restarted(self) -> Game:
        """The game to play after this attempt came to nothing."""
        return self.again(self.attempt + 1, self.voids)


def rotation_set(configuration: Configuration, deal: int, bots: tuple[Entrant, ...]) -> list[Game]:
    """Return the games of some bots in all cyclic seatings, for the deal of a number."""
    # Who sits next to whom is drawn anew for each deal: rotating alone would seat a bot behind the
    # same neighbour in every game of the tournament.
    circle = sorted(bots, key=lambda bot: seed_from(configuration.key, "circle", deal, bot.name))
    turns = [tuple(circle[turn:] + circle[:turn]) for turn in range(len(circle))]
    return _set_of(configuration, configuration.rules, deal, turns)


def team_game(
    configuration: Configuration, level: str, deal: int, team: tuple[Entrant, ...]
) -> Game:
    """Return the game of a team at a level, for the deal of a number."""
    (game,) = _set_of(configuration, level, deal, [team])
    return game


@lru_cache(maxsize=1 << 12)
def _players(seats: tuple[Entrant, ...]) -> Json:
    return Json(*[[bot.spec, bot.digest] for bot in seats])


def _set_of(
    configuration: Configuration, rules: str, deal: int, tables: Sequence[tuple[Entrant, ...]]
) -> list[Game]:
    """Return the games of some tables for the deal of a number."""
    secret = configuration.key
    mirrored = seed_from(secret, "deal", deal) if configuration.mirrored else None
    games = []
    for seats in tables:
        what = [rules, configuration.rules_version, _players(seats)]
        deal_seed = seed_from(secret, deal, *what) if mirrored is None else mirrored
        identity = fingerprint("game", *what, deal_seed)
        bot_seeds = [seed_from(secret, "bot", identity, seat) for seat in range(len(seats))]
        games.append((identity, seats, deal_seed, tuple(bot_seeds)))
    name = fingerprint("set", sorted(identity for identity, *_ in games))
    return [
        Game(
            id=identity,
            rules=rules,
            seats=seats,
            deal=deal,
            deal_seed=deal_seed,
            bot_seeds=bot_seeds,
            keeps_deal=configuration.mirrored or bool(configuration.promise),
            rotation_set=name,
            clock=configuration.clock,
        )
        for identity, seats, deal_seed, bot_seeds in games
    ]
