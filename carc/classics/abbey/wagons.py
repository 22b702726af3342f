"""Wagons, which move on when they were scored (ABM-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.steps import Step
from carc.base.turn.verbs import PutVerb
from carc.classics.steps import turn_order

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.classics.abbey import Abbey


class Wagons:
    """Where wagons may move on to.

    Attributes:
        kind: The kind of follower that they are.
        each: How many each player has.
        move: The choice of a feature.
    """

    def __init__(self, abbey: Abbey, rules: Rules) -> None:
        self.abbey: Final = abbey
        self.kind: int = rules.follower_number("wagon")
        self.each: int = rules.follower_kinds[self.kind].supply
        self.move: Final = PutVerb(rules, "wagon")
        self._must_touch: Final = abbey.chosen["wagon"] == "touching"
        # By kind of tile: the groups of segments that touch one another.
        self._meets: Final = [tile.meets for tile in rules.catalogue.tiles]

    def note(self, state: State, feature: int) -> None:
        """Note which wagons may move on, for their feature was scored."""
        for segment, owner, kind in state.board.followers_of(feature):
            if kind == self.kind:
                self.abbey.state_of(state).leave(segment, owner, owner * self.each)

    def put(self, state: State, new: tuple[int, int]) -> None:
        """Note the segment and owner of a wagon that was placed after others of its owner."""
        own, count = self.abbey.state_of(state), state.board.count_followers
        if self.each > 1:
            others = [one for one in own.standing if one != new and count(*one, self.kind)]
            own.standing = [*others, new]

    def leaving(self, state: State, player: int) -> list[int]:
        """Return the segments that a player's scored wagons came from, as they were placed."""
        first = player * self.each
        left = self.abbey.state_of(state).left[first : first + self.each]
        return [segment for segment in left if segment >= 0]

    def goals(self, state: State, player: int) -> Choices:
        """Return where a player's wagon may move on to: incomplete features that nobody claims."""
        board = state.board
        if not board.supply_of(player, self.kind):
            return NO_CHOICES
        places: list[tuple[int, int]] = []
        left = self.leaving(state, player)[0]
        scored = board.feature_of(left)
        for segment in self._touched(state, left) if self._must_touch else self._near(state, left):
            feature, tile = board.feature_of(segment), board.tile_under(segment)
            free = feature != scored and board.is_open(feature) and board.is_unclaimed(segment)
            if free and board.claim_allowed(segment, self.kind) and state.allows_figures(tile):
                places.append((segment, self.kind))
        return self.move.on(board, places)

    def _near(self, state: State, left: int) -> list[int]:
        """Return the segments on the tile of one and on the eight around it."""
        board = state.board
        tiles = board.tiles_around(board.cell_under(left))
        return [segment for tile in tiles for segment in board.segments_of(tile)]

    def _touched(self, state: State, left: int) -> list[int]:
        """Return the segments of the features that touch that of one, on whatever tile."""
        board = state.board
        features = {board.feature_of(one) for one in self.touching(state, left)}
        return [segment for feature in features for segment in board.members(feature)]

    def touching(self, state: State, left: int) -> set[int]:
        """Return the segments that touch the feature of one, on any of its tiles."""
        board = state.board
        touching: set[int] = set()
        for segment in board.members(board.feature_of(left)):
            tile = board.tile_under(segment)
            first = board.segment_of(tile, 0)
            for group in self._meets[board.kind_of_tile(tile)]:
                if segment - first in group:
                    touching.update([first + at for at in group])
            touching.update(self._at_abbeys(state, segment))
        return touching

    def _at_abbeys(self, state: State, segment: int) -> list[int]:
        """Return the abbeys at which a segment ends; for an abbey, what ends at it."""
        board, abbey = state.board, self.abbey.tile
        tile = board.tile_under(segment)
        segments: list[int] = []
        for side in range(4):
            other = board.neighbour(tile, side)
            if other < 0:
                continue
            ends_there = board.segment_at_side(tile, side) == segment
            if board.kind_of_tile(tile) == abbey:
                segments.append(board.segment_at_side(other, side ^ 2))
            elif ends_there and board.kind_of_tile(other) == abbey:
                segments.append(board.segment_of(other, 0))
        return [one for one in segments if one >= 0]


class WagonsStep(Step):
    """ABM-03: the owners of scored wagons decide, beginning with the active player."""

    def __init__(self, abbey: Abbey) -> None:
        super().__init__("wagons", in_scoring=True)
        self.abbey: Final = abbey
        self.each_wagon: Final = WagonStep(abbey)
        self.after_each: Final[list[Step]] = []  # steps of other expansions

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Ask whoever may move a wagon on."""
        if any(segment >= 0 for segment in self.abbey.state_of(state).left):
            for owner in reversed(turn_order(state, player)):
                for _ in self.abbey.wagons.leaving(state, owner):
                    for step in reversed(self.after_each):
                        state.push(step, owner)
                    state.push(self.each_wagon, owner)


class WagonStep(Step):
    """ABM-03: a wagon moves on to a feature nearby, or goes home."""

    def __init__(self, abbey: Abbey) -> None:
        super().__init__("wagon")
        self.abbey: Final = abbey

    def choices(self, state: State, player: int) -> Choices:
        """Return the features to which the wagon may move."""
        return self.abbey.wagons.goals(state, player).or_pass()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Perform the choice."""
        left, wagons = self.abbey.state_of(state).left, self.abbey.wagons
        left[left.index(wagons.leaving(state, player)[0], player * wagons.each)] = -1
        super().apply(state, player, action)
