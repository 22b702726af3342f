"""Any rules as a PettingZoo environment, agent by agent: `carc.pettingzoo.env("base+ghosts", players=3)` (`docs/learn.md`)."""

from __future__ import annotations

import random
from typing import Any, ClassVar

from carc.base.rules import Rules
from carc.base.state import State
from carc.base.steps import CHANCE
from carc.errors import CarcError

try:
    from pettingzoo import AECEnv
except ImportError:
    raise CarcError("carc.pettingzoo needs PettingZoo: pip install 'carc[pettingzoo]'") from None

from gymnasium import spaces

from carc.observation import encoding
from carc.seen import seen_by, spaces_of


class Carcassonne(AECEnv[str, dict[str, Any], int]):
    """One game. Agents are `player_0`, `player_1`, ...; chance plays by itself.

    Rewards are `State.returns` at the end, 0 before: -1 to 1, in the co-operative game the same for all. Raises `IllegalAction` at an
    action that is not legal, with nothing changed. `table` is the state.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "carc_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: str | Rules = "base",
        players: int = 2,
        size: int = 0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise CarcError(f"render_mode is 'ansi' or None, not {render_mode!r}")
        self.rules = Rules.known(rules, players) if isinstance(rules, str) else rules
        self.encoding = encoding(self.rules, size)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {a: spaces.Discrete(self.encoding.actions) for a in self._seats}
        self.observation_spaces = {agent: spaces_of(self.encoding) for agent in self._seats}
        self._random = random.Random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What `observe` gives."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The codes of actions (`carc.base.codes`)."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; the seed decides its deal and those after it. `options={"position": TEXT}` begins from a position."""
        if seed is not None:
            self._random = random.Random(seed)
        self._deal = self.rules.deal(self._random.getrandbits(62))
        position = (options or {}).get("position")
        self.table = State.from_text(position, self.rules) if position else self.rules.start()
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now: arrays of its own."""
        return seen_by(self.encoding, self.table, self._seats[agent])

    def step(self, action: Any) -> None:
        """The agent to decide performs the action of this code."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        chosen = self.encoding.action(self.table, int(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.table.apply(chosen)
        self._go_on()

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

    def render(self) -> str | None:
        """The table as text, in the mode `ansi`."""
        return str(self.table) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    def __str__(self) -> str:
        return "carc_v0"


def env(
    rules: str | Rules = "base",
    players: int = 2,
    size: int = 0,
    render_mode: str | None = None,
) -> Carcassonne:
    """The environment. `size`: of the window that is seen and acted in; 0: one that random games stay in."""
    return Carcassonne(rules, players, size, render_mode)
