"""The Spell Circles beside Ghosts, Castles & Cemeteries (rules SCC-*).

Ghosts stand with meeples and not on tiles here, so the ghosts a circle draws in are those with meeples on the eight
neighbour tiles: this project's reading of the source (`docs/rules.md`, SCC-04).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from carc.base.board.candidates import segment_in
from carc.base.game.actions import Action, OnSegment, chosen_segment, parse_choice, segment_choices
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.base.game.expansion import Expansion, ExpansionState
from carc.base.game.state_fields import Count, Segment
from carc.base.game.steps import Step
from carc.base.tiles.tile import TileSet
from carc.expansion_ghosts.competitive import Ghosts
from carc.expansion_ghosts.mist import standing
from carc.spellcircles.circles import TILES, DrawInStep, circles_on, contradictions, to_fill

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


class CirclesState(ExpansionState):
    """Ghosts in circles, and what this turn's tile still asks for. `held`: mist segment -> ghosts in its circles."""

    FIELDS: ClassVar[Mapping[str, object]] = {
        "held": dict[Segment, Count],
        **dict.fromkeys(("empty", "continued", "finished", "torn"), list[Segment]),
    }

    def __init__(self) -> None:
        self.held: dict[int, int] = {}
        self.empty: list[int] = []  # the circles to fill, by mist segment (SCC-04)
        self.continued: list[int] = []  # segments one of which gives one ghost (SCC-05)
        self.finished: list[int] = []  # segments that give all to opponents (SCC-06)
        self.torn: list[int] = []  # segments that give all to own meeples (SCC-07)

    def copy(self) -> CirclesState:
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
        super().__init__()
        self.ghosts: Final = ghosts
        ghosts.haunting_folds.append(self.haunting)

    def contradictions(self, tiles: TileSet) -> list[str] | None:
        return contradictions(tiles)

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        return [*sets, read(TILES)]

    def bind(self, rules: Rules) -> None:
        self.circles: list[tuple[tuple[int, int], ...]] = circles_on(rules)
        self.draw_in: Step = DrawFromMeeples(self)
        self.free_other: Step = FreeStep(self, False)
        self.free_own: Step = FreeStep(self, True)

    def parse(self, text: str) -> Action | None:
        return parse_choice(text, ("lure", "free"))

    # -- play -------------------------------------------------------------------------------------

    def setup(self, state: State) -> ExpansionState | None:
        return CirclesState()

    def haunting(self, state: State, tile: int, steps: list[Step]) -> list[Step]:
        """Fold: what laying a tile leads to, circles included (SCC-03 to SCC-07); `steps`: what it does without."""
        shown = self.circles[state.board.kind_of_tile(tile)]
        circles = self.state_of(state)
        if not shown and not (steps and circles.held):
            return steps
        circles.finished, circles.continued, circles.torn = [], [], []
        torn: list[int] = []
        torn_own = torn_other = False
        if self.ghosts.haunt_own in steps:
            torn, torn_own, torn_other = self._torn_banks(state, tile)
        if steps and circles.held:
            self._find_occupied(state, tile, torn)
        found: list[Step] = []
        if torn_own:
            for _, n in shown:
                found.extend([self.ghosts.haunt_own] * n)
        circles.empty = to_fill(state, tile, shown)
        if circles.empty:
            found.append(self.draw_in)
        for step in steps:
            if step is self.ghosts.haunt_own:
                # Where only a circle tile's own mist is torn, SCC-03 stands instead of the one ghost.
                if torn_other or not shown:
                    found.append(step)
                if circles.torn:
                    found.append(self.free_own)
            else:
                found.append(step)
                if step is self.ghosts.haunt_other and (circles.finished or circles.continued):
                    found.append(self.free_other)
        return found

    def _torn_banks(self, state: State, tile: int) -> tuple[list[int], bool, bool]:
        """The banks torn by a tile; whether an edge of its own mist is, whether one of the board's is."""
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
        """Occupied circles in banks this tile continued, finished or tore (SCC-05 to SCC-07, SCC-10)."""
        circles = self.state_of(state)
        mine: list[int] = []
        for segment in state.board.segments_of(tile):
            if state.board.is_kind(segment, self.ghosts.mist.bank):
                mine.append(state.board.feature_of(segment))
        for segment in circles.held:
            bank = state.board.feature_of(segment)
            if bank in mine:
                if state.board.is_open(bank):
                    circles.continued.append(segment)
                else:
                    circles.finished.append(segment)
            if bank in torn:
                circles.torn.append(segment)

    def release(self, state: State, segment: int) -> None:
        """One ghost from a circle of this segment, to the stock."""
        circles = self.state_of(state)
        if circles.held[segment] == 1:
            del circles.held[segment]
        else:
            circles.held[segment] -= 1
        self.ghosts.state_of(state).stock += 1

    def release_all(self, state: State, segments: Sequence[int]) -> None:
        """All ghosts from the circles of these segments, to the stock."""
        circles = self.state_of(state)
        for segment in segments:
            self.ghosts.state_of(state).stock += circles.held.pop(segment, 0)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        data["pieces"] += standing(state, "bound ghost", self.state_of(state).held)
        return data


class DrawFromMeeples(DrawInStep):
    """SCC-04: the ghosts drawn in stand with meeples on the neighbour tiles; a circle may stay empty."""

    def __init__(self, circles: CompetitiveCircles) -> None:
        super().__init__()
        self.circles: Final = circles

    def ghosts(self, state: State) -> dict[int, int]:
        return self.circles.ghosts.state_of(state).ghosts

    def held(self, state: State) -> dict[int, int]:
        return self.circles.state_of(state).held

    def empty(self, state: State) -> list[int]:
        return self.circles.state_of(state).empty

    def from_stock(self, state: State) -> None:
        pieces = self.circles.ghosts.state_of(state)
        empty = self.empty(state)
        while empty and pieces.stock:
            pieces.stock -= 1
            self.fill(state, empty)


class FreeStep(Step):
    """SCC-05 and SCC-06 (opponents' meeples) or SCC-07 and SCC-08 (own): ghosts leave circles one by one."""

    def __init__(self, circles: CompetitiveCircles, own: bool) -> None:
        super().__init__("free own" if own else "free")
        self.circles: Final = circles
        self.own: Final = own

    def _leaving(self, state: State) -> list[int]:
        """The segments all of whose circles give their ghosts away now."""
        circles = self.circles.state_of(state)
        return [s for s in (circles.torn if self.own else circles.finished) if s in circles.held]

    def _meeples(self, state: State, player: int) -> list[int]:
        """The segments of the meeples that may get a ghost."""
        candidates = self.circles.ghosts.candidates(state, player, self.own)
        return [int(segment_in(entry)) for entry in candidates.in_order()]

    def choices(self, state: State, player: int) -> Choices:
        leaving = self._leaving(state)
        one = [] if leaving else self.circles.state_of(state).continued
        found = self._meeples(state, player)
        if not found or not (leaving or one):
            return NO_CHOICES
        if len(one) > 1:
            return Listed(segment_choices(state.board, "free", state.board.in_order(one)))
        return (
            Listed(segment_choices(state.board, "haunt", found)) if len(found) > 1 else NO_CHOICES
        )

    def apply(self, state: State, player: int, action: Action | None) -> None:
        circles = self.circles.state_of(state)
        leaving = self._leaving(state)
        if action is None:
            found = self._meeples(state, player)
        else:
            found = [chosen_segment(state.board, action)]
        if action is not None and cast(OnSegment, action).verb == "free":
            circles.continued = found
        elif not found:
            # Nobody to take them: what must leave its circle goes to the stock (SCC-08), what may stay stays.
            self.circles.release_all(state, leaving)
            circles.continued.clear()
            return
        elif leaving:
            self.circles.release(state, leaving[0])
            self.circles.ghosts.haunt(state, found[0])
        elif circles.continued:
            self.circles.release(state, circles.continued.pop())
            self.circles.ghosts.haunt(state, found[0])
        else:
            return
        state.push(self, player)
