"""`SupplyWorth`: what the followers in a supply are worth. For bots only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from librt.vecs import vec
from mypy_extensions import i64

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

_MOST: Final = 63  # followers in a supply that count


@final
class SupplyWorth:
    """What followers in a supply are worth at the beginning of the game, in points."""

    def __init__(self, rules: Rules, weights: dict[str, float]) -> None:
        """Prepare for the positions of some rules."""
        w = weights
        each = [w["spare"] * min(max(w["spare_falls"], 0.0), 1.0) ** n for n in range(_MOST + 1)]
        # By how many there are: what they are worth together.
        self._worth: Final = vec[float]([sum(each[:n]) for n in range(_MOST + 1)])
        self._other: Final = w["spare_other"]
        self._back: Final = min(max(w["spare_back"], 0.0), 1.0)
        self._followers: Final = vec[i64](
            [at for at, kind in enumerate(rules.follower_kinds) if kind.is_follower]
        )
        self._usual: Final[i64] = self._followers[0]
        self._kinds: Final[i64] = len(rules.follower_kinds)

    def worth(self, state: State, owner: i64, returning: float) -> float:
        """Return what an owner's supply is worth.

        Args:
            state: The state.
            owner: The owner.
            returning: How many followers are expected to come home.
        """
        count = self._back * returning + float(self._count(state, owner))
        whole = min(i64(count), _MOST - 1)
        worth = self._worth[whole]
        worth += (count - float(whole)) * (self._worth[whole + 1] - worth)
        return worth + self.others(state, owner)

    def others(self, state: State, owner: i64) -> float:
        """Return what the followers that are not the usual ones are worth besides."""
        worth = 0.0
        for kind in self._followers:
            if kind != self._usual:
                worth += self._other * float(state.board._supply[owner * self._kinds + kind])
        return worth

    def cost(self, state: State, owner: i64, follower: i64, chance: float) -> float:
        """Return what an owner loses by placing a follower.

        Args:
            state: The state.
            owner: The owner.
            follower: The kind of follower.
            chance: The chance that it comes home.
        """
        count = self._count(state, owner)
        cost = self._worth[count] - self._worth[max(count - 1, 0)]
        cost *= 1.0 - self._back * chance
        if follower != self._usual:
            cost += self._other
        return cost

    def _count(self, state: State, owner: i64) -> i64:
        supply = state.board._supply
        count: i64 = 0
        for kind in self._followers:
            count += supply[owner * self._kinds + kind]
        return count
