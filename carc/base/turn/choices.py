"""`Choices`: the legal actions of one decision, counted and picked without a list.

A step says what may be done as a list of actions. Where speed counts it returns `Choices` instead:
random play and search take one action of hundreds, so they need the number of actions and the one
at an index, but no list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from carc.base.board.candidates import Candidates
from carc.base.board.crowding import crowded_cells
from carc.base.board.figures import kinds_in_supply
from carc.base.board.vectors import from_list, sort_in_place
from carc.base.cells import count_bits, nth_bit
from carc.base.tiles.catalogue import DEMAND_BITS, DEMANDS, ROTATIONS
from carc.base.turn.actions import PASS, Action, Claim, Place, follows, in_order, place_on

# `Catalogue.rotations`: a bit for each rotation (`ROTATIONS`), their number above.
COUNT_AT: Final = 4
FIT_CELL_AT: Final = 8

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.state import State
    from carc.base.small_set import TileKinds


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Choices:
    """The legal actions of one decision, in order. Frozen, so copies of a state share it.

    Attributes:
        count: How many there are.
    """

    def __init__(self, count: int) -> None:
        self.count: Final = count

    def action(self, state: State, index: int) -> Action:
        """Return the action at an index from 0 to `count` - 1."""
        raise NotImplementedError

    def actions(self, state: State) -> list[Action]:
        """Return all actions."""
        return [self.action(state, index) for index in range(self.count)]

    def then(self, more: Choices) -> Choices:
        """Return these choices, then more."""
        if self.count == 0:
            return more
        return Joined(self, more) if more.count else self

    def or_pass(self) -> Choices:
        """Return these choices and `pass`; if there are none, nothing to decide."""
        return Joined(self, ONLY_PASS) if self.count else NO_CHOICES


@final
@mypyc_attr(free_list_len=1)
class Listed(Choices):
    """Actions that somebody listed."""

    def __init__(self, actions: list[Action]) -> None:
        super().__init__(len(actions))
        self.listed: Final = actions

    def action(self, state: State, index: int) -> Action:
        return self.listed[index]

    def actions(self, state: State) -> list[Action]:
        return self.listed


NO_CHOICES: Final[Choices] = Listed([])
ONLY_PASS: Final[Choices] = Listed([PASS])


@final
@mypyc_attr(free_list_len=1)
class Joined(Choices):
    """The choices of one object, then those of another."""

    def __init__(self, first: Choices, second: Choices) -> None:
        super().__init__(first.count + second.count)
        self.first: Final = first
        self.second: Final = second

    def action(self, state: State, index: int) -> Action:
        if index < self.first.count:
            return self.first.action(state, index)
        return self.second.action(state, index - self.first.count)

    def actions(self, state: State) -> list[Action]:
        return self.first.actions(state) + self.second.actions(state)


@final
@mypyc_attr(free_list_len=1, acyclic=True)
class Placements(Choices):
    """Where a tile of a kind fits by its edges (BASE-03), by y, x, rotation."""

    def __init__(self, board: Board, kind: i64) -> None:
        rotations = board.components.catalogue.rotations
        first = board.components.catalogue.rotations_at[kind]
        count: i64 = 0
        for entry in board._frontier:
            count += i64(rotations[first | entry & DEMANDS]) >> COUNT_AT
        super().__init__(count)
        self.kind: Final[i64] = kind

    def action(self, state: State, index: int) -> Action:
        board = state.board
        rotations = board.components.catalogue.rotations
        first = board.components.catalogue.rotations_at[self.kind]
        rest: i64 = index
        for entry in board._frontier:
            fits = i64(rotations[first | entry & DEMANDS])
            if rest < fits >> COUNT_AT:
                return place_on(entry >> DEMAND_BITS, nth_bit(fits, rest))
            rest -= fits >> COUNT_AT
        raise IndexError(f"there is no placement {index}; there are {self.count}")

    def fits(self, board: Board) -> vec[i64]:
        """Return where the tile fits by cell, in order: an entry each (`fit_cell`), then zeros."""
        rotations = board.components.catalogue.rotations
        first = board.components.catalogue.rotations_at[self.kind]
        fits = vec[i64]([0] * (self.count + 1))
        at: i64 = 0
        for entry in board._frontier:
            here = i64(rotations[first | entry & DEMANDS])
            # Written always and kept if a rotation fits: measured, the branch mispredicts.
            fits[at] = entry >> DEMAND_BITS << FIT_CELL_AT | here
            at += ((here >> COUNT_AT) + 3) >> 2
        fits[at] = 0
        return fits

    def actions(self, state: State) -> list[Action]:
        board = state.board
        rotations = board.components.catalogue.rotations
        first = board.components.catalogue.rotations_at[self.kind]
        every: list[Action] = []
        for entry in board._frontier:
            fits = i64(rotations[first | entry & DEMANDS])
            for n in range(fits >> COUNT_AT):
                every.append(place_on(entry >> DEMAND_BITS, nth_bit(fits, n)))
        return every


@final
@mypyc_attr(free_list_len=1, acyclic=True)
class PlacementsAt(Choices):
    """Placements given by cell, as `Placements.fits` returns them."""

    def __init__(self, fits: vec[i64]) -> None:
        count: i64 = 0
        for entry in fits:
            count += count_bits(entry & ROTATIONS)
        super().__init__(count)
        self.fits: Final = fits

    def action(self, state: State, index: int) -> Action:
        rest: i64 = index
        for entry in self.fits:
            here = count_bits(entry & ROTATIONS)
            if rest < here:
                return place_on(fit_cell(entry), nth_bit(entry, rest))
            rest -= here
        raise IndexError(f"there is no placement {index}; there are {self.count}")


def without_cells(state: State, placements: Choices, cells: list[int]) -> Choices:
    """Return the placements of a tile that are on none of these cells."""
    return _by_cells(state, placements, sort_in_place(from_list(cells)), False)


def without_crowded(
    state: State, placements: Choices, kinds: TileKinds, others: TileKinds
) -> Choices:
    """Return the placements that are on no crowded cell (`carc.base.board.crowding`)."""
    crowded = crowded_cells(state.board, kinds, others)
    return _by_cells(state, placements, crowded, False) if len(crowded) else placements


def only_on_cells(state: State, placements: Choices, cells: list[int]) -> Choices:
    """Return the placements of a tile that are on one of these cells."""
    return _by_cells(state, placements, sort_in_place(from_list(cells)), True)


def placements_on(cells: list[int]) -> Choices:
    """Return the placements in all rotations on these cells, which are in order."""
    return PlacementsAt(vec[i64]([fit(cell, ROTATIONS) for cell in cells]))


def _by_cells(state: State, placements: Choices, cells: vec[i64], among: bool) -> Choices:
    """Return the placements that are, or are not, on one of these cells, which are in order."""
    if isinstance(placements, Placements):
        fits = placements.fits(state.board)
    elif isinstance(placements, PlacementsAt):
        fits = placements.fits[:]
    else:
        kept: list[Action] = []
        for action in placements.actions(state):
            if isinstance(action, Place) and any(cell == action.cell for cell in cells) != among:
                continue
            kept.append(action)
        return Listed(kept)
    at: i64 = 0
    for place in range(len(fits)):
        here = fit_cell(fits[place])
        while at < len(cells) and cells[at] < here:
            at += 1
        if (at < len(cells) and cells[at] == here) != among:
            fits[place] = fit(here, 0)
    return PlacementsAt(fits)


def fit(cell: i64, rotations: i64) -> i64:
    """Return an entry for `PlacementsAt`; `rotations`: a bit each."""
    return cell << FIT_CELL_AT | rotations


def fit_cell(entry: i64) -> i64:
    """Return the cell of an entry of `Placements.fits`."""
    return entry >> FIT_CELL_AT


def fit_rotations(entry: i64) -> i64:
    """Return the rotations of an entry of `Placements.fits`, a bit each."""
    return entry & ROTATIONS


NO_CLAIMS: Final[list[Claim]] = []


@final
@mypyc_attr(free_list_len=1, acyclic=True)
class Claims(Choices):
    """The claims of the base game (BASE-05, BASE-06), what expansions add to them, and `pass`.

    Claims go by segment, owner, kind of follower, those that expansions add among them.
    """

    def __init__(
        self, player: i64, free: i64, base: i64, added: list[Claim], more: Choices
    ) -> None:
        count = base + i64(len(added)) + i64(more.count)
        if count:
            count += 1
        super().__init__(count)
        self.player: Final[i64] = player
        self.free: Final[i64] = free  # the unclaimed segments of the tile, a bit each
        self.base: Final[i64] = base  # how many claims the base game has
        self.added: Final = added  # in order
        self.more: Final = more

    def action(self, state: State, index: int) -> Action:
        if index == self.count - 1:
            return PASS
        rest: i64 = index
        before: i64 = 0  # how many claims of the base game come before
        for claim in self.added:
            while before < self.base and not follows(self._claim(state, before), claim):
                before += 1
                if rest < before:
                    break
            if rest == before:
                return claim
            if rest < before:
                break
            rest -= 1
        if rest < self.base:
            return self._claim(state, rest)
        return self.more.action(state, rest - self.base)

    def _claim(self, state: State, n: i64) -> Claim:
        rules = state.rules
        board = state.board
        kinds: i64 = len(rules.follower_kinds)
        segment: i64 = 0
        while True:
            owners: i64 = rules._commands[self.player] if self.free >> segment & 1 else i64(0)
            owner: i64 = 0
            while owners:
                if owners & 1:
                    who = claimers(board, segment, kinds_in_supply(board, owner))
                    here = count_bits(who)
                    if n < here:
                        return rules._claim_actions[segment][owner * kinds + nth_bit(who, n)]
                    n -= here
                owners >>= 1
                owner += 1
            segment += 1

    def actions(self, state: State) -> list[Action]:
        claims = [self._claim(state, n) for n in range(self.base)]
        every: list[Action] = [*in_order(claims + self.added)] if self.added else [*claims]
        every += self.more.actions(state)
        if every:
            every.append(PASS)
        return every


def base_claims(state: State, player: i64, free: i64) -> i64:
    """Return how many claims of these segments of the last tile (a bit each) the base game has."""
    rules = state.rules
    board = state.board
    owners: i64 = rules._commands[player]
    count: i64 = 0
    owner: i64 = 0
    while owners:
        if owners & 1:
            able = kinds_in_supply(board, owner)
            if not board.components.has_restricted_followers:
                count += count_bits(free) * count_bits(able)
            else:
                kind, claimers_by_kind = board._kind, board.components.claimers_by_kind
                segment = board._first_segment[board.last_tile]
                rest = free
                while rest:
                    if rest & 1:
                        count += count_bits(claimers_by_kind[kind[segment]] & able)
                    rest >>= 1
                    segment += 1
        owners >>= 1
        owner += 1
    return count


def claimers(board: Board, index: i64, kinds: i64) -> i64:
    """Return which of these kinds of follower may claim a segment of the last tile, a bit each."""
    segment = board._first_segment[board.last_tile] + index
    return kinds & board.components.claimers_by_kind[board._kind[segment]]


@final
@mypyc_attr(free_list_len=1, acyclic=True)
class CandidateChoices(Choices):
    """Choices among candidates on the board (`carc.base.board.candidates`), in their order.

    Attributes:
        candidates: The candidates.
        verb: What turns one of them into an action.
    """

    def __init__(self, candidates: Candidates, verb: Verb) -> None:
        super().__init__(candidates.count)
        self.candidates: Final = candidates
        self.verb: Final = verb

    def action(self, state: State, index: int) -> Action:
        return self.verb.at(state, self.candidates.at(index))

    def actions(self, state: State) -> list[Action]:
        return [self.verb.at(state, entry) for entry in self.candidates.in_order()]


@mypyc_attr(allow_interpreted_subclasses=True)
class Verb:
    """Turns a candidate on the board into an action."""

    def at(self, state: State, entry: i64) -> Action:
        """Return the action of an entry."""
        raise NotImplementedError

    def among(self, candidates: Candidates) -> Choices:
        """Return the choices of what the board offers."""
        return CandidateChoices(candidates, self) if candidates.count else NO_CHOICES

    def on(self, board: Board, places: list[tuple[int, int]]) -> Choices:
        """Return the choices of these places: each a segment and a kind of figure, by number."""
        return self.among(board.candidates(places)) if places else NO_CHOICES
