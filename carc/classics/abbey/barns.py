"""Barns: the corners where they may stand, and the fields with a barn (ABM-04)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.candidates import Candidates
from carc.base.cells import WIDTH
from carc.base.game.scoring import score_feature
from carc.base.tiles.tile import FIELD

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

NORTH_WEST: Final = 3  # corners: after the northern side 0, ... after the western side 3
BARN_MORE: Final = 1  # points a city that a barn scores more than a farmer does
LATE_MORE: Final = -2  # the same of farmers who join a field that has a barn
# From the cell south-east of a corner: the four cells around it, and which corner of each it is.
AROUND_CORNER: Final = ((0, 3), (-1, 0), (-WIDTH - 1, 1), (-WIDTH, 2))


class Barns:
    """Where barns may stand and what they score, under some rules.

    Attributes:
        kind: The kind of figure that they are.
    """

    def __init__(self, rules: Rules) -> None:
        """Look up which field reaches which corner of each tile."""
        self.kind: int = rules.follower_number("barn")
        self._allowed: bool = rules.catalogue.kinds[FIELD].claimable
        catalogue = rules.catalogue
        corners: list[int] = []
        for row in range(4 * len(catalogue.tiles)):
            for side in range(4):
                here, following = 4 * row + side, 4 * row + (side + 1) % 4
                first = max(catalogue.main[here], catalogue.right[here])
                second = max(catalogue.main[following], catalogue.left[following])
                start = catalogue.segment_start[row >> 2]
                field = first >= 0 and catalogue.segment_kind[start + first] == FIELD
                corners.append(first if field and first == second else -1)
        self._corners: Final = vec[i64](corners)  # by row and corner: the field, or -1

    def _field_at(self, state: State, cell: int) -> int:
        """Return the segment south-east of a cell's north-western corner, if four fields meet."""
        board = state.board
        found = -1
        for step, corner in AROUND_CORNER:
            tile = board.tile_on_cell(cell + step)
            index = -1 if tile < 0 else self._corners[board.oriented_kind(tile) * 4 + corner]
            if index < 0:
                return -1
            if corner == NORTH_WEST:
                found = board.segment_of(tile, index)
        return found

    def places(self, state: State, owner: int) -> Candidates:
        """Return where an owner's barn may go: corners of the last tile, on fields without one."""
        candidates = Candidates()
        board = state.board
        if not self._allowed or not board.supply_of(owner, self.kind):
            return candidates
        here = board.cell_of(board.last_tile)
        for cell in (here, here + 1, here + WIDTH, here + WIDTH + 1):
            at = self._field_at(state, cell)
            if at >= 0 and not self.owners_on(state, board.feature_of(at)):
                candidates.add_segment(cell, at, kind=self.kind)
        return candidates

    def owners_on(self, state: State, field: int) -> list[int]:
        """Return the owners of the barns on a field."""
        owners: list[int] = []
        for owner in range(state.rules.owners):
            for segment in state.board.segments_with(owner, self.kind):
                if state.board.feature_of(segment) == field:
                    owners.append(owner)
        return owners

    def more_a_city(self, state: State, field: int, new: int) -> int:
        """Return how much more than a farmer's a city is worth on a field with barns, else 0.

        Args:
            state: The position.
            field: The field.
            new: The segment of the barn put down in this turn; -1: none.
        """
        barns = self.owners_on(state, field)
        if not barns:
            return 0
        powers = [state.board.power(field, owner) for owner in range(state.rules.owners)]
        if sum(powers) == len(barns):
            return BARN_MORE
        return 0 if new >= 0 and state.board.feature_of(new) == field else LATE_MORE

    def score_farmers(self, state: State) -> None:
        """Score the farmers on fields with a barn, and send them home."""
        board = state.board
        fields: list[int] = []
        for owner in range(state.rules.owners):
            for segment in board.segments_with(owner, self.kind):
                if board.feature_of(segment) not in fields:
                    fields.append(board.feature_of(segment))
        kinds = state.rules.follower_kinds
        for field in fields:
            farmers = [
                (segment, owner, kind)
                for segment in board.occupied_segments_of(field)
                for owner, kind in board.followers_at(segment)
                if kinds[kind].is_follower
            ]
            if farmers:
                score_feature(state, field, True)
            for segment, owner, kind in farmers:
                state.take_follower(segment, owner, kind)
