"""Comparing the row of a game with what its record comes to when it is replayed."""

from collections.abc import Iterator
from typing import Final

import attrs

from carc import Rules, read_record, replay
from carc.tournaments.outcomes.columns import points_by_kind
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import OK

SECONDS: Final = 1e-4  # of the times of all moves of a game, each rounded to a microsecond


def differences(outcome: Outcome) -> Iterator[str]:
    """Yield how a row differs from the record of its game; `CarcError` if that is none."""
    name = f"game {outcome.id}"
    match = read_record(outcome.record, name)
    rules = Rules.from_spec(outcome.rules, players=match.players)
    replay(match, rules, name)
    result = match.result
    verdicts = {fault.seat: fault.verdict for fault in result.faults}
    scored = [
        *(scored for move in match.moves for scored in move.scored),
        *result.final,
    ]
    for what, row, record in (
        ("rules", outcome.rules, match.rules),
        ("seats", outcome.seats, match.seats),
        ("deal", (outcome.deal_seed, ""), (match.seed, match.deal)),
        ("ranks", outcome.ranks, result.ranks),
        ("winners", outcome.winners, result.winners),
        ("scores", outcome.scores, tuple(result.scores[own[0]] for own in rules.colours)),
        (
            "verdicts",
            outcome.verdicts,
            tuple(verdicts.get(seat, OK) for seat in range(len(outcome.seats))),
        ),
        ("faults", outcome.faults, tuple(attrs.asdict(fault) for fault in result.faults)),
        ("points", outcome.kinds, tuple(points_by_kind(scored, rules.owners, rules.colours))),
    ):
        if row != record:
            yield f"{name}: its {what} are not those of its record"
    yield from _clocks(outcome)


def _clocks(outcome: Outcome) -> Iterator[str]:
    """Yield which clocks do not agree with the times of the moves."""
    if not len(outcome.times) == len(outcome.moves) == len(outcome.seats):
        yield f"game {outcome.id}: its moves and their times are not those of each seat"
        return
    for seat, times in enumerate(outcome.times):
        wall = sum(wall for wall, _ in times)
        cpu = sum(cpu for _, cpu in times)
        if len(times) != outcome.moves[seat]:
            yield f"game {outcome.id}: seat {seat} has not as many times as moves"
        elif abs(wall - outcome.wall[seat]) > SECONDS + 1e-6 * len(times) or abs(
            cpu - outcome.cpu[seat]
        ) > SECONDS + 1e-6 * len(times):
            yield f"game {outcome.id}: the clock of seat {seat} is not the sum of its moves"
