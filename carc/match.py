"""Matches: playing one, writing it down, playing it again (`docs/records.md`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Protocol, overload

import attrs

from carc.base.actions import Action
from carc.base.given import whole
from carc.base.outcome import ranking
from carc.base.rules import Rules
from carc.base.scoring import Journal, Scored
from carc.base.state import State
from carc.base.steps import CHANCE
from carc.errors import BadBot, BadRecord, CarcError, IllegalAction
from carc.referee import (
    Log,
    Move,
    move_lines,
    moves_in_short,
    quote,
    referee,
    scored_by,
    scored_text,
)

FORMAT = 2


class Bot(Protocol):
    """Anything that chooses. It has its own random generator; it may change the copy of the state it is given.

    One that needs to know no more than how many actions there are says which by its index, `choose_index(count)`, beside
    `choose`: it is asked that instead, and nothing is copied or listed for it.
    """

    def choose(self, state: State) -> Action:
        """One of `state.legal_actions()`."""
        ...


class BotFault(Exception):
    """Raised by what stands in for a bot that runs elsewhere: it knows better than `crash` what went wrong."""

    def __init__(self, verdict: str, detail: str) -> None:
        super().__init__(f"{verdict}: {detail}")
        self.verdict = verdict
        self.detail = detail


class Void(Exception):
    """The match cannot be finished through no fault of a bot; `play` lets it through."""


@attrs.frozen
class Fault:
    """What a seat did wrong: `action` is the index of the action it was asked for."""

    seat: int
    action: int
    verdict: str  # crash, illegal, ...
    detail: str


@attrs.frozen
class Result:
    """How a match ended. `ranks`: 0 is best, equal is tied; a seat with a fault ranks last.

    `outcome`: what expansions tell besides (`State.outcome`).
    """

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    returns: tuple[float, ...]
    faults: tuple[Fault, ...] = ()
    final: tuple[Scored, ...] = ()
    outcome: Mapping[str, Any] = attrs.field(factory=dict, hash=False)


class Moves(Sequence[Move]):
    """The moves of a match that was played, each made when it is looked at."""

    def __init__(self, log: Log) -> None:
        self.log = log

    def __len__(self) -> int:
        return len(self.log)

    @overload
    def __getitem__(self, at: int) -> Move: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, at: int | slice) -> Move | tuple[Move, ...]:
        found = range(len(self))[at]
        return self.log.move(found) if isinstance(found, int) else tuple(map(self.log.move, found))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moves | tuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


@attrs.frozen
class Match:
    """A match played: rules, seats, deal, every action, and the result.

    - `rules`, `rules_version`, `players`: `spec`, `version` and `players` of its `Rules`
    - `seats`: the names of those who played, by seat
    - `seed`: of the deal and of bots
    - `moves`: every action, chance's too
    - `result`: who won, with what, and whose bots were at fault
    - `position`: the text of the position it began from; empty: from the start
    - `end`: the state it ended in; None of a match that was read from a record (`replay` has it)
    """

    rules: str
    rules_version: str
    players: int
    seats: tuple[str, ...]
    seed: int
    moves: Sequence[Move]
    result: Result
    position: str = ""
    end: State | None = attrs.field(default=None, eq=False, repr=False)

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions in notation, chance's included."""
        return tuple(move.action for move in self.moves)

    def to_text(self) -> str:
        """The record as JSON lines."""
        return "\n".join([_header(self), *move_lines(self.moves), _ending(self.result), ""])

    def in_short(self) -> str:
        """The same record with all moves in one line, a third as long: what ledgers hold."""
        return "\n".join([_header(self), *moves_in_short(self._log), _ending(self.result), ""])

    @property
    def scored(self) -> list[Scored]:
        """Everything that was scored, in order."""
        return [*chain.from_iterable(self._log.scored.values()), *self.result.final]

    @property
    def _log(self) -> Log:
        return self.moves.log if isinstance(self.moves, Moves) else Log(self.moves)

    def write(self, path: Path | str) -> None:
        """Write the record to a file."""
        Path(path).write_text(self.to_text(), encoding="utf-8")


def play(
    rules: Rules | str,
    bots: Sequence[Bot],
    seed: int = 0,
    names: Sequence[str] | None = None,
    watch: Callable[[Move], None] | None = None,
    *,
    start: State | None = None,
) -> Match:
    """Play one match with the deal of this seed and write it down, from the start or from another position.

    A bot that raises or returns what is not legal is at fault: the match notes it and goes on, the seat passes
    where it may, takes the first legal action where it must act, and ranks last. `watch` is told every action, chance's included, as soon as it is taken.
    What a bot is given shares nothing with the match that it could change. Rules may be given as a spec, for as many players as there are bots.
    Raises `CarcError` if the number of bots is not that of the players, for what is no bot, or if the rules let chance do what
    is impossible, and passes `Void` on.
    """
    if isinstance(rules, str):
        rules = Rules.known(rules, len(bots))
    rules = Rules.given(rules)
    seed = whole(seed, "a seed")
    if len(bots) != rules.players:
        raise CarcError(
            f"{rules.spec} for {rules.players} players needs as many bots, not {len(bots)}"
        )
    for bot in bots:
        if isinstance(bot, type):
            raise BadBot(f"a bot is wanted, not its class: {bot.__name__}()")
        if not (hasattr(bot, "choose") or hasattr(bot, "choose_index")):
            raise BadBot(
                f"a bot has a method choose(state), which {bot!r} has not; carc.bots.by_name makes one of a name"
            )
    if start is not None and start.rules != rules:
        raise CarcError(f"the position is of {start.rules}, not of {rules}")
    state = rules.start() if start is None else start.copy()
    journal = Journal()
    state.journal = journal
    faults: list[Fault] = []

    def book(seat: int, action: int, error: Exception) -> None:
        if isinstance(error, Void):
            raise error
        faults.append(fault_of(seat, action, error))

    log = referee(state, rules.deal(seed), bots, book, watch)
    return Match(
        rules=rules.spec,
        rules_version=rules.version,
        players=rules.players,
        seats=tuple(names or [_name(bot) for bot in bots]),
        seed=seed,
        moves=Moves(log),
        result=result_of(state, faults, journal),
        position="" if start is None else start.to_text(),
        end=state,
    )


def beginning(match: Match, rules: Rules) -> State:
    """The position a match began from. Raises `BadPosition`."""
    return State.from_text(match.position, rules) if match.position else rules.start()


def _name(bot: Bot) -> str:
    return str(getattr(bot, "name", type(bot).__name__))


def fault_of(seat: int, action: int, error: Exception) -> Fault:
    if isinstance(error, BotFault):
        return Fault(seat, action, error.verdict, error.detail)
    if isinstance(error, IllegalAction):
        return Fault(seat, action, "illegal", str(error))
    if isinstance(error, CarcError):
        return Fault(seat, action, "malformed", str(error))
    return Fault(seat, action, "crash", f"{type(error).__name__}: {error}")


def result_of(state: State, faults: Sequence[Fault], journal: Journal) -> Result:
    at_fault = [fault.seat for fault in faults]
    return Result(
        scores=tuple(state.scores),
        ranks=ranking(state.results(), at_fault),
        winners=tuple([p for p in state.winners if p not in at_fault]),
        returns=tuple(state.returns()),
        faults=tuple(faults),
        final=scored_by(journal, final=True),
        outcome=state.outcome,
    )


# As `json.dumps` would write them, at a small part of the time: tournaments write millions.
# Lines are ASCII: a fault's detail may hold what splits lines or is no UTF-8.


def _header(match: Match) -> str:
    seats = ", ".join([quote(name) for name in match.seats])
    position = f', "position": {json.dumps(match.position)}' if match.position else ""
    return (
        f'{{"carc": {FORMAT}, "rules": {quote(match.rules)}, "rules_version": {quote(match.rules_version)}, '
        f'"players": {match.players}, "seats": [{seats}], "seed": {match.seed}{position}}}'
    )


def _ending(result: Result) -> str:
    faults = json.dumps([attrs.asdict(fault) for fault in result.faults]) if result.faults else "[]"
    outcome = f', "outcome": {json.dumps(result.outcome)}' if result.outcome else ""
    return (
        f'{{"result": {{"scores": {[*result.scores]}, "ranks": {[*result.ranks]}, '
        f'"winners": {[*result.winners]}, "returns": {[*result.returns]}, "faults": {faults}, '
        f'"final": {scored_text(result.final)}{outcome}}}}}'
    )


def read_record(text: str, source: str = "record") -> Match:
    """The match a record tells of. Raises `BadRecord`, naming the line, if it is not a whole record of this format."""
    lines = text.splitlines()
    header = _object(lines, 0, source)
    if header.get("carc") != FORMAT:
        raise BadRecord(f"{source}:1: not a record of a carc match in format {FORMAT}")
    last = _object(lines, len(lines) - 1, source)
    if "result" not in last:
        raise BadRecord(f"{source}:{len(lines)}: the record is cut off: its last line is no result")
    number = 1
    try:
        moves: list[Move] = []
        for number in range(1, len(lines) - 1):
            move = _object(lines, number, source)
            if "moves" in move:
                moves += _moves(str(move.pop("moves")), dict(move.pop("scored")))
            else:
                scored = tuple(Scored(**s) for s in move.pop("scored", ()))
                moves.append(Move(_whole(move.pop("player")), str(move.pop("action")), scored))
            if move:
                raise ValueError(f"unknown key {min(move)!r}")
        number = len(lines) - 1
        result = dict(last["result"])
        for key, kind in (("faults", Fault), ("final", Scored)):
            result[key] = tuple(kind(**one) for one in result[key])
        for key in ("scores", "ranks", "winners", "returns"):
            result[key] = tuple(result[key])
        if not isinstance(result.get("outcome", {}), dict):
            raise TypeError("outcome is no JSON object")
        ended = Result(**result)
        number = 0
        return Match(
            rules=str(header["rules"]),
            rules_version=str(header["rules_version"]),
            players=_whole(header["players"]),
            seats=tuple(map(str, header["seats"])),
            seed=_whole(header["seed"]),
            moves=tuple(moves),
            result=ended,
            position=str(header.get("position", "")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BadRecord(f"{source}:{number + 1}: not a line of a record: {error}") from None


def _moves(text: str, scored: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Move]:
    """Those of the line of a record in short."""
    words = text.split(" ")
    if unknown := scored.keys() - set(map(str, range(len(words) // 2))):
        raise ValueError(f"there is no move {min(unknown)}")
    return [
        Move(int(player), action, tuple(Scored(**s) for s in scored.get(str(at), ())))
        for at, (player, action) in enumerate(zip(words[::2], words[1::2], strict=True))
    ]


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _object(lines: Sequence[str], number: int, source: str) -> dict[str, Any]:
    try:
        data = json.loads(lines[number])
    except (IndexError, ValueError):
        raise BadRecord(
            f"{source}:{max(number, 0) + 1}: not a line of JSON; is this a carc record?"
        ) from None
    if not isinstance(data, dict):
        raise BadRecord(f"{source}:{number + 1}: not a JSON object; is this a carc record?")
    return data


def replay(match: Match, rules: Rules, source: str = "record", verify: bool = True) -> State:
    """Play a recorded match again and return its end.

    With `verify` every line is checked: the action is legal, its player decides, the deal is the seed's, the points are
    those noted, the result follows. Raises `BadRecord`, naming the line, at the first that is not so.
    """
    if rules.version != match.rules_version:
        raise BadRecord(
            f"{source}:1: played by rules version {match.rules_version}; these are {rules.version}"
        )
    try:
        state = beginning(match, rules)
    except CarcError as error:
        raise BadRecord(f"{source}:1: {error}") from None
    journal = Journal()
    state.journal = journal
    deal = rules.deal(match.seed)
    for number, move in enumerate(match.moves, start=2):

        def wrong(what: str, line: int = number) -> BadRecord:
            return BadRecord(f"{source}:{line}: {what}")

        try:
            action = state.check(rules.parse(move.action))
        except CarcError as error:
            raise wrong(str(error)) from None
        if verify and move.player != state.current_player:
            raise wrong(f"player {state.current_player} decides here, not {move.player}")
        if verify and state.current_player == CHANCE:
            dealt = deal.choose(state)
            if action != dealt:
                raise wrong(f"the deal of seed {match.seed} has {dealt} here")
        state.apply(action)
        scored = scored_by(journal)
        if verify and scored != move.scored:
            raise wrong(f"the points noted differ; scored was {[s.text for s in scored]}")
    end = len(match.moves) + 2
    if not state.is_terminal:
        raise BadRecord(f"{source}:{end}: the record ends before the game does")
    if verify and match.result != result_of(state, match.result.faults, journal):
        raise BadRecord(f"{source}:{end}: the result is not what these actions lead to")
    return state
