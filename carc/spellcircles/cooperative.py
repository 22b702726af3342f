"""The Spell Circles in Mists over Carcassonne, with the cat Eloise (rules SPC-*)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from carc.base.game.actions import Action, chosen_segment, parse_choice, segment_choices
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.base.game.expansion import Expansion, ExpansionState
from carc.base.game.state_fields import Owner, Segment
from carc.base.game.steps import ClaimStep, EndStep, Step
from carc.base.game.to_dict import piece
from carc.base.tiles.tile import TileSet
from carc.mists.game import Mists
from carc.mists.haunting import GhostStep
from carc.mists.track import score
from carc.spellcircles.circles import TILES, DrawInStep, circles_on, contradictions, to_fill

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

CAT_STOCK: Final = 7  # ghosts before the cat at the start (SPC-02)

# Where the cat is, if not with the follower on a segment.
ASIDE: Final = -1  # before her stock, not in play yet
WAITING: Final = -2  # in play, joins the next follower placed (SPC-08)
MOVING: Final = -3  # moves on after the scoring phase (SPC-09)


class CooperativeCirclesState(ExpansionState):
    """The cat, and the circles to fill this turn. Ghosts in circles are the mists' `bound` ghosts."""

    FIELDS: ClassVar[Mapping[str, object]] = {
        "at": Segment,
        "empty": list[Segment],
        "owner": Owner,
    }

    def __init__(self) -> None:
        self.at: int = ASIDE  # her follower's segment, ASIDE, WAITING or MOVING
        self.empty: list[int] = []
        self.owner: int = -1  # whose follower the cat was just scored with

    def copy(self) -> CooperativeCirclesState:
        new = CooperativeCirclesState()
        new.at = self.at
        new.empty = self.empty.copy()
        new.owner = self.owner
        return new

    def is_valid(self, state: State) -> bool:
        return self.at >= MOVING if self.at < 0 else state.board.has_follower(self.at)


class CooperativeCircles(Expansion[CooperativeCirclesState]):
    """`mists:LEVEL+spellcircles`."""

    def __init__(self, mists: Mists) -> None:
        super().__init__()
        self.mists: Final = mists

    def contradictions(self, tiles: TileSet) -> list[str] | None:
        return contradictions(tiles)

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        return [*sets, read(TILES)]

    def bind(self, rules: Rules) -> None:
        self.circles: list[tuple[tuple[int, int], ...]] = circles_on(rules)
        self.reward: Step = CatPointsStep(self)
        self.draw_in: Step = DrawFromTiles(self)
        self.cat_comes: Step = CatStep(self, ASIDE)
        self.cat_moves: Step = CatStep(self, MOVING)
        turn = rules.turn
        self.ghost_step: Step = next(s for s in turn if isinstance(s, GhostStep))
        self.claim_step: Step = next(s for s in turn if isinstance(s, ClaimStep))
        self.end_step: Step = next(s for s in turn if isinstance(s, EndStep))
        # By kind of tile: the most ghosts that laying it can call for, an extra one (LVL2-04) or those round a haunted
        # cemetery (LVL5-02) included.
        self.most: list[int] = []
        for tile in rules.catalogue.tiles:
            marks = [mark for segment in tile.segments for mark in segment.marks]
            called = sum([n for name, n in marks if name in ("ghosts", "circles")])
            most = called + 1 if called else 0
            if self.mists.level.haunted and any(s.kind == "cemetery" for s in tile.segments):
                most = 8
            self.most.append(most)
        symbols = sum(
            n for kind, _, _ in rules.catalogue.start for _, n in self.mists.symbols[kind]
        )
        # What is not before the cat at the start, nor on the start tile, stands apart (SPC-02).
        self.apart: int = self.mists.level.ghosts - symbols - CAT_STOCK

    def parse(self, text: str) -> Action | None:
        return parse_choice(text, ("lure", "cat"))

    # -- play -------------------------------------------------------------------------------------

    def setup(self, state: State) -> ExpansionState | None:
        return CooperativeCirclesState()

    def tile_placed(self, state: State, tile: int) -> None:
        """SPC-04, SPC-07: circles to fill, unless the tile finishes their bank; SPC-08: ghosts may bring the cat."""
        shown = state.board.kind_of_tile(tile)
        if not self.most[shown] or tile < self.mists.start_tiles:
            return
        cat = self.state_of(state)
        if self.circles[shown]:
            cat.empty = to_fill(state, tile, self.circles[shown])
            if cat.empty:
                state.schedule(self.draw_in, state.active_player, self.ghost_step)
        if cat.at == ASIDE:
            stock = self.mists.state_of(state).stock
            if stock - self.most[shown] <= self.apart:
                state.schedule(self.cat_comes, state.active_player, self.claim_step)

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """SPC-08: a waiting cat joins the next follower."""
        cat = self.state_of(state)
        if cat.at == WAITING:
            cat.at = segment

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """SPC-09: the cat's follower was scored, which brings points at once, or buried; she moves on."""
        cat = self.state_of(state)
        if cat.at == segment:
            cat.at = MOVING
            state.schedule(self.cat_moves, state.active_player, self.end_step)
            if self.mists.state_of(state).scoring >= 0:
                cat.owner = owner
                state.push(self.reward, state.active_player)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        cat = self.state_of(state)
        if cat.at >= 0:
            data["pieces"].append(piece(state, "cat", state.board.cell_under(cat.at), cat.at))
        left = self.mists.state_of(state).stock - self.apart
        return {**data, "cat_stock": max(0, left) if cat.at == ASIDE else None}


class DrawFromTiles(DrawInStep):
    """SPC-04: the ghosts drawn in stand on neighbour tiles, in mist or on a cemetery; too few in the stock: lost."""

    def __init__(self, circles: CooperativeCircles) -> None:
        super().__init__()
        self.circles: Final = circles

    def ghosts(self, state: State) -> dict[int, int]:
        return self.circles.mists.state_of(state).ghosts

    def held(self, state: State) -> dict[int, int]:
        return self.circles.mists.state_of(state).bound

    def empty(self, state: State) -> list[int]:
        return self.circles.state_of(state).empty

    def from_stock(self, state: State) -> None:
        team = self.circles.mists.state_of(state)
        empty = self.empty(state)
        if len(empty) > team.stock:
            team.end(state, False, "COOP-14")
            return
        team.called = True  # SPC-05: now a cemetery calls for a ghost too
        team.stock -= len(empty)
        while empty:
            self.fill(state, empty)


class CatStep(Step):
    """The cat goes to a follower: when her stock is empty (SPC-08), or after the scoring phase (SPC-09)."""

    def __init__(self, circles: CooperativeCircles, on: int) -> None:
        super().__init__("cat")
        self.circles: Final = circles
        self.on: Final = on  # ASIDE or MOVING

    def _due(self, state: State) -> bool:
        if self.on == MOVING:
            return True
        return self.circles.mists.state_of(state).stock <= self.circles.apart

    def choices(self, state: State, player: int) -> Choices:
        if len(state.board.occupied_segments()) < 2 or not self._due(state):
            return NO_CHOICES
        return Listed(
            segment_choices(
                state.board, "cat", state.board.in_order(state.board.occupied_segments())
            )
        )

    def apply(self, state: State, player: int, action: Action | None) -> None:
        cat = self.circles.state_of(state)
        if action is not None:
            cat.at = chosen_segment(state.board, action)
        elif self._due(state):
            cat.at = WAITING
            for segment in state.board.occupied_segments():
                cat.at = segment


class CatPointsStep(Step):
    """SPC-09: 1 point for each ghost in circles, to the colour of the cat's follower where colours count (LVL6-04)."""

    def __init__(self, circles: CooperativeCircles) -> None:
        super().__init__("cat points")
        self.circles: Final = circles

    def apply(self, state: State, player: int, action: Action | None) -> None:
        mists = self.circles.mists
        points = sum(mists.state_of(state).bound.values())
        journal = state.journal
        if journal is not None:
            journal.open()
            journal.item("Eloise, ghosts in circles", points, 1)
        score(mists, state, [self.circles.state_of(state).owner], points, "Eloise")
