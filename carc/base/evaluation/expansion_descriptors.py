"""`ExpansionDescriptors`: what expansions describe of a position, and their weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.evaluation.descriptors import DESCRIPTORS, KNOTS
from carc.base.expansions.estimates import Estimates
from carc.errors import BadRules

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


@final
class ExpansionDescriptors:
    """What the expansions of some rules describe, besides `DESCRIPTORS`.

    Attributes:
        weights: The weights by name, one for each knot, in the order of the descriptors.
        estimating: Those that describe nothing, but expect points.
    """

    def __init__(self, rules: Rules, blind: bool) -> None:
        """Collect the descriptors.

        Args:
            rules: The rules.
            blind: Ask no expansion.

        Raises:
            BadRules: A descriptor has the name of another one, or not a weight for each knot.
        """
        self._describing: Final = vec[Estimates]() if blind else rules.estimates.descriptors
        self.weights: Final[dict[str, Sequence[float]]] = {}
        for estimates in self._describing:
            self._add_weights(estimates)
        self.estimating: Final = vec[Estimates](
            [e for e in rules.estimates.expected_points if not (blind or type(e).DESCRIPTORS)]
        )

    def _add_weights(self, estimates: Estimates) -> None:
        """Add the weights of an expansion's descriptors."""
        title = f"{type(estimates).__name__}.DESCRIPTORS"
        for name, weights in type(estimates).DESCRIPTORS.items():
            if name in self.weights or name in DESCRIPTORS:
                raise BadRules(f"{title} names {name!r}, which there is already")
            if len(weights) != len(KNOTS):
                raise BadRules(
                    f"{title} has {len(weights)} weights for {name!r}; a descriptor has"
                    f" {len(KNOTS)}, one for each of carc.base.evaluation.descriptors.KNOTS"
                )
            self.weights[name] = weights

    def fill(self, state: State, sums: vec[float], size: i64) -> None:
        """Fill in what describes each owner, after the first `DESCRIPTORS`.

        Args:
            state: The position.
            sums: By owner and descriptor.
            size: How many descriptors there are.

        Raises:
            BadRules: An expansion describes more or less than it names.
        """
        at: i64 = len(DESCRIPTORS)
        for estimates in self._describing:
            count: i64 = len(type(estimates).DESCRIPTORS)
            base = at
            for row in estimates.descriptors(state):
                if len(row) != count:
                    raise BadRules(
                        f"{type(estimates).__name__}.descriptors returns {len(row)} numbers for an"
                        f" owner; DESCRIPTORS names {count}"
                    )
                for each in range(count):
                    sums[base + each] = row[each]
                base += size
            at += count
