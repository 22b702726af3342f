"""One game of a tournament, from its seats to its outcome. Compiled: tournaments play millions."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from time import perf_counter, time
from typing import Any

import attrs

import carc
from carc import Rules
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.outcomes.columns import microseconds, points_by_kind
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.stages import HostFailure
from carc.tournaments.outcomes.verdicts import OK, VOID
from carc.tournaments.players.player import Player
from carc.tournaments.players.protocol import RemoteBot, Table
from carc.tournaments.schedule.entrants import seated
from carc.tournaments.schedule.games import Game

_log = logging.getLogger(__name__)


@lru_cache(maxsize=8)
def _clock(text: str) -> Clock:
    return Clock.named(text)


@lru_cache(maxsize=8)
def _rules(spec: str, players: int) -> Rules:
    return Rules.from_spec(spec, players=players)


def play_one(game: Game) -> Outcome:
    """Play one game in this process and return its outcome.

    Raises `HostFailure` if the host could not let it be played.
    """
    begun = perf_counter()
    rules = _rules(game.rules, len(game.seats))
    table = Table(_clock(game.clock))
    try:
        players = seated(table, game.seats, game.bot_seeds, game.aside)
        match = carc.play(
            rules,
            players,
            seed=game.deal_seed,
            names=[entrant.name for entrant in game.seats],
            watch=table.watch if table.is_watched else None,
        )
        table.over(match)
    finally:
        table.close()
    return _decided(game, rules, match, players, perf_counter() - begun)


def _decided(
    game: Game,
    rules: Rules,
    match: carc.Match,
    players: Sequence[Player | RemoteBot],
    seconds: float,
) -> Outcome:
    """Return the outcome of a game with its result."""
    result = match.result
    verdicts = {fault.seat: fault.verdict for fault in result.faults}
    for fault in result.faults:
        name = game.seats[fault.seat].name
        _log.warning("game %s: %s: %s: %s", game.id, name, fault.verdict, fault.detail)
    return _outcome(
        game,
        OK,
        ranks=result.ranks,
        # A player may command several colours; then their score is the common one.
        scores=tuple([result.scores[colours[0]] for colours in rules.colours]),
        winners=result.winners,
        verdicts=tuple([verdicts.get(seat, OK) for seat in range(len(players))]),
        faults=tuple([attrs.asdict(fault) for fault in result.faults]),
        kinds=tuple(points_by_kind(match.scored, rules.owners, rules.colours)),
        moves=tuple([len(player.times) for player in players]),
        wall=tuple([microseconds(player.wall) / 1e6 for player in players]),
        cpu=tuple([microseconds(player.cpu) / 1e6 for player in players]),
        times=tuple([player.times for player in players]),
        stderr=tuple([player.stderr for player in players]),
        seconds=seconds,
        record=match.to_compact_text(),
    )


def void(game: Game, failure: HostFailure) -> Outcome:
    """Return the outcome of a game that the host could not let be played.

    This is the only place where a game becomes void (`carc.tournaments.outcomes.stages`).
    """
    _log.error("game %s is void (%s): %s", game.id, failure.cause, failure)
    return _outcome(game, VOID, detail=f"{failure.cause}: {failure}")


def _now() -> str:
    """Return the time, UTC to the millisecond, ISO 8601."""
    seconds, milli = divmod(int(time() * 1000), 1000)
    return f"{_second(seconds)}.{milli:03d}+00:00"


@lru_cache(maxsize=1)  # thousands of games end in one
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _outcome(game: Game, verdict: str, **more: Any) -> Outcome:
    return Outcome(
        id=game.id,
        rotation_set=game.rotation_set,
        deal=game.deal,
        deal_seed=game.deal_seed,
        rules=game.rules,
        seats=tuple([entrant.name for entrant in game.seats]),
        digests=tuple([entrant.digest for entrant in game.seats]),
        isolation=tuple([entrant.isolation for entrant in game.seats]),
        verdict=verdict,
        voids=game.voids,
        finished=_now(),
        **more,
    )
