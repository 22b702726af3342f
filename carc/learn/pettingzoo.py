"""Any rules as a PettingZoo environment, agent by agent: `carc.learn.pettingzoo.env("base+ghosts", players=3)` (`docs/learn.md`)."""

from __future__ import annotations

import random
from typing import Any, ClassVar

from carc.base.game.rules import Rules
from carc.base.game.steps import CHANCE
from carc.base.validation import whole
from carc.errors import CarcError, IllegalAction

try:
    from pettingzoo import AECEnv
except ImportError:
    raise CarcError(
        "carc.learn.pettingzoo needs PettingZoo: pip install 'carc[pettingzoo]'"
    ) from None

from gymnasium import spaces

from carc.learn.episode import Episode, spaces_of


class Carcassonne(Episode, AECEnv[str, dict[str, Any], int]):
    """One game. Agents are `player_0`, `player_1`, ...; chance plays by itself.

    Rewards are `State.returns` at the end, 0 before: -1 to 1, in the co-operative game the same for all. Raises `IllegalAction` at an
    action that is not legal, with nothing changed, and `CarcError` for other agents. `table` is the state.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "carc_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }
    OF_A_GAME = (
        "table", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos",
    )  # fmt: skip

    def __init__(
        self,
        rules: str | Rules = "base",
        players: int | None = None,
        size: int = 0,
        render_mode: str | None = None,
    ) -> None:
        self._plays(rules, players, size, render_mode)
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.agents: list[str] = []
        self.action_spaces = {
            agent: spaces.Discrete(self.encoding.actions) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: spaces_of(self.encoding) for agent in self.possible_agents
        }
        self._random = random.Random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What `observe` gives."""
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The codes of actions (`carc.learn.codes`)."""
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def _seat(self, agent: str) -> int:
        if agent not in self.possible_agents:
            agents = ", ".join(self.possible_agents)
            raise CarcError(f"there is no agent {agent!r}; there are {agents}")
        return self.possible_agents.index(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; the seed decides its deal and those after it. `options={"position": TEXT}` begins from a position."""
        first = self._first(options)
        if seed is not None:
            self._random = random.Random(whole(seed, "a seed"))
        self._deal = self.rules.deal(self._random.getrandbits(62))
        self.table = first
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now: arrays of its own."""
        return self._seen(self._seat(agent))

    def last(self, observe: bool = True) -> Any:
        """Of the agent to decide: what it sees, its reward since it acted last, whether its game is over or cut, and its info."""
        self._check_on()
        return super().last(observe)

    def step(self, action: Any) -> None:
        """The agent to decide performs the action of this code; one whose game is over steps with None."""
        self._check_on()
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._act(action)
        self._cumulative_rewards[agent] = 0.0
        self._go_on()

    def _check_on(self) -> None:
        """Raises `NoGame` before the first game, `IllegalAction` when every agent has left it."""
        if self.agent_selection not in self.agents:
            raise IllegalAction("the game is over: reset() begins the next")

    def _go_on(self) -> None:
        """Chance plays up to the next decision; at the end all agents are done."""
        table = self.table
        while table.current_player == CHANCE:
            table.apply(self._deal.choose(table))
        if not table.is_terminal:
            self.agent_selection = self.possible_agents[table.current_player]
            return
        for agent, value in zip(self.agents, table.returns(), strict=True):
            self.rewards[agent] = value
            self.terminations[agent] = True
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def close(self) -> None:
        """Nothing is held open."""

    def __str__(self) -> str:
        return "carc_v0"


def env(
    rules: str | Rules = "base",
    players: int | None = None,
    size: int = 0,
    render_mode: str | None = None,
) -> Carcassonne:
    """The environment. `players`: of a spec, 2 unless said. `size`: of the window that is seen and acted in; 0: one that random games stay in."""
    return Carcassonne(rules, players, size, render_mode)
