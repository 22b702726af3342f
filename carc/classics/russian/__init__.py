"""The Russian promotional tiles: `base+russian` (RUS-01 to RUS-03)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import LESSENED, VALUED
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.tiles.tile import SegmentKind
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.steps import ClaimStep, PlaceStep, Step, index_of
from carc.base.turn.verbs import TakeVerb
from carc.classics.abbey.wagons import WagonsStep
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.count.steps import SummonStep
from carc.classics.russian.estimates import RussianEstimates
from carc.classics.russian.russian_state import RussianState
from carc.classics.russian.traps import FIRST, ROBBER, WATER, Traps, TrapStep

HUT: Final = SegmentKind("yaga_hut", completed_by="neighbours", follower="guest")
EMPTY_HUT: Final = 9  # points of a hut without any neighbour (RUS-01)
DROWNED: Final = -2  # points at the end for each follower with the vodyanoy (RUS-03)


class Russian(CompetitiveExpansion[RussianState]):
    """Baba Yaga's hut, the robber Solovei and the vodyanoy, who catch followers.

    Options: `sets`: both years, or one of them; `traps`: as they were published, or in their
    author's newer wording.
    """

    SETS = {
        "2013": Path(__file__).with_name("russian_promos_2013.txt"),
        "2016": Path(__file__).with_name("russian_promos_2016.txt"),
    }
    VERSION = 4
    ORDER = {"feature_points": VALUED, "game_ended": LESSENED}
    ONLY_FOR = {
        "tile_placed": (ROBBER.name, WATER.name),
        "allows_figures": (WATER.name,),
        "feature_points": (HUT.name,),
    }
    HELPERS = ("drowned",)
    _ADDED_OPTIONS = {"traps": "older"}

    def options(self) -> Mapping[str, Sequence[str]]:
        """RUS-01, RUS-02: which tiles are played, and whom traps catch."""
        return {**super().options(), "traps": ("older", "newer")}

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """RUS-01 to RUS-03: a hut and two traps are kinds of feature."""
        return [*super().segment_kinds(kinds), HUT, ROBBER, WATER]

    def turn(self, steps: list[Step]) -> list[Step]:
        """RUS-02: the traps catch followers when a tile lies, who is placed, whom ferries bring.

        CNT-02, ABM-03: they catch who joins from Carcassonne, and each wagon that moves on, too.
        """
        at = index_of(steps, PlaceStep) + 1
        steps = [*steps[:at], TrapStep(self, FIRST), *steps[at:]]
        at = index_of(steps, ClaimStep) + 1
        steps = [*steps[:at], TrapStep(self, "traps for who was placed"), *steps[at:]]
        at = min([at for at, step in enumerate(steps) if step.in_scoring])
        steps = [*steps[:at], TrapStep(self, "traps again"), *steps[at:]]
        for at in [at for at, step in enumerate(steps, start=1) if isinstance(step, SummonStep)]:
            steps.insert(at, TrapStep(self, "traps for those who joined"))
        for step in steps:
            if isinstance(step, WagonsStep):
                step.after_each.append(TrapStep(self, "traps for a wagon"))
        return steps

    def bind(self, rules: Rules) -> None:
        """Set the traps, and make the choice of a follower."""
        self.traps = Traps(self, rules, is_newer=self.chosen["traps"] == "newer")
        self.free = TakeVerb(rules, "free")
        self._offer_figures([self.free])
        for before, step in pairwise(rules.turn):
            if isinstance(step, TrapStep):
                step.repeats = isinstance(before, TrapStep)

    def setup(self, state: State) -> ExpansionState:
        """Start without traps."""
        return RussianState()

    def tile_placed(self, state: State, tile: int) -> None:
        """Note a trap."""
        for segment in state.board.segments_of(tile):
            if state.board.kind_of(segment) in (ROBBER.name, WATER.name):
                self.state_of(state).traps.append(segment)

    def allows_figures(self, state: State, tile: int) -> bool:
        """RUS-03: no figure goes on the vodyanoy's tile."""
        return False

    def claims(self, state: State, player: int) -> Choices:
        """RUS-02: the player may take an own follower out of a trap."""
        board = state.board
        traps = self.state_of(state).traps
        if not any(board.has_follower(trap) for trap in traps):
            return NO_CHOICES
        traps = [trap for trap in traps if board.tile_under(trap) != board.last_tile]
        return self.free.among(board.figures_in(traps, self.traps.catches, player))

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """RUS-01: 9 points for the hut, 1 less for each neighbour."""
        neighbours = state.board.count_neighbours(state.board.cell_under(feature))
        state.note("hut", 1, EMPTY_HUT)
        state.note("neighbour", neighbours, -1)
        return points + EMPTY_HUT - neighbours

    def game_ended(self, state: State) -> None:
        """RUS-03: 2 points less for each follower with the vodyanoy."""
        for owner, n in enumerate(self.drowned(state)):
            if n:
                state.award(owner, "vodyanoy", n, DROWNED)

    def drowned(self, state: State) -> list[int]:
        """Return how many followers of each owner are with the vodyanoy."""
        counts = [0] * state.rules.owners
        for segment, owner, _ in state.board.all_followers():
            counts[owner] += int(state.board.is_kind(segment, self.traps.water))
        return counts

    def estimates(self) -> Estimates:
        return RussianEstimates(self, DROWNED)
