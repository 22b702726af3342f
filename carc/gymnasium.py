"""One seat against bots as a Gymnasium environment: `carc.gymnasium.Seat("base", [bot])` (`docs/learn.md`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from carc.base.rules import Rules
from carc.base.state import State
from carc.base.steps import CHANCE
from carc.errors import CarcError
from carc.match import Bot

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError:
    raise CarcError("carc.gymnasium needs Gymnasium: pip install 'carc[gymnasium]'") from None

from carc.observation import encoding
from carc.seen import seen_by, spaces_of

Make = Callable[[int], Bot]
"""A bot from a seed: each game's opponents are new ones."""


class Seat(gymnasium.Env[dict[str, Any], Any]):
    """The learner has one seat, drawn anew each game unless `seat` says which; bots have the others.

    `opponents` makes the bots from a seed, the same for all seats if there is one. What is seen and done is as in
    `carc.pettingzoo`; the reward is the seat's `State.returns` at the end, 0 before. `table` is the state.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self,
        rules: str | Rules = "base",
        opponents: Sequence[Make] = (),
        *,
        players: int = 2,
        seat: int | None = None,
        size: int = 0,
        render_mode: str | None = None,
    ) -> None:
        self.rules = Rules.known(rules, players) if isinstance(rules, str) else rules
        others = self.rules.players - 1
        if others and len(opponents) not in (1, others):
            raise CarcError(f"{others} opponents are wanted, or one for all; not {len(opponents)}")
        self._make = list(opponents) * (others if len(opponents) == 1 else 1)
        self.encoding = encoding(self.rules, size)
        self.render_mode = render_mode
        if seat is not None and not 0 <= seat < self.rules.players:
            raise CarcError(f"there is no seat {seat}: they are 0 to {others}")
        self._fixed = seat
        self.action_space = spaces.Discrete(self.encoding.actions)
        self.observation_space = spaces_of(self.encoding)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A new game up to the learner's first decision. `info` has the learner's `seat`."""
        super().reset(seed=seed)
        draws = [int(n) for n in self.np_random.integers(2**62, size=2 + len(self._make))]
        players = self.rules.players
        self.seat = draws[1] % players if self._fixed is None else self._fixed
        self._deal = self.rules.deal(draws[0])
        bots = [make(draw) for make, draw in zip(self._make, draws[2:], strict=True)]
        seats = [seat for seat in range(players) if seat != self.seat]
        self._bots = dict(zip(seats, bots, strict=True))
        self.table: State = self.rules.start()
        self._go_on()
        return seen_by(self.encoding, self.table, self.seat), {"seat": self.seat}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """The learner's action, then everybody's up to its next decision. Raises `IllegalAction`, with nothing changed."""
        self.table.apply(self.encoding.action(self.table, int(action)))
        self._go_on()
        over = self.table.is_terminal
        reward = float(self.table.returns()[self.seat]) if over else 0.0
        info: dict[str, Any] = {"seat": self.seat}
        if over:
            info["scores"] = list(self.table.scores)
        return seen_by(self.encoding, self.table, self.seat), reward, over, False, info

    def _go_on(self) -> None:
        table = self.table
        while not table.is_terminal and table.current_player != self.seat:
            if table.current_player == CHANCE:
                table.apply(self._deal.choose(table))
            else:
                bot = self._bots[table.current_player]
                table.apply(table.check(bot.choose(table.copy())))

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The legal codes, as libraries with masked policies ask for them."""
        held: Any = self.encoding.mask(self.table)
        return np.frombuffer(held, np.bool_)

    def render(self) -> Any:
        """The table as text, in the mode `ansi`."""
        return str(self.table) if self.render_mode == "ansi" else None
