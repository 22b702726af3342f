"""A bot that uses its clock and its memory.

It plans a whole turn: where to place the tile and what to do next. It compares the most promising
turns by what they are worth after the next player's reply, for random draws, until its time is up.
It remembers the plan, so the second decision of a turn takes no time.
"""

import random
import time

from carc import CHANCE, Action, Evaluation, State
from carc.base.game.playout import random_action

CANDIDATES = 6  # turns worth a closer look
SHARE = 1 / 60  # of the time left, for one decision


class Turn:
    """A turn planned greedily from its first action on."""

    def __init__(self, bot: "Bot", state: State, action: Action) -> None:
        self.player = state.current_player
        self.plan = {state.key(): action}  # what to do in which position
        self.end = after(state, action)
        while self.end.current_player == self.player:
            action = bot.greedy(self.end)
            self.plan[self.end.key()] = action
            self.end = after(self.end, action)
        self.values = [bot.lead(self.end, self.player)]

    def mean(self) -> float:
        """Return the mean of the values found so far."""
        return sum(self.values) / len(self.values)


class Bot:
    """Compares the most promising turns while there is time."""

    clock = None  # set before each decision of a submitted bot: seconds left, as bank and limit

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)
        self.evaluation: Evaluation | None = None
        self.plan: dict[bytes, Action] = {}

    def choose(self, state: State) -> Action:
        """Return the planned action; at the beginning of a turn, plan it first."""
        deadline = time.monotonic() + self.seconds()
        self.evaluation = self.evaluation or Evaluation(state.rules)
        if state.key() not in self.plan:
            turns = [Turn(self, state, action) for action in state.legal_actions()]
            turns.sort(key=Turn.mean, reverse=True)
            del turns[CANDIDATES:]
            while len(turns) > 1 and time.monotonic() < deadline:
                for turn in turns:
                    turn.values.append(self.reply(turn.end, turn.player))
            self.plan = max(turns, key=Turn.mean).plan
        return self.plan[state.key()]

    def seconds(self) -> float:
        """Return how long this decision may take."""
        if self.clock is None:  # there is no clock inside the process
            return 0.05
        return min(self.clock.bank * SHARE, self.clock.limit / 2)

    def greedy(self, state: State) -> Action:
        """Return the action that gives the player who decides the largest lead."""
        player = state.current_player
        return max(
            state.legal_actions(), key=lambda action: self.lead(after(state, action), player)
        )

    def reply(self, state: State, player: int) -> float:
        """Return a player's lead after a random draw and the next player's best placement."""
        while state.current_player == CHANCE:
            state = after(state, random_action(state, self.random))
        if not state.is_terminal:
            state = after(state, self.greedy(state))
        return self.lead(state, player)

    def lead(self, state: State, player: int) -> float:
        """Return a player's expected lead over the best opponent."""
        assert self.evaluation is not None
        expected = list(self.evaluation.players(state))
        mine = expected.pop(player)
        return mine - max(expected, default=0.0)


def after(state: State, action: Action) -> State:
    """Return a copy of a position in which an action was performed."""
    new = state.copy()
    new.apply(action)
    return new
