"""`BoardRows`: a board as rows of numbers that follow the game tile by tile.

A row of a tile or a feature stays from one position to the next. Only what changed is written
again: the features that a new tile is part of, and those with followers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from carc.base.board.arrays import (
    FOLLOWER_MASK,
    KIND_MASK,
    OWNER_AT,
    OWNER_BITS,
    OWNER_MASK,
    SEGMENT_AT,
)
from carc.base.board.whole import segments_around
from carc.base.board.words import (
    ALL_NONE,
    BELOW_LAST,
    LOW,
    NONE,
    SHIFT,
    four,
    four_of,
    instead,
    where,
)
from carc.base.cells import WIDTH_BITS, beyond
from carc.base.tiles.catalogue import DEMAND_BITS, DEMANDS, MARK_BITS, MOST_OF_A_MARK, ROTATIONS

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.board.game_components import Components

_HEAD: Final = 4  # numbers of a row of a tile or feature before those of segments or owners
_SIDE: Final = 16  # free cells whose x and y differ by less than this have slots of their own
_SLOTS: Final = _SIDE * _SIDE


@final
class BoardRows:
    """The tiles and features of a board as rows; followers and placements on request.

    Owners are counted from one of them, coordinates from the middle of the tiles.

    Attributes:
        tiles: A row for each tile that lies face up: x, y, kind, rotation, and by segment the row
            of its feature.
        features: A row for each feature, in no particular order: kind, tiles, open edges, who leads
            (a bit for each owner), each owner's power, and what marks.
        tile_count, feature_count: How many rows there are.
        follower_count: How many followers there are.
        face_down_count: How many tiles lie face down.
        tile_width, feature_width: How many words a row has.
        row_of: By segment, the row of its feature; -1 for the one after the last there can be.
        middle: The cell from which coordinates are counted.
    """

    def __init__(self, components: Components) -> None:
        catalogue = components.catalogue
        segments: i64 = 0
        for count in catalogue.segment_count:
            segments = max(segments, count)
        self._owners: Final[i64] = components.owners
        self._marks: Final[i64] = len(catalogue.marks)
        self.tile_width: Final[i64] = (_HEAD + segments + 3) // 4
        self.feature_width: Final[i64] = (_HEAD + self._marks + self._owners + 3) // 4
        self.tiles: vec[i64] = vec[i64]()
        self.features: vec[i64] = vec[i64]()
        self.row_of: vec[i64] = vec[i64]([NONE] * (catalogue.most_segments + 1))
        self.tile_count: i64 = 0
        self.feature_count: i64 = 0
        self.follower_count: i64 = 0
        self.face_down_count: i64 = 0
        self.middle: i64 = -1
        self._board: Board | None = None
        self._edits: i64 = 0  # of the board, when it was seen last
        self._own: i64 = 0
        self._segment_count: i64 = 0
        # By segment: its tile and its index there, in the low half of a word.
        self._place: vec[i64] = vec[i64]([0] * catalogue.most_segments)
        self._centres: vec[i64] = vec[i64]()  # segments that neighbours complete
        # By row of a feature: the feature, -1 in a row that is not used; and the power of followers
        # there, as the board has it, when the row was written.
        self._feature_at: vec[i64] = vec[i64]([NONE] * catalogue.most_segments)
        self._claimed: vec[i64] = vec[i64]([0] * catalogue.most_segments)
        self._unused: vec[i64] = vec[i64]()  # rows
        # The features of the followers, when powers were written; more may follow.
        self._held: vec[i64] = vec[i64]()
        self._held_count: i64 = 0
        # What lies beside free cells: by `_slot`, what `segments_around` was asked, and its answer.
        self._beginnings: i64 = 0
        self._known: vec[i64] = vec[i64]([0] * (2 * _SLOTS))

    def _begin(self, board: Board) -> None:
        """Forget all rows."""
        self._board = board
        self._edits = board._edits
        self._beginnings += 1
        self.middle = -1
        row_of = self.row_of
        for segment in range(self._segment_count):
            row_of[segment] = NONE
        self.tile_count = 0
        self.feature_count = 0
        self._segment_count = 0
        self._held_count = 0
        self.tiles = vec[i64]()
        self.features = vec[i64]()
        self._centres = vec[i64]()

    def follow(self, board: Board, own: i64) -> None:
        """Write what has changed; all rows if the board is another. `own` is who comes first."""
        if board is not self._board or board._edits != self._edits:
            self._begin(board)
        if self.tile_count < board.tile_count:
            before = self.tile_count
            self._add_tiles(board)
            self._add_features(board)
            self._write_ends(board, before)
        self._write_powers(board, own)
        self.follower_count = len(board._followers)
        self.face_down_count = board._face_down_count

    # -- tiles ---------------------------------------------------------------------------------

    def _add_tiles(self, board: Board) -> None:
        """Add rows of new tiles, all but where their segments belong."""
        catalogue = board.components.catalogue
        tiles, place, width = self.tiles, self._place, self.tile_width
        segment = self._segment_count
        for tile in range(self.tile_count, board.tile_count):
            oriented = board._oriented_kind[tile]
            tiles = append(tiles, (oriented >> 2 | (oriented & 3) << SHIFT) << 2 * SHIFT)
            for _ in range(1, width):
                tiles = append(tiles, ALL_NONE)
            for centre in catalogue.centres[oriented >> 2]:
                self._centres = append(self._centres, segment + centre)
            for index in range(catalogue.segment_count[oriented >> 2]):
                place[segment] = tile | index << SHIFT
                segment += 1
        self.tiles = tiles
        self._write_cells(board)
        self.tile_count = board.tile_count

    def _write_cells(self, board: Board) -> None:
        """Write where the new tiles lie; where all lie if the middle has moved."""
        first, middle = self.tile_count, board.middle()
        if middle != self.middle:
            first = 0
            self.middle = middle
        tiles, width, cell = self.tiles, self.tile_width, board._cell
        for tile in range(first, board.tile_count):
            at = tile * width
            tiles[at] = tiles[at] >> 2 * SHIFT << 2 * SHIFT | where(cell[tile] - middle)

    # -- features ------------------------------------------------------------------------------

    def _add_features(self, board: Board) -> None:
        """Write the features of new segments; rows of those that became part of them go."""
        row_of, feature = self.row_of, board._feature
        for segment in range(self._segment_count, board.segment_count):
            if row_of[segment] < 0:
                self._write(board, self._give_row(board, feature[segment]))
        self._segment_count = board.segment_count
        while len(self._unused):
            self._unused, row = pop(self._unused)
            while self.feature_count and self._feature_at[self.feature_count - 1] < 0:
                self._drop_last()
            if row < self.feature_count:
                self._fill(board, row)

    def _give_row(self, board: Board, feature: i64) -> i64:
        """Give all segments of a feature one row: that of a part of it, or a new one."""
        row_of, follow = self.row_of, board._next
        row = row_of[feature]
        segment = follow[feature]
        while row < 0 and segment != feature:
            row = row_of[segment]
            segment = follow[segment]
        if row < 0:
            row = self._new_row()
        self._feature_at[row] = feature
        self._name(board, feature, row)
        return row

    def _new_row(self) -> i64:
        """Return an unused row, or add one."""
        if len(self._unused):
            self._unused, unused = pop(self._unused)
            return unused
        features = self.features
        for _ in range(self.feature_width):
            features = append(features, 0)
        self.features = features
        row = self.feature_count
        self.feature_count = row + 1
        return row

    def _name(self, board: Board, feature: i64, row: i64) -> None:
        """Write the row of a feature where its segments refer to it; other rows become unused."""
        row_of, follow, place, tiles = self.row_of, board._next, self._place, self.tiles
        feature_at, width = self._feature_at, self.tile_width
        segment = feature
        while True:
            old = row_of[segment]
            if old != row:
                if old >= 0 and feature_at[old] >= 0:
                    feature_at[old] = NONE
                    self._unused = append(self._unused, old)
                row_of[segment] = row
                index = place[segment] >> SHIFT
                word = (place[segment] & LOW) * width + 1 + (index >> 2)
                tiles[word] += instead(old, row, index & 3)
            segment = follow[segment]
            if segment == feature:
                return

    def _drop_last(self) -> None:
        """Remove the last row of features."""
        features = self.features
        for _ in range(self.feature_width):
            features, _ = pop(features)
        self.features = features
        self.feature_count -= 1

    def _fill(self, board: Board, row: i64) -> None:
        """Move the last row of features to an unused one."""
        feature_at, features, width = self._feature_at, self.features, self.feature_width
        last = self.feature_count - 1
        feature = feature_at[last]
        for word in range(width):
            features[row * width + word] = features[last * width + word]
        self._claimed[row] = self._claimed[last]
        feature_at[row] = feature
        feature_at[last] = NONE
        self._name(board, feature, row)
        self._drop_last()

    def _write_ends(self, board: Board, first: i64) -> None:
        """Write features that new tiles, from `first` on, may have ended from outside."""
        for segment in self._centres:
            self._write_end(board, segment)
        catalogue = board.components.catalogue
        if not (catalogue.ends or catalogue.overlays):
            return
        for tile in range(first, board.tile_count):
            for side in range(4):
                other = board.tile_on_cell(beyond(board._cell[tile], side))
                if other >= 0:
                    start = board._first_segment[other]
                    count = catalogue.segment_count[board._oriented_kind[other] >> 2]
                    for segment in range(start, start + count):
                        self._write_end(board, segment)

    def _write_end(self, board: Board, segment: i64) -> None:
        """Write the feature of a segment if its open edges have changed."""
        row = self.row_of[segment]
        written = self.features[row * self.feature_width] >> 2 * SHIFT & LOW
        if board._open[self._feature_at[row]] & LOW != written:
            self._write(board, row)

    def _write(self, board: Board, row: i64) -> None:
        """Write the row of a feature without its followers."""
        words, feature = self.features, self._feature_at[row]
        at = row * self.feature_width
        words[at] = four(board._kind[feature], board._size[feature], board._open[feature], 0)
        for word in range(at + 1, at + self.feature_width):
            words[word] = 0
        self._claimed[row] = 0
        place = at * 4 + _HEAD + self._owners
        if board.components.catalogue.mark_words == 1:
            marks = board._marks[feature]
            while marks:
                words[place >> 2] |= (marks & MOST_OF_A_MARK) << (place & 3) * SHIFT
                marks >>= MARK_BITS
                place += 1
        elif board.is_marked(feature):
            for mark in range(self._marks):
                words[place >> 2] |= i64(board.mark(feature, mark)) << (place & 3) * SHIFT
                place += 1

    def _write_powers(self, board: Board, own: i64) -> None:
        """Write the power of followers wherever it has changed, or its owners are counted anew."""
        feature, claimed, row_of = board._feature, board._claimed, self.row_of
        words, width, written, held = self.features, self.feature_width, self._claimed, self._held
        turned = own != self._own
        self._own = own
        for n in range(self._held_count):
            left = held[n]
            if claimed[left] == 0 and feature[left] == left and written[row_of[left]]:
                written[row_of[left]] = 0
                self._write_power(words, row_of[left] * width, 0, own)
        count: i64 = 0
        for entry in board._followers:
            here = feature[entry >> SEGMENT_AT]
            row = row_of[here]
            if claimed[here] != written[row] or turned:
                written[row] = claimed[here]
                self._write_power(words, row * width, claimed[here], own)
            if count == len(held):
                held = append(held, here)
            else:
                held[count] = here
            count += 1
        self._held, self._held_count = held, count

    def _write_power(self, words: vec[i64], at: i64, claimed: i64, owner: i64) -> None:
        """Write who leads and each owner's power, from the one given on, in the row at a word."""
        owners = self._owners
        most: i64 = 1
        leaders: i64 = 0
        word: i64 = 0
        head = at
        for seat in range(owners):
            power = claimed >> OWNER_BITS * owner & OWNER_MASK
            if power > most:
                most = power
                leaders = 0
            if power == most:
                leaders |= 1 << seat
            word |= power << (seat & 3) * SHIFT
            if seat & 3 == 3:
                at += 1
                words[at] = word
                word = 0
            owner += 1
            if owner == owners:
                owner = 0
        if owners & 3:
            rest = (owners & 3) * SHIFT  # marks follow
            words[at + 1] = words[at + 1] >> rest << rest | word
        words[head] = words[head] & BELOW_LAST | leaders << 3 * SHIFT

    # -- followers and placements --------------------------------------------------------------

    def write_followers(self, board: Board, words: vec[i64], at: i64) -> None:
        """Write two words for each follower, as `Board.all_followers` has them, from an index on.

        They are the tile, the index of the segment, the row of the feature, the owner and the kind.
        """
        place, row_of, own, owners = self._place, self.row_of, self._own, self._owners
        for entry in board._followers:
            segment = entry >> SEGMENT_AT
            owner = ((entry & FOLLOWER_MASK) >> OWNER_AT) - own
            if owner < 0:
                owner += owners
            words[at] = place[segment] | (row_of[segment] | owner << SHIFT) << 2 * SHIFT
            words[at + 1] = entry & KIND_MASK
            at += 2

    def write_placements(
        self, board: Board, kind: i64, what: i64, words: vec[i64], at: i64
    ) -> None:
        """Write three words for each placement (`Placements`) of a tile, from an index on.

        They are `what`, x, y, the rotation; four times nothing; the rows of the features that the
        tile would meet, north first.
        """
        rotations = board.components.catalogue.rotations
        first, middle = board.components.catalogue.rotations_at[kind], self.middle
        row_of, known = self.row_of, self._known
        beginnings = self._beginnings << 32  # beyond the bits of an entry
        for entry in board._frontier:
            fits = i64(rotations[first | entry & DEMANDS]) & ROTATIONS
            if fits:
                cell = entry >> DEMAND_BITS
                slot = _slot(cell)
                # A tile that is laid beside a free cell changes what the cell demands.
                if known[slot] != beginnings | entry:
                    known[slot] = beginnings | entry
                    known[slot + 1] = segments_around(board, cell, entry & DEMANDS)
                features = four_of(row_of, known[slot + 1])
                head = what | where(cell - middle) << SHIFT
                while fits:
                    if fits & 1:
                        words[at] = head
                        words[at + 1] = ALL_NONE
                        words[at + 2] = features
                        at += 3
                    fits >>= 1
                    head += 1 << 3 * SHIFT

    def around(self, board: Board, cell: i64) -> i64:
        """Return the rows of the features that a tile on a cell would meet, north first."""
        return four_of(self.row_of, segments_around(board, cell, DEMANDS))


def _slot(cell: i64) -> i64:
    """Return where `BoardRows` keeps what lies beside a cell."""
    return 2 * (cell & _SIDE - 1 | (cell >> WIDTH_BITS & _SIDE - 1) * _SIDE)
