"""The Spell Circles beside Ghosts, Castles & Cemeteries (SCC-*).

Ghosts are with meeples here, not on tiles. So a circle draws in those with meeples on the eight
neighbour tiles: this project's reading of the source (`docs/rules.md`, SCC-04).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from carc.base.expansions.expansion import Expansion
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Count, Segment
from carc.base.tiles.tile import TileSet
from carc.base.turn.actions import Action, OnSegment, chosen_segment, parse_choice, segment_choices
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import Step
from carc.expansion_ghosts.competitive import Ghosts
from carc.expansion_ghosts.mist import standing
from carc.spellcircles.circles import TILES, DrawInStep, circles_on, contradictions, to_fill

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


class CirclesState(ExpansionState):
    """Ghosts in circles, and what is due this turn.

    Attributes:
        held: How many ghosts are in the circles of a mist segment.
        empty: The circles to fill, each by its mist segment (SCC-04).
        continued: The segments one of which gives away one ghost (SCC-05).
        finished: The segments that give all their ghosts to opponents (SCC-06).
        torn: The segments that give all their ghosts to own meeples (SCC-07).
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "held": dict[Segment, Count],
        **dict.fromkeys(("empty", "continued", "finished", "torn"), list[Segment]),
    }

    def __init__(self) -> None:
        """Start with no ghost in a circle."""
        self.held: dict[int, int] = {}
        self.empty: list[int] = []
        self.continued: list[int] = []
        self.finished: list[int] = []
        self.torn: list[int] = []

    def copy(self) -> CirclesState:
        """Return an independent copy."""
        new = CirclesState()
        new.held = self.held.copy()
        new.empty = self.empty.copy()
        new.continued = self.continued.copy()
        new.finished = self.finished.copy()
        new.torn = self.torn.copy()
        return new


class CompetitiveCircles(Expansion[CirclesState]):
    """`base+ghosts+spellcircles`: nine tiles whose circles hold ghosts."""

    HELPERS: ClassVar[tuple[str, ...]] = ("haunting", "release", "release_all")

    def __init__(self, ghosts: Ghosts) -> None:
        """Make the expansion beside the competitive ghosts."""
        super().__init__()
        self.ghosts: Final = ghosts
        ghosts.haunting_folds.append(self.haunting)

    def contradictions(self, tiles: TileSet) -> list[str] | None:
        """Return what contradicts the known circle tiles."""
        return contradictions(tiles)

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """SCC-01: add the nine tiles."""
        return [*sets, read(TILES)]

    def bind(self, rules: Rules) -> None:
        """Look up the tiles and make the steps."""
        self.circles: list[tuple[tuple[int, int], ...]] = circles_on(rules)
        self.draw_in: Step = MeepleDrawInStep(self)
        self.free_other: Step = FreeStep(self, False)
        self.free_own: Step = FreeStep(self, True)

    def parse(self, text: str) -> Action | None:
        """Return the choice `lure` or `free` that `text` denotes."""
        return parse_choice(text, ("lure", "free"))

    # -- play -------------------------------------------------------------------------------------

    def setup(self, state: State) -> ExpansionState | None:
        """Start with no ghost in a circle."""
        return CirclesState()

    def haunting(self, state: State, tile: int, steps: list[Step]) -> list[Step]:
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
        own.empty = to_fill(state, tile, here)
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

    def release(self, state: State, segment: int) -> None:
        """Return one ghost from a circle of this segment to the stock."""
        own = self.state_of(state)
        if own.held[segment] == 1:
            del own.held[segment]
        else:
            own.held[segment] -= 1
        self.ghosts.state_of(state).stock += 1

    def release_all(self, state: State, segments: Sequence[int]) -> None:
        """Return all ghosts from the circles of these segments to the stock."""
        own = self.state_of(state)
        for segment in segments:
            self.ghosts.state_of(state).stock += own.held.pop(segment, 0)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the ghosts in circles to the pieces."""
        data["pieces"] += standing(state, "bound ghost", self.state_of(state).held)
        return data


class MeepleDrawInStep(DrawInStep):
    """SCC-04: ghosts are drawn in from meeples on neighbour tiles; a circle may stay empty."""

    def __init__(self, circles: CompetitiveCircles) -> None:
        """Make the step."""
        super().__init__()
        self.circles: Final = circles

    def ghosts(self, state: State) -> dict[int, int]:
        """Return the ghosts with meeples."""
        return self.circles.ghosts.state_of(state).ghosts

    def held(self, state: State) -> dict[int, int]:
        """Return the ghosts in circles."""
        return self.circles.state_of(state).held

    def empty(self, state: State) -> list[int]:
        """Return the circles to fill."""
        return self.circles.state_of(state).empty

    def from_stock(self, state: State) -> None:
        """Fill circles as long as the stock lasts."""
        own = self.circles.ghosts.state_of(state)
        empty = self.empty(state)
        while empty and own.stock:
            own.stock -= 1
            self.fill(state, empty)


class FreeStep(Step):
    """Ghosts leave circles one by one, to opponents (SCC-05, SCC-06) or own meeples (SCC-07)."""

    def __init__(self, circles: CompetitiveCircles, to_own: bool) -> None:
        """Make the step; `to_own`: ghosts go to own meeples."""
        super().__init__("free own" if to_own else "free")
        self.circles: Final = circles
        self.to_own: Final = to_own

    def _leaving(self, state: State) -> list[int]:
        """Return the segments whose circles give all their ghosts away."""
        own = self.circles.state_of(state)
        return [s for s in (own.torn if self.to_own else own.finished) if s in own.held]

    def _meeples(self, state: State, player: int) -> list[int]:
        """Return the segments of the meeples that may get a ghost."""
        return self.circles.ghosts.candidates(state, player, self.to_own).segments()

    def choices(self, state: State, player: int) -> Choices:
        """Return whose circle gives a ghost, or which meeple gets it."""
        leaving = self._leaving(state)
        continued = [] if leaving else self.circles.state_of(state).continued
        segments = self._meeples(state, player)
        if not segments or not (leaving or continued):
            return NO_CHOICES
        if len(continued) > 1:
            return Listed(segment_choices(state.board, "free", state.board.in_order(continued)))
        if len(segments) < 2:
            return NO_CHOICES
        return Listed(segment_choices(state.board, "haunt", segments))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Move a ghost, then come back for the next."""
        own = self.circles.state_of(state)
        leaving = self._leaving(state)
        if action is None:
            segments = self._meeples(state, player)
        else:
            segments = [chosen_segment(state.board, action)]
        if action is not None and cast(OnSegment, action).verb == "free":
            own.continued = segments
        elif not segments:
            # No meeple to take them: they go to the stock (SCC-08); the one that may stay stays.
            self.circles.release_all(state, leaving)
            own.continued.clear()
            return
        elif leaving:
            self.circles.release(state, leaving[0])
            self.circles.ghosts.haunt(state, segments[0])
        elif own.continued:
            self.circles.release(state, own.continued.pop())
            self.circles.ghosts.haunt(state, segments[0])
        else:
            return
        state.push(self, player)
