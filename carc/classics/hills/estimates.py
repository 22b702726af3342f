"""What flocks may bring (HIL-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.expansions.estimates import Estimates

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.hills import Hills


class HillsEstimates(Estimates):
    """The flocks on the table."""

    def __init__(self, hills: Hills) -> None:
        self.hills: Final = hills

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add the sheep of flocks, by how likely they go home before a wolf comes."""
        shepherds = self.hills.shepherds
        sheep = shepherds.sheep(state)
        likely = state.tiles_left / (state.tiles_left + 6)
        fields = shepherds.fields(state)
        for owner, field in dict.fromkeys([(n // shepherds.each, fields[n]) for n in fields]):
            expected[owner] += likely * sheep[field]
        return expected
