"""`Codes`: actions as ints, and back, with a mask of what is legal (`docs/learn.md`)."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from librt.vecs import vec
from mypy_extensions import i64, u8

from carc.base.cells import WIDTH, count_bits
from carc.base.game.actions import Action, Claim, OnCell, OnSegment, Pass, Place
from carc.base.game.choices import Claims, Placements
from carc.base.tiles.catalogue import DEMAND_BITS, DEMANDS
from carc.base.validation import whole
from carc.errors import CarcError, IllegalAction

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

BITS: Final = 10  # of a cell's x: WIDTH is a power of 2
BELOW: Final = WIDTH - 1
OTHERS: Final = 64  # codes for what has none of its own

# A run of codes: `first code << RUN_BITS | how many << COUNT_AT | a bit for each of the four from the first on that is one`.
RUN_BITS: Final = 8
COUNT_AT: Final = 4
COUNT: Final = 15
ONE: Final = 1 << COUNT_AT | 1  # of the first alone


class Codes:
    """The codes of one `Rules`' actions; `actions` is how many there are.

    Cells are told in a window `size` cells wide and high, whose middle is that of the tiles laid (rounded north-west).
    `pass` is 0; from 4 on come placements, by cell (y, x) and rotation; claims, by segment, owner and kind; choices of segments, by cell,
    index and layer; choices of cells; and 64 for what has no code of its own, or one that is taken or outside the window: in
    the order of `legal_actions()`.
    """

    def __init__(self, rules: Rules, size: int = 0) -> None:
        if size < 0:
            raise CarcError(f"a window is some cells wide, not {size}")
        self.rules: Final = rules
        self.size: Final = size or 2 * isqrt(rules.catalogue.most_tiles) + 9
        self.cells: Final = self.size * self.size
        self.most_segments: int = max([len(tile.segments) for tile in rules.catalogue.tiles])
        claims = 1 + max([max(c.owner, 0) for some in rules._claim_actions for c in some])
        self._claims: int = claims * len(rules.follower_kinds)
        # By owner and kind of follower: what its claim of segment 0 has beyond `at_claim`.
        self._claim: vec[i64] = vec[i64](
            [
                max(c.owner, 0) * len(rules.follower_kinds) + c.follower
                for c in rules._claim_actions[0]
            ]
        )
        # The base's own steps offer no choices among what lies on the table.
        alone = len(rules.expansions) == 1
        self.at_place: int = 4  # so that the four of a cell are a word of a mask
        self.at_claim: int = self.at_place + self.cells * 4
        self.at_segment: int = self.at_claim + self.most_segments * self._claims
        self.layers: int = rules.segment_layers
        self.at_cell: int = self.at_segment + (
            0 if alone else self.cells * self.most_segments * self.layers
        )
        self.at_other: int = self.at_cell + (0 if alone else self.cells)
        # In words of four, as masks are written (`carc.learn.games`).
        self.actions: int = (self.at_other + OTHERS + 3) // 4 * 4
        self._none: vec[u8] = vec[u8]([0] * self.actions)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.rules, self.size)

    def __copy__(self) -> Codes:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Codes:
        return self

    def _check_rules(self, state: State) -> None:
        """Raises `CarcError` if a state is of other rules."""
        rules = state.rules
        if rules is not self.rules and rules != self.rules:
            raise CarcError(
                f"codes and planes of {self.rules.spec} for {self.rules.players} players are not those of "
                f"{rules.spec} for {rules.players}"
            )

    def corner(self, state: State) -> int:
        """The cell (as a number) at the window's north-western corner."""
        return state.board._middle() - self.size // 2 * (WIDTH + 1)

    def codes(self, state: State) -> list[int]:
        """The codes of `state.legal_actions()` of a player, in that order, all different; -1 for those beyond the last code."""
        return [
            int((run >> RUN_BITS) + off)
            for run in self.runs(state)
            for off in range(4)
            if run >> off & 1
        ]

    def runs(self, state: State) -> vec[i64]:
        """`codes`, as compiled code holds them: a code, how many of it and the three after it, and a bit for each of these.

        Behind them may be zeros. Raises `CarcError` for a state of other rules.
        """
        self._check_rules(state)
        choices = state._choices
        if isinstance(choices, Placements):
            return self._of_placements(state, choices.count)
        restricted = self.rules.components.has_restricted_followers
        if isinstance(choices, Claims) and not choices.more and not restricted:
            return self._of_claims(state, choices)
        return self._of_listed(state)

    def _of_placements(self, state: State, count: i64) -> vec[i64]:
        """The codes of placements that nobody listed: a run for each cell, as the catalogue has its rotations."""
        corner: i64 = self.corner(state)
        size: i64 = self.size
        first: i64 = self.at_place
        other: i64 = self.at_other
        # A run is written for each free cell, one of none written over: without a branch.
        found: vec[i64] = vec[i64]([0] * (count + 1))
        rotations = state.rules.catalogue.rotations
        kind: i64 = state.tile_in_hand << DEMAND_BITS
        at: i64 = 0
        for entry in state.board._frontier:
            some: i64 = i64(rotations[kind | entry & DEMANDS])
            away: i64 = (entry >> DEMAND_BITS) - corner
            x: i64 = away & BELOW
            y: i64 = away >> BITS
            if away >= 0 and x < size and y < size:
                found[at] = first + (y * size + x) * 4 << RUN_BITS | some
                at += ((some >> COUNT_AT) + 3) >> 2  # 1, or 0 where none fits
                continue
            for _ in range(some >> COUNT_AT):
                found[at] = self._run_of(other)
                other += 1
                at += 1
        found[at] = 0
        return found

    def _of_claims(self, state: State, claims: Claims) -> vec[i64]:
        """The codes of claims that nobody listed, then that of passing."""
        found: vec[i64] = vec[i64]([0] * claims.count)
        kinds: i64 = len(self.rules.follower_kinds)
        those: list[int] = [
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
                for one in those:
                    found[at] = code + self._claim[one] << RUN_BITS | ONE
                    at += 1
            free >>= 1
            code += self._claims
        found[at] = ONE
        return found

    def _of_listed(self, state: State) -> vec[i64]:
        """The codes where all that may be done is listed anyway."""
        corner: i64 = self.corner(state)
        other: i64 = self.at_other
        listed = state._listed()
        found: vec[i64] = vec[i64]([0] * len(listed))
        taken: set[int] = set()
        for at, action in enumerate(listed):
            code = self._code(action, corner)
            if code >= self.at_segment:
                if code in taken:
                    code = -1
                else:
                    taken.add(code)
            if code < 0:
                code = other
                other += 1
            found[at] = self._run_of(code)
        return found

    def _run_of(self, code: i64) -> i64:
        """The run of one code; beyond the last, of -1."""
        return (code if code < self.at_other + OTHERS else -1) << RUN_BITS | ONE

    def _code(self, action: Action, corner: i64) -> i64:
        """The code an action has of its own, or -1."""
        here: i64 = -1
        if isinstance(action, Place):
            here = self._in_window(action.cell - corner)
            return here if here < 0 else self.at_place + here * 4 + action.rotation
        if isinstance(action, Pass):
            return 0
        if isinstance(action, Claim):
            kinds: i64 = len(self.rules.follower_kinds)
            owner: i64 = max(action.owner, 0)
            return self.at_claim + action.segment * self._claims + owner * kinds + action.follower
        if self.at_cell == self.at_segment:
            return -1
        if isinstance(action, OnSegment):
            here = self._in_window(action.cell - corner)
            index: i64 = action.index
            layer: i64 = action.layer
            if here >= 0 and index < self.most_segments and layer < self.layers:
                return self.at_segment + (here * self.most_segments + index) * self.layers + layer
        elif isinstance(action, OnCell):
            here = self._in_window(action.cell - corner)
            if here >= 0:
                return self.at_cell + here
        return -1

    def _in_window(self, away: i64) -> i64:
        """A cell's number in the window, by y, then x, from its distance to the corner; -1 outside."""
        size: i64 = self.size
        x: i64 = away & BELOW
        y: i64 = away >> BITS
        return y * size + x if away >= 0 and x < size and y < size else -1

    def mask(self, state: State) -> vec[u8]:
        """1 at the code of each legal action of a player, else 0."""
        self._check_rules(state)
        out: vec[u8] = self._none[:]
        if state.current_player >= 0:
            for code in self.codes(state):
                if code >= 0:
                    out[code] = 1
        return out

    def code(self, state: State, action: Action) -> int:
        """The code of a legal action. Raises `IllegalAction` if it is not legal, `CarcError` if it is beyond the last code."""
        legal = state.check(action)
        code = self.codes(state)[state._listed().index(legal)]
        if code < 0:
            raise CarcError(f"{action} is one of more than {OTHERS} that have no code of their own")
        return code

    def action(self, state: State, code: SupportsIndex) -> Action:
        """The legal action of a code, an int of numpy's too. Raises `IllegalAction` if no legal action has it, `CarcError` if it is no int."""
        if state.current_player < 0:
            raise IllegalAction("no player is to decide: codes are of players' actions")
        said = whole(code, "a code")
        place = place_in_runs(self.runs(state), said) if 0 <= said < self.actions else -1
        if place < 0:
            known = sorted(self.codes(state))
            raise IllegalAction(f"no legal action has code {said}; codes are {known}")
        return state.action_at(place)


def place_in_runs(runs: vec[i64], code: i64) -> i64:
    """The place of a code among those of runs; -1 if it is not among them, or no code."""
    before: i64 = 0
    for run in runs:
        off = code - (run >> RUN_BITS)
        if 0 <= off < 4 and run >> off & 1 and code >= 0:
            return before + count_bits(run & (1 << off) - 1)
        if run == 0:
            break
        before += run >> COUNT_AT & COUNT
    return -1


def code_in_runs(runs: vec[i64], place: i64) -> i64:
    """The code at a place among those of runs."""
    for run in runs:
        n = run >> COUNT_AT & COUNT
        if place < n:
            code = run >> RUN_BITS
            rest = run
            while place or not rest & 1:
                place -= rest & 1
                rest >>= 1
                code += 1
            return code
        place -= n
    raise IndexError("there are fewer codes")
