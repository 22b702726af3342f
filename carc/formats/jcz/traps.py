"""When JCloisterZone lets traps catch followers: at once, and the player confirms it."""

from typing import Final

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.classics.russian import Russian

ACTION: Final = ("claim", "capture", "exchange", "flight", "land", "rest")  # the player still acts
SECOND: Final = ("phantom", "tunnel")  # what comes between two times when traps catch


class Traps:
    """Whom the traps of a game hold, and whom they will catch."""

    def __init__(self, rules: Rules) -> None:
        self._russian: Final = [each for each in rules.expansions if isinstance(each, Russian)]

    def held(self, state: State, owner: int) -> int:
        """Return how many followers of an owner are in traps."""
        board = state.board
        traps = [trap for russian in self._russian for trap in russian.state_of(state).traps]
        return sum([whose == owner for trap in traps for whose, _ in board.followers_at(trap)])

    def sprung(self, state: State) -> State:
        """Return the position in which the traps have caught all in reach."""
        after = state.copy()
        for russian in self._russian:
            russian.traps.spring(after)
        return after
