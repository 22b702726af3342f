"""Little Buildings: `base+buildings` (LIT-01)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, ClassVar, Final

from carc.base.cells import are_close
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.position.state_fields import Count, TileNumber
from carc.base.turn.choices import Choices, Listed
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.steps import SimpleAction

NAMES: Final = ("shed", "house", "tower")
COPIES: Final = 6  # of each, shared out evenly


class BuildingsState(ExpansionState):
    """Which buildings stand where.

    Attributes:
        left: How many of each each owner has, owner by owner, in the order of `NAMES`.
        built: The building on each tile, as an index of `NAMES`.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "left": list[Count],
        "built": dict[TileNumber, Count],
    }

    def __init__(self, left: list[int]) -> None:
        self.left = left
        self.built: dict[int, int] = {}

    def copy(self) -> BuildingsState:
        new = BuildingsState(self.left.copy())
        new.built = self.built.copy()
        return new


class Buildings(CompetitiveExpansion[BuildingsState]):
    """A shed, house or tower on a tile makes the features there worth more.

    Option `worth`: 1, 2 and 3 points in `order`, or 1 point `each`.
    """

    def options(self) -> Mapping[str, Sequence[str]]:
        """LIT-01: what the buildings are worth."""
        return {"worth": ("order", "each")}

    def bind(self, rules: Rules) -> None:
        """Make the actions."""
        self.worth = [1, 1, 1] if self.chosen["worth"] == "each" else [1, 2, 3]
        self.simple_actions = [
            SimpleAction(rules, f"building:{name}", partial(self._build, which))
            for which, name in enumerate(NAMES)
        ]
        # By which buildings a player has left, as `claims` counts.
        self.choices = [
            Listed([action for action, has in zip(self.simple_actions, left, strict=True) if has])
            for left in product((False, True), repeat=len(NAMES))
        ]

    def setup(self, state: State) -> ExpansionState:
        """LIT-01: share out the buildings; what is left over stays in the box."""
        return BuildingsState([COPIES // state.rules.owners] * (len(NAMES) * state.rules.owners))

    def claims(self, state: State, player: int) -> Choices:
        """LIT-01: instead of a follower, a building goes on the tile."""
        left = self.state_of(state).left
        first = player * len(NAMES)
        at = 0
        for which in range(len(NAMES)):
            at = 2 * at + (1 if left[first + which] else 0)
        return self.choices[at]

    def _build(self, which: int, state: State, player: int) -> None:
        own = self.state_of(state)
        own.left[player * len(NAMES) + which] -= 1
        own.built[state.board.last_tile] = which

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """LIT-01: add the buildings on a feature's tiles; around a monastery, on all nine."""
        built = self.state_of(state).built
        if not built:
            return points
        board = state.board
        around = board.segment_kind(feature).completed_by == "neighbours"
        here = board.cell_under(feature)
        more = 0
        for tile, which in built.items():
            if are_close(board.cell_of(tile), here) if around else board.is_on_tile(feature, tile):
                more += self.worth[which]
        state.note("buildings", more, 1)
        return points + more

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the buildings to the pieces; `buildings`: how many of each each owner has left."""
        own = self.state_of(state)
        for tile, which in own.built.items():
            cell = state.board.cell_of(tile)
            data["pieces"].append(piece(state, f"little {NAMES[which]}", cell))
        n = len(NAMES)
        data["buildings"] = [
            dict(zip(NAMES, own.left[at : at + n], strict=True))
            for at in range(0, len(own.left), n)
        ]
        return data
