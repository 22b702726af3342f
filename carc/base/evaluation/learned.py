"""`LearnedEvaluation`: expected final points, linear in descriptors of a position. For bots only.

The weights of the descriptors depend on the turns that each player has left. They were fitted to
games (`tools/train_evaluation.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.arrays import (
    OWNER_BITS,
    OWNER_MASK,
)
from carc.base.evaluation.contests import Contests
from carc.base.evaluation.descriptors import (
    AROUND_AT,
    CITY_AT,
    DESCRIPTORS,
    FIELD_AT,
    FOLLOWERS,
    JOIN_AT,
    JOIN_NEXT,
    JOIN_UNCLAIMED,
    MOST_GROWTH,
    NEXT,
    RETURNING,
    RETURNING_FIRST,
    ROAD_AT,
    SUPPLY_AT,
    THREAT,
    TRAILING,
    WHOLE_FOLLOWERS,
    block_size,
    phase,
)
from carc.base.evaluation.evaluation import Evaluation
from carc.base.evaluation.expansion_descriptors import ExpansionDescriptors
from carc.base.tiles.tile import FIELD, ROAD
from carc.base.turn.scoring import leaders
from carc.base.turn.steps import TERMINAL

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Claim


# The weights were fitted to base games, whose fields seldom bring more points. With ten times as
# many, the square would outweigh all else.
MOST_FITTED: Final = 30.0


@final
class LearnedEvaluation(Evaluation):
    """Expected final points under some rules, by weights that were fitted to games.

    Attributes:
        weights: The weights by name, one for each knot: those of `DESCRIPTORS`, then those of the
            expansions.
    """

    def __init__(
        self, rules: Rules, table: Mapping[str, Sequence[float]], blind: bool = False
    ) -> None:
        """Prepare for the positions of some rules.

        Args:
            rules: The rules.
            table: The weights of each descriptor, one for each knot. Expansions have weights of
                their own for what they describe, unless the table has others.
            blind: Ignore what expansions expect, and that owners may score differently.
        """
        super().__init__(rules, None, blind)
        self._table: Final = table
        self._contests: Final = Contests(rules)
        self._expansions: Final = ExpansionDescriptors(rules, blind)
        names = (*DESCRIPTORS, *self._expansions.weights)
        known = {**self._expansions.weights, **table}
        self.weights: Final[dict[str, Sequence[float]]] = {name: known[name] for name in names}
        self._size: Final[i64] = len(names)
        self._players: Final[i64] = rules.players
        weights: list[float] = []
        for tiles in range(rules.catalogue.most_tiles + 1):
            shares = phase(float(tiles) / rules.players)
            for by_knot in self.weights.values():
                weights.append(sum(share * w for share, w in zip(shares, by_knot, strict=True)))
        # By tiles left and descriptor.
        self._all_weights: Final = vec[float](weights)
        self._most_tiles: Final[i64] = rules.catalogue.most_tiles
        self._at: i64 = 0  # where the weights of the position begin
        # By owner and descriptor: the sums over the position. By owner: points without a weight.
        self._sums: Final = vec[float]([0.0] * (rules.owners * len(names)))
        self._sure: Final = vec[float]([0.0] * rules.owners)
        self._row: Final = vec[float]([0.0] * 8)  # what describes the last feature
        # By feature: what joining it is worth; in which position that is known.
        self._values: Final = vec[float]([0.0] * rules.catalogue.most_segments)
        self._valued_in: Final = vec[i64]([0] * rules.catalogue.most_segments)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy without what is remembered."""
        return LearnedEvaluation, (self.rules, self._table, self._blind)

    # -- positions --------------------------------------------------------------------------------

    def owners(self, state: State) -> list[float]:
        """Return the final points that each owner can expect."""
        if state.current_player == TERMINAL:
            return [float(score) for score in state.scores]
        self._describe(state)
        sums, weights = self._sums, self._all_weights
        size, at = self._size, self._at
        points: list[float] = []
        for owner in range(len(self._sure)):
            total = self._sure[owner]
            for each in range(size):
                total += weights[at + each] * sums[owner * size + each]
            points.append(total)
        for estimates in self._expansions.estimating:
            points = estimates.expected_points(state, points)
        return points

    def descriptors(self, state: State) -> tuple[list[list[float]], list[float]]:
        """Return the sums of each owner's descriptors, and each owner's points without a weight.

        The latter are the score, what is certain to come, and what expansions expect.
        """
        self._describe(state)
        size: int = self._size
        rows: list[list[float]] = []
        sure: list[float] = []
        for owner in range(len(self._sure)):
            sure.append(self._sure[owner])
            row: list[float] = []
            for each in range(size):
                row.append(self._sums[owner * size + each])
            rows.append(row)
        for estimates in self._expansions.estimating:
            sure = estimates.expected_points(state, sure)
        return rows, sure

    def _look(self, state: State) -> None:
        super()._look(state)
        left: i64 = min(i64(state.tiles_left), self._most_tiles)
        self._at = left * self._size

    def _describe(self, state: State) -> None:
        """Fill the sums of a position."""
        self._look(state)
        sums, sure, returning, size = self._sums, self._sure, self._returning, self._size
        for at in range(len(sums)):
            sums[at] = 0.0
        for owner, score in enumerate(state.scores):
            sure[owner] = float(score)
        self._add_features(state)
        active: i64 = -1
        if state.step.name == "claim":
            active = (state.active_player + 1) % self._players
        elif state.step.name == "draw":
            active = state.active_player
        for own in range(len(sure)):
            base = own * size
            self._describe_supply(state, own, returning[own], base)
            if active >= 0 and self._first_owner[active] == own and state.tiles_left:
                sums[base + NEXT] = 1.0
        self._contests.look(state)
        for pair in range(self._contests.count):
            self._add_contest(state, pair, active)
        self._expansions.fill(state, sums, size)

    def _describe_supply(self, state: State, owner: i64, returning: float, base: i64) -> None:
        """Describe an owner's supply."""
        sums = self._sums
        count = float(self._supply._count(state, owner))
        self._sure[owner] += self._supply.others(state, owner)
        for step in range(WHOLE_FOLLOWERS):
            sums[base + SUPPLY_AT + step] = min(
                max(count + 0.5 * returning - float(step), 0.0), 1.0
            )
        sums[base + FOLLOWERS] = count
        sums[base + RETURNING] = returning
        sums[base + RETURNING_FIRST] = returning / (1.0 + count)

    def _add(self, state: State, feature: i64) -> None:
        """Add what a feature is to those who have followers there."""
        row, sums, size = self._row, self._sums, self._size
        block: i64 = -2
        owners = leaders(state, feature)
        claimed = state.board._claimed[feature]
        owner: i64 = 0
        while claimed:
            if owners & 1:
                if self._scores_differ or block == -2:
                    block = self._describe_feature(state, feature, owner)
                if block < 0:
                    self._sure[owner] += row[0]
                else:
                    for at in range(block_size(block)):
                        sums[owner * size + block + at] += row[at]
            elif claimed & OWNER_MASK:
                sums[owner * size + TRAILING] += 1.0
            claimed >>= OWNER_BITS
            owners >>= 1
            owner += 1

    def _describe_feature(self, state: State, feature: i64, owner: i64) -> i64:
        """Describe a feature to an owner who has the majority, in `_row`.

        Returns:
            Where its descriptors begin; -1 if `_row[0]` is what it is worth, without weights.
        """
        completion, board, row = self._completion, state.board, self._row
        kind = board._kind[feature]
        if board.completed and feature in board.completed:
            row[0] = float(self._points(state, feature, owner, False))
            return -1
        never = completion.never[kind]
        if never and kind != FIELD:
            row[0] = Evaluation._worth(self, state, feature, owner)
            return -1
        incomplete = float(self._points(state, feature, owner, True))
        alone = 1.0
        claimed = board._claimed[feature]
        while claimed > OWNER_MASK:
            if claimed & OWNER_MASK:
                alone = 0.0
            claimed >>= OWNER_BITS
        if never:
            opened = float(min(i64(board._open[feature]), 20))
            row[0] = incomplete
            row[1] = self._open_cities(state, feature)
            row[2] = 1.0
            row[3] = opened
            row[4] = min(opened, 4.0)
            row[5] = alone
            usual = min(incomplete, MOST_FITTED)
            row[6] = usual * usual * 0.05
            return FIELD_AT
        complete = float(self._points(state, feature, owner, False))
        chance = completion.chance(state, feature)
        row[1] = (1.0 - chance) * incomplete
        if completion.by_edges[kind]:
            row[0] = chance * complete
            row[2] = chance * float(min(board._open[feature], MOST_GROWTH))
            row[3] = chance
            row[4] = 1.0
            row[5] = chance * (1.0 - chance) * complete
            row[6] = float(min(completion.gaps(state, feature), 6))
            row[7] = alone
            return ROAD_AT if kind == ROAD else CITY_AT
        missing = float(board.free_around(feature))
        row[0] = chance * (complete + missing)
        row[2] = (1.0 - chance) * missing
        row[3] = 1.0
        return AROUND_AT

    def _worth(self, state: State, feature: i64, owner: i64) -> float:
        """Return the points that a feature will bring an owner who keeps the majority."""
        block = self._describe_feature(state, feature, owner)
        row, weights, at = self._row, self._all_weights, self._at
        if block < 0:
            return row[0]
        total = 0.0
        for each in range(block_size(block)):
            total += weights[at + block + each] * row[each]
        return total

    # -- features that may be joined --------------------------------------------------------------

    def _value(self, state: State, feature: i64) -> float:
        """Return roughly what a feature is worth, without learned weights."""
        if self._valued_in[feature] == self._position:
            return self._values[feature]
        kind = state.board._kind[feature]
        value = float(self._points(state, feature, 0, True))
        if self._completion.never[kind]:
            if kind == FIELD:
                value += self._open_cities(state, feature)
        else:
            chance = self._completion.chance(state, feature)
            complete = float(self._points(state, feature, 0, False))
            value = chance * complete + (1.0 - chance) * value
        self._values[feature] = value
        self._valued_in[feature] = self._position
        return value

    def _add_contest(self, state: State, pair: i64, active: i64) -> None:
        """Add what joining two features would change."""
        contests, claimed = self._contests, state.board._claimed
        a, b = contests.first[pair], contests.second[pair]
        if not claimed[a] and not claimed[b]:
            return
        chance = contests.chance[pair]
        kind = state.board._kind[a]
        at = JOIN_AT + min(kind, FIELD)
        if not claimed[a] or not claimed[b]:
            if not claimed[a]:
                a, b = b, a
            owner = _only(leaders(state, a))
            if owner >= 0:
                self._sums[owner * self._size + JOIN_UNCLAIMED] += chance * self._value(state, b)
            return
        la, lb = _only(leaders(state, a)), _only(leaders(state, b))
        if la < 0 or lb < 0 or la == lb:
            return
        pa = claimed[a] >> OWNER_BITS * la & OWNER_MASK
        pb = claimed[b] >> OWNER_BITS * lb & OWNER_MASK
        va, vb = self._value(state, a), self._value(state, b)
        for_a = vb if pa >= pb else 0.0 - va
        for_b = va if pb >= pa else 0.0 - vb
        self._add_change(la, at, chance * for_a, chance * (for_a - for_b), active)
        self._add_change(lb, at, chance * for_b, chance * (for_b - for_a), active)

    def _add_change(self, owner: i64, at: i64, own: float, margin: float, active: i64) -> None:
        base = owner * self._size
        self._sums[base + at] += own
        if margin > 0.0:
            if active >= 0 and self._first_owner[active] == owner:
                self._sums[base + JOIN_NEXT] += margin
            else:
                self._sums[base + THREAT] += margin

    # -- claims -----------------------------------------------------------------------------------

    def claims(
        self, state: State, claims: Sequence[Claim], player: int, *, unchanged: bool = False
    ) -> list[float]:
        """Return roughly how many more points the owner of each claim can expect with it."""
        if not unchanged:
            self._describe(state)
        return Evaluation.claims(self, state, claims, player, unchanged=True)

    def _cost(self, state: State, feature: i64, owner: i64, follower: i64) -> float:
        """Return what it costs to do without a follower, less what the claim may win by joining."""
        if state.board.completed and feature in state.board.completed:
            return 0.0
        chance = self._completion.chance(state, feature)
        count = float(self._supply._count(state, owner))
        back = self._returning[owner]
        cost = self._supply_value(count, back) - self._supply_value(count - 1.0, back + chance)
        if follower != self._supply._usual:
            cost += self._supply._other
        return cost - self._joining_gain(state, feature, owner)

    def _supply_value(self, count: float, returning: float) -> float:
        weights, at = self._all_weights, self._at
        value = weights[at + FOLLOWERS] * count + weights[at + RETURNING] * returning
        value += weights[at + RETURNING_FIRST] * returning / (1.0 + max(count, 0.0))
        for step in range(WHOLE_FOLLOWERS):
            part = min(max(count + 0.5 * returning - float(step), 0.0), 1.0)
            value += weights[at + SUPPLY_AT + step] * part
        return value

    def _joining_gain(self, state: State, feature: i64, owner: i64) -> float:
        """Return what a claim to an unclaimed feature may win by joining it to others."""
        contests, claimed = self._contests, state.board._claimed
        weights, at = self._all_weights, self._at
        gain = 0.0
        for pair in range(contests.count):
            a, b = contests.first[pair], contests.second[pair]
            if feature not in (a, b):
                continue
            other = b if a == feature else a
            chance = contests.chance[pair]
            if not claimed[other]:
                gain += weights[at + JOIN_UNCLAIMED] * chance * self._value(state, other)
                continue
            rival = _only(leaders(state, other))
            if rival < 0 or rival == owner:
                continue
            power = claimed[other] >> OWNER_BITS * rival & OWNER_MASK
            mine, theirs = self._value(state, feature), self._value(state, other)
            kind = state.board._kind[feature]
            own = theirs if power <= 1 else 0.0 - mine
            lost = 0.0 - theirs if power < 1 else mine
            weight = weights[at + JOIN_AT + min(kind, FIELD)]
            # The rival no longer joins an unclaimed feature.
            margin = weight * (own - lost) + weights[at + JOIN_UNCLAIMED] * mine
            if own > lost:
                margin += weights[at + THREAT] * (own - lost)
            else:
                margin -= weights[at + JOIN_NEXT] * (lost - own)
            gain += chance * margin
        return gain


def _only(owners: i64) -> i64:
    """Return the owner of a set of one, given as bits; -1 for any other set."""
    if owners == 0 or owners & (owners - 1):
        return -1
    owner: i64 = 0
    while not owners >> owner & 1:
        owner += 1
    return owner
