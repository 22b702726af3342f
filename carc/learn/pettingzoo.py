"""Any rules as a PettingZoo AEC environment (`docs/learn.md`).

env = carc.learn.pettingzoo.env("base+ghosts", players=3)
"""

import random
from typing import Any, ClassVar

from carc.base.game.rules import Rules
from carc.base.turn.steps import CHANCE
from carc.base.validation import whole
from carc.errors import CarcError, IllegalAction

try:
    from pettingzoo import AECEnv
except ImportError:
    raise CarcError(
        "carc.learn.pettingzoo needs PettingZoo: pip install 'carc[pettingzoo]'"
    ) from None

from gymnasium import spaces

from carc.learn.environment import Environment, observation_space


class CarcassonneAECEnv(Environment, AECEnv[str, dict[str, Any], int]):
    """A game whose agents are `player_0`, `player_1`, ...; chance plays by itself.

    Rewards are `State.returns` at the end of the game, 0 before: -1 to 1, the same for all in the
    co-operative game.

    Attributes:
        game_state: The state of the current game.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "carc_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }
    GAME_ATTRIBUTES = (
        "game_state",
        "agent_selection",
        "rewards",
        "_cumulative_rewards",
        "terminations",
        "truncations",
        "infos",
    )

    def __init__(
        self,
        rules: str | Rules = "base",
        players: int | None = None,
        size: int = 0,
        render_mode: str | None = None,
        *,
        tokens: bool = False,
    ) -> None:
        """Set up the environment; see `env`."""
        self._configure(rules, players, size, render_mode, tokens)
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.agents: list[str] = []
        self.action_spaces = {
            agent: spaces.Discrete(self.encoding.num_actions) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: observation_space(self.encoding, tokens) for agent in self.possible_agents
        }
        self._random = random.Random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what `observe` returns."""
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of action codes (`carc.learn.action_codes`)."""
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def _seat(self, agent: str) -> int:
        if agent not in self.possible_agents:
            agents = ", ".join(self.possible_agents)
            raise CarcError(f"there is no agent {agent!r}; agents are {agents}")
        return self.possible_agents.index(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: The seed of this game and those after it.
            options: `{"position": TEXT}` begins with a position (`State.to_text`).

        Raises:
            BadPosition: The position is not valid.
            CarcError: An option is not allowed.
        """
        initial_state = self._initial_state(options)
        if seed is not None:
            self._random = random.Random(whole(seed, "a seed"))
        self._deal = self.rules.deal(self._random.getrandbits(62))
        self.game_state = initial_state
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._play_to_decision()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees now, in new arrays.

        Raises:
            CarcError: There is no such agent.
        """
        return self._observation(self._seat(agent))

    def last(self, observe: bool = True) -> Any:
        """Return what concerns the agent to decide.

        Returns:
            Its observation, its reward since it last acted, terminated, truncated and info.

        Raises:
            NoGame: No game has begun.
            IllegalAction: Every agent has left the game.
        """
        self._check_running()
        return super().last(observe)

    def step(self, action: Any) -> None:
        """Perform an action of the agent to decide.

        Args:
            action: The code of the action; None for an agent whose game is over.

        Raises:
            NoGame: No game has begun.
            IllegalAction: The action is not legal. Nothing has changed.
            CarcError: The action is no int.
        """
        self._check_running()
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._act(action)
        self._cumulative_rewards[agent] = 0.0
        self._play_to_decision()

    def _check_running(self) -> None:
        """Raise `NoGame` before the first game, `IllegalAction` after every agent has left it."""
        if self.agent_selection not in self.agents:
            raise IllegalAction("the game is over: reset() starts the next")

    def _play_to_decision(self) -> None:
        """Let chance play until a player is to decide; at the end terminate all agents."""
        state = self.game_state
        while state.current_player == CHANCE:
            state.apply(self._deal.choose(state))
        if not state.is_terminal:
            self.agent_selection = self.possible_agents[state.current_player]
            return
        for agent, value in zip(self.agents, state.returns(), strict=True):
            self.rewards[agent] = value
            self.terminations[agent] = True
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    def __str__(self) -> str:
        return "carc_v0"


def env(
    rules: str | Rules = "base",
    players: int | None = None,
    size: int = 0,
    render_mode: str | None = None,
    *,
    tokens: bool = False,
) -> CarcassonneAECEnv:
    """Return the environment.

    Args:
        rules: The rules, or their spec.
        players: The number of players, if `rules` is a spec; 2 by default.
        size: The width of the window in cells; 0: wide enough for random games.
        render_mode: "ansi" or None.
        tokens: Observe rows (`carc.learn.token_arrays.fixed_tokens`), not planes.

    Raises:
        CarcError: An argument is not allowed.
    """
    return CarcassonneAECEnv(rules, players, size, render_mode, tokens=tokens)
