"""`Encoding`: positions as numbers, in planes and in a vector, for learning (`docs/learn.md`).

Everything follows from the data of the rules: edges and segments from the tiles, followers from the
colours, the rest from the state of expansions. Other rules have other planes and codes, but need no
code of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from librt.vecs import vec
from mypy_extensions import i64, u8

from carc.base.board import whole
from carc.base.board.place_order import first_place
from carc.base.position.state_data import forgets
from carc.errors import CarcError
from carc.learn.action_codes import BELOW, BITS, ActionCodes
from carc.learn.expansion_fields import (
    SEGMENTS,
    PlaceField,
    name_number_fields,
    name_place_fields,
    weight_of,
)
from carc.learn.tile_planes import MAX_VALUE, VALUE_BITS, VALUE_MASK, TilePlanes

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


class Encoding(ActionCodes):
    """The planes, numbers and action codes of one `Rules`. Make one and use it for all states.

    Attributes:
        plane_names: The name of each plane of `board`, by its index.
        number_names: The name of each entry of `numbers`, by its index.
    """

    def __init__(self, rules: Rules, size: int = 0) -> None:
        """Name the planes and numbers of some rules.

        Args:
            rules: The rules.
            size: The width of the window in cells; 0: wide enough for random games.

        Raises:
            CarcError: The size is negative.
        """
        super().__init__(rules, size)
        self.plane_names: list[str] = []
        self.number_names: list[str] = []
        self._name_planes()
        self._name_numbers()

    # -- names -----------------------------------------------------------------------------------

    def _name_planes(self) -> None:
        """Name all planes, and note what each oriented kind of tile writes into them."""
        rules = self.rules
        tiles = TilePlanes(rules.catalogue, self.cells)
        names = tiles.names.copy()
        self._starts: vec[i64] = tiles.starts
        self._entries: vec[i64] = tiles.entries
        self._place_slots(tiles, len(names))
        # For each slot: the feature's open edges and size; by owner, the player's own first, the
        # power on the feature, and by kind the followers on the segment itself.
        for slot in tiles.slots:
            names += [f"open {slot}", f"size {slot}"]
            names += [f"power {slot} {owner}" for owner in range(rules.owners)]
            names += [
                f"{kind.name} {slot} {owner}"
                for owner in range(rules.owners)
                for kind in rules.follower_kinds
            ]
        self._place_fields: list[PlaceField] = name_place_fields(rules, names, self.most_segments)
        self.plane_names = names
        # What each board begins as: to copy it takes a twentieth of the time of writing zeros one
        # by one. It is cut from a longer vector so that glibc keeps the memory of boards: it
        # returns free memory to the system only beyond twice the largest block ever freed.
        length = len(names) * self.cells
        self._blank: vec[u8] = vec[u8]([0] * (4 * length))[:length]

    def _place_slots(self, tiles: TilePlanes, first_plane: int) -> None:
        """Note for each oriented kind where its slots begin in `board`, and the segment there."""
        self._kinds: int = len(self.rules.follower_kinds)
        planes = 2 + (1 + self._kinds) * self.rules.owners
        starts = [0]
        slots: list[int] = []
        for entries in tiles.slot_entries:
            for slot, index in entries:
                slots.append((first_plane + slot * planes) * self.cells << VALUE_BITS | index)
            starts.append(len(slots))
        self._slot_starts: vec[i64] = vec[i64](starts)
        self._slots: vec[i64] = vec[i64](slots)

    def _name_numbers(self) -> None:
        rules = self.rules
        kinds = [kind.name for kind in rules.follower_kinds]
        names = [f"score {owner}" for owner in range(rules.owners)]
        names += [f"supply {owner} {kind}" for owner in range(rules.owners) for kind in kinds]
        names += [f"bag {tile}" for tile in rules.tile_names]
        names += [f"hand {tile}" for tile in rules.tile_names]
        names += [f"active {player}" for player in range(rules.players)]
        names += [f"to decide {player}" for player in range(rules.players)]
        names += [f"step {step}" for step in rules._steps.names]
        names += ["unseen", "seat"]
        self._number_fields = name_number_fields(rules, names)
        self.number_names = names

    # -- positions -------------------------------------------------------------------------------

    def board(self, state: State, player: int) -> vec[u8]:
        """Return the planes as a player sees them: by plane, y, x, each value 0 to 255.

        Args:
            state: The state.
            player: The player, who comes first among the owners; -1 sees it as player 0 does.

        Raises:
            CarcError: The state has other rules, or there is no such player.
        """
        state = self.seen(state, player)
        own: i64 = self._first_owner(player)
        out: vec[u8] = self._blank[:]
        corner: i64 = self.corner(state)
        self._write_tiles(out, state, corner, own)
        if state.board.last_tile >= 0 and not forgets(state):
            self._add(out, 2, state.board.cell_of(state.board.last_tile) - corner, 1)
        for cell in state.board.face_down_cells():
            self._add(out, 1, cell - corner, 1)
        self._write_followers(out, state, corner, own)
        self._write_place_fields(out, state, corner)
        return out

    def seen(self, state: State, player: int) -> State:
        """Return what a player sees of a state; the state itself where nothing is hidden.

        Raises:
            CarcError: The state has other rules.
        """
        self._check_rules(state)
        return state.view(player) if state.rules.has_secrets else state

    def _first_owner(self, player: int) -> int:
        colours = self.rules.colours
        if not -1 <= player < len(colours):
            raise CarcError(f"there is no player {player}; players are 0 to {len(colours) - 1}")
        return colours[player][0] if player >= 0 else 0

    def _write_tiles(self, out: vec[u8], state: State, corner: i64, own: i64) -> None:
        """Write the tiles and their features."""
        cells: i64 = self.cells
        size: i64 = self.size
        owners: i64 = self.rules.owners
        board = state.board
        cell_of, kind_of = whole.tile_cells(board), whole.oriented_kinds(board)
        first_of, feature_of = whole.first_segments(board), whole.segment_features(board)
        open_edges, tiles = whole.feature_open_edges(board), whole.feature_tiles(board)
        powers = whole.feature_powers(board, owners)
        starts, entries = self._starts, self._entries
        slot_starts, slots = self._slot_starts, self._slots
        for tile in range(len(cell_of)):
            away: i64 = cell_of[tile] - corner
            x: i64 = away & BELOW
            y: i64 = away >> BITS
            if x >= size or y >= size or away < 0:
                continue
            cell: i64 = y * size + x
            kind: i64 = kind_of[tile]
            for at in range(starts[kind], starts[kind + 1]):
                entry: i64 = entries[at]
                out[(entry >> VALUE_BITS) + cell] = u8(entry & VALUE_MASK)
            first: i64 = first_of[tile]
            for at in range(slot_starts[kind], slot_starts[kind + 1]):
                entry = slots[at]
                place: i64 = (entry >> VALUE_BITS) + cell
                feature: i64 = feature_of[first + (entry & VALUE_MASK)]
                out[place] = u8(min(open_edges[feature], MAX_VALUE))
                place += cells
                out[place] = u8(min(tiles[feature], MAX_VALUE))
                theirs: i64 = feature * (owners + 1)
                if powers[theirs + owners]:
                    for seat in range(owners):
                        place += cells
                        owner = own + seat
                        if owner >= owners:
                            owner -= owners
                        out[place] = u8(powers[theirs + owner])

    def _add(self, out: vec[u8], plane: i64, away: i64, value: i64) -> None:
        """Add to a cell of a plane, given as its offset to the corner, if it is in the window."""
        size: i64 = self.size
        x: i64 = away & BELOW
        y: i64 = away >> BITS
        if away >= 0 and x < size and y < size:
            at = plane * self.cells + y * size + x
            before: i64 = i64(out[at])
            out[at] = u8(min(before + value, MAX_VALUE))

    def _write_followers(self, out: vec[u8], state: State, corner: i64, own: i64) -> None:
        """Write the followers, each on its own segment."""
        cells: i64 = self.cells
        owners: i64 = self.rules.owners
        board = state.board
        slots = self._slots
        for segment, owner, follower in board.all_followers():
            tile = board.tile_under(segment)
            index: i64 = segment - board.segment_of(tile, 0)
            seat: i64 = (owner - own) % owners
            kind: i64 = board.oriented_kind(tile)
            for at in range(self._slot_starts[kind], self._slot_starts[kind + 1]):
                if slots[at] & VALUE_MASK == index:
                    first: i64 = (slots[at] >> VALUE_BITS) // cells + 2 + owners
                    plane: i64 = first + seat * self._kinds + follower
                    self._add(out, plane, board.cell_of(tile) - corner, 1)

    def _write_place_fields(self, out: vec[u8], state: State, corner: i64) -> None:
        """Write the places that expansion states refer to."""
        for field in self._place_fields:
            value: object = getattr(state.expansion_states[field.state], field.name)
            numbers, weights = field.read(value)
            for at, number in enumerate(numbers):
                if not isinstance(number, int) or number < 0:
                    continue
                plane: i64 = field.plane
                amount: i64 = weight_of(weights[at], field.weight) if weights else 1
                cell: i64 = number
                if field.refers_to in SEGMENTS:
                    segment: i64 = number
                    if field.refers_to == "feature":
                        x, y, index = first_place(state.board, number)
                        segment = state.board.segment_at(x, y, index)
                    tile = state.board.tile_under(segment)
                    on_tile: i64 = segment - state.board.segment_of(tile, 0)
                    cell = state.board.cell_of(tile)
                    if field.by_index:
                        plane += on_tile
                    else:
                        amount = on_tile + 1
                elif field.refers_to == "tile":
                    cell = state.board.cell_of(number)
                self._add(out, plane, cell - corner, amount)

    def numbers(self, state: State, player: int) -> vec[i64]:
        """Return the numbers that belong to no cell, in the order of `number_names`.

        Owners and players are counted from the player on.

        Args:
            state: The state.
            player: The player; -1 sees it as player 0 does.

        Raises:
            CarcError: The state has other rules, or there is no such player.
        """
        state = self.seen(state, player)
        rules = state.rules  # whose steps are the state's
        owners: i64 = rules.owners
        own: i64 = self._first_owner(player)
        out: vec[i64] = vec[i64]([0] * len(self.number_names))
        at: i64 = 0
        for k in range(owners):
            out[at] = state.scores[(own + k) % owners]
            at += 1
        for k in range(owners):
            owner = (own + k) % owners
            for kind in range(len(rules.follower_kinds)):
                out[at] = state.board.supply_of(owner, kind)
                at += 1
        for n in state.bag:
            out[at] = n
            at += 1
        if state.tile_in_hand >= 0:
            out[at + state.tile_in_hand] = 1
        at += len(state.bag)
        players: i64 = rules.players
        seat: i64 = max(player, 0)
        out[at + (state.active_player - seat) % players] = 1
        at += players
        if state.current_player >= 0:
            out[at + (state.current_player - seat) % players] = 1
        at += players
        if state.has_begun:
            step = rules._steps.find(state.step)
            if step is not None:
                out[at + step] = 1
        at += len(rules._steps.names)
        out[at] = sum(state.bag) - state.tiles_left
        out[at + 1] = seat
        at += 2
        self._write_number_fields(state, out, at)
        return out

    def _write_number_fields(self, state: State, out: vec[i64], at: i64) -> None:
        """Write the numbers of expansion states, from an index on."""
        for field in self._number_fields:
            for number in field.read(state):
                out[at] = number
                at += 1
