"""What a match needs of a bot, and the exceptions that stand for its faults."""

from typing import Protocol

from carc.base.game.state import State
from carc.base.turn.actions import Action


class Bot(Protocol):
    """Anything that chooses actions.

    A bot has its own random generator. It may change the state it is given: a copy of what it sees.

    A bot that only needs the number of legal actions may define `choose_index(count)`. It is then
    called instead of `choose`, and no state is copied and no actions are listed for it.
    """

    def choose(self, state: State) -> Action:
        """Return one of `state.legal_actions()`."""
        ...


class BotFault(Exception):
    """A fault with a verdict of its own, raised by a stand-in for a bot that runs elsewhere.

    Any other exception from a bot gets the verdict `crash`, `illegal` or `malformed`.
    """

    def __init__(self, verdict: str, detail: str) -> None:
        super().__init__(f"{verdict}: {detail}")
        self.verdict = verdict
        self.detail = detail


class Void(Exception):
    """The match cannot be finished, and no bot is to blame. `play` lets it through."""
