"""The smallest bot: it places a follower whenever it can."""

from carc import Action, Claim, State


class Bot:
    def choose(self, state: State) -> Action:
        legal = state.legal_actions()
        return next((action for action in legal if isinstance(action, Claim)), legal[0])
