"""The Spell Circles in Mists over Carcassonne, with the cat Eloise (SPC-*)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from carc.base.expansions.expansion import Expansion
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.position.state_fields import Owner, Segment
from carc.base.tiles.tile import TileSet
from carc.base.turn.actions import Action, chosen_segment, parse_choice
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import ClaimStep, EndStep, Step
from carc.mists.game import Mists
from carc.mists.team_game import follower_choices
from carc.mists.turn.haunting import GhostStep
from carc.mists.turn.scoring_track import score
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
    """The cat, and the circles to fill this turn.

    The ghosts in circles are `MistsState.bound`.

    Attributes:
        at: The segment of the cat's follower, `ASIDE`, `WAITING` or `MOVING`.
        empty: The circles to fill, each by its mist segment.
        owner: The owner of the follower with which the cat was just scored; -1: none.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {
        "at": Segment,
        "empty": list[Segment],
        "owner": Owner,
    }

    def __init__(self) -> None:
        """Start with the cat aside."""
        self.at: int = ASIDE
        self.empty: list[int] = []
        self.owner: int = -1

    def copy(self) -> CooperativeCirclesState:
        """Return an independent copy."""
        new = CooperativeCirclesState()
        new.at = self.at
        new.empty = self.empty.copy()
        new.owner = self.owner
        return new

    def is_valid(self, state: State) -> bool:
        """Return True if the cat's follower is there."""
        return self.at >= MOVING if self.at < 0 else state.board.has_follower(self.at)


class CooperativeCircles(Expansion[CooperativeCirclesState]):
    """`mists:LEVEL+spellcircles`: circles that hold ghosts, and a cat."""

    def __init__(self, mists: Mists) -> None:
        """Make the expansion for a game of the mists."""
        super().__init__()
        self.mists: Final = mists

    def contradictions(self, tiles: TileSet) -> list[str] | None:
        """Return what contradicts the known circle tiles."""
        return contradictions(tiles)

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """SPC-01: add the nine tiles."""
        return [*sets, read(TILES)]

    def bind(self, rules: Rules) -> None:
        """Look up the tiles and make the steps."""
        self.circles: list[tuple[tuple[int, int], ...]] = circles_on(rules)
        self.reward: Step = CatPointsStep(self)
        self.draw_in: Step = TileDrawInStep(self)
        self.cat_comes: Step = CatStep(self, ASIDE)
        self.cat_moves: Step = CatStep(self, MOVING)
        turn = rules.turn
        self.ghost_step: Step = next(s for s in turn if isinstance(s, GhostStep))
        self.claim_step: Step = next(s for s in turn if isinstance(s, ClaimStep))
        self.end_step: Step = next(s for s in turn if isinstance(s, EndStep))
        # By kind of tile: the most ghosts that laying it can call for, with an extra one (LVL2-04)
        # and those around a haunted cemetery (LVL5-02).
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
        # The ghosts neither before the cat at the start nor on the start tile (SPC-02).
        self.apart: int = self.mists.level.ghosts - symbols - CAT_STOCK

    def parse(self, text: str) -> Action | None:
        """Return the choice `lure` or `cat` that `text` denotes."""
        return parse_choice(text, ("lure", "cat"))

    # -- play -------------------------------------------------------------------------------------

    def setup(self, state: State) -> ExpansionState | None:
        """Start with the cat aside (SPC-02)."""
        return CooperativeCirclesState()

    def tile_placed(self, state: State, tile: int) -> None:
        """SPC-04, SPC-07, SPC-08: circles are to be filled; ghosts may bring the cat."""
        kind = state.board.kind_of_tile(tile)
        if not self.most[kind] or tile < self.mists.start_tiles:
            return
        own = self.state_of(state)
        if self.circles[kind]:
            own.empty = to_fill(state, tile, self.circles[kind])
            if own.empty:
                state.schedule(self.draw_in, state.active_player, self.ghost_step)
        if own.at == ASIDE:
            stock = self.mists.state_of(state).stock
            if stock - self.most[kind] <= self.apart:
                state.schedule(self.cat_comes, state.active_player, self.claim_step)

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """SPC-08: a waiting cat joins the next follower."""
        own = self.state_of(state)
        if own.at == WAITING:
            own.at = segment

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """SPC-09: if the cat's follower leaves, she moves on; if scored, she brings points."""
        own = self.state_of(state)
        if own.at == segment:
            own.at = MOVING
            state.schedule(self.cat_moves, state.active_player, self.end_step)
            if self.mists.state_of(state).scoring >= 0:
                own.owner = owner
                state.push(self.reward, state.active_player)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the cat to the pieces; `cat_stock`: the ghosts still before her."""
        own = self.state_of(state)
        if own.at >= 0:
            data["pieces"].append(piece(state, "cat", state.board.cell_under(own.at), own.at))
        left = self.mists.state_of(state).stock - self.apart
        return {**data, "cat_stock": max(0, left) if own.at == ASIDE else None}


class TileDrawInStep(DrawInStep):
    """SPC-04: ghosts are drawn in from neighbour tiles, from mist or cemeteries."""

    def __init__(self, circles: CooperativeCircles) -> None:
        """Make the step."""
        super().__init__()
        self.circles: Final = circles

    def ghosts(self, state: State) -> dict[int, int]:
        """Return the ghosts in mist and on cemeteries."""
        return self.circles.mists.state_of(state).ghosts

    def held(self, state: State) -> dict[int, int]:
        """Return the ghosts in circles."""
        return self.circles.mists.state_of(state).bound

    def empty(self, state: State) -> list[int]:
        """Return the circles to fill."""
        return self.circles.state_of(state).empty

    def from_stock(self, state: State) -> None:
        """Fill the circles; with too few ghosts in the stock the game is lost (COOP-14)."""
        mists = self.circles.mists.state_of(state)
        empty = self.empty(state)
        if len(empty) > mists.stock:
            mists.end(state, False, "COOP-14")
            return
        mists.called = True  # SPC-05: now a cemetery calls for a ghost too
        mists.stock -= len(empty)
        while empty:
            self.fill(state, empty)


class CatStep(Step):
    """The cat goes to a follower: her stock is empty (SPC-08), or scoring is done (SPC-09)."""

    def __init__(self, circles: CooperativeCircles, on: int) -> None:
        """Make the step; `on`: for a cat that is `ASIDE` or `MOVING`."""
        super().__init__("cat")
        self.circles: Final = circles
        self.on: Final = on

    def _due(self, state: State) -> bool:
        if self.on == MOVING:
            return True
        return self.circles.mists.state_of(state).stock <= self.circles.apart

    def choices(self, state: State, player: int) -> Choices:
        """Return the followers to which she may go."""
        if len(state.board.occupied_segments()) < 2 or not self._due(state):
            return NO_CHOICES
        return Listed(follower_choices(state, "cat"))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Put her with a follower; without any she waits for the next."""
        own = self.circles.state_of(state)
        if action is not None:
            own.at = chosen_segment(state.board, action)
        elif self._due(state):
            own.at = WAITING
            for segment in state.board.occupied_segments():
                own.at = segment


class CatPointsStep(Step):
    """SPC-09: 1 point for each ghost in circles, for the colour of the cat's follower (LVL6-04)."""

    def __init__(self, circles: CooperativeCircles) -> None:
        """Make the step."""
        super().__init__("cat points")
        self.circles: Final = circles

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Score the points."""
        mists = self.circles.mists
        points = sum(mists.state_of(state).bound.values())
        journal = state.journal
        if journal is not None:
            journal.open()
            journal.item("Eloise, ghosts in circles", points, 1)
        score(mists, state, [self.circles.state_of(state).owner], points, "Eloise")
