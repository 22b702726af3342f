"""The robber and the vodyanoy, who catch followers (RUS-02, RUS-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.board.board import Board
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import ROAD, SegmentKind
from carc.base.turn.actions import Action
from carc.base.turn.steps import Step

if TYPE_CHECKING:
    from carc.classics.russian import Russian

ROBBER: Final = SegmentKind("razboynik", claimable=False, follower="captive", scores=False)
WATER: Final = SegmentKind("vodyanoy", claimable=False, follower="captive", scores=False)
FIRST: Final = "traps"  # the step in which a tile was laid


class TrapStep(Step):
    """RUS-02, RUS-03: the traps catch followers.

    Attributes:
        repeats: Whether it comes right after another such step, so that it finds nobody.
    """

    def __init__(self, russian: Russian, name: str) -> None:
        super().__init__(name)
        self.russian: Final = russian
        self.repeats = False

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Move the followers."""
        if self.repeats:
            return
        traps = self.russian.traps
        if traps.is_newer:
            traps.spring_newer(state, self.name == FIRST)
        else:
            traps.spring(state)


class Traps:
    """Whom the traps catch, under some rules.

    Attributes:
        robber: The kind of feature that the robber is.
        water: The kind of feature that the vodyanoy is.
        is_newer: Whether they catch by the author's newer wording.
        catches: The kinds of figure that they catch.
    """

    def __init__(self, russian: Russian, rules: Rules, *, is_newer: bool) -> None:
        """Look up the kinds. A barn stands on a corner, beyond the traps' reach."""
        self.russian: Final = russian
        self.robber: Final = rules.catalogue.kind_of[ROBBER.name]
        self.water: Final = rules.catalogue.kind_of[WATER.name]
        self.is_newer: Final = is_newer
        every = rules.kinds_that(lambda kind: not kind.power or kind.is_follower)
        self.catches: Final = every if is_newer else rules.followers

    def spring(self, state: State) -> None:
        """Move followers into the traps (RUS-02, RUS-03).

        They are caught by y, x and segment: the text of a position does not keep who came first.
        """
        board = state.board
        traps = self.russian.state_of(state).traps
        for trap in traps:
            robber = board.is_kind(trap, self.robber)
            reached = self._on_road(board, trap) if robber else self._around(board, trap)
            if reached:
                self._catch(state, trap, [segment for segment in reached if segment not in traps])

    def spring_newer(self, state: State, laid: bool) -> None:
        """Move figures into the traps, option `traps=newer` (RUS-02, RUS-03).

        A tile that was just laid may have extended the robber's road.
        """
        board, own = state.board, self.russian.state_of(state)
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
                seen += [segment for _, kind in board.followers_at(segment) if kind in self.catches]
        return seen

    def _nearest(self, board: Board, robber: int) -> list[int]:
        """Return the segments of the figures that are nearest to the robber, along his roads."""
        tile = board.tile_under(robber)
        ways = [one for one in board.segments_of(tile) if board.is_kind(one, ROAD)]
        seen = list(ways)
        while ways:
            found = [way for way in ways if self._is_caught(board, way)]
            if found:
                return found
            farther = [other for way in ways for other in board.beside(way) if other not in seen]
            ways = list(dict.fromkeys(farther))
            seen += ways
        return []

    def _is_caught(self, board: Board, segment: int) -> bool:
        """Return True if there are figures on a segment that traps catch."""
        return any(kind in self.catches for _, kind in board.followers_at(segment))

    def _catch(self, state: State, trap: int, segments: list[int]) -> None:
        """Move the figures on some segments into a trap, before those on whom they depend."""
        board, kinds = state.board, state.rules.follower_kinds
        ordered = board.in_order(segments)
        for are_followers in (False, True):
            for segment in ordered:
                for owner, kind in board.followers_at(segment):
                    if kind in self.catches and kinds[kind].is_follower == are_followers:
                        state.take_follower(segment, owner, kind)
                        board.seat_follower(trap, owner, kind)

    def _roads(self, board: Board, robber: int) -> list[int]:
        """Return the robber's roads (RUS-02)."""
        features = board.features_of(board.tile_under(robber))
        return [feature for feature in features if board.is_kind(feature, ROAD)]

    def _on_road(self, board: Board, robber: int) -> list[int]:
        """Return the segments with followers on the robber's roads (RUS-02)."""
        return board.occupied_along(board.tile_under(robber), ROAD)

    def _around(self, board: Board, water: int) -> list[int]:
        """Return the segments with followers on the tiles around the vodyanoy (RUS-03)."""
        return board.occupied_around(board.cell_under(water), self.catches)
