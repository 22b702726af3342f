"""`Evaluation`: what a position promises, in expected final points. Guesses for bots; play asks none of it.

Every expansion's features, majorities and points count through the hooks they are scored by, and what no feature shows through
`Expansion.outlook`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log
from typing import TYPE_CHECKING, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.catalogue import TERRAIN_BITS
from carc.base.cells import SIDES
from carc.base.layout import NOTHING
from carc.base.scoring import FIELD, ROAD, majority, points_for, value
from carc.base.steps import TERMINAL

if TYPE_CHECKING:
    from carc.base.actions import Claim
    from carc.base.rules import Rules
    from carc.base.state import State

# What a position is judged by; `carc fit` finds those of chances from games, the others by play.
WEIGHTS: Final[dict[str, float]] = {
    # Log-odds that a city or road is completed: always, by the logarithm of the draws a player has left (and one), by
    # each cell missing, by the logarithm of the copies left that fit the rarest of these cells.
    "city": -1.51,
    "city_draws": 0.83,
    "city_gaps": -0.82,
    "city_fits": 0.45,
    "road": -1.33,
    "road_draws": 0.69,
    "road_gaps": -1.32,
    "road_fits": 0.56,
    # The same of a monastery, by draws and by neighbours missing.
    "around": -5.76,
    "around_draws": 2.32,
    "around_missing": -0.28,
    # What a feature gains by each cell missing, if it is completed; a field by each city that will be, and otherwise.
    "city_grows": 1.0,
    "road_grows": 0.5,
    "field_city": 2.0,
    "field_grows": 1.0,
    # What followers in the supply are worth early in the game: the first, and how much less each further one.
    "spare": 14.0,
    "spare_falls": 0.5,
    "spare_other": 0.06,
}


class Evaluation:
    """Expected final points under some rules. Keep one for many positions: it remembers what the bag's tiles fit.

    `weights`: in place of some of `WEIGHTS`. `blind`: sees no owner's part and no outlook of expansions, only what features are
    worth. Never changes a state it is asked about.
    """

    def __init__(
        self, rules: Rules, weights: Mapping[str, float] | None = None, blind: bool = False
    ) -> None:
        w = {**WEIGHTS, **(weights or {})}
        self._blind: Final = blind
        self.rules: Final = rules
        self._city: Final = (w["city"], w["city_draws"], w["city_gaps"], w["city_fits"])
        self._road: Final = (w["road"], w["road_draws"], w["road_gaps"], w["road_fits"])
        self._around: Final = (w["around"], w["around_draws"], w["around_missing"])
        self._grows: Final = (w["city_grows"], w["road_grows"])
        self._field: Final = (w["field_city"], w["field_grows"])
        spare = [w["spare"] * w["spare_falls"] ** n for n in range(64)]
        self._spares: Final = [sum(spare[:n]) for n in range(64)]
        self._other: Final = w["spare_other"]
        self._meeples: Final = [at for at, kind in enumerate(rules.follower_kinds) if kind.power]
        self._by_edges: Final = [kind.completed_by == "edges" for kind in rules.catalogue.kinds]
        self._never: Final = [kind.completed_by == "never" for kind in rules.catalogue.kinds]
        self._bag: list[int] = []
        self._kinds: list[int] = []  # those the bag holds
        self._fitting: dict[int, int] = {}  # what a cell's sides demand -> copies left that fit
        self._odds: dict[int, float] = {}  # by feature of the position at hand
        self._draws: float = 0.0  # left to each player, as a logarithm
        self._early: float = 0.0

    # -- for anybody ------------------------------------------------------------------------------------------------

    def owners(self, state: State) -> list[float]:
        """The final points each owner may expect."""
        expected = [float(score) for score in state.scores]
        if state.current_player == TERMINAL:
            return expected
        self._look(state)
        for feature in state.occupied():
            for owner in majority(state, feature):
                expected[owner] += self._worth(state, feature, owner)
        for owner in range(len(expected)):
            expected[owner] += self._supply(state, owner)
        if not self._blind:
            for expansion in self.rules.outlook:
                expected = expansion.outlook(state, expected)
        return expected

    def players(self, state: State) -> list[float]:
        """The final points each player may expect; at the end, what each is ranked by."""
        if state.current_player == TERMINAL:
            return [float(result) for result in state.results()]
        owners = self.owners(state)
        return [owners[colours[0]] for colours in self.rules.colours]

    def worth(self, state: State, feature: int, owner: int) -> float:
        """The points that a feature will bring an owner who keeps the majority on it."""
        self._look(state)
        return self._worth(state, feature, owner)

    def closing(self, state: State, feature: int) -> float:
        """The chance that a city, a road or whatever edges complete is completed before the bag is empty."""
        self._look(state)
        return self._closing(state, feature)

    def signs(self, state: State, feature: int) -> tuple[float, float, float]:
        """What `closing` goes by: the logarithm of the draws a player has left (and one), the cells missing (for a feature that
        neighbours complete: the neighbours), the copies left that fit the rarest of these cells.
        """
        self._look(state)
        if self._by_edges[state.kind[feature]]:
            return self._signs(state, feature)
        return self._draws, float(state.free_around(feature)), 1.0

    def claim(self, state: State, claim: Claim, player: int) -> float:
        """How much more its owner may expect from a claim that is legal now, the follower's cost taken off.

        Points of no feature are not seen: an estimate to choose by which claims are looked into.
        """
        self._look(state)
        owner = claim.owner if claim.owner >= 0 else self.rules.colours[player][0]
        segment = state.segment_of(state.last, claim.segment)
        feature = state.feature_of(segment)
        gain = self._worth(state, feature, owner)
        if feature in state.completed:
            return gain
        spare = self._spare(state, owner)
        cost = self._spares[spare] - self._spares[max(spare - 1, 0)]
        if claim.follower != self._meeples[0]:
            cost += self._other
        return gain - self._early * cost

    # -- how --------------------------------------------------------------------------------------------------------

    def _look(self, state: State) -> None:
        """What holds for a whole position."""
        if state.bag != self._bag:
            self._bag = state.bag.copy()
            self._kinds = [kind for kind, copies in enumerate(self._bag) if copies]
            self._fitting = {}
        self._odds = {}
        left = float(state.left)
        self._draws = log(1.0 + left / self.rules.players)
        self._early = left / (left + 12.0)

    def _spare(self, state: State, owner: int) -> int:
        count = 0
        for kind in self._meeples:
            count += state.supply_of(owner, kind)
        return count

    def _supply(self, state: State, owner: int) -> float:
        """What the followers in an owner's supply are worth."""
        worth = self._spares[min(self._spare(state, owner), 63)]
        for kind in self._meeples[1:]:
            worth += self._other * state.supply_of(owner, kind)
        return self._early * worth

    def _worth(self, state: State, feature: int, owner: int) -> float:
        f: i64 = feature
        kind = state.kind[f]
        if feature in state.completed:
            return float(self._points(state, feature, owner, False))
        now = float(self._points(state, feature, owner, True))
        if self._never[kind]:
            if kind == FIELD:
                now += self._cities(state, feature)
            return now + self._field[1] * self._early * self._early
        full = float(self._points(state, feature, owner, False))
        if self._by_edges[kind]:
            chance = self._closing(state, feature)
            full += self._grows[kind == ROAD] * float(min(state.open_edges(feature), 3))
        else:
            missing = state.free_around(feature)
            chance = self._surrounding(missing)
            full += missing
            now += 0.5 * missing * self._early
        return chance * full + (1.0 - chance) * now

    def _points(self, state: State, feature: int, owner: int, final: bool) -> int:
        if self._blind:
            return value(state, feature, final)
        return points_for(state, feature, owner, final)

    def _surrounding(self, missing: int) -> float:
        """The chance that so many neighbours come in time."""
        if not missing:
            return 1.0
        always, draws, each = self._around
        return 1.0 / (1.0 + exp(-always - draws * self._draws - each * missing))

    def _cities(self, state: State, field: int) -> float:
        """What the open cities of a field may bring its farmer."""
        catalogue = self.rules.catalogue
        touches = catalogue.touches
        starts = catalogue.segment_start
        found: list[int] = []
        worth = 0.0
        segment: i64 = field
        while True:
            tile = state.tile_of[segment]
            first = state.first[tile]
            for index in touches[starts[state.row[tile] >> 2] + segment - first]:
                city: i64 = state.feature[first + index]
                if state.open[city] and city not in found:
                    found.append(city)
                    worth += self._field[0] * self._closing(state, city)
            segment = state.next[segment]
            if segment == field:
                return worth

    def _closing(self, state: State, feature: int) -> float:
        known = self._odds.get(feature)
        if known is not None:
            return known
        chance = 1.0
        if state.open_edges(feature):
            draws, gaps, fits = self._signs(state, feature)
            chance = 0.0
            if fits:
                weights = self._road if state.kind[feature] == ROAD else self._city
                odds = weights[0] + weights[1] * draws + weights[2] * gaps + weights[3] * log(fits)
                chance = 1.0 / (1.0 + exp(-odds))
        self._odds[feature] = chance
        return chance

    def _signs(self, state: State, feature: int) -> tuple[float, float, float]:
        cells = self._gaps(state, feature)
        rarest = state.left
        for cell in cells:
            rarest = min(rarest, self._fits(state, cell))
        gaps = len(cells)
        if not gaps:  # an overlay: nobody sees where it goes on
            gaps = state.open_edges(feature)
        return self._draws, float(gaps), float(rarest)

    def _gaps(self, state: State, feature: i64) -> vec[i64]:
        """The free cells through which a feature goes on, each once; none of an overlay."""
        main = self.rules.catalogue.main
        found = vec[i64]()
        segment = feature
        while True:
            tile = state.tile_of[segment]
            at: i64 = state.row[tile] * 4
            index: i64 = segment - state.first[tile]
            cell: i64 = state.cell[tile]
            for side in range(4):
                if main[at + side] == index:
                    beside = cell + SIDES[side]
                    if state.tile_on_cell(beside) == NOTHING and beside not in found:
                        found = append(found, beside)
            segment = state.next[segment]
            if segment == feature:
                return found

    def _fits(self, state: State, cell: i64) -> int:
        """How many tiles of the bag fit a free cell."""
        catalogue = self.rules.catalogue
        demand: i64 = 0
        for side in range(4):
            other: i64 = state.tile_on_cell(cell + SIDES[side])
            if other >= 0:
                terrain = catalogue.terrain[state.row[other] * 4 + (side ^ 2)]
                demand |= terrain << (TERRAIN_BITS * side)
        known = self._fitting.get(demand)
        if known is not None:
            return known
        fits = catalogue.fits
        count = 0
        for kind in self._kinds:
            if fits[kind][demand]:
                count += self._bag[kind]
        self._fitting[demand] = count
        return count
