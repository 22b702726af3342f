"""What a tournament plays: its configuration.

The games that follow from it are in `carc.tournaments.schedule.games`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import attrs

from carc import Rules
from carc.base.game.outcome import is_team
from carc.errors import CarcError
from carc.structured import structured
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.schedule.entrants import Entrant, enter, is_folder, must_play

ARENA = "arena"
"""The format of a ladder, whose bots come and go (`carc.arena`)."""
MOST_DEALS = 1_000_000_000
MOST_BOTS = 1000
MOST_SEATS = 99
DECISIONS = 5  # a tile at most, by any rules there are: to lay it, to claim, to move ghosts


class BadTournament(CarcError):
    """A tournament that cannot be played; the message says what is wrong and what is allowed."""


def _by_name(bots: Iterable[Entrant]) -> tuple[Entrant, ...]:
    return tuple(sorted(bots, key=lambda bot: bot.name))


def _ascending(tables: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(set(tables)))


def _in_order(specs: Iterable[str]) -> tuple[str, ...]:
    return tuple(specs)


def _two(bounds: Sequence[float]) -> tuple[float, float]:
    low, high = bounds
    return float(low), float(high)


@attrs.frozen
class Configuration:
    """Everything that decides which games a tournament plays.

    The order of bots and tables does not matter. Raises `BadTournament` if it cannot be played.
    """

    rules: str
    """The rules; of a campaign those of all levels."""
    rules_version: str
    bots: tuple[Entrant, ...] = attrs.field(converter=_by_name)
    tables: tuple[int, ...] = attrs.field(converter=_ascending)
    """Players at a table."""
    deals: int
    """How many deals each set of bots plays in each of its cyclic seatings.

    In `swiss` the number of rounds, in `ladder` of rotation sets of each bot.
    """
    seed: int
    """The secret that deals and bots' seeds are made with."""
    mirrored: bool = True
    """Whether all bots play the same deals; else every game has a deal of its own."""
    clock: str = str(Clock())
    """The clock of bots in their own processes (`carc.tournaments.isolation.clock`)."""
    format: str = "round-robin"
    """Who plays whom (`carc.tournaments.pairing`)."""
    against: str = ""
    """The bot that a gauntlet tries."""
    elo: tuple[float, float] = attrs.field(default=(0.0, 50.0), converter=_two)
    """The two claims that a duel weighs, in normalised Elo."""
    title: str = ""
    """The title of the board."""
    levels: tuple[str, ...] = attrs.field(default=(), converter=_in_order)
    """Of a campaign: the rules that teams of one bot in every seat play by."""
    promise: str = ""
    """Of a contest: the hash of all that was promised (`carc.tournaments.contest.promise`)."""
    opened: str = ""
    """Of a contest: the link of its chain after what was opened; empty if nothing is to be."""

    def __attrs_post_init__(self) -> None:
        names = [bot.name for bot in self.bots]
        if len(names) > MOST_BOTS and not self.is_arena:
            raise BadTournament(f"{len(names)} bots are too many; a tournament has {MOST_BOTS:,}")
        for name, count in Counter(names).items():
            if count > 1:
                raise BadTournament(f"bot {name!r} is named twice; name each bot once")
        if not self.bots and not self.is_arena:
            raise BadTournament("no bots are named; name at least as many as sit at a table")
        if not self.tables:
            raise BadTournament("no table size is given; give one or more, such as 2,3")
        for size in self.tables:
            if size > MOST_SEATS:
                raise BadTournament(f"a table seats at most {MOST_SEATS} bots, not {size}")
            if not (self.levels or self.is_arena) and not 1 <= size <= len(names):
                raise BadTournament(
                    f"a table of {size} cannot be seated from {len(names)} bots "
                    f"({', '.join(names)}); "
                    + (
                        f"table sizes from 1 to {len(names)} can"
                        if len(names) > 1
                        else "enter more"
                    )
                )
        if not self.elo[0] < self.elo[1]:
            raise BadTournament(f"a duel's claims are two numbers, the lower first, not {self.elo}")
        if not 1 <= self.deals <= MOST_DEALS:
            raise BadTournament(f"{self.deals} deals cannot be played; give 1 to {MOST_DEALS:,}")

    @property
    def is_arena(self) -> bool:
        """Whether its bots come and go; then no schedule says which games there are."""
        return self.format == ARENA

    @property
    def key(self) -> object:
        """What deals and bots' seeds are made with.

        In a contest it holds more than the organiser's secret, so that nobody chooses the deals.
        """
        return (self.seed, self.promise, self.opened) if self.promise else self.seed

    def each_rules(self) -> list[Rules]:
        """Return the rules of every kind of game there is, or raise `BadRules`."""
        specs = self.levels or (self.rules,)
        return [Rules.from_spec(spec, players=size) for spec in specs for size in self.tables]

    def exclusion_reason(self, seats: Sequence[str], digests: Sequence[str], deal: int) -> str:
        """Return why a game is not one of this tournament as it is now; empty if it is."""
        ours = {bot.name: bot.digest for bot in self.bots}
        theirs = sorted(zip(seats, digests, strict=True))
        for name, _ in theirs:
            if name not in ours:
                return f"of {name}, which is not entered now"
        for name, digest in theirs:
            if ours[name] != digest:
                return f"of another version of {name}"
        if len(seats) not in self.tables:
            return f"at tables of {len(seats)}"
        return "" if deal < self.deals else f"of deals beyond the first {self.deals}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON data; what only contests have is left out of others."""
        data = attrs.asdict(self)
        return {
            key: value for key, value in data.items() if value or key not in ("promise", "opened")
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Configuration":
        """Return the configuration that `to_dict` wrote.

        Raises `ValueError` if the data are none, `BadTournament` if it cannot be played.
        """
        return structured(cls, data, "a configuration")


def configure(
    rules: str,
    bots: Sequence[str],
    tables: Sequence[int],
    deals: int,
    seed: int,
    *,
    clock: str = str(Clock()),
    isolation: str | None = None,
    mirrored: bool | None = None,
    format: str = "round-robin",
    against: str = "",
    elo: tuple[float, float] = (0.0, 50.0),
    title: str = "",
    levels: Sequence[str] = (),
) -> Configuration:
    """Return the configuration of rules and bots that are named by their specs, or `CarcError`.

    The arguments are those of `Configuration`, but for two. `isolation` is a level for all bots; by
    default submitted bots play at the strongest the host has, and others in the worker's process.
    Deals are `mirrored` by default if no bot is isolated.
    """
    for spec in levels or (rules,):
        Rules.from_spec(spec)  # what is wrong with them is said before who can be seated
    _refuse_twice(bots)
    entrants = [enter(spec, isolation) for spec in bots]
    trusted = all(bot.isolation == "none" for bot in entrants)
    configuration = Configuration(
        rules=rules,
        rules_version="",
        bots=entrants,
        tables=tables,
        deals=deals,
        seed=seed,
        mirrored=trusted if mirrored is None else mirrored,
        format=format,
        against=against,
        elo=elo,
        title=title,
        levels=levels,
        clock=str(Clock.named(clock)),
    )
    return _with_versions(configuration)


def _with_versions(configuration: Configuration) -> Configuration:
    """Return the configuration with the exact rules that all its bots play."""
    named = configuration.each_rules()
    if 1 in configuration.tables and not all(map(is_team, named)):
        raise BadTournament("nobody beats anybody at a table of 1; give table sizes from 2 on")
    for bot, each in product(configuration.bots, {each.spec: each for each in named}.values()):
        must_play(bot, each)
    version = "/".join(sorted({each.version for each in named}))
    specs = tuple(dict.fromkeys(each.spec for each in named))
    return attrs.evolve(
        configuration,
        rules=", ".join(specs),
        rules_version=version,
        levels=specs if configuration.levels else (),
    )


def _refuse_twice(bots: Iterable[str]) -> None:
    """Raise `BadTournament` if a folder is entered under two names."""
    folders: dict[Path, str] = {}
    for spec in filter(is_folder, bots):
        other = folders.setdefault(Path(spec).resolve(), spec)
        if other != spec:
            raise BadTournament(
                f"{other} and {spec} are one folder; enter it once, or a copy of it"
            )


def longest_game(configuration: Configuration) -> float:
    """Return the most seconds that isolated bots may take in a game by their clocks, together.

    Without isolated bots it is 0.
    """
    clock = Clock.named(configuration.clock)
    isolated = sum(bot.isolation != "none" for bot in configuration.bots)
    tiles = max(rules.start().tiles_left for rules in configuration.each_rules())
    increments = clock.increment * DECISIONS * tiles
    seats = configuration.tables[-1]
    seats = seats if configuration.is_arena else min(isolated, seats)
    return seats * (clock.start + clock.bank) + (increments if seats else 0)
