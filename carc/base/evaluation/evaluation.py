"""`Evaluation`: what a position promises, in expected final points. Guesses for bots; play asks none of it.

Every expansion's features, majorities and points count through the hooks they are scored by, and what no feature shows through
`Expansion.outlook`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, isfinite, log
from typing import TYPE_CHECKING, Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.arrays import FOLLOWER_MASK, OWNER_AT, SEGMENT_AT
from carc.base.cells import beyond
from carc.base.game.outcome import results
from carc.base.game.rules import same_rules
from carc.base.game.scoring import leaders, points_for, value
from carc.base.game.steps import TERMINAL
from carc.base.tiles.catalogue import DEMAND_BITS, DEMANDS, ONE_SIDE, TERRAIN_BITS
from carc.base.tiles.tile import FIELD, ROAD
from carc.errors import CarcError

if TYPE_CHECKING:
    from carc.base.game.actions import Claim
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

# What a position is judged by. Those of chances began as `tools/fit_weights.py` finds them by what was completed; then all were moved by
# `tools/fit_weights.py --by matches` to what wins.
WEIGHTS: Final[dict[str, float]] = {
    # Log-odds that a city or road is completed: always, by the logarithm of the draws a player has left (and one), by
    # each cell missing, by the logarithm of the copies left that fit the rarest of these cells.
    "city": -2.6,
    "city_draws": 0.76,
    "city_gaps": -1.18,
    "city_fits": 0.86,
    "road": -1.18,
    "road_draws": 0.45,
    "road_gaps": -1.64,
    "road_fits": 0.32,
    # The same of a monastery, by draws and by neighbours missing.
    "around": -7.62,
    "around_draws": 1.44,
    "around_missing": -0.28,
    # What a feature gains by each cell missing, if it is completed; a field by each city that will be, and otherwise.
    "city_grows": 0.4,
    "road_grows": 0.31,
    "field_city": 1.92,
    "field_grows": 0.34,
    "around_grows": 0.76,
    # What part of a field's cities its farmer loses to others early in the game.
    "field_risk": 0.34,
    # What followers in the supply are worth early in the game: the first, and how much less each further one.
    "spare": 8.52,
    "spare_falls": 0.71,
    "spare_other": 0.06,
    # How much of a follower who is likely to come home counts as if it were there.
    "spare_back": 0.5,
    # With so many turns left to each player they are worth half of that.
    "spare_lasts": 3.81,
}


def _weights(given: Mapping[str, Any]) -> dict[str, float]:
    """Weights as a caller gave them. Raises `CarcError`."""
    for name, weight in given.items():
        if name not in WEIGHTS:
            raise CarcError(f"there is no weight {name!r}; they are {', '.join(WEIGHTS)}")
        if not isinstance(weight, int | float) or not isfinite(weight):
            raise CarcError(f"the weight {name} is a number, not {weight!r}")
    return {name: float(weight) for name, weight in given.items()}


class Evaluation:
    """Expected final points under some rules. Keep one for many positions: it remembers what the bag's tiles fit.

    `weights`: in place of some of `WEIGHTS`. `blind`: sees no owner's part and no outlook of expansions, only what features are
    worth. Never changes a state it is asked about. Raises `CarcError` for weights that are none, and where a state of other rules is
    asked about.
    """

    def __init__(
        self, rules: Rules, weights: Mapping[str, float] | None = None, blind: bool = False
    ) -> None:
        w = {**WEIGHTS, **_weights(weights or {})}
        catalogue = rules.catalogue
        self._blind: Final = blind
        self._weights: Final = w
        self.rules: Final = rules
        self._city: Final = (w["city"], w["city_draws"], w["city_gaps"], w["city_fits"])
        self._road: Final = (w["road"], w["road_draws"], w["road_gaps"], w["road_fits"])
        self._around: Final = (w["around"], w["around_draws"], w["around_missing"])
        self._grows: Final = (w["city_grows"], w["road_grows"], w["around_grows"])
        self._field: Final = (w["field_city"], w["field_grows"], w["field_risk"])
        spare = [w["spare"] * min(max(w["spare_falls"], 0.0), 1.0) ** n for n in range(64)]
        self._spares: Final = vec[float]([sum(spare[:n]) for n in range(64)])
        self._other: Final = w["spare_other"]
        self._back: Final = min(max(w["spare_back"], 0.0), 1.0)
        self._lasts: Final = max(w["spare_lasts"], 0.1)
        self._meeples: Final = vec[i64](
            [at for at, kind in enumerate(rules.follower_kinds) if kind.is_follower]
        )
        self._meeple: Final[i64] = self._meeples[0]
        self._followers: Final[i64] = len(rules.follower_kinds)
        self._first: Final = vec[i64]([colours[0] for colours in rules.colours])
        self._single: Final = rules.colours == tuple([(owner,) for owner in range(rules.owners)])
        self._by_edges: Final = vec[i64](
            [int(kind.completed_by == "edges") for kind in catalogue.kinds]
        )
        self._never: Final = vec[i64](
            [int(kind.completed_by == "never") for kind in catalogue.kinds]
        )
        self._shared: Final = (
            len(rules.hooks.power) + len(rules.hooks.player_points) > 0 and not blind
        )  # whether owners' parts differ
        # By what a free cell demands: the copies in the bag that fit, and of which bag that is known.
        self._bag: list[int] = []
        self._kinds: vec[i64] = vec[i64]()  # those the bag holds
        self._copies: vec[i64] = vec[i64]()
        self._bags: i64 = 0
        self._known: Final = vec[i64]([0] * (1 << DEMAND_BITS))
        self._fitting: Final = vec[i64]([0] * (1 << DEMAND_BITS))
        # By feature of the position at hand: the free cells it goes on to, the copies that fit the rarest of them, its odds;
        # and of which position each is known.
        n = catalogue.most_segments
        self._position: i64 = 0
        self._seen: Final = vec[i64]([0] * n)
        self._gaps: Final = vec[i64]([0] * n)
        self._rarest: Final = vec[i64]([0] * n)
        self._cell: Final = vec[i64]([0] * n)
        self._judged: Final = vec[i64]([0] * n)
        self._odds: Final = vec[float]([0.0] * n)
        self._counted: Final = vec[i64]([0] * n)  # in `owners`
        self._fields: i64 = 0  # how many were asked, and by city of which it was met last
        self._met: Final = vec[i64]([0] * n)
        # By owner, what is being added up: what may be expected, the followers that may be expected home.
        self._sums: Final = vec[float]([0.0] * rules.owners)
        self._home: Final = vec[float]([0.0] * rules.owners)
        self._logs: Final = vec[float]([0.0] + [log(n) for n in range(1, 1 + catalogue.most_tiles)])
        self._draws: float = 0.0  # left to each player, as a logarithm
        self._early: float = 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        return Evaluation, (self.rules, self._weights, self._blind)

    # -- for anybody ------------------------------------------------------------------------------

    def owners(self, state: State) -> list[float]:
        """The final points each owner may expect."""
        if state.current_player == TERMINAL:
            return [float(score) for score in state.scores]
        self._look(state)
        expected, home = self._sums, self._home
        for owner, score in enumerate(state.scores):
            expected[owner] = float(score)
            home[owner] = 0.0
        features, claimed = state.board._feature, state.board._claimed
        here = self._position
        counted = self._counted
        for entry in state.board._followers:
            feature = features[entry >> SEGMENT_AT]
            if claimed[feature]:
                home[(entry & FOLLOWER_MASK) >> OWNER_AT] += self._chance(state, feature)
            if counted[feature] != here:
                counted[feature] = here
                self._add(state, feature)
        found: list[float] = []
        for at in range(len(expected)):
            found.append(expected[at] + self._supply(state, at))
        if not self._blind:
            for expansion in self.rules.hooks.expected_points:
                found = expansion.expected_points(state, found)
        return found

    def players(self, state: State) -> list[float]:
        """The final points each player may expect; at the end, what each is ranked by."""
        if state.current_player == TERMINAL:
            return [float(result) for result in results(state)]
        owners = self.owners(state)
        return owners if self._single else [owners[first] for first in self._first]

    def worth(self, state: State, feature: int, owner: int) -> float:
        """The points that a feature will bring an owner who keeps the majority. Raises `CarcError` for what is no feature or owner."""
        self._ask(state, feature)
        if not 0 <= owner < self.rules.owners:
            raise CarcError(f"{owner} is no owner; they are 0 to {self.rules.owners - 1}")
        return self._worth(state, feature, owner)

    def closing(self, state: State, feature: int) -> float:
        """The chance that a feature is completed before the bag is empty; 0 of what never is, such as a field.

        Raises `CarcError` for what is no feature.
        """
        self._ask(state, feature)
        return self._chance(state, feature)

    def signs(self, state: State, feature: int) -> tuple[float, float, float]:
        """What `closing` goes by: the logarithm of the draws a player has left (and one), the cells missing (for a feature that
        neighbours complete: the neighbours), the copies left that fit the rarest of these cells. Raises `CarcError` for what
        is no feature.
        """
        self._ask(state, feature)
        if self._by_edges[state.board._kind[feature]]:
            return (
                self._draws,
                float(self._missing(state, feature)),
                float(self._rare(state, feature)),
            )
        return self._draws, float(state.board.free_around(feature)), 1.0

    def claims(
        self, state: State, claims: Sequence[Claim], player: int, *, looked: bool = False
    ) -> list[float]:
        """About how much more its owner may expect from each of these claims that are legal now, the follower's cost taken off.

        Points of no feature are not seen, nor what others lose: an estimate to choose by which claims are looked into. `looked`: the position is the
        one asked of last, as it was then.
        """
        if not looked:
            self._look(state)
        found: list[float] = []
        worth = 0.0
        known: i64 = -1  # the segment and owner whom that is for
        for claim in claims:
            owner: i64 = claim.owner
            if owner < 0:
                owner = self._first[player]
            segment = state.board._first_segment[state.board.last_tile] + i64(claim.segment)
            feature = state.board._feature[segment]
            if known != segment << SEGMENT_AT | owner:
                known = segment << SEGMENT_AT | owner
                worth = self._worth(state, feature, owner)
            found.append(worth - self._cost(state, feature, owner, claim.follower))
        return found

    # -- how --------------------------------------------------------------------------------------

    def _cost(self, state: State, feature: i64, owner: i64, follower: i64) -> float:
        """What it costs an owner to do without a follower of a kind until a feature is completed."""
        if state.board.completed and feature in state.board.completed:
            return 0.0
        spare = self._spare(state, owner)
        cost = self._spares[spare] - self._spares[max(spare - 1, 0)]
        cost *= 1.0 - self._back * self._chance(state, feature)
        if follower != self._meeple:
            cost += self._other
        return self._early * cost

    def _ask(self, state: State, feature: int) -> None:
        """Look at a position of which a feature is asked."""
        self._look(state)
        if not 0 <= feature < state.board.segment_count or state.board._feature[feature] != feature:
            raise CarcError(
                f"{feature} is no feature on the table; state.feature_of(segment) tells a segment's"
            )

    def _look(self, state: State) -> None:
        """What holds for a whole position: the cells that each city, road or whatever edges complete goes on to."""
        if state.rules is not self.rules:
            same_rules(state.rules, self.rules)
        if state.bag != self._bag:
            self._bag = state.bag.copy()
            kinds = [kind for kind, copies in enumerate(self._bag) if copies]
            self._kinds = vec[i64](kinds)
            self._copies = vec[i64]([self._bag[kind] for kind in kinds])
            self._bags += 1
        left = float(state.tiles_left) / self.rules.players
        self._draws = log(1.0 + left)
        self._early = left / (left + self._lasts)
        self._position += 1
        catalogue = self.rules.catalogue
        main, also = catalogue.main, catalogue.also
        row, first, features = (
            state.board._oriented_kind,
            state.board._first_segment,
            state.board._feature,
        )
        for entry in state.board._frontier:
            for side in range(4):
                if not entry >> TERRAIN_BITS * side & ONE_SIDE:
                    continue  # no tile there
                tile = state.board.tile_on_cell(beyond(entry >> DEMAND_BITS, side))
                at = row[tile] * 4 + (side ^ 2)
                if main[at] >= 0:
                    self._note(state, features[first[tile] + main[at]], entry)
                if also[at] >= 0:
                    self._note(state, features[first[tile] + also[at]], entry)

    def _note(self, state: State, feature: i64, entry: i64) -> None:
        """A feature goes on to a free cell."""
        if not self._by_edges[state.board._kind[feature]]:
            return
        cell = entry >> DEMAND_BITS
        fits = self._fits(entry & DEMANDS)
        if self._seen[feature] != self._position:
            self._seen[feature] = self._position
            self._gaps[feature] = 1
            self._rarest[feature] = fits
            self._cell[feature] = cell
        elif self._cell[feature] != cell:
            self._cell[feature] = cell
            self._gaps[feature] += 1
            self._rarest[feature] = min(self._rarest[feature], fits)

    def _fits(self, demand: i64) -> i64:
        """How many tiles of the bag fit a free cell, by what its sides demand."""
        if self._known[demand] == self._bags:
            return self._fitting[demand]
        rotations = self.rules.catalogue.rotations
        kinds, copies = self._kinds, self._copies
        count: i64 = 0
        for at in range(len(kinds)):
            fits: int = rotations[kinds[at] << DEMAND_BITS | demand]
            if fits:
                count += copies[at]
        self._known[demand] = self._bags
        self._fitting[demand] = count
        return count

    def _spare(self, state: State, owner: i64) -> i64:
        supply = state.board._supply
        count: i64 = 0
        for kind in self._meeples:
            count += supply[owner * self._followers + kind]
        return count

    def _supply(self, state: State, owner: i64) -> float:
        """What the followers in an owner's supply are worth, and those who are likely to be back."""
        spare = self._back * self._home[owner] + float(self._spare(state, owner))
        whole = min(i64(spare), 62)
        worth = self._spares[whole]
        worth += (spare - float(whole)) * (self._spares[whole + 1] - worth)
        for kind in self._meeples:
            if kind != self._meeple:
                worth += self._other * float(state.board._supply[owner * self._followers + kind])
        return self._early * worth

    def _add(self, state: State, feature: i64) -> None:
        """What a feature will bring those who have the majority there."""
        expected = self._sums
        worth = 0.0
        known = False
        leading = leaders(state, feature)
        owner: i64 = 0
        while leading:
            if leading & 1:
                if self._shared or not known:
                    worth = self._worth(state, feature, owner)
                    known = True
                expected[owner] += worth
            leading >>= 1
            owner += 1

    def _worth(self, state: State, feature: i64, owner: i64) -> float:
        kind = state.board._kind[feature]
        if state.board.completed and feature in state.board.completed:
            return float(self._points(state, feature, owner, False))
        now = float(self._points(state, feature, owner, True))
        if self._never[kind]:
            if kind == FIELD:
                now += self._cities(state, feature)
                now *= 1.0 - self._field[2] * self._early
            return now + self._field[1] * self._early * self._early
        full = float(self._points(state, feature, owner, False))
        chance = self._chance(state, feature)
        if self._by_edges[kind]:
            full += (self._grows[1] if kind == ROAD else self._grows[0]) * float(
                min(state.board._open[feature], 3)
            )
        else:
            missing = state.board.free_around(feature)
            full += float(missing)
            now += self._grows[2] * float(missing) * self._early
        return chance * full + (1.0 - chance) * now

    def _points(self, state: State, feature: i64, owner: i64, final: bool) -> int:
        if self._blind:
            return value(state, feature, final)
        return points_for(state, feature, owner, final)

    def _cities(self, state: State, field: i64) -> float:
        """What the open cities of a field may bring its farmer."""
        starts = self.rules.catalogue.segment_start
        touched = self.rules.catalogue.touched
        tile_of, firsts, row, follow = (
            state.board._tile_of,
            state.board._first_segment,
            state.board._oriented_kind,
            state.board._next,
        )
        features, opened = state.board._feature, state.board._open
        met = self._met
        self._fields += 1
        mine = self._fields
        worth = 0.0
        segment = field
        while True:
            tile = tile_of[segment]
            beside = firsts[tile]
            bits = touched[starts[row[tile] >> 2] + segment - beside]
            while bits:
                if bits & 1:
                    city = features[beside]
                    if opened[city] and met[city] != mine:
                        met[city] = mine
                        worth += self._field[0] * self._closing(state, city)
                bits >>= 1
                beside += 1
            segment = follow[segment]
            if segment == field:
                return worth

    def _chance(self, state: State, feature: i64) -> float:
        """The chance that a feature is completed, and so its followers come home."""
        kind = state.board._kind[feature]
        if self._by_edges[kind]:
            return self._closing(state, feature)
        if self._never[kind]:
            return 0.0
        missing = state.board.free_around(feature)
        if not missing:
            return 1.0
        always, draws, each = self._around
        return 1.0 / (1.0 + exp(-always - draws * self._draws - each * float(missing)))

    def _closing(self, state: State, feature: i64) -> float:
        if self._judged[feature] == self._position:
            return self._odds[feature]
        chance = 1.0
        if state.board._open[feature]:
            fits = self._rare(state, feature)
            chance = 0.0
            if fits:
                weights = self._road if state.board._kind[feature] == ROAD else self._city
                odds = weights[0] + weights[1] * self._draws
                odds += weights[2] * float(self._missing(state, feature))
                odds += weights[3] * self._logs[fits]
                chance = 1.0 / (1.0 + exp(-odds))
        self._judged[feature] = self._position
        self._odds[feature] = chance
        return chance

    def _missing(self, state: State, feature: i64) -> i64:
        """How many free cells a feature goes on to; of one that goes on where nobody sees, its open edges."""
        if self._seen[feature] == self._position:
            return self._gaps[feature]
        return state.board._open[feature]

    def _rare(self, state: State, feature: i64) -> i64:
        """The copies in the bag that fit the rarest of these cells."""
        if self._seen[feature] == self._position:
            return self._rarest[feature]
        return state.tiles_left
