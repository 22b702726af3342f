"""The Goldmines: `base+gold` (GLD-01 to GLD-03)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from carc.base.cells import AROUND, are_close
from carc.base.expansions.about import About, Words
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.position.state_fields import Count, Owner, TileCell
from carc.base.tiles.tile import FIELD
from carc.base.turn.actions import Action
from carc.base.turn.scoring import majority
from carc.base.turn.steps import ScoreStep, Step
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.steps import AdjacentCellStep, CallbackStep

# What each ingot scores, by how many an owner has, up to 10 (GLD-03).
POINTS_EACH: Final = (1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4)


class GoldState(ExpansionState):
    """Where the ingots are.

    Attributes:
        held: How many each owner has.
        lying: How many lie on each cell.
        claimed: The owners who may take from a cell when this turn's scoring is done.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "lying": dict[TileCell, Count],
        "claimed": dict[TileCell, frozenset[Owner]],
        "held": list[Count],
    }

    def __init__(self, held: list[int]) -> None:
        """Start without ingots on the board."""
        self.held = held
        self.lying: dict[int, int] = {}
        self.claimed: dict[int, frozenset[int]] = {}

    def copy(self) -> GoldState:
        """Return an independent copy."""
        new = GoldState(self.held.copy())
        new.lying, new.claimed = self.lying.copy(), self.claimed.copy()
        return new


class SecondIngotStep(AdjacentCellStep):
    """GLD-01: the second ingot goes on a neighbour of the mine's tile."""

    def __init__(self, gold: Gold) -> None:
        """Make the step."""
        super().__init__("gold", AROUND)
        self.gold: Final = gold

    def cell_chosen(self, state: State, player: int, cell: int) -> None:
        """Put the ingot there."""
        if cell >= 0:
            _add(self.gold.state_of(state), cell)


class Gold(CompetitiveExpansion[GoldState]):
    """Ingots lie on tiles; the majority on a completed feature takes those on it."""

    ABOUT = About(
        "The Goldmines",
        "Ingots lie on the tiles; whoever completes a feature there takes them.",
        tile="GO07",
        piece="gold",
        terms={
            "goldmine": "A gold ingot comes here and on a tile beside it, for whoever scores a "
            "feature there.",
        },
    )

    WORDS = Words(
        phrases={
            "gold": "puts gold on {place}",
        },
    )

    TILES = Path(__file__).with_name("goldmines.txt")
    ONLY_FOR = {"tile_placed": ("goldmine",)}
    ON_CELLS = ("gold",)

    def bind(self, rules: Rules) -> None:
        """Make the step of the second ingot."""
        self.second_ingot = SecondIngotStep(self)

    def turn(self, steps: list[Step]) -> list[Step]:
        """GLD-02: ingots are handed out after scoring."""
        after = max([at for at, step in enumerate(steps) if isinstance(step, ScoreStep)]) + 1
        hand_out = CallbackStep("hand out", None, self._hand_out, in_scoring=True)
        return [*steps[:after], hand_out, *steps[after:]]

    def setup(self, state: State) -> ExpansionState:
        """Start without own."""
        return GoldState([0] * state.rules.owners)

    def tile_placed(self, state: State, tile: int) -> None:
        """GLD-01: an ingot on the mine's tile, another on a neighbour of the player's choice."""
        _add(self.state_of(state), state.board.cell_of(tile))
        state.push(self.second_ingot, state.active_player)

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """GLD-02: the majority may take the ingots on the feature's tiles."""
        own = self.state_of(state)
        if not final and own.lying:
            for cell in _reached(state, feature, own):
                takers = own.claimed.get(cell, frozenset()).union(majority(state, feature))
                own.claimed[cell] = takers

    def _hand_out(self, state: State, player: int, action: Action | None) -> None:
        """GLD-02: take ingots in turn, the active player first.

        Each comes from the tile from which most owners may take.
        """
        own = self.state_of(state)
        if not own.claimed:
            return
        cells = [cell for cell, takers in own.claimed.items() if takers]
        cells.sort(key=lambda cell: (-len(own.claimed[cell]), cell))
        owner = state.rules.colours[player][0]
        while any(cell in own.lying for cell in cells):
            for cell in cells:
                if cell in own.lying and owner in own.claimed[cell]:
                    own.held[owner] += 1
                    own.lying[cell] -= 1
                    if not own.lying[cell]:
                        del own.lying[cell]
                    break
            owner = (owner + 1) % state.rules.owners
        own.claimed.clear()

    def game_ended(self, state: State) -> None:
        """GLD-03: the more ingots an owner has, the more each scores."""
        for owner, n in enumerate(self.state_of(state).held):
            if n:
                state.award(owner, "gold", n, _points_each(n))

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what ingots may bring: a bit more than now, and half of those to be won (GLD-03)."""
        own = self.state_of(state)
        expected = [
            points + n * _points_each(n + 1) for points, n in zip(expected, own.held, strict=True)
        ]
        for feature in state.board.occupied_features() if own.lying else ():
            n = sum([own.lying[cell] for cell in _reached(state, feature, own)])
            for owner in majority(state, feature) if n and state.board.is_open(feature) else ():
                expected[owner] += 0.5 * n * _points_each(own.held[owner] + n)
        return expected

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the ingots on tiles to the pieces; `gold`: how many each owner has."""
        own = self.state_of(state)
        data["pieces"] += [piece(state, "gold", cell, count=n) for cell, n in own.lying.items()]
        return {**data, "gold": own.held.copy()}


def _points_each(n: int) -> int:
    return POINTS_EACH[min(n, 10)]


def _add(gold: GoldState, cell: int) -> None:
    """Put an ingot on a cell."""
    gold.lying[cell] = gold.lying.get(cell, 0) + 1


def _reached(state: State, feature: int, gold: GoldState) -> list[int]:
    """Return the cells of the ingots that go with a feature (GLD-02): none with a field.

    The cells of a feature are its tiles', or all nine where the neighbours complete it.
    """
    board = state.board
    if board.is_kind(feature, FIELD):
        return []
    if board.segment_kind(feature).completed_by == "neighbours":
        middle = board.cell_under(feature)
        return [cell for cell in gold.lying if are_close(cell, middle)]
    return [cell for cell in gold.lying if board.is_on_tile(feature, board.tile_on_cell(cell))]
