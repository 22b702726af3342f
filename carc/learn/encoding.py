"""`Encoding`: positions as numbers, in planes and in a row, for programs that learn (`docs/learn.md`).

Everything follows from the rules' data: edges and segments from the tiles, followers from the colours, what expansions
keep from what their slices hold, so another spec has more planes and codes and no code of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from carc.base.board.arrays import (
    FOLLOWER_MASK,
    KIND_MASK,
    OWNER_AT,
    OWNER_BITS,
    OWNER_MASK,
    SEGMENT_AT,
)
from carc.base.game.attributes import attributes
from carc.base.game.converters import (
    ANY,
    Converter,
    DictConverter,
    ListConverter,
    ReferenceConverter,
    SetConverter,
    TupleConverter,
)
from carc.base.game.expansion_data import converters
from carc.base.game.places import first_place
from carc.base.game.position import forgets
from carc.errors import CarcError
from carc.learn.codes import BELOW, BITS, Codes

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

SIDE_NAMES: Final = "NESW"
MOST: Final = 255  # of a plane's cell
SEGMENTS: Final = ("segment", "feature")
ALONE: Final = -1
ALL: Final = -2
NUMBER_BITS: Final = 8  # of such a number, or of a segment's index
NUMBER: Final = (1 << NUMBER_BITS) - 1


class _Places:
    """Planes of what slices hold of places: from which plane on, whose attribute, what its numbers are of.

    Of one number (an attribute, or the part of it at an index) there is a plane; of numbers that come and go one, or, where they are of
    segments, one by the segment's index on its tile.
    """

    def __init__(
        self, plane: int, keeper: int, name: str, part: int, *, word: str, weight: str
    ) -> None:
        self.plane: Final = plane
        self.keeper: Final = keeper  # of `State.slices`
        self.name: Final = name
        self.part: Final = part  # ALONE: it is a number; ALL: it holds numbers that come and go
        self.word: Final = word
        self.weight: Final = weight  # what a dict says of each
        self.by_index: Final = part == ALL and word in SEGMENTS


class Encoding(Codes):
    """The planes, numbers and codes of one `Rules`. Make one, use it for all states.

    - `planes`: what each plane of `board` is of, by its index
    - `numbers`: what each of the numbers that are of no cell is, by its index
    - `size`: how many cells wide and high the window is
    - `actions`: how many codes there are, from 0 on
    """

    def __init__(self, rules: Rules, size: int = 0) -> None:
        super().__init__(rules, size)
        self.planes: list[str] = []
        self.numbers: list[str] = []
        self._name_slots()
        self._name_planes()
        self._name_numbers()

    # -- planes -----------------------------------------------------------------------------------

    def _name_slots(self) -> None:
        """Where segments are on a tile: at sides, at halves of sides, over sides, or at none."""
        catalogue = self.rules.catalogue
        rows = len(catalogue.tiles) * 4
        tables: list[tuple[str, list[int]]] = []
        for name, table in (
            ("", catalogue.main),
            ("L", catalogue.left),
            ("R", catalogue.right),
            ("+", catalogue.also),
            ("over", catalogue.overlay),
        ):
            for side in range(4):
                column = [table[row * 4 + side] for row in range(rows)]
                if max(column) >= 0:
                    tables.append((f"{SIDE_NAMES[side]}{name}", column))
        at_none = [self._inner(row) for row in range(rows)]
        for n in range(max([len(some) for some in at_none])):
            column = [some[n] if n < len(some) else -1 for some in at_none]
            tables.append((f"middle{n or ''}", column))
        self.slots: list[str] = [name for name, _ in tables]
        # By row: each slot that the tile has, and the index of the segment there.
        self._held: list[list[tuple[int, int]]] = [
            [(slot, column[row]) for slot, (_, column) in enumerate(tables) if column[row] >= 0]
            for row in range(rows)
        ]

    def _inner(self, row: int) -> list[int]:
        """The segments of a tile that reach no side."""
        catalogue = self.rules.catalogue
        at: set[int] = set()
        for table in (
            catalogue.main,
            catalogue.left,
            catalogue.right,
            catalogue.also,
            catalogue.overlay,
        ):
            at.update([table[row * 4 + side] for side in range(4)])
        return [i for i in range(len(catalogue.tiles[row // 4].segments)) if i not in at]

    def _name_planes(self) -> None:
        """Name all planes; note for each row of the catalogue which of them its tile fills, and with what: `where << NUMBER_BITS | what`."""
        rules = self.rules
        catalogue = rules.catalogue
        names = ["tile", "face down", "last"]
        names += [f"edge {side} {letter}" for side in SIDE_NAMES for letter in catalogue.letters]
        sides = [(a, b) for a in range(4) for b in range(a + 1, 4)]
        names += [f"joined {SIDE_NAMES[a]}{SIDE_NAMES[b]}" for a, b in sides]
        names += [f"middle {kind.name}" for kind in catalogue.kinds]
        names += [f"mark {sort}" for sort in catalogue.marks]
        symbols = {symbol: None for tile in catalogue.tiles for symbol in tile.symbols}
        names += [_symbol(symbol) for symbol in symbols]
        at = {name: number for number, name in enumerate(names)}
        starts = [0]
        filled: list[int] = []
        for row in range(len(catalogue.tiles) * 4):
            laid = {at["tile"]: 1}
            tile = catalogue.tiles[row // 4]
            for side in range(4):
                letter = catalogue.letters[catalogue.terrain[row * 4 + side] - 1]
                laid[at[f"edge {SIDE_NAMES[side]} {letter}"]] = 1
            for a, b in sides:
                if catalogue.main[row * 4 + a] == catalogue.main[row * 4 + b] >= 0:
                    laid[at[f"joined {SIDE_NAMES[a]}{SIDE_NAMES[b]}"]] = 1
            for index in self._inner(row):
                laid[at[f"middle {tile.segments[index].kind}"]] = 1
            for symbol in tile.symbols:
                laid[at[_symbol(symbol)]] = 1
            for segment in tile.segments:
                for mark, n in segment.marks:
                    marked = at[f"mark {mark}"]
                    laid[marked] = min(MOST, laid.get(marked, 0) + n)
            for filled_plane, amount in laid.items():
                filled.append(filled_plane * self.cells << NUMBER_BITS | amount)
            starts.append(len(filled))
        self._starts: vec[i64] = vec[i64](starts)
        self._filled: vec[i64] = vec[i64](filled)
        # Of each slot: what the feature there has open, its size, and by owner, the player's own first, its power there and
        # by kind how many followers stand on this very segment.
        self._place_slots(len(names))
        for slot in self.slots:
            names += [f"open {slot}", f"size {slot}"]
            names += [f"power {slot} {owner}" for owner in range(rules.owners)]
            names += [
                f"{kind.name} {slot} {owner}"
                for owner in range(rules.owners)
                for kind in rules.follower_kinds
            ]
        self._places: list[_Places] = []
        for which, own in enumerate(rules.start().expansion_states):
            for name, of_field in converters(type(own)).items():
                if of_field.is_place:
                    self._name_places(names, which, name, getattr(own, name), of_field)
        self.planes = names

    def _name_places(
        self, names: list[str], which: int, name: str, fresh: object, of_field: Converter
    ) -> None:
        """Name the planes of a field that refers to places; `fresh` is its value at the start."""
        title = f"{self._keeper(which)}.{name}"
        if isinstance(fresh, (list, tuple)) and fresh:
            for part in range(len(fresh)):
                place = _place_in(_item_at(of_field, part))
                if place:
                    self._places.append(
                        _Places(len(names), which, name, part, word=place, weight="")
                    )
                    names.append(f"{title} {part}")
            return
        place, weight = _place_in(_item_at(of_field, 0)), ""
        if isinstance(of_field, DictConverter):
            place = _place_in(of_field.key)
            if place and isinstance(of_field.value, ReferenceConverter):
                weight = of_field.value.to
            place = place or _place_in(of_field.value)
        if not place:
            return
        part = ALONE if isinstance(fresh, int) else ALL
        places = _Places(len(names), which, name, part, word=place, weight=weight)
        self._places.append(places)
        if places.by_index:
            names += [f"{title} {index}" for index in range(self.most_segments)]
        else:
            names.append(title)

    def _place_slots(self, first_plane: int) -> None:
        """Note for each row of the catalogue where in `board` each of its slots begins, and the index of the segment there: `where << NUMBER_BITS | index`."""
        self._kinds: int = len(self.rules.follower_kinds)
        a_slot = 2 + (1 + self._kinds) * self.rules.owners
        starts = [0]
        slots: list[int] = []
        for held in self._held:
            for slot, index in held:
                slots.append((first_plane + slot * a_slot) * self.cells << NUMBER_BITS | index)
            starts.append(len(slots))
        self._slot_starts: vec[i64] = vec[i64](starts)
        self._slots: vec[i64] = vec[i64](slots)

    def _keeper(self, slot: int) -> str:
        """The name of the expansion that keeps a slice."""
        keepers = [one for one in self.rules.expansions if one._slot == slot]
        return keepers[0].name or type(keepers[0]).__name__.lower()

    def _name_numbers(self) -> None:
        rules = self.rules
        kinds = [kind.name for kind in rules.follower_kinds]
        names = [f"score {owner}" for owner in range(rules.owners)]
        names += [f"supply {owner} {kind}" for owner in range(rules.owners) for kind in kinds]
        names += [f"bag {tile}" for tile in rules.tile_names]
        names += [f"hand {tile}" for tile in rules.tile_names]
        names += [f"active {player}" for player in range(rules.players)]
        names += [f"to decide {player}" for player in range(rules.players)]
        names += [f"step {step}" for step in rules._step_names]
        names += ["unseen", "seat"]
        # What slices hold besides numbers of places: which slice, which attribute, of a list or dict the indices or keys that a new one has.
        self._plain: list[tuple[int, str, list[object]]] = []
        for which, own in enumerate(rules.start().expansion_states):
            by_field = converters(type(own))
            for name, value in attributes(own).items():
                keeper = f"{self._keeper(which)}.{name}"
                of_field = by_field.get(name, ANY)
                if of_field.is_place:
                    if isinstance(of_field, TupleConverter):
                        rest = [i for i in range(len(value)) if not _item_at(of_field, i).is_place]
                        names += [f"{keeper} {part}" for part in rest]
                        self._plain.append((which, name, list(rest)))
                    continue
                if isinstance(value, int):
                    names.append(keeper)
                    self._plain.append((which, name, []))
                elif isinstance(value, list | dict):
                    places = list(value) if isinstance(value, dict) else list(range(len(value)))
                    first = value[places[0]] if places else None if isinstance(value, dict) else 0
                    if not isinstance(first, int | list | tuple):
                        continue
                    names += [f"{keeper} {place}" for place in places] or [keeper]
                    self._plain.append((which, name, places))
        self.numbers = names

    def board(self, state: State, player: int) -> vec[u8]:
        """The planes as a player sees them: plane, then y, then x, of 0 to 255. Raises `CarcError` for a state of other rules."""
        self._check_rules(state)
        cells: i64 = self.cells
        size: i64 = self.size
        out: vec[u8] = vec[u8]([0] * (len(self.planes) * cells))
        corner: i64 = self.corner(state)
        owners: i64 = self.rules.owners
        own: i64 = self._first_owner(player)
        cell_of, row_of, first_of = (
            state.board._cell,
            state.board._oriented_kind,
            state.board._first_segment,
        )
        feature_of, opens, sizes, claims = (
            state.board._feature,
            state.board._open,
            state.board._size,
            state.board._claimed,
        )
        starts = self._starts
        filled = self._filled
        slot_starts = self._slot_starts
        slots = self._slots
        for tile in range(state.board.tile_count):
            away: i64 = cell_of[tile] - corner
            x: i64 = away & BELOW
            y: i64 = away >> BITS
            if x >= size or y >= size or away < 0:
                continue
            here: i64 = y * size + x
            row: i64 = row_of[tile]
            at: i64 = starts[row]
            end: i64 = starts[row + 1]
            while at < end:
                entry: i64 = filled[at]
                out[(entry >> NUMBER_BITS) + here] = u8(entry & NUMBER)
                at += 1
            first: i64 = first_of[tile]
            at = slot_starts[row]
            end = slot_starts[row + 1]
            while at < end:
                entry = slots[at]
                place: i64 = (entry >> NUMBER_BITS) + here
                feature: i64 = feature_of[first + (entry & NUMBER)]
                out[place] = u8(min(opens[feature], MOST))
                out[place + cells] = u8(min(sizes[feature], MOST))
                claimed: i64 = claims[feature]
                seat: i64 = -own  # of owner 0
                while claimed:
                    if claimed & OWNER_MASK:
                        told: i64 = 2 + (seat if seat >= 0 else seat + owners)
                        out[place + told * cells] = u8(claimed & OWNER_MASK)
                    claimed >>= OWNER_BITS
                    seat += 1
                at += 1
        if state.board.last_tile >= 0 and not forgets(state):
            self._put(out, 2, state.board._cell[state.board.last_tile] - corner, 1)
        for cell in state.board.face_down_cells():
            self._put(out, 1, cell - corner, 1)
        self._stand(out, state, corner, own)
        self._keep(out, state, corner)
        return out

    def _first_owner(self, player: int) -> int:
        colours = self.rules.colours
        if not -1 <= player < len(colours):
            raise CarcError(f"there is no player {player}: they are 0 to {len(colours) - 1}")
        return colours[player][0] if player >= 0 else 0

    def _put(self, out: vec[u8], plane: i64, away: i64, value: i64) -> None:
        """Add to a plane's cell, given as its distance from the corner, if it is in the window."""
        size: i64 = self.size
        x: i64 = away & BELOW
        y: i64 = away >> BITS
        if away >= 0 and x < size and y < size:
            at = plane * self.cells + y * size + x
            there: i64 = i64(out[at])
            out[at] = u8(min(there + value, MOST))

    def _stand(self, out: vec[u8], state: State, corner: i64, own: i64) -> None:
        """The followers, on their very segments."""
        cells: i64 = self.cells
        owners: i64 = self.rules.owners
        slots = self._slots
        for entry in state.board._followers:
            segment = entry >> SEGMENT_AT
            tile: i64 = state.board._tile_of[segment]
            index: i64 = segment - state.board._first_segment[tile]
            seat: i64 = (((entry & FOLLOWER_MASK) >> OWNER_AT) - own) % owners
            row: i64 = state.board._oriented_kind[tile]
            for at in range(self._slot_starts[row], self._slot_starts[row + 1]):
                if slots[at] & NUMBER == index:
                    first: i64 = (slots[at] >> NUMBER_BITS) // cells + 2 + owners
                    plane: i64 = first + seat * self._kinds + (entry & KIND_MASK)
                    self._put(out, plane, state.board._cell[tile] - corner, 1)

    def _keep(self, out: vec[u8], state: State, corner: i64) -> None:
        """What expansions keep of places."""
        for places in self._places:
            value: object = getattr(state.expansion_states[places.keeper], places.name)
            numbers: list[object] = [value]
            weights: list[object] = []
            if isinstance(value, dict):
                numbers = list(value.values())
                if places.weight:
                    weights = numbers
                    numbers = list(value)
            elif isinstance(value, (list, tuple, set, frozenset)):
                numbers = list(value)
                if places.part != ALL:
                    numbers = numbers[places.part : places.part + 1]
            for at, number in enumerate(numbers):
                if not isinstance(number, int) or number < 0:
                    continue
                plane: i64 = places.plane
                amount: i64 = _weight(weights[at], places.weight) if weights else 1
                cell: i64 = number
                if places.word in SEGMENTS:
                    segment: i64 = number
                    if places.word == "feature":
                        x, y, index = first_place(state, number)
                        segment = state.board.segment_at(x, y, index)
                    tile: i64 = state.board._tile_of[segment]
                    which: i64 = segment - state.board._first_segment[tile]
                    cell = state.board._cell[tile]
                    if places.by_index:
                        plane += which
                    else:
                        amount = which + 1
                elif places.word == "tile":
                    cell = state.board._cell[number]
                self._put(out, plane, cell - corner, amount)

    def row(self, state: State, player: int) -> vec[i64]:
        """The numbers that are of no cell, as `numbers` names them; owners and players from the player on. Raises as `board` does."""
        self._check_rules(state)
        rules = state.rules  # whose steps are the state's
        owners: i64 = rules.owners
        own: i64 = self._first_owner(player)
        out: vec[i64] = vec[i64]([0] * len(self.numbers))
        at: i64 = 0
        for k in range(owners):
            out[at] = state.scores[(own + k) % owners]
            at += 1
        kinds: i64 = len(rules.follower_kinds)
        for k in range(owners):
            base: i64 = ((own + k) % owners) * kinds
            for kind in range(kinds):
                out[at] = state.board._supply[base + kind]
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
            step = rules._step_numbers.get(state.step)
            if step is not None:
                out[at + step] = 1
        at += len(rules._step_names)
        out[at] = sum(state.bag) - state.tiles_left
        out[at + 1] = seat
        at += 2
        for which, name, places in self._plain:
            value: Any = getattr(state.expansion_states[which], name)
            if places:
                for place in places:
                    out[at] = _amount(_held(value, place))
                    at += 1
            else:
                out[at] = _amount(value)
                at += 1
        return out


def _symbol(symbol: tuple[str, str]) -> str:
    """The name of the plane of what is printed on tiles as a whole."""
    name, value = symbol
    return f"symbol {name} {value}".rstrip()


def _item_at(of_field: Converter, index: int) -> Converter:
    """Return the converter of an item of a list, set or tuple; of another field, its own."""
    if isinstance(of_field, TupleConverter):
        return of_field.items[0 if of_field.of_any_length else index]
    if isinstance(of_field, (ListConverter, SetConverter)):
        return of_field.item
    return of_field


def _place_in(of_field: Converter) -> str:
    """Return what a number refers to that refers to a place; else an empty text."""
    return of_field.to if isinstance(of_field, ReferenceConverter) and of_field.is_place else ""


def _weight(value: object, word: str) -> int:
    """What a dict says of a place as 1 or more: how many, or who (nobody, -1: 1; 0: 2, ...)."""
    if not isinstance(value, int):
        return 1
    return max(1, value + 2 if word in ("owner", "player", "kind of follower") else value)


def _held(value: Any, place: Any) -> object:
    """What a list or dict holds at a place, which may have gone."""
    if isinstance(value, dict):
        return value.get(place)
    return value[place] if place < len(value) else None


def _amount(value: object) -> int:
    """A number that a slice holds; of several together, their sum; of what is no number, 0."""
    if isinstance(value, int):
        return value
    return sum([_amount(one) for one in value]) if isinstance(value, (list, tuple)) else 0
