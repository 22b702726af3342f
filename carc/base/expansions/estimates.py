"""`Estimates`: what bots may expect of an expansion. Play asks none of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from mypy_extensions import mypyc_attr

if TYPE_CHECKING:
    from carc.base.game.state import State


@mypyc_attr(allow_interpreted_subclasses=True)
class Estimates:
    """What bots may expect of an expansion (`Expansion.estimates`). Override what it tells."""

    DESCRIPTORS: ClassVar[Mapping[str, Sequence[float]]] = {}
    """What `descriptors` returns: name -> its weights for `LearnedEvaluation`, in points, one for
    each of its `KNOTS`."""

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Fold: the points each owner may expect that no feature's value shows.

        For instance tokens that count at the end.
        """
        return expected

    def descriptors(self, state: State) -> list[list[float]]:
        """Return what describes each owner, in the order of `DESCRIPTORS`.

        `LearnedEvaluation` weighs it, and then does not ask for `expected_points`.
        """
        return []

    def win_chances(self, state: State, chances: list[float]) -> list[float]:
        """Fold: how likely each player is to win, 0 to 1, where points do not say it.

        For instance a team's goal. The argument is what points say, a half each for a team.
        """
        return chances
