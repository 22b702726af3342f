"""One seat against bots as a Gymnasium environment: `carc.learn.gymnasium.Seat("base", "greedy")` (`docs/learn.md`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from carc.base.game.rules import Rules
from carc.base.game.steps import CHANCE
from carc.base.validation import whole
from carc.errors import CarcError, IllegalAction
from carc.match import Bot
from carc.match.referee import BotAdapter

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError:
    raise CarcError("carc.learn.gymnasium needs Gymnasium: pip install 'carc[gymnasium]'") from None

from carc.learn.episode import Episode, spaces_of

Opponent = str | type[Bot] | Callable[[int], Bot]
"""A bot's name, its class, or what makes one from a seed: each game's opponents are new ones."""

RAISES, LOSES = "raises", "loses"


class Seat(Episode, gymnasium.Env[dict[str, Any], Any]):
    """The learner has one seat, drawn anew each game unless `seat` says which; bots have the others.

    `opponents`: one for all other seats, or one for each (`Opponent`). What is seen and done is as in `carc.learn.pettingzoo`; the reward
    is the seat's `State.returns` at the end, 0 before. `table` is the state. `illegal`: what an action does that is not legal;
    as a rule it `"raises"` `IllegalAction`, with nothing changed; where it `"loses"`, the game is over for the learner with -1, as
    with PettingZoo's `TerminateIllegalWrapper`: for what samples actions without a mask, such as Gymnasium's `check_env`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}
    OF_A_GAME = ("table", "seat")

    def __init__(
        self,
        rules: str | Rules = "base",
        opponents: Opponent | Sequence[Opponent] = "greedy",
        *,
        players: int | None = None,
        seat: int | None = None,
        size: int = 0,
        render_mode: str | None = None,
        illegal: str = RAISES,
    ) -> None:
        self._plays(rules, players, size, render_mode)
        self._make = _makers(opponents, self.rules.players - 1)
        if illegal not in (RAISES, LOSES):
            raise CarcError(f"an illegal action {RAISES!r} or {LOSES!r}, not {illegal!r}")
        self._loses = illegal == LOSES
        self._lost = False
        self._fixed = None if seat is None else whole(seat, "a seat")
        if self._fixed is not None and not 0 <= self._fixed < self.rules.players:
            raise CarcError(f"there is no seat {seat}: they are 0 to {self.rules.players - 1}")
        self.action_space = spaces.Discrete(self.encoding.actions)
        self.observation_space = spaces_of(self.encoding)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A new game up to the learner's first decision. `info` has the learner's `seat`. `options={"position": TEXT}` begins from a position."""
        first = self._first(options)
        super().reset(seed=None if seed is None else whole(seed, "a seed"))
        draws = [int(n) for n in self.np_random.integers(2**62, size=2 + len(self._make))]
        players = self.rules.players
        self.seat = draws[1] % players if self._fixed is None else self._fixed
        self._deal = self.rules.deal(draws[0])
        bots = [make(draw) for make, draw in zip(self._make, draws[2:], strict=True)]
        seats = [seat for seat in range(players) if seat != self.seat]
        self._bots = dict(zip(seats, bots, strict=True))
        self.table = first
        self._lost = False
        self._go_on()
        if self.table.is_terminal:
            raise CarcError(
                f"from this position the game ends before seat {self.seat}, the learner's, is to decide"
            )
        return self._seen(self.seat), {"seat": self.seat}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """The learner's action, then everybody's up to its next decision. `info` has the `seat`, and at the end the `scores`."""
        if self._lost:
            raise IllegalAction("the game is lost by an illegal action: reset() begins the next")
        over = self.table.is_terminal
        try:
            self._act(action)
        except IllegalAction as error:
            if over or not self._loses:
                raise
            self._lost = True
            return (
                self._seen(self.seat),
                -1.0,
                True,
                False,
                {"seat": self.seat, "illegal": str(error)},
            )
        self._go_on()
        over = self.table.is_terminal
        reward = float(self.table.returns()[self.seat]) if over else 0.0
        info: dict[str, Any] = {"seat": self.seat}
        if over:
            info["scores"] = list(self.table.scores)
        return self._seen(self.seat), reward, over, False, info

    def _go_on(self) -> None:
        table = self.table
        while not table.is_terminal and table.current_player != self.seat:
            if table.current_player == CHANCE:
                table.apply(self._deal.choose(table))
            else:
                table.apply(BotAdapter(self._bots[table.current_player]).ask(table))

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The legal codes, as libraries with masked policies ask for them; none once the game is over."""
        if self._lost:
            return np.zeros(self.encoding.actions, np.bool_)
        held: Any = self.encoding.mask(self.table)
        return np.frombuffer(held, np.bool_)


def _makers(given: Opponent | Sequence[Opponent], others: int) -> list[Callable[[int], Bot]]:
    """What makes the bot of each other seat."""
    from carc.bots import maker  # noqa: PLC0415 (carc knows no bots until they are asked for)

    if isinstance(given, Sequence) and not isinstance(given, str):
        makers = [maker(one) for one in given]
    else:
        makers = [maker(given)] * others
    if others and len(makers) == 1:
        makers *= others
    if others and len(makers) != others:
        raise CarcError(
            f"opponents are one for all other seats or one for each of the {others}; given are {len(makers)}"
        )
    return makers
