"""A one-ply bot: it tries each action and takes the one after which its lead is largest."""

from carc import Action, Evaluation, State


class Bot:
    """Judges positions by the final points each player can expect."""

    evaluation: Evaluation | None = None  # made at the first decision, kept for the game

    def choose(self, state: State) -> Action:
        """Return the action that leads to the best position."""
        self.evaluation = self.evaluation or Evaluation(state.rules)
        return max(state.legal_actions(), key=lambda action: self.lead(state, action))

    def lead(self, state: State, action: Action) -> float:
        """Return the expected lead over the best opponent after an action."""
        assert self.evaluation is not None
        after = state.copy()
        after.apply(action)
        expected = list(self.evaluation.players(after))
        mine = expected.pop(state.current_player)
        return mine - max(expected, default=0.0)
