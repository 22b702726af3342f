"""A played match and its text, the record (`docs/records.md`)."""

import json
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, overload

import attrs

from carc.base.game.outcome import ranking, results
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.scoring import Journal, Scored
from carc.errors import CarcError, IllegalAction
from carc.files import write_file
from carc.match.bot import BotFault
from carc.match.moves import (
    Move,
    MoveLog,
    compact_move_lines,
    move_lines,
    quote_json,
    scorings_json,
)
from carc.match.referee import take_scorings

FORMAT = 2


@attrs.frozen
class Fault:
    """What a seat did wrong.

    Attributes:
        seat: The seat.
        action: The index of the action it was asked for.
        verdict: The kind of fault, such as `crash` or `illegal`.
        detail: One sentence about it.
    """

    seat: int
    action: int
    verdict: str
    detail: str


@attrs.frozen
class Result:
    """How a match ended.

    Attributes:
        scores: The score of each owner.
        ranks: The rank of each seat: 0 is best, equal ranks are ties, a seat at fault is last.
        winners: The seats that won.
        returns: The utility of each seat (`State.returns`).
        faults: The faults of seats.
        final: What was scored at the end.
        outcome: What expansions add to the result (`State.outcome`).
    """

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    returns: tuple[float, ...]
    faults: tuple[Fault, ...] = ()
    final: tuple[Scored, ...] = ()
    outcome: Mapping[str, Any] = attrs.field(factory=dict, hash=False)


class MoveSequence(Sequence[Move]):
    """The moves of a played match. Each `Move` is made when it is looked at."""

    def __init__(self, log: MoveLog) -> None:
        self.log = log

    def __len__(self) -> int:
        return len(self.log)

    @overload
    def __getitem__(self, at: int) -> Move: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, at: int | slice) -> Move | tuple[Move, ...]:
        index = range(len(self))[at]
        return self.log.move(index) if isinstance(index, int) else tuple(map(self.log.move, index))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MoveSequence | tuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


@attrs.frozen
class Match:
    """A played match: rules, seats, deal, moves and result.

    Attributes:
        rules: The spec of the rules.
        rules_version: Their version.
        players: Their number of players.
        seats: The names of those who played, by seat.
        seed: The seed of the deal.
        moves: Every action, chance's included.
        result: Scores, ranks, winners and faults.
        position: The text of the position it began from; empty if it began from the start.
        deal: `given` if what chance did does not follow from the seed, as in imported games.
        end: The final state; None if the match was read from a record (`replay` returns it).
    """

    rules: str
    rules_version: str
    players: int
    seats: tuple[str, ...]
    seed: int
    moves: Sequence[Move]
    result: Result
    position: str = ""
    deal: str = ""
    end: State | None = attrs.field(default=None, eq=False, repr=False)

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions in notation, chance's included."""
        return tuple(move.action for move in self.moves)

    def to_text(self) -> str:
        """Return the record, one JSON object in each line."""
        return "\n".join([_header(self), *move_lines(self.moves), _ending(self.result), ""])

    def to_compact_text(self) -> str:
        """Return the record with all moves in one line, as ledgers store it: a third as long."""
        return "\n".join([_header(self), *compact_move_lines(self._log), _ending(self.result), ""])

    @property
    def scored(self) -> list[Scored]:
        """Everything that was scored, in order."""
        return [*chain.from_iterable(self._log.scored.values()), *self.result.final]

    @property
    def _log(self) -> MoveLog:
        return self.moves.log if isinstance(self.moves, MoveSequence) else MoveLog(self.moves)

    def write(self, path: Path | str) -> None:
        """Write the record to a file.

        Raises:
            CarcError: It cannot be written.
        """
        write_file(Path(path), self.to_text())


def initial_state(match: Match, rules: Rules) -> State:
    """Return the position that a match began from; raise `BadPosition` if its record has none."""
    return State.from_text(match.position, rules) if match.position else rules.start()


def make_fault(seat: int, action: int, error: Exception) -> Fault:
    """Return the fault that an exception stands for."""
    if isinstance(error, BotFault):
        return Fault(seat, action, error.verdict, error.detail)
    if isinstance(error, IllegalAction):
        return Fault(seat, action, "illegal", str(error))
    if isinstance(error, CarcError):
        return Fault(seat, action, "malformed", str(error))
    return Fault(seat, action, "crash", f"{type(error).__name__}: {error}")


def make_result(state: State, faults: Sequence[Fault], journal: Journal) -> Result:
    """Return the result of a finished state."""
    at_fault = [fault.seat for fault in faults]
    return Result(
        scores=tuple(state.scores),
        ranks=ranking(results(state), at_fault),
        winners=tuple([p for p in state.winners if p not in at_fault]),
        returns=tuple(state.returns()),
        faults=tuple(faults),
        final=take_scorings(journal, final=True),
        outcome=state.outcome,
    )


# The text of `json.dumps` at a fraction of its cost: tournaments write millions of records.
# Lines are ASCII: the detail of a fault may contain line separators or invalid UTF-8.


def _header(match: Match) -> str:
    seats = ", ".join([quote_json(name) for name in match.seats])
    position = f', "position": {json.dumps(match.position)}' if match.position else ""
    deal = f', "deal": {quote_json(match.deal)}' if match.deal else ""
    return (
        f'{{"carc": {FORMAT}, "rules": {quote_json(match.rules)}, '
        f'"rules_version": {quote_json(match.rules_version)}, '
        f'"players": {match.players}, "seats": [{seats}], "seed": {match.seed}{deal}{position}}}'
    )


def _ending(result: Result) -> str:
    faults = json.dumps([attrs.asdict(fault) for fault in result.faults]) if result.faults else "[]"
    outcome = f', "outcome": {json.dumps(result.outcome)}' if result.outcome else ""
    return (
        f'{{"result": {{"scores": {[*result.scores]}, "ranks": {[*result.ranks]}, '
        f'"winners": {[*result.winners]}, "returns": {[*result.returns]}, "faults": {faults}, '
        f'"final": {scorings_json(result.final)}{outcome}}}}}'
    )
