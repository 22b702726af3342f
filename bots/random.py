"""`random`: any legal action, all alike. Compiled: asking it costs more than its thinking."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, ClassVar

from mypy_extensions import mypyc_attr

from carc.base.deal import below

if TYPE_CHECKING:
    from carc import Action, State


@mypyc_attr(allow_interpreted_subclasses=True)
class Random:
    """Chooses uniformly among the legal actions."""

    name: ClassVar[str] = "random"

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)

    def choose(self, state: State) -> Action:
        return state.action_at(self.choose_index(state.count_actions()))

    def choose_index(self, count: int) -> int:
        """The index of its choice among so many legal actions: it needs to see nothing of them."""
        return below(self._rng.getrandbits, count)
