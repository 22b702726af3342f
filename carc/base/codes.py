"""`Codes`: actions as ints, and back, with a mask of what is legal (`docs/learn.md`)."""

from __future__ import annotations

from math import isqrt
from operator import index
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from librt.vecs import vec
from mypy_extensions import i64, u8

from carc.base.actions import Action, Claim, OnCell, OnSegment, Pass, Place
from carc.base.catalogue import DEMAND_BITS, DEMANDS
from carc.base.cells import WIDTH
from carc.base.steps import ClaimStep, PlaceStep, able
from carc.errors import CarcError, IllegalAction

if TYPE_CHECKING:
    from carc.base.rules import Rules
    from carc.base.state import State

BITS: Final = 10  # of a cell's x: WIDTH is a power of 2
BELOW: Final = WIDTH - 1
OTHERS: Final = 64  # codes for what has none of its own


class Codes:
    """The codes of one `Rules`' actions; `actions` is how many there are.

    Cells are told in a window `size` cells wide and high, whose middle is that of the tiles laid (rounded north-west).
    `pass` is 0; then come placements, by cell (y, x) and rotation; claims, by segment, owner and kind; choices of segments, by cell
    and index; choices of cells; and 64 for what has no code of its own, or one that is taken or outside the window: in the
    order of `legal_actions()`.
    """

    def __init__(self, rules: Rules, size: int = 0) -> None:
        if size < 0:
            raise CarcError(f"a window is some cells wide, not {size}")
        self.rules: Final = rules
        self.size: Final = size or 2 * isqrt(rules.catalogue.most_tiles) + 9
        self.cells: Final = self.size * self.size
        self.most_segments: int = max([len(tile.segments) for tile in rules.catalogue.tiles])
        claims = 1 + max([max(c.owner, 0) for some in rules.claim_actions for c in some])
        self._claims: int = claims * len(rules.follower_kinds)
        # By owner and kind of follower: what its claim of segment 0 has beyond `at_claim`.
        self._claim: vec[i64] = vec[i64](
            [
                max(c.owner, 0) * len(rules.follower_kinds) + c.follower
                for c in rules.claim_actions[0]
            ]
        )
        # The base's own steps offer no choices among what lies on the table.
        alone = len(rules.expansions) == 1
        self.at_place: int = 1
        self.at_claim: int = self.at_place + self.cells * 4
        self.at_segment: int = self.at_claim + self.most_segments * self._claims
        self.at_cell: int = self.at_segment + (0 if alone else self.cells * self.most_segments)
        self.at_other: int = self.at_cell + (0 if alone else self.cells)
        self.actions: int = self.at_other + OTHERS
        # By bits of rotations that fit: which they are, in order.
        self._turns: vec[i64] = vec[i64](
            [
                n
                for some in range(16)
                for n in ([r for r in range(4) if some >> r & 1] + [0] * 4)[:4]
            ]
        )
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
        least_x: i64 = WIDTH
        least_y: i64 = WIDTH
        most_x: i64 = 0
        most_y: i64 = 0
        tiles: i64 = state.tiles
        cells = state.cell
        for tile in range(tiles):
            cell: i64 = cells[tile]
            x = cell & BELOW
            y = cell >> BITS
            least_x = min(least_x, x)
            most_x = max(most_x, x)
            least_y = min(least_y, y)
            most_y = max(most_y, y)
        half: i64 = self.size // 2
        return ((least_y + most_y) // 2 - half) * WIDTH + (least_x + most_x) // 2 - half

    def codes(self, state: State) -> list[int]:
        """The codes of `state.legal_actions()` of a player, in that order, all different; -1 for those beyond the last code."""
        return list(self.coded(state))[: state._count]

    def coded(self, state: State) -> vec[i64]:
        """`codes`, as compiled code holds them, perhaps with some -1 behind. Raises `CarcError` for a state of other rules."""
        self._check_rules(state)
        step = state.step
        if step.listed or state._legal is not None:
            return self._of_listed(state)
        if type(step) is PlaceStep:
            return self._of_placements(state)
        rules = self.rules
        alone = type(step) is ClaimStep and not (rules.claims or rules.admits or rules.choosy)
        return self._of_claims(state) if alone else self._of_listed(state)

    def _of_placements(self, state: State) -> vec[i64]:
        """The codes of placements that nobody listed."""
        corner: i64 = self.corner(state)
        size: i64 = self.size
        first: i64 = self.at_place
        other: i64 = self.at_other
        # All four places of a cell are written, those that are none written over: without a branch for each.
        found: vec[i64] = vec[i64]([0] * (state._count + 3))
        turns = self._turns
        rotations = state.rules.catalogue.rotations
        kind: i64 = state.hand << DEMAND_BITS
        at: i64 = 0
        for entry in state.frontier:
            some: i64 = i64(rotations[kind | entry & DEMANDS])
            if some == 0:
                continue
            fits: i64 = some & 15
            away: i64 = (entry >> DEMAND_BITS) - corner
            x: i64 = away & BELOW
            y: i64 = away >> BITS
            if away >= 0 and x < size and y < size:
                code: i64 = first + (y * size + x) * 4
                turned: i64 = fits * 4
                found[at] = code + turns[turned]
                found[at + 1] = code + turns[turned + 1]
                found[at + 2] = code + turns[turned + 2]
                found[at + 3] = code + turns[turned + 3]
                at += some >> 4
                continue
            while fits:
                if fits & 1:
                    found[at] = other if other < self.actions else -1
                    other += 1
                    at += 1
                fits >>= 1
        while at < len(found):
            found[at] = -1
            at += 1
        return found

    def _of_claims(self, state: State) -> vec[i64]:
        """The codes of claims that nobody listed, then that of passing."""
        found: vec[i64] = vec[i64]([0] * state._count)
        those = able(state, state.current_player)
        free = state.unclaimed()
        at: i64 = 0
        code: i64 = self.at_claim
        while free:
            if free & 1:
                for one in those:
                    found[at] = code + self._claim[one]
                    at += 1
            free >>= 1
            code += self._claims
        return found

    def _of_listed(self, state: State) -> vec[i64]:
        """The codes where all that may be done is listed anyway."""
        corner: i64 = self.corner(state)
        other: i64 = self.at_other
        listed = state._listed()
        found: vec[i64] = vec[i64]([0] * len(listed))
        for at, action in enumerate(listed):
            code: i64 = self._code(action, corner)
            if not isinstance(action, Place):
                for earlier in range(at):
                    if found[earlier] == code:
                        code = -1
            if code < 0 and other < self.actions:
                code = other
                other += 1
            found[at] = code
        return found

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
            if here >= 0 and index < self.most_segments:
                return self.at_segment + here * self.most_segments + index
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
        out: vec[u8] = self._none[:]
        if state.current_player >= 0:
            for code in self.coded(state):
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
        """The legal action of a code, an int of numpy's too. Raises `IllegalAction` if no legal action has it."""
        if state.current_player < 0:
            raise IllegalAction("no player is to decide: codes are of players' actions")
        wanted: i64 = index(code)
        codes = self.coded(state)
        if wanted >= 0:
            for at in range(len(codes)):
                if codes[at] == wanted:
                    return state.action_at(at)
        known = sorted(self.codes(state))
        raise IllegalAction(f"no legal action has code {wanted}; codes are {known}")
