"""Barns: the corners where they may stand, and the fields with a barn (ABM-04)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board.candidates import Candidates
from carc.base.cells import WIDTH, beyond
from carc.base.tiles.tile import FIELD
from carc.base.turn.scoring import majority, score_share, tell_scored, value

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

BARN_MORE: Final = 1  # points a city that a barn scores more than a farmer does
LATE_MORE: Final = -2  # the same of farmers who join a field that has a barn
# Four tiles meet at a point. By the corner that a tile has there, its cell, seen from the cell
# south-east of the point.
AT_POINT: Final = vec[i64]([-1, -WIDTH - 1, -WIDTH, 0])
BOTH_SIDES: Final = 3  # of a corner, a bit each


class Barns:
    """Where barns may stand and what they score, under some rules.

    Attributes:
        kind: The kind of figure that they are.
    """

    def __init__(self, rules: Rules, *, may_share: bool) -> None:
        """Look up which field reaches which corner of each tile.

        Args:
            rules: The rules.
            may_share: Whether a barn may go on a field that has one.
        """
        self._may_share: Final = may_share
        self.kind: int = rules.follower_number("barn")
        self._each: int = rules.follower_kinds[self.kind].supply
        catalogue = rules.catalogue
        corners: list[int] = []
        for row in range(4 * len(catalogue.tiles)):
            for side in range(4):
                here, following = 4 * row + side, 4 * row + (side + 1) % 4
                first = catalogue.right[here]  # beside a road; a bridge's stands behind the fields
                first = first if first >= 0 else catalogue.main[here]
                second = catalogue.left[following]
                second = second if second >= 0 else catalogue.main[following]
                start = catalogue.segment_start[row >> 2]
                field = first >= 0 and catalogue.segment_kind[start + first] == FIELD
                corners.append(first if field and first == second else -1)
        # By row and corner (0: after the northern side): the field, or -1.
        self._corners: Final = vec[i64](corners)

    def _field_at(self, board: Board, cell: i64) -> i64:
        """Return the field south-east of a cell's north-western corner, if four fields meet."""
        field: i64 = -1
        for corner in range(4):
            tile = board.tile_on_cell(cell + AT_POINT[corner])
            index = -1 if tile < 0 else self._corners[i64(board.oriented_kind(tile)) * 4 + corner]
            if index < 0:
                return -1
            field = board.segment_of(tile, index)
        return field

    def places(self, state: State, owner: int) -> Candidates | None:
        """Return where an owner's barn may go: corners of the last tile, on fields without one."""
        board = state.board
        if not board.supply_of(owner, self.kind):
            return None
        places: Candidates | None = None
        fields = i64(board.oriented_kind(board.last_tile)) * 4  # where its part of `_corners` is
        here: i64 = board.cell_of(board.last_tile)
        beside: i64 = 0  # the sides beyond which tiles lie, a bit each, the first one once more
        for side in range(4):
            if board.tile_on_cell(beyond(here, side)) >= 0:
                beside |= 1 << side
        beside |= beside << 4
        for corner in range(4):
            if beside >> corner & BOTH_SIDES != BOTH_SIDES or self._corners[fields + corner] < 0:
                continue
            cell = here - AT_POINT[corner]
            at = self._field_at(board, cell)
            if at < 0:
                continue
            if self._may_share or not self.owners_on(state, board.feature_of(at)):
                if places is None:
                    places = Candidates()
                places.add_segment(cell, at, kind=self.kind)
        return places

    def owners_on(self, state: State, field: int) -> list[int]:
        """Return the owners of the barns on a field, once for each barn."""
        board = state.board
        owners: list[int] = []
        for owner in range(state.rules.owners):
            if board.supply_of(owner, self.kind) < self._each:
                for segment in board.segments_with(owner, self.kind):
                    if board.feature_of(segment) == field:
                        owners += [owner] * board.count_followers(segment, owner, self.kind)
        return owners

    def _has_farmers(self, state: State, field: int) -> bool:
        """Return True if there are others than barns on a field that has one."""
        board = state.board
        powers = 0
        for owner in range(state.rules.owners):
            powers += board.power(field, owner)
        return powers > 1 and powers > len(self.owners_on(state, field))

    def more_a_city(self, state: State, field: int, new: int) -> int:
        """Return how much more than a farmer's a city is worth on a field with barns, else 0.

        Args:
            state: The position.
            field: The field.
            new: The segment of the barn put down in this turn; -1: none.
        """
        if not self.owners_on(state, field):
            return 0
        if not self._has_farmers(state, field):
            return BARN_MORE
        return 0 if new >= 0 and state.board.feature_of(new) == field else LATE_MORE

    def _score(self, state: State, field: int) -> None:
        """Score a field as at the end, but ghosts cost what they cost in the game (GCC-16)."""
        if state.journal is not None:
            state.journal.open()
        winners = majority(state, field)
        points = value(state, field, True)
        for owner in winners:
            score_share(state, field, owner, False, points)
        tell_scored(state, field, True)

    def scored_fields(self, state: State, new: int) -> vec[i64]:
        """Return the fields with barns and farmers, and that of the barn put down in this turn.

        Args:
            state: The position.
            new: The segment of that barn; -1: none.
        """
        board = state.board
        fields = vec[i64]()  # measured: a list costs more than the rest where there is no barn
        for owner in range(state.rules.owners):
            if board.supply_of(owner, self.kind) == self._each:
                continue
            for segment in board.segments_with(owner, self.kind):
                field: i64 = board.feature_of(segment)
                known = any(known == field for known in fields)
                if not known and (segment == new or self._has_farmers(state, field)):
                    fields = append(fields, field)
        return fields

    def score_farmers(self, state: State, new: int) -> None:
        """Score the farmers on fields with a barn, and send them home."""
        board = state.board
        kinds = state.rules.follower_kinds
        for field in self.scored_fields(state, new):
            farmers = [each for each in board.followers_of(field) if kinds[each[2]].is_follower]
            if farmers:
                self._score(state, field)
            for segment, owner, kind in farmers:
                state.take_follower(segment, owner, kind)
