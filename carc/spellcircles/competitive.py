"""The Spell Circles beside Ghosts, Castles & Cemeteries (SCC-*).

Ghosts are with meeples here, not on tiles. So a circle draws in those with meeples on the eight
neighbour tiles: this project's reading of the source (`docs/rules.md`, SCC-04).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from carc.base.position.expansion_state import ExpansionState
from carc.base.turn.actions import Action, parse_choice
from carc.base.turn.steps import Step
from carc.expansion_ghosts.competitive import Ghosts
from carc.expansion_ghosts.mist import standing
from carc.spellcircles.circles import Circles, DrawInStep, fill
from carc.spellcircles.circles_state import CirclesState
from carc.spellcircles.freeing import FreeStep

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


class CompetitiveCircles(Circles[CirclesState]):
    """`base+ghosts+spellcircles`: nine tiles whose circles hold ghosts."""

    def __init__(self, ghosts: Ghosts) -> None:
        super().__init__()
        self.ghosts: Final = ghosts
        ghosts.haunting_folds.append(self._haunting)

    def bind(self, rules: Rules) -> None:
        """Look up the tiles and make the steps."""
        super().bind(rules)
        self.draw_in: Step = MeepleDrawInStep(self)
        self.free_other: Step = FreeStep(self, self.ghosts, False)
        self.free_own: Step = FreeStep(self, self.ghosts, True)

    def parse(self, text: str) -> Action | None:
        """Return the choice `lure` or `free` that `text` denotes."""
        return parse_choice(text, ("lure", "free"))

    def setup(self, state: State) -> ExpansionState | None:
        """Start with no ghost in a circle."""
        return CirclesState()

    def _haunting(self, state: State, tile: int, steps: list[Step]) -> list[Step]:
        """Fold: the steps to which a tile leads, with those for circles (SCC-03 to SCC-07)."""
        here = self.circles[state.board.kind_of_tile(tile)]
        own = self.state_of(state)
        if not here and not (steps and own.held):
            return steps
        own.finished, own.continued, own.torn = [], [], []
        torn: list[int] = []
        torn_own = torn_other = False
        if self.ghosts.haunt_own in steps:
            torn, torn_own, torn_other = self._torn_banks(state, tile)
        if steps and own.held:
            self._find_occupied(state, tile, torn)
        due: list[Step] = []
        if torn_own:
            for _, n in here:
                due.extend([self.ghosts.haunt_own] * n)
        own.empty = self._to_fill(state, tile)
        if own.empty:
            due.append(self.draw_in)
        for step in steps:
            if step is self.ghosts.haunt_own:
                # If only a circle tile's own mist is torn, SCC-03 replaces the one ghost.
                if torn_other or not here:
                    due.append(step)
                if own.torn:
                    due.append(self.free_own)
            else:
                due.append(step)
                if step is self.ghosts.haunt_other and (own.finished or own.continued):
                    due.append(self.free_other)
        return due

    def _torn_banks(self, state: State, tile: int) -> tuple[list[int], bool, bool]:
        """Return the banks that a tile tears, and whether its own mist and the board's are torn."""
        banks: list[int] = []
        own = False
        other = False
        for side in range(4):
            beside = state.board.neighbour(tile, side)
            if beside < 0:
                continue
            mine = state.board.overlay_at_side(tile, side)
            theirs = state.board.overlay_at_side(beside, side ^ 2)
            if mine >= 0 and theirs < 0:
                own = True
                banks.append(state.board.feature_of(mine))
            elif theirs >= 0 and mine < 0:
                other = True
                banks.append(state.board.feature_of(theirs))
        return banks, own, other

    def _find_occupied(self, state: State, tile: int, torn: list[int]) -> None:
        """Note the occupied circles in banks that the tile continued, finished or tore (SCC-10)."""
        own = self.state_of(state)
        mine: list[int] = []
        for segment in state.board.segments_of(tile):
            if state.board.is_kind(segment, self.ghosts.mist.bank):
                mine.append(state.board.feature_of(segment))
        for segment in own.held:
            bank = state.board.feature_of(segment)
            if bank in mine:
                if state.board.is_open(bank):
                    own.continued.append(segment)
                else:
                    own.finished.append(segment)
            if bank in torn:
                own.torn.append(segment)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the ghosts in circles to the pieces."""
        data["pieces"] += standing(state, "bound ghost", self.state_of(state).held)
        return data


class MeepleDrawInStep(DrawInStep):
    """SCC-04: ghosts are drawn in from meeples on neighbour tiles; a circle may stay empty."""

    def __init__(self, circles: CompetitiveCircles) -> None:
        super().__init__()
        self.circles: Final = circles

    def lured(self, state: State) -> tuple[dict[int, int], dict[int, int], list[int]]:
        own = self.circles.state_of(state)
        return self.circles.ghosts.state_of(state).ghosts, own.held, own.empty

    def fill_from_stock(self, state: State) -> None:
        """Fill circles as long as the stock lasts."""
        own, ghosts = self.circles.state_of(state), self.circles.ghosts.state_of(state)
        while own.empty and ghosts.stock:
            ghosts.stock -= 1
            fill(own.held, own.empty)
