"""`WinEstimator`: how likely the team is to win. An estimate for bots; play does not ask it.

It adds up the worth of a position as the logarithm of the odds. The first part is a race: the
points scored, those that followers may still score and those that tiles to come bring, against each
milestone while its pile lasts and against the goal. The second part is the ghosts on the board,
which cost more the fewer are left in the stock.
"""

from __future__ import annotations

from math import exp, log1p, pow, sqrt
from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.cells import AROUND, SIDES, count_bits
from carc.base.expansions.estimates import Estimates
from carc.base.tiles.tile import CITY, ROAD
from carc.base.turn.steps import TERMINAL
from carc.mists.estimates.feature_forecast import (
    MOST_DEADLINES,
    NEITHER,
    FeatureForecast,
    bank_gap_count,
    completed_points,
    ghosts_by_place,
)
from carc.mists.estimates.unseen_tiles import MOST_CALLED, chance_to_draw
from carc.mists.estimates.win_weights import weights_of_level
from carc.mists.mists_state import NO_MARKER, MistsState

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.mists.team_game import TeamGame

STOCKS: Final = 40  # a stock of so many ghosts or more costs nothing
MOST_SPARE: Final = 16  # followers in a supply that count


class WinEstimator(Estimates):
    """Estimates of the team's chances under some rules. It never changes a state."""

    def __init__(
        self, mists: TeamGame, rules: Rules, weights: dict[str, float] | None = None
    ) -> None:
        """Prepare for the positions of some rules; `weights` replace some of `WEIGHTS`."""
        w = weights_of_level(mists.level.markers, weights)
        self.mists: Final = mists
        self._features: Final = FeatureForecast(mists, rules, w)
        each = [
            w["ghost"] + w["ghost_rare"] * exp(-left / w["ghost_falls"]) for left in range(STOCKS)
        ]
        # The cost of the ghosts on the board, by those in the stock.
        self._costs: Final = vec[float](
            [sum(each[left : mists.level.ghosts]) for left in range(STOCKS + 1)]
        )
        self._hope: Final = w["ghost_hope"]
        self._edge: Final = w["edge"]
        self._caught: Final = w["caught"]
        self._finishing: Final = w["finishing"]
        self._fencing: Final = w["fencing"]
        self._joint: Final = w["joint"]
        self._unclaimed: Final = w["unclaimed"]
        spare = [w["spare"] * w["spare_falls"] ** n for n in range(MOST_SPARE)]
        self._spares: Final = vec[float]([sum(spare[:n]) for n in range(MOST_SPARE + 1)])
        self._rate: Final = w["rate"]
        self._spread: Final = (w["spread"], w["spread_more"])
        self._ghost_tiles: Final = w["ghost_tiles"]
        self._cemetery: Final = (w["cemetery"], w["cemetery_free"])
        self._certain: Final = w["certain"]
        self._sharp: Final = (1.0, w["sharp_2"], w["sharp_3"])
        self._haunted: Final = mists.level.haunted
        self._markers: Final = mists.level.markers
        self._owners: Final[i64] = rules.owners
        # What a point is worth, by owner and deadline.
        self._worths: Final = vec[float]([0.0] * (MOST_DEADLINES * rules.owners))
        # What the forecast features are worth, and their numbers in that order.
        most = 1 + sum(rules.components.supply)
        self._worth: Final = vec[float]([0.0] * most)
        self._order: Final = vec[i64]([0] * most)

    def win_chances(self, state: State, chances: list[float]) -> list[float]:
        """Return the team's chance for each player."""
        return [self.chance(state)] * state.rules.players

    def chance(self, state: State) -> float:
        """Return how likely the team is to win, from 0 to 1."""
        own = self.mists.state_of(state)
        if state.current_player == TERMINAL:
            return 1.0 if own.won else 0.0
        self._features.look(state, own)
        worth = self._certain + self._sharp[self._features.deadlines - 1] * self._weigh(state, own)
        return 1.0 / (1.0 + exp(max(min(-worth, 40.0), -40.0)))

    def _weigh(self, state: State, own: MistsState) -> float:
        """Return the worth of a position."""
        features = self._features
        on_tile, on_bank = ghosts_by_place(own, state)
        stock, most = self._stock_and_most(state, own, on_tile)
        hope = stock + self._recovered(state, on_bank) + self._laid_to_rest(state, own)
        features.look_at_features(state, own)
        worth = self._race(state, own)
        for number in range(features.count):
            self._weigh_feature(number)
        worth += self._joining()
        if self._unclaimed > 0.0:
            worth += self._unclaimed * self._unclaimed_features(state)
        for owner in range(self._owners):
            worth += self._spares[min(state.board.supply_of(owner), MOST_SPARE)]
        misty = bank_gap_count(state, features.frontier, self.mists.mist.bank)
        worth += self._edge * float(min(misty, 10))
        if state.step.name == "claim":
            worth += self._claimable(state)
        more, lost = self._given_up(hope, float(most))
        hope += more
        worth -= lost
        worth -= (1.0 - self._hope) * self._cost(stock) + self._hope * self._cost(hope)
        ready = own.stock - (1 if own.cemeteries and not self._haunted else 0)  # LVL2-04
        worth -= self._caught * features.unseen.calling[min(max(ready, 0), MOST_CALLED)]
        worth -= self._open_cemeteries(state, own)
        return worth

    def _stock_and_most(
        self, state: State, own: MistsState, on_tile: dict[int, int]
    ) -> tuple[float, int]:
        """Return the stock, with ghosts about to be taken, and the most to be taken off a tile."""
        most = 0
        for n in on_tile.values():
            most = max(most, n)
        stock = float(own.stock)
        if own.taking >= 0:
            stock += float(min(3, on_tile.get(state.board.tile_on_cell(own.taking), 0)))
        return stock, min(most, 3)

    # -- the race ------------------------------------------------------------------------------

    def _race(self, state: State, own: MistsState) -> float:
        """Return the worth of all markers' progress, and note what a point is worth to each."""
        markers = [state.scores[0]]
        if self._markers:
            markers = own.markers if own.marked else [0, 0, 0]
        racing: list[int] = []
        for marker in range(len(markers)):
            if markers[marker] != NO_MARKER:
                racing.append(marker)
        worth = 0.0
        scored = vec[float]([0.0] * len(markers))
        for k in range(self._features.deadlines):
            self._expect(k, markers, racing, scored)
            worth, unmarked = self._add_risk(worth, k, markers, racing, scored)
            for at in range(self._owners):
                if not self._markers or (own.marked and markers[at] == NO_MARKER):
                    self._worths[at * MOST_DEADLINES + k] = unmarked
        return worth

    def _expect(self, k: i64, markers: list[int], racing: list[int], scored: vec[float]) -> None:
        """Set what each marker may have scored by a deadline."""
        features = self._features
        turns = features.turns[k]
        rest = self._rate * turns * features.in_time(1.0, turns)
        for marker in racing:
            scored[marker] = rest + float(markers[marker])
        for number in range(features.count):
            bonus = features.hound_points[number]
            scorers = features.scorers[number]
            chance = features.chance[number * MOST_DEADLINES + k]
            owner: i64 = 0
            while scorers:
                if scorers & 1:
                    points = chance * (features.points[number] + bonus)
                    bonus = 0.0
                    home = owner if self._markers else 0
                    if home < len(markers) and markers[home] != NO_MARKER:
                        scored[home] += points
                    else:
                        for marker in racing:
                            scored[marker] += points / float(len(racing))
                scorers >>= 1
                owner += 1

    def _add_risk(
        self, worth: float, k: i64, markers: list[int], racing: list[int], scored: vec[float]
    ) -> tuple[float, float]:
        """Subtract what shortfalls at a deadline cost, and note what a point is worth.

        Returns:
            The worth, and what a point is worth to a colour without a marker.
        """
        owners = self._owners
        target = self._features.goals[k]
        spread = self._spread[0] + self._spread[1] * sqrt(self._features.turns[k])
        unmarked = 0.0
        for at in range(owners):
            self._worths[at * MOST_DEADLINES + k] = 0.0
        for marker in racing:
            if float(markers[marker]) < target:
                short = (target - scored[marker]) / spread
                worth -= _risk(short)
                point = _slope(short) / spread
                unmarked = max(unmarked, point)
                if marker < owners:
                    self._worths[marker * MOST_DEADLINES + k] = point
        return worth, unmarked

    # -- ghosts --------------------------------------------------------------------------------

    def _cost(self, stock: float) -> float:
        """Return what the ghosts on the board cost, by the stock."""
        low = i64(stock)
        if low >= STOCKS:
            return 0.0
        cost = self._costs[low] + (stock - float(low)) * (self._costs[low + 1] - self._costs[low])
        return cost * (1.0 - exp(-self._features.all_turns() / self._ghost_tiles))

    def _given_up(self, hope: float, most: float) -> tuple[float, float]:
        """Return how many ghosts come back instead of points, and what these points are worth.

        The scorings worth least are given up first.
        """
        order, worth = self._order, self._worth
        features = self._features
        for number in range(features.count):
            at = number
            while at and worth[order[at - 1]] > worth[number]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = number
        more = 0.0
        lost = 0.0
        for at in range(features.count):
            chance = features.chance[order[at] * MOST_DEADLINES + features.deadlines - 1]
            relief = self._cost(hope + more) - self._cost(hope + more + most)
            if chance * relief > worth[order[at]]:
                more += chance * most
                lost += worth[order[at]]
        return more, lost

    def _recovered(self, state: State, on_bank: dict[int, int]) -> float:
        """Return how many ghosts finished banks may bring back."""
        frontier, unseen = self._features.frontier, self._features.unseen
        turns = self._features.all_turns()
        back = 0.0
        for bank, ghosts in on_bank.items():
            gap = frontier.starts(bank)
            if gap < 0:
                continue
            sides: i64 = 0
            cells = 0
            fit = 1.0
            while gap >= 0:
                cells += 1
                sides += count_bits(frontier.sides[gap])
                share = unseen.showing_mist(frontier.demand[gap], frontier.sides[gap])
                fit *= chance_to_draw(share, turns)
                gap = frontier.next[gap]
            if state.board.open_edges(bank) == sides:  # no edge of it touches clear ground
                chance = self._features.in_time(float(cells), turns) * fit
                if cells > 1:
                    chance *= pow(self._finishing, float(cells - 1))
                back += chance * float(ghosts)
        return back

    def _laid_to_rest(self, state: State, own: MistsState) -> float:
        """Return how many ghosts may leave cemeteries that tiles close."""
        turns = self._features.all_turns()
        back = 0.0
        for segment in own.cemeteries:
            ghosts = own.ghosts.get(segment, 0)
            if ghosts:
                cell = state.board.cell_under(segment)
                chance = self._features.in_time(1.0, turns) / self._fencing
                for step in SIDES:
                    demand = state.board.demand_of(cell + step)
                    if demand:
                        share = self._features.unseen.fitting(demand)
                        chance *= self._fencing * chance_to_draw(share, turns)
                back += min(chance, 1.0) * float(ghosts)
        return back

    def _open_cemeteries(self, state: State, own: MistsState) -> float:
        """Return what open cemeteries will cost: ghosts, or tiles laid face down."""
        cost = 0.0
        for segment in own.cemeteries:
            cell = state.board.cell_under(segment)
            missing = 0
            for step in AROUND if self._haunted else SIDES:
                if state.board.is_free(cell + step):
                    missing += 1
            cost += self._cemetery[0] + self._cemetery[1] * float(missing)
        return cost

    # -- features ------------------------------------------------------------------------------

    def _weigh_feature(self, number: i64) -> None:
        """Note what a feature is worth to all who score it."""
        features = self._features
        worth = 0.0
        full = features.points[number] + features.hound_points[number]
        scorers = features.scorers[number]
        first = number * MOST_DEADLINES
        owner: i64 = 0
        while scorers:
            if scorers & 1:
                for k in range(features.deadlines):
                    point = self._worths[owner * MOST_DEADLINES + k]
                    worth += full * features.chance[first + k] * point
                full = features.points[number]
            scorers >>= 1
            owner += 1
        self._worth[number] = worth

    def _joining(self) -> float:
        """Return what joining the features of two colours with one tile may bring (COOP-18)."""
        features = self._features
        worth = 0.0
        for first in range(1, features.count):
            if (
                features.frontier.starts(features.feature[first]) < 0
                or features.city[first] == NEITHER
            ):
                continue
            for second in range(first):
                if features.city[first] != features.city[second]:
                    continue
                best = features.share_joining(first, second)
                if best > 0.0:
                    gain = (features.points[first] + features.points[second]) * self._both(
                        first, second
                    )
                    gain -= self._worth[first] + self._worth[second]
                    worth += self._joint * chance_to_draw(best, features.turns[0]) * gain
        return worth

    def _both(self, first: i64, second: i64) -> float:
        """Return what a point of two joined features is worth to all who would score it."""
        features = self._features
        by = features.chance
        both = 0.0
        scorers = features.leaders(first, second, False)
        owner: i64 = 0
        while scorers:
            if scorers & 1:
                for k in range(features.deadlines):
                    chance = max(by[first * MOST_DEADLINES + k], by[second * MOST_DEADLINES + k])
                    both += chance * self._worths[owner * MOST_DEADLINES + k]
            scorers >>= 1
            owner += 1
        return both

    def _unclaimed_features(self, state: State) -> float:
        """Return what open unclaimed features would bring to each colour, on average."""
        features = self._features
        frontier = features.frontier
        to = features.count
        point = vec[float]([0.0] * features.deadlines)
        for k in range(features.deadlines):
            for owner in range(self._owners):
                point[k] += self._worths[owner * MOST_DEADLINES + k] / float(self._owners)
        worth = 0.0
        for gap in range(frontier.count):
            f = frontier.feature[gap]
            if (
                frontier.starts(f) != gap
                or state.board.is_claimed(f)
                or not (state.board.is_kind(f, CITY) or state.board.is_kind(f, ROAD))
                or not features.look_at(state, f, to)
            ):
                continue
            for k in range(features.deadlines):
                chance = features.chance[to * MOST_DEADLINES + k]
                worth += features.points[to] * chance * point[k]
        return worth

    def _claimable(self, state: State) -> float:
        """Return what claiming a feature that the last tile completed would bring at once."""
        best = 0.0
        for f in state.board.completed:
            if not state.board.is_claimed(f) and not state.board.is_kind(f, self.mists.mist.castle):
                best = max(best, completed_points(state, f))
        most = 0.0
        for owner in range(self._owners):
            worth = 0.0
            for k in range(self._features.deadlines):
                worth += self._worths[owner * MOST_DEADLINES + k]
            most = max(most, worth)
        return best * most


def _risk(short: float) -> float:
    """Return what a likely shortfall costs: the logarithm of the odds' sum, 0 far ahead."""
    return short if short > 30.0 else log1p(exp(short))


def _slope(short: float) -> float:
    """Return how much of that one more point takes away, from 0 to 1."""
    return 1.0 / (1.0 + exp(-max(short, -30.0)))
