"""`ActionTokens`: a row for each legal action: what it does, and which features it meets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from carc.base.board import whole
from carc.base.cells import WIDTH
from carc.base.turn.actions import Action, OnCell, OnSegment, Place
from carc.learn.action_codes import COUNT, COUNT_AT, RUN_BITS, ActionCodes
from carc.learn.token_table import ALL_NONE, LOW, NONE, TokenTable, column, four, row

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.state import State

PASS: Final = 0
PLACE: Final = 1
CLAIM: Final = 2
SEGMENT: Final = 3
CELL: Final = 4
OTHER: Final = 5
WHAT: Final = ["pass", "place", "claim", "segment", "cell", "other"]
COLUMNS: Final = [
    *["what", "x", "y", "rotation"],
    *["segment", "follower", "owner", "layer"],
    *["feature", "feature east", "feature south", "feature west"],
]


class ActionTokens(TokenTable):
    """The rows of legal actions, in the order of `State.legal_actions`.

    The feature of a claim or of a choice of a segment is the one there; those of a placement are
    the ones that the tile would meet at its four sides, north first.

    Attributes:
        codes: The code of each action; -1 if it has none.
    """

    def __init__(self, encoding: ActionCodes) -> None:
        """Begin without rows."""
        super().__init__("action", COLUMNS)
        self.codes: vec[i32] = vec[i32]()
        self._encoding: Final = encoding
        self._row_of: vec[i64] = vec[i64]()
        self._middle: i64 = 0
        self._others: i64 = 0

    def write(self, state: State, runs: vec[i64], middle: i64, row_of: vec[i64]) -> None:
        """Add the legal actions.

        Args:
            state: The state.
            runs: Their codes (`ActionCodes.runs`).
            middle: The cell from which coordinates are counted.
            row_of: By feature, its row.
        """
        encoding = self._encoding
        most: i64 = 0
        for run in runs:
            most += run >> COUNT_AT & COUNT
        self.begin(most)
        if self.count + most > i64(len(self.codes)):
            self.codes = _more(self.codes, 2 * (self.count + most))
        corner: i64 = encoding.corner(state) - middle
        first, self._row_of, self._middle, self._others = self.count, row_of, middle, 0
        at_place: i64 = encoding.at_place
        at_claim: i64 = encoding.at_claim
        at_other: i64 = encoding.at_other
        for run in runs:
            if run == 0:
                break
            code = run >> RUN_BITS
            if at_place <= code < at_claim:
                self._write_placements(state.board, run, corner)
            elif 0 <= code < at_other:
                self._write_coded(state.board, code, corner)
            else:
                action = state.action_at(int(self.count - first))
                self._write_other(state.board, action, code)

    def _add(self, code: i64, head: i64, choice: i64, features: i64) -> None:
        """Add a row, given as its three words."""
        at = self.count * 3
        words = self.words
        words[at] = head
        words[at + 1] = choice
        words[at + 2] = features
        self.codes[self.count] = i32(code)
        self.count += 1

    def _write_placements(self, board: Board, run: i64, corner: i64) -> None:
        """Write the placements on one cell in the rotations of a run."""
        code = run >> RUN_BITS
        away = corner + self._away(code - self._encoding.at_place >> 2)
        head = four(PLACE, column(away), row(away), 0)
        features = self._around(board, away + self._middle)
        for offset in range(4):
            if run >> offset & 1:
                rotation = code + offset & 3
                self._add(code + offset, head | rotation << 48, ALL_NONE, features)

    def _around(self, board: Board, cell: i64) -> i64:
        """Return the rows of the features at the sides of a cell."""
        return four(
            self._row(whole.feature_beyond(board, cell, 0)),
            self._row(whole.feature_beyond(board, cell, 1)),
            self._row(whole.feature_beyond(board, cell, 2)),
            self._row(whole.feature_beyond(board, cell, 3)),
        )

    def _row(self, feature: i64) -> i64:
        return self._row_of[feature] if feature >= 0 else i64(NONE)

    def _write_coded(self, board: Board, code: i64, corner: i64) -> None:
        """Write the row of another action that has a code of its own: all follows from it."""
        encoding = self._encoding
        if code == 0:
            self._add(code, four(PASS, 0, 0, NONE), ALL_NONE, ALL_NONE)
        elif code < encoding.at_segment:
            rest = code - encoding.at_claim
            claims: i64 = encoding._claims
            kinds: i64 = len(encoding.rules.follower_kinds)
            claim = rest % claims
            choice = four(rest // claims, claim % kinds, claim // kinds, NONE)
            cell = board.cell_of(board.last_tile)
            self._write_on_segment(board, code, CLAIM, cell, choice)
        elif code < encoding.at_cell:
            rest = code - encoding.at_segment
            layers: i64 = encoding.layers
            segments: i64 = encoding.most_segments
            place = rest // layers
            cell = corner + self._middle + self._away(place // segments)
            choice = four(place % segments, NONE, NONE, rest % layers)
            self._write_on_segment(board, code, SEGMENT, cell, choice)
        else:
            self._write_cell(code, corner + self._away(code - encoding.at_cell))

    def _write_other(self, board: Board, action: Action, code: i64) -> None:
        """Write the row of an action without a code of its own."""
        if isinstance(action, Place):
            away: i64 = action.cell - self._middle
            head = four(PLACE, column(away), row(away), action.rotation)
            self._add(code, head, ALL_NONE, self._around(board, action.cell))
        elif isinstance(action, OnSegment):
            choice = four(action.index, NONE, NONE, action.layer)
            self._write_on_segment(board, code, SEGMENT, action.cell, choice)
        elif isinstance(action, OnCell):
            self._write_cell(code, action.cell - self._middle)
        else:
            choice = four(NONE, NONE, NONE, self._others)
            self._add(code, four(OTHER, 0, 0, NONE), choice, ALL_NONE)
            self._others += 1

    def _write_on_segment(self, board: Board, code: i64, what: i64, cell: i64, choice: i64) -> None:
        """Write the row of a choice of a segment, whose index is the first part of `choice`."""
        away = cell - self._middle
        feature = self._row(whole.feature_on(board, cell, choice & LOW))
        head = four(what, column(away), row(away), NONE)
        self._add(code, head, choice, four(feature, NONE, NONE, NONE))

    def _write_cell(self, code: i64, away: i64) -> None:
        """Write the row of a choice of a cell."""
        self._add(code, four(CELL, column(away), row(away), NONE), ALL_NONE, ALL_NONE)

    def _away(self, index: i64) -> i64:
        """Return the offset of a cell of the window, given by its number, from the corner."""
        size: i64 = self._encoding.size
        return index // size * WIDTH + index % size


def _more(codes: vec[i32], length: i64) -> vec[i32]:
    """Return codes with room up to a length."""
    new = vec[i32]([0] * length)
    for at in range(i64(len(codes))):
        new[at] = codes[at]
    return new
