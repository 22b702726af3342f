"""`TokenWriter`: positions and legal actions as rows of numbers, compiled (`docs/learn.md`).

A plane says for every cell what lies there, and is nearly empty. Here each tile, feature, follower,
player, kind of tile and legal action is a row, and rows refer to each other by number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board import whole
from carc.base.board.place_order import first_place
from carc.base.position.state_data import forgets
from carc.learn.action_tokens import ActionTokens
from carc.learn.encoding import Encoding
from carc.learn.expansion_fields import SEGMENTS, weight_of
from carc.learn.token_table import (
    ALL_NONE,
    NONE,
    SHIFT,
    TokenTable,
    at_place,
    column,
    four,
    held,
    row,
)

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.state import State

FACE_DOWN: Final = -1  # the kind of a tile that lies face down


class TokenWriter:
    """Writes what players see as rows; of one encoding, for any number of observations.

    Owners and players are counted from the player who looks. Coordinates are counted from the
    middle of the tiles. A row is named by its number within its observation; `NONE` is no row.
    Numbers are held within 15 bits.

    Attributes:
        encoding: The encoding, whose codes the actions have.
        tiles: The tiles laid: where, the kind, the rotation, and by segment the row of its feature.
        features: The features: the kind, on how many tiles, how many open edges, who leads (a bit
            each), what marks, each owner's power.
        followers: The followers: the row of the tile, the segment, the row of the feature, whose,
            the kind.
        owners: Each owner's score, player, whether it is its turn and its decision, and supply.
        bag: The kinds of tiles left: how many, and whether it is in hand.
        places: What expansions keep on the table: the field (`place_names`), where, how much.
        numbers: One row: what belongs to no place (`number_names`).
        actions: The legal actions, in order: what (`WHAT`), where, the rotation, segment, follower,
            owner and layer, the row of the feature, and those beside a placement.
    """

    def __init__(self, encoding: Encoding) -> None:
        """Name the columns."""
        rules = encoding.rules
        kinds = [kind.name for kind in rules.follower_kinds]
        owners = range(rules.owners)
        segments = [f"feature {index}" for index in range(encoding.most_segments)]
        self.encoding: Final = encoding
        self.place_names: Final = [
            encoding.plane_names[field.plane].removesuffix(" 0" if field.by_index else "")
            for field in encoding._place_fields
        ]
        numbers = sum([max(1, len(field.keys)) for field in encoding._number_fields])
        self.number_names: Final = [
            *["step", "last tile", "tiles left", "unseen", "seat"],
            *encoding.number_names[len(encoding.number_names) - numbers :],
        ]
        self.tiles: Final = TokenTable("tile", ["x", "y", "kind", "rotation", *segments])
        self.features: Final = TokenTable(
            "feature",
            [
                *["kind", "tiles", "open", "leaders"],
                *[f"mark {mark}" for mark in rules.catalogue.marks],
                *[f"power {owner}" for owner in owners],
            ],
        )
        self.followers: Final = TokenTable(
            "follower", ["tile", "segment", "feature", "owner", "kind"]
        )
        self.owners: Final = TokenTable(
            "owner", ["score", "player", "active", "to decide", *[f"supply {k}" for k in kinds]]
        )
        self.bag: Final = TokenTable("kind of tile", ["kind", "left", "in hand"])
        self.places: Final = TokenTable(
            "place", ["field", "x", "y", "segment", "feature", "amount"]
        )
        self.numbers: Final = TokenTable("numbers", self.number_names)
        self.actions: Final = ActionTokens(encoding)
        self._prepare()

    def _prepare(self) -> None:
        rules = self.encoding.rules
        self.tables: dict[str, TokenTable] = {
            "tiles": self.tiles,
            "features": self.features,
            "followers": self.followers,
            "owners": self.owners,
            "bag": self.bag,
            "places": self.places,
            "numbers": self.numbers,
            "actions": self.actions,
        }
        self._player_of: vec[i64] = vec[i64]([0] * rules.owners)
        for player in reversed(range(rules.players)):
            for owner in rules.colours[player]:
                self._player_of[owner] = player
        self._owners: i64 = rules.owners
        self._marks: i64 = len(rules.catalogue.marks)
        self._unseen: i64 = 0
        self._feature_of: vec[i64] = vec[i64]()
        self._standing: vec[i64] = vec[i64]()
        # By feature, its row.
        self._row_of: vec[i64] = vec[i64]([0] * rules.catalogue.most_segments)

    def clear(self) -> None:
        """Forget all observations."""
        for table in self.tables.values():
            table.clear()

    def write(self, state: State, player: int, runs: vec[i64] | None = None) -> None:
        """Add what a player sees, with the legal actions of the player to decide.

        Args:
            state: The state.
            player: The player, who comes first; -1 sees it as player 0 does.
            runs: The legal codes (`ActionCodes.runs`), if known.

        Raises:
            CarcError: The state has other rules, or there is no such player.
        """
        if runs is None or state.rules.has_secrets:
            state = self.encoding.seen(state, player)
            decides = state.current_player >= 0
            runs = self.encoding.runs(state) if decides else vec[i64]()
        own: i64 = self.encoding._first_owner(player)
        board = state.board
        middle = board.middle()
        self._feature_of = whole.segment_features(board)
        self._standing = whole.followers(board)
        self._write_features(board, own)
        self._write_tiles(state, middle)
        self._write_followers(board, own)
        self._write_owners(state, player, own)
        self._write_bag(state)
        self._write_places(state, middle)
        self._write_numbers(state, player)
        self.actions.write(state, runs, middle, self._row_of)

    def _write_features(self, board: Board, own: i64) -> None:
        table, row_of = self.features, self._row_of
        feature_of, kind_of = self._feature_of, whole.segment_kinds(board)
        open_edges, tiles = whole.feature_open_edges(board), whole.feature_tiles(board)
        marked = whole.feature_marked(board)
        segments: i64 = len(feature_of)
        first = table.begin(segments)
        words, width = table.words, table.width
        at = first
        found: i64 = 0
        for segment in range(segments):
            if feature_of[segment] != segment:
                continue
            row_of[segment] = found
            found += 1
            words[at] = four(kind_of[segment], tiles[segment], open_edges[segment], 0)
            for word in range(1, width):
                words[at + word] = 0
            if marked[segment]:
                self._write_marks_and_powers(board, segment, at, own)
            at += width
        table.count += found
        standing = self._standing
        for n in range(0, i64(len(standing)), 3):
            feature = feature_of[standing[n]]
            self._write_marks_and_powers(board, feature, first + row_of[feature] * width, own)

    def _write_marks_and_powers(self, board: Board, feature: i64, at: i64, own: i64) -> None:
        """Write what is seldom there: marks and powers, and with the first four who leads."""
        words = self.features.words
        most: i64 = 0
        leaders: i64 = 0
        word: i64 = 0
        place: i64 = 0
        for n in range(self._marks + self._owners):
            number: i64
            if n < self._marks:
                number = board.mark(feature, n)
            else:
                owner = own + n - self._marks
                if owner >= self._owners:
                    owner -= self._owners
                number = board.power(feature, owner)
                if number > most:
                    most = number
                    leaders = 0
                if number == most and number:
                    leaders |= 1 << n - self._marks
            word |= at_place(number, place & 3)
            place += 1
            if place & 3 == 0:
                words[at + (place >> 2)] = word
                word = 0
        if place & 3:
            words[at + (place >> 2) + 1] = word
        words[at] |= leaders << 3 * SHIFT

    def _write_tiles(self, state: State, middle: i64) -> None:
        table, board = self.tiles, state.board
        cell_of, kind_of = whole.tile_cells(board), whole.oriented_kinds(board)
        first_of, feature_of = whole.first_segments(board), self._feature_of
        row_of = self._row_of
        laid: i64 = len(cell_of)
        segments: i64 = len(feature_of)
        down = board.face_down_cells()
        at = table.begin(laid + i64(len(down)))
        words, width = table.words, table.width
        for tile in range(laid):
            away = cell_of[tile] - middle
            words[at] = four(column(away), row(away), kind_of[tile] >> 2, kind_of[tile] & 3)
            after = first_of[tile + 1] if tile + 1 < laid else segments
            segment = first_of[tile]
            for word in range(1, width):
                words[at + word] = four(
                    row_of[feature_of[segment]] if segment < after else i64(NONE),
                    row_of[feature_of[segment + 1]] if segment + 1 < after else i64(NONE),
                    row_of[feature_of[segment + 2]] if segment + 2 < after else i64(NONE),
                    row_of[feature_of[segment + 3]] if segment + 3 < after else i64(NONE),
                )
                segment += 4
            at += width
        for cell in down:
            words[at] = four(column(cell - middle), row(cell - middle), FACE_DOWN, 0)
            for rest in range(1, width):
                words[at + rest] = ALL_NONE
            at += width
        table.count += laid + i64(len(down))

    def _write_followers(self, board: Board, own: i64) -> None:
        table, standing = self.followers, self._standing
        at = table.begin(i64(len(standing)) // 3)
        words = table.words
        for n in range(0, i64(len(standing)), 3):
            segment = standing[n]
            tile: i64 = board.tile_under(segment)
            owner = standing[n + 1] - own
            if owner < 0:
                owner += self._owners
            index = segment - board.segment_of(tile, 0)
            words[at] = four(tile, index, self._row_of[self._feature_of[segment]], owner)
            words[at + 1] = standing[n + 2]
            at += 2
        table.count += i64(len(standing)) // 3

    def _write_owners(self, state: State, player: int, own: i64) -> None:
        table, rules = self.owners, self.encoding.rules
        owners: i64 = rules.owners
        kinds: i64 = len(rules.follower_kinds)
        players: i64 = rules.players
        seat: i64 = max(player, 0)
        active: i64 = state.active_player
        deciding: i64 = state.current_player
        at = table.begin(owners)
        words = table.words
        for k in range(owners):
            owner = (own + k) % owners
            who = self._player_of[owner]
            begins = i64(who == active)
            decides = i64(who == deciding)
            words[at] = four(held(state.scores[owner]), (who - seat) % players, begins, decides)
            for kind in range(kinds):
                word: i64 = 0 if kind & 3 == 0 else words[at + 1 + (kind >> 2)]
                supply: i64 = state.board.supply_of(owner, kind)
                words[at + 1 + (kind >> 2)] = word | at_place(supply, kind & 3)
            at += table.width
        table.count += owners

    def _write_bag(self, state: State) -> None:
        table, bag = self.bag, state.bag
        at = table.begin(len(bag))
        words = table.words
        in_hand: i64 = state.tile_in_hand
        unseen: i64 = -state.tiles_left
        for kind in range(i64(len(bag))):
            left: i64 = bag[kind]
            if left or kind == in_hand:
                words[at] = four(kind, left, i64(kind == in_hand), 0)
                at += 1
                unseen += left
        table.count = at
        self._unseen = unseen

    def _write_places(self, state: State, middle: i64) -> None:
        """Write the places that expansion states refer to."""
        table, board = self.places, state.board
        table.begin(0)
        for n, field in enumerate(self.encoding._place_fields):
            value: object = getattr(state.expansion_states[field.state], field.name)
            numbers, weights = field.read(value)
            for index, number in enumerate(numbers):
                if not isinstance(number, int) or number < 0:
                    continue
                amount: i64 = weight_of(weights[index], field.weight) if weights else 1
                cell: i64 = number
                on_tile: i64 = NONE
                feature: i64 = NONE
                if field.refers_to in SEGMENTS:
                    segment: i64 = number
                    if field.refers_to == "feature":
                        x, y, where = first_place(board, number)
                        segment = board.segment_at(x, y, where)
                    on_tile = segment - board.segment_of(board.tile_under(segment), 0)
                    cell = board.cell_under(segment)
                    feature = self._row_of[board.feature_of(segment)]
                elif field.refers_to == "tile":
                    cell = board.cell_of(number)
                table.make_room(1)
                at = table.count * 2
                away = cell - middle
                table.words[at] = four(n, column(away), row(away), on_tile)
                table.words[at + 1] = four(feature, held(amount), 0, 0)
                table.count += 1

    def _write_numbers(self, state: State, player: int) -> None:
        table, encoding = self.numbers, self.encoding
        at = table.begin(1)
        words = table.words
        step = state.rules._steps.find(state.step) if state.has_begun else None
        last: i64 = NONE if forgets(state) else state.board.last_tile
        left: i64 = state.tiles_left
        words[at] = four(NONE if step is None else step, last, left, self._unseen)
        numbers: list[int] = [max(player, 0)]
        for field in encoding._number_fields:
            numbers += field.read(state)
        for n, number in enumerate(numbers):
            here: i64 = n & 3
            word: i64 = words[at + 1 + (n >> 2)] if here else 0
            words[at + 1 + (n >> 2)] = word | at_place(held(number), here)
        table.count += 1
