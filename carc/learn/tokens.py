"""`TokenWriter`: positions and legal actions as rows of numbers, compiled (`docs/learn.md`).

A plane says for every cell what lies there, and is nearly empty. Here each tile, feature, follower,
player, kind of tile and legal action is a row, and rows refer to each other by number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.place_order import first_place
from carc.base.board.rows import BoardRows
from carc.base.board.words import NONE, SHIFT, at_place, four, where
from carc.base.position.state_data import forgets
from carc.learn.action_tokens import ActionTokens
from carc.learn.encoding import Encoding
from carc.learn.expansion_fields import SEGMENTS, weight_of
from carc.learn.token_table import GatheredTable, TokenTable, held

if TYPE_CHECKING:
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
            each), each owner's power, what marks.
        followers: The followers: the row of the tile, the segment, the row of the feature, whose,
            the kind.
        owners: Each owner's score, player, whether it is its turn and its decision, and supply.
        bag: The kinds of tiles left: how many, and whether it is in hand.
        places: What expansions keep on the table: the field (`place_names`), where, how much.
        numbers: One row: what belongs to no place (`number_names`).
        actions: The legal actions, in order: what (`WHAT`), where, the rotation, segment, follower,
            owner and layer, the row of the feature, and those beside a placement.
        tables: All tables by name.
        count: How many observations there are.
        bounds: By observation and table, the row with which the observation begins; then those
            with which the last ends; more may follow.
    """

    def __init__(self, encoding: Encoding) -> None:
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
        self.tiles: Final = GatheredTable("tile", ["x", "y", "kind", "rotation", *segments])
        self.features: Final = GatheredTable(
            "feature",
            [
                *["kind", "tiles", "open", "leaders"],
                *[f"power {owner}" for owner in owners],
                *[f"mark {mark}" for mark in rules.catalogue.marks],
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

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the encoding: a copy begins without observations."""
        return type(self), (self.encoding,)

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
        self._tables: list[TokenTable] = list(self.tables.values())
        self.count: i64 = 0
        self.bounds: vec[i64] = vec[i64]([0] * len(self._tables))
        self._player_of: vec[i64] = vec[i64]([0] * rules.owners)
        for player in reversed(range(rules.players)):
            for owner in rules.colours[player]:
                self._player_of[owner] = player
        self._unseen: i64 = 0
        self._rows: BoardRows = BoardRows(rules.components)

    def clear(self) -> None:
        """Forget all observations."""
        for table in self.tables.values():
            table.clear()
        self.count = 0

    def write(
        self,
        state: State,
        player: int,
        runs: vec[i64] | None = None,
        rows: BoardRows | None = None,
    ) -> None:
        """Add what a player sees, with the legal actions of the player to decide.

        Args:
            state: The state.
            player: The player, who comes first; -1 sees it as player 0 does.
            runs: The legal codes (`ActionCodes.runs`), if known.
            rows: Rows that followed this game's board, if there are.

        Raises:
            CarcError: The state has other rules, or there is no such player.
        """
        if runs is None or state.rules.has_secrets:
            state = self.encoding.seen(state, player)
            decides = state.current_player >= 0
            runs = self.encoding.runs(state) if decides else vec[i64]()
        if rows is None:
            rows = self._rows
        own: i64 = self.encoding._first_owner(player)
        rows.follow(state.board, own)
        self.tiles.gather(rows.tiles, rows.tile_count)
        if rows.face_down_count:
            for cell in state.board.face_down_cells():
                self.tiles.add(where(cell - rows.middle) | four(0, 0, FACE_DOWN, 0))
        self.features.gather(rows.features, rows.feature_count)
        at = self.followers.make_room(rows.follower_count)
        rows.write_followers(state.board, self.followers.words, at)
        self.followers.count += rows.follower_count
        self._write_owners(state, player, own)
        self._write_bag(state)
        self._write_places(state, rows)
        self._write_numbers(state, player)
        self.actions.write(state, runs, rows)
        self._end()

    def _end(self) -> None:
        """Note where the rows of the observation end."""
        tables = self._tables
        bounds, at = self.bounds, (self.count + 1) * len(tables)
        if at == len(bounds):
            bounds = vec[i64]([0] * (2 * at + len(tables)))
            for n in range(at):
                bounds[n] = self.bounds[n]
            self.bounds = bounds
        for table in tables:
            bounds[at] = table.count
            at += 1
        self.count += 1

    def _write_owners(self, state: State, player: int, own: i64) -> None:
        table, rules = self.owners, self.encoding.rules
        owners: i64 = rules.owners
        kinds: i64 = len(rules.follower_kinds)
        players: i64 = rules.players
        seat: i64 = max(player, 0)
        active: i64 = state.active_player
        deciding: i64 = state.current_player
        at = table.make_room(owners)
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
        at = table.make_room(len(bag))
        words = table.words
        in_hand: i64 = state.tile_in_hand
        unseen: i64 = -state.tiles_left
        for kind, left in enumerate(bag):
            if left or kind == in_hand:
                number: i64 = left
                words[at] = kind | number << SHIFT | i64(kind == in_hand) << 2 * SHIFT
                at += 1
                unseen += number
        table.count = at
        self._unseen = unseen

    def _write_places(self, state: State, rows: BoardRows) -> None:
        """Write the places that expansion states refer to."""
        table, board = self.places, state.board
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
                        x, y, at_index = first_place(board, number)
                        segment = board.segment_at(x, y, at_index)
                    on_tile = segment - board.segment_of(board.tile_under(segment), 0)
                    cell = board.cell_under(segment)
                    feature = rows.row_of[segment]
                elif field.refers_to == "tile":
                    cell = board.cell_of(number)
                at = table.make_room(1)
                head = n | where(cell - rows.middle) << SHIFT
                table.words[at] = head | on_tile << 3 * SHIFT
                table.words[at + 1] = four(feature, held(amount), 0, 0)
                table.count += 1

    def _write_numbers(self, state: State, player: int) -> None:
        table, encoding = self.numbers, self.encoding
        at = table.make_room(1)
        words = table.words
        step = state.rules._steps.find(state.step) if state.has_begun else None
        last: i64 = NONE if forgets(state) else state.board.last_tile
        left: i64 = state.tiles_left
        words[at] = four(NONE if step is None else step, last, left, self._unseen)
        words[at + 1] = max(player, 0)
        table.count += 1
        if not encoding._number_fields:
            return
        numbers: list[int] = [max(player, 0)]
        for field in encoding._number_fields:
            numbers += field.read(state)
        for n, number in enumerate(numbers):
            here: i64 = n & 3
            word: i64 = words[at + 1 + (n >> 2)] if here else 0
            words[at + 1 + (n >> 2)] = word | at_place(held(number), here)
