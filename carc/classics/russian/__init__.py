"""The Russian promotional tiles: `base+russian` (RUS-01 to RUS-03)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Final

from carc.base.board.board import Board
from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import VALUED
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Segment
from carc.base.tiles.tile import ROAD, SegmentKind, TileSet
from carc.base.turn.actions import Action
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.steps import ClaimStep, PlaceStep, Step, index_of
from carc.base.turn.verbs import TakeVerb
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.count.steps import SummonStep
from carc.classics.russian.estimates import RussianEstimates

FILES: Final = {"2013": "russian_promos_2013.txt", "2016": "russian_promos_2016.txt"}
HUT: Final = SegmentKind("yaga_hut", completed_by="neighbours", follower="guest")
ROBBER: Final = SegmentKind("razboynik", claimable=False, follower="captive", scores=False)
WATER: Final = SegmentKind("vodyanoy", claimable=False, follower="captive", scores=False)
EMPTY_HUT: Final = 9  # points of a hut without any neighbour (RUS-01)
FIRST: Final = "traps"  # the step in which a tile was laid
DROWNED: Final = -2  # points at the end for each follower with the vodyanoy (RUS-03)


class RussianState(ExpansionState):
    """Where the traps are.

    Attributes:
        traps: The traps on the table, in the order in which they were placed.
        seen: The segments of figures on the robber's road when he last looked, with
            `traps=newer`; once for each figure.
    """

    FIELDS: ClassVar[Mapping[str, object]] = dict.fromkeys(("traps", "seen"), list[Segment])

    def __init__(self) -> None:
        """Start without traps."""
        self.traps: list[int] = []
        self.seen: list[int] = []

    def copy(self) -> RussianState:
        """Return an independent copy."""
        new = RussianState()
        new.traps, new.seen = self.traps.copy(), self.seen.copy()
        return new


class TrapStep(Step):
    """RUS-02, RUS-03: the traps catch followers."""

    def __init__(self, russian: Russian, name: str) -> None:
        """Make the step."""
        super().__init__(name)
        self.russian: Final = russian

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Move the followers."""
        if self.russian.is_newer:
            self.russian.spring_newer(state, self.name == FIRST)
        else:
            self.russian.spring(state)


class Russian(CompetitiveExpansion[RussianState]):
    """Baba Yaga's hut, the robber Solovei and the vodyanoy, who catch followers.

    Options: `sets`: both years, or one of them; `traps`: as they were published, or in their
    author's newer wording.
    """

    VERSION = 2
    ORDER = {"feature_points": VALUED}
    ONLY_FOR = {
        "tile_placed": (ROBBER.name, WATER.name),
        "allows_figures": (WATER.name,),
        "feature_points": (HUT.name,),
    }
    HELPERS = ("drowned", "spring", "spring_newer")
    _ADDED_OPTIONS = {"traps": "older"}

    def options(self) -> Mapping[str, Sequence[str]]:
        """RUS-01, RUS-02: which tiles are played, and whom traps catch."""
        return {"sets": ("both", *FILES), "traps": ("older", "newer")}

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """RUS-01 to RUS-03: a hut and two traps are kinds of feature."""
        return [*super().segment_kinds(kinds), HUT, ROBBER, WATER]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """Add the chosen sets."""
        chosen = self.chosen["sets"]
        files = [file for name, file in FILES.items() if chosen in ("both", name)]
        return [*sets, *(read(Path(__file__).with_name(file)) for file in files)]

    def turn(self, steps: list[Step]) -> list[Step]:
        """RUS-02: the traps catch followers when a tile lies, who is placed, whom ferries bring.

        CNT-02: they catch who joins from Carcassonne, too.
        """
        at = index_of(steps, PlaceStep) + 1
        steps = [*steps[:at], TrapStep(self, FIRST), *steps[at:]]
        at = index_of(steps, ClaimStep) + 1
        steps = [*steps[:at], TrapStep(self, "traps for who was placed"), *steps[at:]]
        at = min([at for at, step in enumerate(steps) if step.in_scoring])
        steps = [*steps[:at], TrapStep(self, "traps again"), *steps[at:]]
        for at in [at for at, step in enumerate(steps, start=1) if isinstance(step, SummonStep)]:
            steps.insert(at, TrapStep(self, "traps for those who joined"))
        return steps

    def bind(self, rules: Rules) -> None:
        """Look up the kinds of feature, and make the choice of a follower."""
        kinds = rules.catalogue.kind_of
        self.robber, self.water = kinds[ROBBER.name], kinds[WATER.name]
        self.is_newer = self.chosen["traps"] == "newer"
        # The kinds of figure that traps catch. A barn stands on a corner, beyond their reach.
        every = rules.kinds_that(lambda kind: not kind.power or kind.is_follower)
        self.catches = every if self.is_newer else rules.followers
        self.free = TakeVerb(rules, "free")
        self._offer_figures([self.free])

    def setup(self, state: State) -> ExpansionState:
        """Start without traps."""
        return RussianState()

    def tile_placed(self, state: State, tile: int) -> None:
        """Note a trap."""
        board = state.board
        for segment in board.segments_of(tile):
            if board.is_kind(segment, self.robber) or board.is_kind(segment, self.water):
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
        return self.free.among(board.figures_in(traps, self.catches, player))

    def spring(self, state: State) -> None:
        """Move followers into the traps (RUS-02, RUS-03).

        They are caught by y, x and segment: the text of a position does not keep who came first.
        """
        board = state.board
        traps = self.state_of(state).traps
        for trap in traps:
            robber = board.is_kind(trap, self.robber)
            reached = self._on_road(board, trap) if robber else self._around(board, trap)
            self._catch(state, trap, [segment for segment in reached if segment not in traps])

    def spring_newer(self, state: State, laid: bool) -> None:
        """Move figures into the traps, option `traps=newer` (RUS-02, RUS-03).

        Args:
            state: The position.
            laid: Whether a tile was just laid, which may have extended the robber's road.
        """
        board, own = state.board, self.state_of(state)
        waters = [trap for trap in own.traps if board.is_kind(trap, self.water)]
        robbers = [trap for trap in own.traps if trap not in waters]
        self._drown(state, waters)
        now = self._seen_from(board, robbers)
        for robber in robbers:
            grown = laid and any(board.extends(road) for road in self._roads(board, robber))
            if grown or any(now.count(segment) > own.seen.count(segment) for segment in now):
                self._catch(state, robber, self._nearest(board, robber))
        self._drown(state, waters)
        own.seen = self._seen_from(board, robbers)

    def _drown(self, state: State, waters: list[int]) -> None:
        """Let each vodyanoy catch those around him, those with the robber too."""
        for water in waters:
            around = self._around(state.board, water)
            self._catch(state, water, [segment for segment in around if segment not in waters])

    def _seen_from(self, board: Board, robbers: list[int]) -> list[int]:
        """Return the segments of the figures on the robbers' roads, once for each."""
        seen: list[int] = []
        for robber in robbers:
            for segment in self._on_road(board, robber):
                seen += [segment for _, kind in board.followers_at(segment) if self._may(kind)]
        return seen

    def _may(self, kind: int) -> bool:
        """Return True if a kind of figure can be caught."""
        return kind in self.catches

    def _nearest(self, board: Board, robber: int) -> list[int]:
        """Return the segments of the figures that are nearest to the robber, along his roads."""
        tile = board.tile_under(robber)
        ways = [one for one in board.segments_of(tile) if board.is_kind(one, ROAD)]
        seen = list(ways)
        while ways:
            found = [way for way in ways if self._is_caught(board, way)]
            if found:
                return found
            farther: list[int] = []
            for way in ways:
                for other in board.beside(way):
                    if other not in seen:
                        seen.append(other)
                        farther.append(other)
            ways = farther
        return []

    def _is_caught(self, board: Board, segment: int) -> bool:
        """Return True if there are figures on a segment that traps catch."""
        return any(self._may(kind) for _, kind in board.followers_at(segment))

    def _catch(self, state: State, trap: int, segments: list[int]) -> None:
        """Move the figures on some segments into a trap, before those on whom they depend."""
        board, kinds = state.board, state.rules.follower_kinds
        for are_followers in (False, True):
            for segment in board.in_order(segments):
                for owner, kind in board.followers_at(segment):
                    if self._may(kind) and kinds[kind].is_follower == are_followers:
                        state.take_follower(segment, owner, kind)
                        board.seat_follower(trap, owner, kind)

    def _roads(self, board: Board, robber: int) -> list[int]:
        """Return the robber's roads (RUS-02)."""
        features = board.features_of(board.tile_under(robber))
        return [feature for feature in features if board.is_kind(feature, ROAD)]

    def _on_road(self, board: Board, robber: int) -> list[int]:
        """Return the segments with followers on the robber's roads (RUS-02)."""
        reached: list[int] = []
        for road in self._roads(board, robber):
            if board.is_claimed(road):
                reached += board.occupied_segments_of(road)
        return reached

    def _around(self, board: Board, water: int) -> list[int]:
        """Return the segments with followers on the tiles around the vodyanoy (RUS-03)."""
        return board.occupied_around(board.cell_under(water), self.catches)

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
            counts[owner] += int(state.board.is_kind(segment, self.water))
        return counts

    def estimates(self) -> Estimates:
        return RussianEstimates(self, DROWNED)
