"""`ActionCodes`: actions as ints and back, with a mask of the legal ones (`docs/learn.md`)."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from librt.vecs import vec
from mypy_extensions import i64, u8

from carc.base.board import whole as whole_board
from carc.base.cells import WIDTH, count_bits
from carc.base.turn.actions import Action, Claim, OnCell, OnSegment, Pass, Place
from carc.base.turn.choices import Claims, Placements
from carc.base.validation import whole
from carc.errors import CarcError, IllegalAction

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

BITS: Final = 10  # of a cell's x: WIDTH is a power of 2
BELOW: Final = WIDTH - 1
OTHERS: Final = 64  # codes for actions that have none of their own

# A run is up to four codes in one int: `first code << RUN_BITS | count << COUNT_AT | one bit for
# each of the four codes from the first on`. A mask is written from runs, a word of four codes at a
# time: measured, that halves the time of a step of `carc.learn.game_batch`.
RUN_BITS: Final = 8
COUNT_AT: Final = 4
COUNT: Final = 15
SINGLE: Final = 1 << COUNT_AT | 1  # only the first code


class ActionCodes:
    """The codes of the actions of one `Rules`.

    Cells are encoded in a square window, centred on the tiles laid (rounded north-west). `pass` is
    code 0. From 4 on follow placements, by cell (y, x) and rotation; claims, by segment, owner and
    kind of follower; choices of segments, by cell, index and layer; choices of cells. The last 64
    codes are for actions that have no code of their own, whose code is taken, or that lie outside
    the window, in the order of `State.legal_actions`.

    Attributes:
        rules: The rules.
        size: The width and height of the window, in cells.
        cells: How many cells the window has.
        num_actions: How many codes there are. They begin with 0.
        most_segments: The most segments that a tile has.
        layers: How many choices of one segment are told apart.
        at_place: The first code of a placement.
        at_claim: The first code of a claim.
        at_segment: The first code of a choice of a segment.
        at_cell: The first code of a choice of a cell.
        at_other: The first code of all other actions.
    """

    def __init__(self, rules: Rules, size: int = 0) -> None:
        """Number the actions of some rules.

        Args:
            rules: The rules.
            size: The width of the window in cells; 0: wide enough for random games.

        Raises:
            CarcError: The size is negative.
        """
        if size < 0:
            raise CarcError(f"the size of a window is at least 0, not {size}")
        self.rules: Final = rules
        self.size: Final = size or 2 * isqrt(rules.catalogue.most_tiles) + 9
        self.cells: Final = self.size * self.size
        self.most_segments: int = max([len(tile.segments) for tile in rules.catalogue.tiles])
        owners = 1 + max([max(c.owner, 0) for some in rules._claim_actions for c in some])
        self._claims: int = owners * len(rules.follower_kinds)
        # By owner and kind of follower: what its claim of segment 0 has beyond `at_claim`.
        self._claim: vec[i64] = vec[i64](
            [
                max(c.owner, 0) * len(rules.follower_kinds) + c.follower
                for c in rules._claim_actions[0]
            ]
        )
        # The base game has no choices among what lies on the table.
        has_expansions = len(rules.expansions) > 1
        self.at_place: int = 4  # so that the four of a cell are a word of a mask
        self.at_claim: int = self.at_place + self.cells * 4
        self.at_segment: int = self.at_claim + self.most_segments * self._claims
        self.layers: int = rules.segment_layers
        self.at_cell: int = self.at_segment
        self.at_other: int = self.at_segment
        if has_expansions:
            self.at_cell += self.cells * self.most_segments * self.layers
            self.at_other = self.at_cell + self.cells
        # In words of four, as masks are written (`carc.learn.game_batch`).
        self.num_actions: int = (self.at_other + OTHERS + 3) // 4 * 4
        self._no_actions: vec[u8] = vec[u8]([0] * self.num_actions)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments: all else follows from them."""
        return type(self), (self.rules, self.size)

    def __copy__(self) -> ActionCodes:
        """Return this object: it never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> ActionCodes:
        """Return this object: it never changes."""
        return self

    def _check_rules(self, state: State) -> None:
        """Raise `CarcError` if a state has other rules."""
        rules = state.rules
        if rules is not self.rules and rules != self.rules:
            raise CarcError(
                f"an encoding of {self.rules.spec} for {self.rules.players} players cannot encode "
                f"a state of {rules.spec} for {rules.players}"
            )

    def corner(self, state: State) -> int:
        """Return the cell at the window's north-western corner (`carc.base.cells`)."""
        return state.board.middle() - self.size // 2 * (WIDTH + 1)

    def legal_codes(self, state: State) -> list[int]:
        """Return the codes of `state.legal_actions()` in that order, all different.

        An action beyond the last code has -1. Raises `CarcError` if the state has other rules.
        """
        return [
            int((run >> RUN_BITS) + offset)
            for run in self.runs(state)
            for offset in range(4)
            if run >> offset & 1
        ]

    def runs(self, state: State) -> vec[i64]:
        """Return the codes of the legal actions as runs (see `RUN_BITS`); zeros may follow.

        Raises `CarcError` if the state has other rules.
        """
        self._check_rules(state)
        choices = state._choices
        if isinstance(choices, Placements):
            return self._placement_runs(state, choices)
        restricted = self.rules.components.has_restricted_followers
        if isinstance(choices, Claims) and choices.more.count == 0 and not restricted:
            return self._claim_runs(state, choices)
        return self._listed_runs(state)

    def _placement_runs(self, state: State, placements: Placements) -> vec[i64]:
        """Return the runs of placements without listing them: one for each cell."""
        kind, most = placements.kind, placements.count
        corner = self.corner(state)
        runs = whole_board.fits_in_window(state.board, kind, most, corner, self.size)
        if len(runs) == 0:
            return self._listed_runs(state)
        first: i64 = self.at_place << RUN_BITS
        at: i64 = 0
        while runs[at]:
            runs[at] += first
            at += 1
        return runs

    def _claim_runs(self, state: State, claims: Claims) -> vec[i64]:
        """Return the runs of claims without listing them, then that of passing."""
        runs: vec[i64] = vec[i64]([0] * claims.count)
        kinds: i64 = len(self.rules.follower_kinds)
        followers: list[int] = [
            int(owner * kinds + kind)
            for owner in self.rules.colours[state.current_player]
            for kind in range(kinds)
            if state.board.supply_of(owner, kind)
        ]
        free = claims.free
        at: i64 = 0
        code: i64 = self.at_claim
        while free:
            if free & 1:
                for follower in followers:
                    runs[at] = code + self._claim[follower] << RUN_BITS | SINGLE
                    at += 1
            free >>= 1
            code += self._claims
        runs[at] = SINGLE
        return runs

    def _listed_runs(self, state: State) -> vec[i64]:
        """Return the runs of actions that have been listed."""
        corner: i64 = self.corner(state)
        other: i64 = self.at_other
        actions = state._listed()
        runs: vec[i64] = vec[i64]([0] * len(actions))
        taken: set[int] = set()
        for at, action in enumerate(actions):
            code = self._own_code(action, corner)
            if code >= self.at_segment:
                if code in taken:
                    code = -1
                else:
                    taken.add(code)
            if code < 0:
                code = other
                other += 1
            runs[at] = self._single(code)
        return runs

    def _single(self, code: i64) -> i64:
        """Return the run of one code; that of -1 for a code beyond the last."""
        return (code if code < self.at_other + OTHERS else i64(-1)) << RUN_BITS | SINGLE

    def _own_code(self, action: Action, corner: i64) -> i64:
        """Return the code that an action has of its own, or -1."""
        at: i64 = -1
        if isinstance(action, Place):
            at = self._index_in_window(action.cell - corner)
            return at if at < 0 else self.at_place + at * 4 + action.rotation
        if isinstance(action, Pass):
            return 0
        if isinstance(action, Claim):
            kinds: i64 = len(self.rules.follower_kinds)
            owner: i64 = max(action.owner, 0)
            return self.at_claim + action.segment * self._claims + owner * kinds + action.follower
        if self.at_cell == self.at_segment:
            return -1
        if isinstance(action, OnSegment):
            at = self._index_in_window(action.cell - corner)
            index: i64 = action.index
            layer: i64 = action.layer
            if at >= 0 and index < self.most_segments and layer < self.layers:
                return self.at_segment + (at * self.most_segments + index) * self.layers + layer
        elif isinstance(action, OnCell):
            at = self._index_in_window(action.cell - corner)
            if at >= 0:
                return self.at_cell + at
        return -1

    def _index_in_window(self, away: i64) -> i64:
        """Return a cell's index in the window (by y, x) from its offset to the corner, or -1."""
        size: i64 = self.size
        x: i64 = away & BELOW
        y: i64 = away >> BITS
        return y * size + x if away >= 0 and x < size and y < size else i64(-1)

    def action_mask(self, state: State) -> vec[u8]:
        """Return 1 at the code of each legal action of the player to decide, else 0.

        Raises `CarcError` if the state has other rules.
        """
        self._check_rules(state)
        out: vec[u8] = self._no_actions[:]
        if state.current_player >= 0:
            for code in self.legal_codes(state):
                if code >= 0:
                    out[code] = 1
        return out

    def code(self, state: State, action: Action) -> int:
        """Return the code of a legal action.

        Raises `IllegalAction` if it is not legal, `CarcError` if it is beyond the last code.
        """
        legal = state.check(action)
        code = self.legal_codes(state)[state._listed().index(legal)]
        if code < 0:
            raise CarcError(
                f"{action} has no code: there are more than {OTHERS} actions without one of their"
                " own"
            )
        return code

    def action(self, state: State, code: SupportsIndex) -> Action:
        """Return the legal action of a code; ints of numpy are allowed.

        Raises `IllegalAction` if there is none, `CarcError` if the code is not an int.
        """
        if state.current_player < 0:
            raise IllegalAction("no player is to decide: only actions of players have codes")
        number = whole(code, "a code")
        index = index_in_runs(self.runs(state), number) if 0 <= number < self.num_actions else -1
        if index < 0:
            legal = sorted(self.legal_codes(state))
            raise IllegalAction(f"no legal action has code {number}; legal codes are {legal}")
        return state.action_at(index)


def index_in_runs(runs: vec[i64], code: i64) -> i64:
    """Return the index of a code among those of runs; -1 if it is not among them."""
    before: i64 = 0
    for run in runs:
        offset = code - (run >> RUN_BITS)
        if 0 <= offset < 4 and run >> offset & 1 and code >= 0:
            return before + count_bits(run & (1 << offset) - 1)
        if run == 0:
            break
        before += run >> COUNT_AT & COUNT
    return -1


def code_in_runs(runs: vec[i64], index: i64) -> i64:
    """Return the code at an index among those of runs; raise `IndexError` if there are fewer."""
    for run in runs:
        n = run >> COUNT_AT & COUNT
        if index < n:
            code = run >> RUN_BITS
            rest = run
            while index or not rest & 1:
                index -= rest & 1
                rest >>= 1
                code += 1
            return code
        index -= n
    raise IndexError("there are fewer codes")
