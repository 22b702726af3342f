"""The Goldmines: `base+gold` (GLD-01 to GLD-03)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from carc.base.expansions.estimates import Estimates
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.turn.actions import Action
from carc.base.turn.adjacent import AdjacentCellStep
from carc.base.turn.scoring import majority
from carc.base.turn.steps import ScoreStep, Step
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.gold.estimates import GoldEstimates
from carc.classics.gold.gold_state import GoldState, points_each
from carc.classics.steps import CallbackStep


class SecondIngotStep(AdjacentCellStep):
    """GLD-01: the second ingot goes on a neighbour of the mine's tile."""

    def __init__(self, gold: Gold) -> None:
        super().__init__("gold", diagonal=True)
        self.gold: Final = gold

    def cell_chosen(self, state: State, player: int, cell: int) -> None:
        """Put the ingot there."""
        if cell >= 0:
            self.gold.state_of(state).add(cell)


class Gold(CompetitiveExpansion[GoldState]):
    """Ingots lie on tiles; the majority on a completed feature takes those on it."""

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
        self.state_of(state).add(state.board.cell_of(tile))
        state.push(self.second_ingot, state.active_player)

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """GLD-02: the majority may take the ingots on the feature's tiles."""
        own = self.state_of(state)
        if not final and own.lying:
            for cell in own.reached(state, feature):
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
                state.award(owner, "gold", n, points_each(n))

    def estimates(self) -> Estimates:
        return GoldEstimates(self)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the ingots on tiles to the pieces; `gold`: how many each owner has."""
        own = self.state_of(state)
        data["pieces"] += [piece(state, "gold", cell, count=n) for cell, n in own.lying.items()]
        return {**data, "gold": own.held.copy()}
