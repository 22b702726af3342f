"""`ActionTokens`: a row for each legal action: what it does, and which features it meets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from carc.base.board.rows import BoardRows
from carc.base.board.words import ALL_NONE, BELOW_LAST, LOW, NONE, SHIFT, four, where
from carc.base.cells import WIDTH
from carc.base.turn.actions import Action, OnCell, OnSegment, Place
from carc.base.turn.choices import Placements
from carc.learn.action_codes import RUN_BITS, ActionCodes
from carc.learn.token_table import TokenTable

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
        super().__init__("action", COLUMNS)
        self.codes: vec[i32] = vec[i32]()
        self._encoding: Final = encoding
        self._rows: BoardRows = BoardRows(encoding.rules.components)
        self._others: i64 = 0
        # By its number, how far a cell of the window is from the corner.
        size, cells = encoding.size, range(encoding.cells)
        self._away: vec[i64] = vec[i64]([at // size * WIDTH + at % size for at in cells])

    def write(self, state: State, runs: vec[i64], rows: BoardRows) -> None:
        """Add the legal actions.

        Args:
            state: The state.
            runs: Their codes (`ActionCodes.runs`).
            rows: What lies on the board.
        """
        choices = state._choices
        most: i64 = choices.count if len(runs) else i64(0)
        at = self.make_room(most)
        self._write_codes(runs, most)
        if isinstance(choices, Placements) and most:
            rows.write_placements(state.board, choices.kind, PLACE, self.words, at)
            self.count += most
            return
        encoding = self._encoding
        corner: i64 = encoding.corner(state)
        first, self._rows, self._others = self.count, rows, 0
        at_claim: i64 = encoding.at_claim
        at_other: i64 = encoding.at_other
        for n in range(first, first + most):
            code = i64(self.codes[n])
            if code == 0 or at_claim <= code < at_other:
                self._write_coded(state.board, code, corner)
            else:
                self._write_other(state.board, state.action_at(int(n - first)))

    def _write_codes(self, runs: vec[i64], most: i64) -> None:
        """Write so many codes."""
        if self.count + most > i64(len(self.codes)):
            self.codes = _more(self.codes, 2 * (self.count + most))
        codes, at = self.codes, self.count
        for run in runs:
            if run == 0:
                return
            code, bits = run >> RUN_BITS, run & 15
            while bits:
                if bits & 1:
                    codes[at] = i32(code)
                    at += 1
                bits >>= 1
                code += 1

    def _add(self, head: i64, choice: i64, features: i64) -> None:
        """Add a row, given as its three words."""
        at = self.count * 3
        words = self.words
        words[at] = head
        words[at + 1] = choice
        words[at + 2] = features
        self.count += 1

    def _write_coded(self, board: Board, code: i64, corner: i64) -> None:
        """Write the row of an action that has a code of its own: all follows from it."""
        encoding = self._encoding
        if code == 0:
            self._add(four(PASS, 0, 0, NONE), ALL_NONE, ALL_NONE)
        elif code < encoding.at_segment:
            rest = code - encoding.at_claim
            claims: i64 = encoding._claims
            kinds: i64 = len(encoding.rules.follower_kinds)
            claim = rest % claims
            choice = four(rest // claims, claim % kinds, claim // kinds, NONE)
            self._write_on_segment(board, CLAIM, board.cell_of(board.last_tile), choice)
        elif code < encoding.at_cell:
            rest = code - encoding.at_segment
            layers: i64 = encoding.layers
            segments: i64 = encoding.most_segments
            place = rest // layers
            choice = four(place % segments, NONE, NONE, rest % layers)
            cell = corner + self._away[place // segments]
            self._write_on_segment(board, SEGMENT, cell, choice)
        else:
            self._write_cell(corner + self._away[code - encoding.at_cell])

    def _write_other(self, board: Board, action: Action) -> None:
        """Write the row of another action."""
        if isinstance(action, Place):
            head = self._head(PLACE, action.cell) & BELOW_LAST
            features = self._rows.around(board, action.cell)
            self._add(head | action.rotation << 3 * SHIFT, ALL_NONE, features)
        elif isinstance(action, OnSegment):
            choice = four(action.index, NONE, NONE, action.layer)
            self._write_on_segment(board, SEGMENT, action.cell, choice)
        elif isinstance(action, OnCell):
            self._write_cell(action.cell)
        else:
            self._add(four(OTHER, 0, 0, NONE), four(NONE, NONE, NONE, self._others), ALL_NONE)
            self._others += 1

    def _write_on_segment(self, board: Board, what: i64, cell: i64, choice: i64) -> None:
        """Write the row of a choice of a segment, whose index is the first part of `choice`."""
        tile = board.tile_on_cell(cell)
        feature: i64 = NONE
        if tile >= 0:
            feature = self._rows.row_of[board.segment_of(tile, 0) + (choice & LOW)]
        self._add(self._head(what, cell), choice, feature | ~LOW)

    def _write_cell(self, cell: i64) -> None:
        """Write the row of a choice of a cell."""
        self._add(self._head(CELL, cell), ALL_NONE, ALL_NONE)

    def _head(self, what: i64, cell: i64) -> i64:
        """Return the first word of a row without a rotation."""
        return what | where(cell - self._rows.middle) << SHIFT | NONE << 3 * SHIFT


def _more(codes: vec[i32], length: i64) -> vec[i32]:
    """Return codes with room up to a length."""
    new = vec[i32]([0] * length)
    for at in range(i64(len(codes))):
        new[at] = codes[at]
    return new
