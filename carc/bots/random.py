"""`random`: any legal action, all with the same probability.

Compiled (`build_tools`): otherwise asking this bot would take longer than its choice.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, ClassVar, Final

from mypy_extensions import i64, mypyc_attr

if TYPE_CHECKING:
    from carc import Action, State

# The multiplier of Marsaglia's KISS. Times 2 ** 32, less 1, it is a prime below 2 ** 62.
_MULTIPLIER: Final = 698_769_069
_LOW: Final = (1 << 32) - 1


@mypyc_attr(allow_interpreted_subclasses=True)
class Random:
    """Chooses uniformly among the legal actions."""

    name: ClassVar[str] = "random"

    def __init__(self, seed: int = 0) -> None:
        """Seed a generator of its own: multiply with carry.

        Seeding a `random.Random` takes longer than playing a game with it.
        """
        digest = blake2b(str(seed).encode(), digest_size=7).digest()
        self._drawn: i64 = int.from_bytes(digest, "big") + 1

    def choose(self, state: State) -> Action:
        """Return a random legal action."""
        return state.action_at(self.choose_index(state.count_actions()))

    def choose_index(self, count: int) -> int:
        """Return the index of its choice among `count` legal actions, without seeing them."""
        drawn = (self._drawn & _LOW) * _MULTIPLIER + (self._drawn >> 32)
        self._drawn = drawn
        many: i64 = count
        return ((drawn ^ drawn >> 32) & _LOW) * many >> 32
