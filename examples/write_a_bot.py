"""A bot of one's own: it lays tiles where most features are completed at once."""

from carc import Action, Rules, State, play
from carc.bots import by_name


class Closer:
    """Takes the action after which the fewest features are open."""

    def choose(self, state: State) -> Action:
        return min(state.legal_actions(), key=lambda action: self.open_after(state, action))

    def open_after(self, state: State, action: Action) -> int:
        after = state.copy()
        after.apply(action)
        return sum(not feature["complete"] for feature in after.to_dict("features")["features"])


print(play(Rules.from_spec("base"), [Closer(), by_name("random")], seed=1).result)
