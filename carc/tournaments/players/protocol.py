"""The runner's side of the bots' protocol (`docs/protocol.md`): JSON lines over pipes.

The deal, its seed, the other bots' names and the game's id are in no message.
"""

import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, Protocol, Self

from carc.base.game.hidden import read_by
from carc.base.game.state import State
from carc.base.turn.actions import Action
from carc.bots.session import PROTOCOL, line_of
from carc.bounded import parse_json
from carc.errors import BadNotation
from carc.match import BotFault, Match
from carc.match.moves import Move
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.exit_verdict import Killed
from carc.tournaments.isolation.meter import Meter
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Program
from carc.tournaments.isolation.resources import shortage
from carc.tournaments.outcomes import remedies, verdicts
from carc.tournaments.outcomes.stages import Cause, HostFailure, exchange
from carc.tournaments.players import shown

_log = logging.getLogger(__name__)

_LONGEST = 100  # characters of an action; none comes near


class Peer(Protocol):
    """A bot's program as the runner talks to it for one game: a `Process`, or one far away."""

    begun: float
    wall: float
    cpu: float
    meter: Meter

    @property
    def stderr(self) -> str: ...

    @property
    def memory(self) -> int: ...

    def launched(self) -> None: ...

    def ask(self, line: bytes, seconds: float, allowed: str) -> bytes: ...

    def tell(self, line: bytes) -> None: ...

    def close(self, why: str = "") -> None: ...


class RemoteBot:
    """A bot in its own process, for one game; `carc.match.play` asks it like any other.

    Once something has gone wrong, every `choose` raises `carc.match.BotFault`.
    """

    def __init__(
        self,
        start: Callable[[], Peer],
        *,
        clock: Clock,
        seat: int,
        seed: int,
        history: list[str],
    ) -> None:
        self.times: list[tuple[float, float]] = []
        """Seconds of wall time and of CPU time of each move."""
        self.start: tuple[float, float] = (0.0, 0.0)
        """Seconds of wall time and of CPU time of starting."""
        self._clock = clock
        self._bank = clock.bank
        self._seat = seat
        self._seed = seed
        self._history = history  # the game's actions so far, kept up by the runner
        self._sent = 0
        self._wants_state = False
        self._fault: BotFault | None = None
        self._start = start
        self._process = start()
        self._asked: list[bytes] = []
        self._numbers: list[int] = []  # of the requests
        self._begun_again = False
        self._said = ""  # on the stderr of a process that was killed

    @property
    def wall(self) -> float:
        """Seconds of all moves."""
        return sum(wall for wall, _ in self.times)

    @property
    def cpu(self) -> float:
        """Seconds of CPU time of all moves."""
        return sum(cpu for _, cpu in self.times)

    @property
    def stderr(self) -> str:
        """What it wrote to stderr."""
        with suppress(BotFault, HostFailure):
            return self._said + exchange(lambda: self._process.stderr)
        return self._said

    @property
    def memory(self) -> int:
        """The most memory it has used so far, in bytes; 0 once it is gone."""
        with suppress(BotFault):
            return exchange(lambda: self._process.memory)
        return 0

    def greet(self) -> None:
        """Wait until it is ready; what goes wrong is kept for its first move.

        Raises `HostFailure` if the host could not start it, in two attempts.
        """
        try:
            exchange(self._greet_twice)
        except BotFault as fault:
            self._fail(fault, starting=True)
        self.start = (monotonic() - self._process.begun, self._process.meter.cpu)

    def _greet_twice(self) -> None:
        try:
            self._greet()
        except Killed as death:
            self._begin_again(death)

    def _greet(self) -> None:
        try:
            self._process.launched()
        except HostFailure as failure:  # nothing of the bot's own has run yet
            _log.warning("%s; it is started again", failure)
            self._process.close()
            self._process = self._start()
            self._process.launched()
        process, limit = self._process, self._clock.start
        line = process.ask(
            line_of(type="hello", protocol=PROTOCOL), limit, f"{limit:g} s from its start"
        )
        ready = _message(line, "ready")
        if ready.get("protocol") != PROTOCOL:
            raise BotFault(
                verdicts.MALFORMED,
                f"it speaks protocol {remedies.shown(ready.get('protocol'))}; this is {PROTOCOL}",
            )
        self._wants_state = ready.get("state") is True

    def _begin_again(self, death: Killed) -> None:
        """Start a process that somebody killed again, once a game, and ask it all again.

        So it knows what it knew. It is no new game, and all that takes time is on its clock: a bot
        that has itself killed wins nothing. If it cannot be started again, it has ended. Raises
        `BotFault` if it was killed before, or fails now.
        """
        if self._begun_again:
            raise death
        self._begun_again = True
        _log.warning("a bot's process was killed: it is started again and told the game so far")
        self._process.close()
        self._said = f"{self._process.stderr}\n[killed, started again]\n"
        try:
            self._process = self._start()
            self._greet()
        except HostFailure as failure:
            raise BotFault(death.verdict, f"{death.detail}; not started again: {failure}") from None
        self._bank -= monotonic() - self._process.begun
        for request in self._asked:
            limit = max(min(self._clock.cap, self._bank), 0.0)
            self._process.ask(request, limit, f"{limit:.3g} s of its clock, asked again")
            self._bank -= self._process.wall

    def _ask(self, lines: bytes, limit: float, allowed: str) -> bytes:
        try:
            answer = self._process.ask(lines, limit, allowed)
        except Killed as death:
            lost = self._process.wall
            self._bank -= lost
            self._begin_again(death)
            answer = self._process.ask(lines, max(min(limit - lost, self._bank), 0.0), allowed)
        self._asked.append(lines)
        return answer

    def choose(self, state: State) -> Action:
        """Return the bot's choice; raise `BotFault` if it made none, or had a fault before."""
        if self._fault is not None:
            raise self._fault
        number, lines = self._request(state)
        try:
            text = exchange(lambda: self._answer(number, lines))
        except BotFault as fault:
            self._fail(fault)
            raise
        try:
            return state.rules.parse(text)
        except BadNotation as error:
            legal = [str(action) for action in state.legal_actions()]
            malformed = BotFault(verdicts.MALFORMED, remedies.no_action(text, legal, error))
            self._fail(malformed)
            raise malformed from None

    def _request(self, state: State) -> tuple[int, bytes]:
        """Return the lines that ask for a choice, and the number that the answer has to bear."""
        # Not to be guessed, so that no answer comes before its question.
        number = secrets.randbits(32)
        request: dict[str, Any] = {
            "type": "choose",
            "id": number,
            "actions": [read_by(state.rules, action, self._seat) for action in self._news()],
            "legal": [str(action) for action in state.legal_actions()],
            "bank": round(self._bank, 3),
            "limit": round(self._limit, 3),
        }
        if self._wants_state or state.rules.has_secrets:
            request["state"] = state.view(self._seat).to_dict()
        lines = line_of(**request)
        return number, lines if self.times else self._game(state) + lines

    @property
    def _limit(self) -> float:
        return min(self._clock.cap, self._bank)

    def _answer(self, number: int, lines: bytes) -> str:
        """Return the text of the action that answers a request."""
        clock, limit = self._clock, self._limit
        allowed = f"{limit:.3g} s, the cap of a move"
        if self._bank < clock.cap:
            allowed = f"{limit:.3g} s, the rest of its bank"
        try:
            line = self._ask(lines, limit, allowed)
        finally:
            self.times.append((self._process.wall, self._process.cpu))
        self._bank += clock.increment - self._process.wall
        reply = _message(line, "action")
        if reply.get("id") != number:
            why = remedies.another_id(reply.get("id"), number, self._numbers)
            raise BotFault(verdicts.MALFORMED, why)
        self._numbers.append(number)
        text = reply.get("action")
        if not isinstance(text, str) or len(text) > _LONGEST:
            raise BotFault(verdicts.MALFORMED, remedies.no_text(text))
        return text

    def over(self, match: Match) -> None:
        """Tell it how the game ended, which is decided: nothing that fails now changes it."""
        if self._fault is None:
            result = match.result
            line = line_of(
                type="over",
                actions=self._news(),
                scores=result.scores,
                ranks=result.ranks,
            )
            with suppress(BotFault, HostFailure):
                exchange(lambda: self._process.tell(line))

    def close(self, why: str = "") -> None:
        """End its process, however the game ended; because of a fault if it says why."""
        with suppress(BotFault, HostFailure):
            exchange(lambda: self._process.close(why))

    def _game(self, state: State) -> bytes:
        clock = self._clock
        return line_of(
            type="game",
            rules=state.rules.spec,
            rules_version=state.rules.version,
            players=state.rules.players,
            seat=self._seat,
            seed=self._seed,
            clock={"bank": clock.bank, "increment": clock.increment, "cap": clock.cap},
        )

    def _news(self) -> list[str]:
        news = self._history[self._sent :]
        self._sent = len(self._history)
        return news

    def _fail(self, fault: BotFault, starting: bool = False) -> None:
        if starting and fault.verdict != verdicts.FAILED_TO_START:
            fault = BotFault(verdicts.FAILED_TO_START, str(fault))
        self._fault = fault
        self.close(str(fault))


class Table:
    """Where bots in their own processes play one game; it tells them what happens."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._screen = shown.screen if shown.screen.is_on else None
        self._history: list[str] = []
        self._bots: list[RemoteBot] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the bots' processes."""
        for bot in self._bots:
            bot.close()

    def reserve(self, programs: Sequence[Program]) -> None:
        """Raise `HostFailure` unless the host has all that the bots of a game may use."""
        if why := shortage(programs):
            raise HostFailure(Cause.SHORTAGE, why)

    def start(self, program: Program, seat: int, seed: int) -> RemoteBot:
        """Return a bot that plays by a program here, as `seat` does."""
        return self.seat(partial(Process, program), seat, seed)

    def seat(self, start: Callable[[], Peer], seat: int, seed: int) -> RemoteBot:
        """Return a bot at a seat, with a seed of its own, when it is ready.

        Start one after another, so that none has the time of the others' start. Its process is gone
        when the table is left. Raises `HostFailure` if the host could not start it.
        """
        bot = RemoteBot(start, clock=self._clock, seat=seat, seed=seed, history=self._history)
        self._bots.append(bot)
        bot.greet()
        return bot

    @property
    def is_watched(self) -> bool:
        """Whether anybody has to be told of moves: a bot elsewhere, or who looks on."""
        return bool(self._bots) or self._screen is not None

    def watch(self, move: Move) -> None:
        """Note a move."""
        self._history.append(move.action)
        if self._screen is not None:
            self._screen.show(move.action)

    def over(self, match: Match) -> None:
        """Tell the bots how it ended."""
        for bot in self._bots:
            bot.over(match)


def _message(line: bytes, kind: str) -> dict[str, Any]:
    """Return the message on a line; raise `BotFault` if it is not one of this kind."""
    try:
        message = parse_json(line.decode())
    except ValueError as error:
        raise BotFault(verdicts.MALFORMED, remedies.no_json(line, error)) from None
    if not isinstance(message, dict) or message.get("type") != kind:
        raise BotFault(verdicts.MALFORMED, remedies.another_message(line, kind))
    return message
