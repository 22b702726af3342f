"""One player against bots as a Gymnasium environment (`docs/learn.md`).

env = carc.learn.gymnasium.CarcassonneEnv("base", "greedy")
"""

from collections.abc import Callable, Sequence
from typing import Any

from carc.base.game.rules import Rules
from carc.base.turn.steps import CHANCE
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

from carc.learn.environment import Environment, observation_space

Opponent = str | type[Bot] | Callable[[int], Bot]
"""A bot's name, its class, or a function that makes one from a seed. Each game has new ones."""

RAISES, LOSES = "raises", "loses"


class CarcassonneEnv(Environment, gymnasium.Env[dict[str, Any], Any]):
    """A game in which the learner has one seat and bots have the others.

    Observations and actions are those of `carc.learn.pettingzoo`. The reward is the seat's entry of
    `State.returns` at the end of the game, 0 before.

    Attributes:
        game_state: The state of the current game.
        seat: The learner's seat in the current game.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}
    GAME_ATTRIBUTES = ("game_state", "seat")

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
        tokens: bool = False,
    ) -> None:
        """Set up the environment.

        Args:
            rules: The rules, or their spec.
            opponents: One for all other seats, or one for each.
            players: The number of players, if `rules` is a spec; 2 by default.
            seat: The learner's seat; by default another is drawn for each game.
            size: The width of the window in cells; 0: wide enough for random games.
            render_mode: "ansi" or None.
            illegal: What an illegal action does. "raises": it raises `IllegalAction` and changes
                nothing. "loses": it ends the game with reward -1, as PettingZoo's
                `TerminateIllegalWrapper` does; for programs that sample actions without a mask,
                such as Gymnasium's `check_env`.
            tokens: Observe rows (`carc.learn.token_arrays.fixed_tokens`), not planes.

        Raises:
            CarcError: An argument is not allowed.
        """
        self._configure(rules, players, size, render_mode, tokens)
        self._make = _makers(opponents, self.rules.players - 1)
        if illegal not in (RAISES, LOSES):
            raise CarcError(f"illegal is {RAISES!r} or {LOSES!r}, not {illegal!r}")
        self._loses = illegal == LOSES
        self._lost = False
        self._fixed = None if seat is None else whole(seat, "a seat")
        if self._fixed is not None and not 0 <= self._fixed < self.rules.players:
            raise CarcError(f"there is no seat {seat}; seats are 0 to {self.rules.players - 1}")
        self.action_space = spaces.Discrete(self.encoding.num_actions)
        self.observation_space = observation_space(self.encoding, tokens)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a game and play up to the learner's first decision.

        Args:
            seed: The seed of this game and those after it.
            options: `{"position": TEXT}` begins with a position (`State.to_text`).

        Returns:
            The observation, and an info with the learner's `seat`.

        Raises:
            BadPosition: The position is not valid.
            CarcError: The game ends before the learner is to decide.
        """
        initial_state = self._initial_state(options)
        super().reset(seed=None if seed is None else whole(seed, "a seed"))
        draws = [int(n) for n in self.np_random.integers(2**62, size=2 + len(self._make))]
        players = self.rules.players
        self.seat = draws[1] % players if self._fixed is None else self._fixed
        self._deal = self.rules.deal(draws[0])
        bots = [make(draw) for make, draw in zip(self._make, draws[2:], strict=True)]
        seats = [seat for seat in range(players) if seat != self.seat]
        self._bots = dict(zip(seats, bots, strict=True))
        self.game_state = initial_state
        self._lost = False
        self._play_to_decision()
        if self.game_state.is_terminal:
            raise CarcError(
                "from this position the game ends before the learner, in seat "
                f"{self.seat}, is to decide"
            )
        return self._observation(self.seat), {"seat": self.seat}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Perform the learner's action and play up to its next decision.

        Args:
            action: The code of the action.

        Returns:
            Observation, reward, terminated, truncated (always False) and info. The info has the
            `seat`; the `scores` at the end; `illegal`, a message, after an illegal action.

        Raises:
            IllegalAction: The action is not legal, or the game is over. Nothing has changed.
            CarcError: The action is no int.
        """
        if self._lost:
            raise IllegalAction("the game was lost by an illegal action: reset() starts the next")
        over = self.game_state.is_terminal
        try:
            self._act(action)
        except IllegalAction as error:
            if over or not self._loses:
                raise
            self._lost = True
            return (
                self._observation(self.seat),
                -1.0,
                True,
                False,
                {"seat": self.seat, "illegal": str(error)},
            )
        self._play_to_decision()
        over = self.game_state.is_terminal
        reward = float(self.game_state.returns()[self.seat]) if over else 0.0
        info: dict[str, Any] = {"seat": self.seat}
        if over:
            info["scores"] = list(self.game_state.scores)
        return self._observation(self.seat), reward, over, False, info

    def _play_to_decision(self) -> None:
        """Let chance and the bots play until the learner is to decide or the game is over."""
        state = self.game_state
        while not state.is_terminal and state.current_player != self.seat:
            if state.current_player == CHANCE:
                state.apply(self._deal.choose(state))
            else:
                state.apply(BotAdapter(self._bots[state.current_player]).ask(state))

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return the legal codes, as `sb3_contrib` asks for them; none once the game is over."""
        if self._lost:
            return np.zeros(self.encoding.num_actions, np.bool_)
        buffer: Any = self.encoding.action_mask(self.game_state)
        return np.frombuffer(buffer, np.bool_)


def _makers(opponents: Opponent | Sequence[Opponent], others: int) -> list[Callable[[int], Bot]]:
    """Return a function for each other seat that makes its bot from a seed."""
    from carc.bots import bot_maker  # noqa: PLC0415 (bots are imported only where they are used)

    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        makers = [bot_maker(opponent) for opponent in opponents]
    else:
        makers = [bot_maker(opponents)] * others
    if others and len(makers) == 1:
        makers *= others
    if others and len(makers) != others:
        raise CarcError(
            f"opponents are one bot for all other seats or one for each of the {others}, not "
            f"{len(makers)}"
        )
    return makers
