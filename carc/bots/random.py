"""`random`: any legal action, all alike. Compiled: asking it costs more than its thinking."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, ClassVar, Final

from mypy_extensions import i64, mypyc_attr

if TYPE_CHECKING:
    from carc import Action, State

_TIMES: Final = (
    698_769_069  # of Marsaglia's KISS; times 2 ** 32, less 1, it is a prime, and below 2 ** 62
)
_LOW: Final = (1 << 32) - 1


@mypyc_attr(allow_interpreted_subclasses=True)
class Random:
    """Chooses uniformly among the legal actions."""

    name: ClassVar[str] = "random"

    def __init__(self, seed: int = 0) -> None:
        # Multiply with carry: to seed a `random.Random` takes longer than to play a game with it.
        drawn = blake2b(str(seed).encode(), digest_size=7).digest()
        self._drawn: i64 = int.from_bytes(drawn, "big") + 1

    def choose(self, state: State) -> Action:
        return state.action_at(self.choose_index(state.count_actions()))

    def choose_index(self, count: int) -> int:
        """The index of its choice among so many legal actions: it needs to see nothing of them."""
        drawn = (self._drawn & _LOW) * _TIMES + (self._drawn >> 32)
        self._drawn = drawn
        many: i64 = count
        return ((drawn ^ drawn >> 32) & _LOW) * many >> 32
