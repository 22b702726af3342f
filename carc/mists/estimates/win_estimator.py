"""`WinEstimator`: how likely the team is to win. An estimate for bots; play does not ask it.

It adds up the worth of a position as the logarithm of the odds. The first part is a race: the
points scored, those that followers may still score and those that tiles to come bring, against each
milestone while its pile lasts and against the goal. The second part is the ghosts on the board,
which cost more the fewer are left in the stock.
"""

from __future__ import annotations

from math import exp, log1p, pow, sqrt
from typing import TYPE_CHECKING, Final, final

from carc.base.cells import around_at, beyond
from carc.base.evaluation.unseen_tiles import chance_to_draw
from carc.base.expansions.estimates import Estimates
from carc.base.tiles.tile import CITY, ROAD
from carc.base.turn.steps import TERMINAL
from carc.mists.estimates.calling import calling_kinds
from carc.mists.estimates.feature_forecast import (
    NEITHER,
    FeatureForecast,
    Forecast,
    bank_gap_count,
    completed_points,
    ghosts_by_place,
)
from carc.mists.estimates.win_weights import weights_of_level
from carc.mists.mists_state import NO_MARKER, MistsState

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.mists.team_game import TeamGame

STOCKS: Final = 40  # a stock of so many ghosts or more costs nothing
MOST_SPARE: Final = 16  # followers in a supply that count


@final
class Marker:
    """A marker on the scoring track, or the common score.

    Attributes:
        points: What it has scored.
        expected: What it may have scored by the deadline that is looked at.
        point_worths: What one more point is worth to it, by deadline.
    """

    def __init__(self, points: int) -> None:
        self.points: Final = float(points)
        self.expected = 0.0
        self.point_worths: list[float] = []


class WinEstimator(Estimates):
    """Estimates of the team's chances under some rules. It never changes a state."""

    def __init__(
        self, mists: TeamGame, rules: Rules, weights: dict[str, float] | None = None
    ) -> None:
        """Prepare for the positions of some rules; `weights` replace some of `WEIGHTS`."""
        w = weights_of_level(mists.level.markers, weights)
        self.mists: Final = mists
        self._forecast: Final = FeatureForecast(mists, rules, w)
        self._calling: Final = calling_kinds(mists)
        each = [
            w["ghost"] + w["ghost_rare"] * exp(-left / w["ghost_falls"]) for left in range(STOCKS)
        ]
        # The cost of the ghosts on the board, by those in the stock.
        self._costs: Final[list[float]] = [
            sum(each[left : mists.level.ghosts]) for left in range(STOCKS + 1)
        ]
        self._hope: Final = w["ghost_hope"]
        self._edge: Final = w["edge"]
        self._caught: Final = w["caught"]
        self._finishing: Final = w["finishing"]
        self._fencing: Final = w["fencing"]
        self._joint: Final = w["joint"]
        self._unclaimed: Final = w["unclaimed"]
        spare = [w["spare"] * w["spare_falls"] ** n for n in range(MOST_SPARE)]
        self._spares: Final[list[float]] = [sum(spare[:n]) for n in range(MOST_SPARE + 1)]
        self._rate: Final = w["rate"]
        self._spread: Final = (w["spread"], w["spread_more"])
        self._ghost_tiles: Final = w["ghost_tiles"]
        self._cemetery: Final = (w["cemetery"], w["cemetery_free"])
        self._certain: Final = w["certain"]
        self._sharp: Final = (1.0, w["sharp_2"], w["sharp_3"])
        self._haunted: Final = mists.level.haunted
        self._markers: Final = mists.level.markers
        self._owners: Final = rules.owners
        # How much ghosts on the board still cost: 1 early, 0 when no tile is left.
        self._ghosts_matter: float = 1.0
        # The markers that race; by owner the one it moves, or `_unmarked`, which moves none.
        self._racing: list[Marker] = []
        self._unmarked: Final = Marker(0)
        self._marker_of: list[Marker] = []

    def win_chances(self, state: State, chances: list[float]) -> list[float]:
        """Return the team's chance for each player."""
        return [self.chance(state)] * state.rules.players

    def chance(self, state: State) -> float:
        """Return how likely the team is to win, from 0 to 1."""
        own = self.mists.state_of(state)
        if state.current_player == TERMINAL:
            return 1.0 if own.won else 0.0
        self._forecast.look(state, own)
        self._ghosts_matter = 1.0 - exp(-self._forecast.all_turns() / self._ghost_tiles)
        sharp = self._sharp[len(self._forecast.deadlines) - 1]
        worth = self._certain + sharp * self._weigh(state, own)
        return 1.0 / (1.0 + exp(max(min(-worth, 40.0), -40.0)))

    def _weigh(self, state: State, own: MistsState) -> float:
        """Return the worth of a position."""
        forecast = self._forecast
        on_tile, on_bank = ghosts_by_place(own, state)
        stock, most = self._stock_and_most(state, own, on_tile)
        hope = stock + self._recovered(state, on_bank) + self._laid_to_rest(state, own)
        forecast.look_at_features(state, own)
        worth = self._race(state, own)
        for feature in forecast.features:
            self._weigh_feature(feature)
        worth += self._joining()
        if self._unclaimed > 0.0:
            worth += self._unclaimed * self._unclaimed_features(state)
        for owner in range(self._owners):
            worth += self._spares[min(state.board.supply_of(owner), MOST_SPARE)]
        misty = bank_gap_count(state, forecast.frontier, self.mists.mist.bank)
        worth += self._edge * float(min(misty, 10))
        if state.step.name == "claim":
            worth += self._claimable(state)
        more, lost = self._given_up(hope, float(most))
        hope += more
        worth -= lost
        worth -= (1.0 - self._hope) * self._cost(stock) + self._hope * self._cost(hope)
        ready = own.stock - (1 if own.cemeteries and not self._haunted else 0)  # LVL2-04
        calling = self._calling[min(max(ready, 0), len(self._calling) - 1)]
        worth -= self._caught * forecast.unseen.share(calling)
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
        self._line_up(state, own)
        worth = 0.0
        for k, deadline in enumerate(self._forecast.deadlines):
            self._expect(k)
            spread = self._spread[0] + self._spread[1] * sqrt(deadline.turns)
            most = 0.0
            for marker in self._racing:
                point = 0.0
                if marker.points < deadline.goal:
                    short = (deadline.goal - marker.expected) / spread
                    worth -= _risk(short)
                    point = _slope(short) / spread
                    most = max(most, point)
                marker.point_worths.append(point)
            if self._markers:
                self._unmarked.point_worths.append(most if own.marked else 0.0)
        return worth

    def _line_up(self, state: State, own: MistsState) -> None:
        """Note which markers race, and whose they are."""
        if not self._markers:
            common = Marker(state.scores[0])
            self._racing = [common]
            self._marker_of = [common] * self._owners
            return
        self._racing = []
        self._marker_of = [self._unmarked] * self._owners
        self._unmarked.point_worths = []
        for at, points in enumerate(own.markers if own.marked else [0, 0, 0]):
            if points != NO_MARKER:
                marker = Marker(points)
                self._racing.append(marker)
                self._marker_of[at] = marker

    def _expect(self, k: int) -> None:
        """Note what each marker may have scored by a deadline."""
        turns = self._forecast.deadlines[k].turns
        rest = self._rate * turns * self._forecast.in_time(1.0, turns)
        for marker in self._racing:
            marker.expected = rest + marker.points
        for feature in self._forecast.features:
            bonus = feature.hound_points
            for owner in feature.scorers:
                points = feature.chance[k] * (feature.points + bonus)
                bonus = 0.0
                own = self._marker_of[owner]
                if own is not self._unmarked:
                    own.expected += points
                else:
                    for marker in self._racing:
                        marker.expected += points / float(len(self._racing))

    # -- ghosts --------------------------------------------------------------------------------

    def _cost(self, stock: float) -> float:
        """Return what the ghosts on the board cost, by the stock."""
        low = int(stock)
        if low >= STOCKS:
            return 0.0
        cost = self._costs[low] + (stock - float(low)) * (self._costs[low + 1] - self._costs[low])
        return cost * self._ghosts_matter

    def _relief(self, stock: float, more: float) -> float:
        """Return what it saves that more ghosts come back."""
        return self._cost(stock) - self._cost(stock + more)

    def _given_up(self, hope: float, most: float) -> tuple[float, float]:
        """Return how many ghosts come back instead of points, and what these points are worth.

        The scorings worth least are given up first.
        """
        by_worth: list[Forecast] = []
        for feature in self._forecast.features:
            at = len(by_worth)
            while at and by_worth[at - 1].worth > feature.worth:
                at -= 1
            by_worth.insert(at, feature)
        more = 0.0
        lost = 0.0
        relief = self._relief(hope, most)
        for feature in by_worth:
            if feature.chance[-1] * relief > feature.worth:
                more += feature.chance[-1] * most
                lost += feature.worth
                relief = self._relief(hope + more, most)
        return more, lost

    def _recovered(self, state: State, on_bank: dict[int, int]) -> float:
        """Return how many ghosts finished banks may bring back."""
        frontier, unseen = self._forecast.frontier, self._forecast.unseen
        turns = self._forecast.all_turns()
        back = 0.0
        for bank, ghosts in on_bank.items():
            gap = frontier.starts(bank)
            if gap < 0:
                continue
            sides = 0
            cells = 0
            fit = 1.0
            while gap >= 0:
                cells += 1
                sides += frontier.edges(gap)
                share = unseen.overlaying(frontier.demand[gap], frontier.sides[gap])
                fit *= chance_to_draw(share, turns)
                gap = frontier.next[gap]
            if state.board.open_edges(bank) == sides:  # no edge of it touches clear ground
                chance = self._forecast.in_time(float(cells), turns) * fit
                if cells > 1:
                    chance *= pow(self._finishing, float(cells - 1))
                back += chance * float(ghosts)
        return back

    def _laid_to_rest(self, state: State, own: MistsState) -> float:
        """Return how many ghosts may leave cemeteries that tiles close."""
        turns, last = self._forecast.all_turns(), len(self._forecast.deadlines) - 1
        back = 0.0
        for segment in own.cemeteries:
            ghosts = own.ghosts.get(segment, 0)
            if ghosts:
                cell = state.board.cell_under(segment)
                chance = self._forecast.in_time(1.0, turns) / self._fencing
                for side in range(4):
                    demand = state.board.demand_of(beyond(cell, side))
                    if demand:
                        chance *= self._fencing * self._forecast.unseen.drawn(demand, last)
                back += min(chance, 1.0) * float(ghosts)
        return back

    def _open_cemeteries(self, state: State, own: MistsState) -> float:
        """Return what open cemeteries will cost: ghosts, or tiles laid face down."""
        cost = 0.0
        for segment in own.cemeteries:
            cell = state.board.cell_under(segment)
            missing = 0
            for place in range(8 if self._haunted else 4):
                beside = around_at(cell, place) if self._haunted else beyond(cell, place)
                if state.board.is_free(beside):
                    missing += 1
            cost += self._cemetery[0] + self._cemetery[1] * float(missing)
        return cost

    # -- features ------------------------------------------------------------------------------

    def _weigh_feature(self, feature: Forecast) -> None:
        """Note what a feature is worth to all who score it."""
        full = feature.points + feature.hound_points
        for owner in feature.scorers:
            point_worths = self._marker_of[owner].point_worths
            for k, chance in enumerate(feature.chance):
                feature.worth += full * chance * point_worths[k]
            full = feature.points

    def _joining(self) -> float:
        """Return what joining the features of two colours with one tile may bring (COOP-18)."""
        forecast = self._forecast
        turns = forecast.deadlines[0].turns
        worth = 0.0
        for at, first in enumerate(forecast.features):
            if first.city == NEITHER or forecast.frontier.starts(first.feature) < 0:
                continue
            for second in forecast.features[:at]:
                if first.city != second.city:
                    continue
                best = forecast.share_joining(first, second)
                if best > 0.0:
                    gain = (first.points + second.points) * self._both(first, second)
                    gain -= first.worth + second.worth
                    worth += self._joint * chance_to_draw(best, turns) * gain
        return worth

    def _both(self, first: Forecast, second: Forecast) -> float:
        """Return what a point of two joined features is worth to all who would score it."""
        together = [one + two for one, two in zip(first.followers, second.followers, strict=True)]
        both = 0.0
        for owner in self._forecast.scorers(together, False):
            for k, point in enumerate(self._marker_of[owner].point_worths):
                both += max(first.chance[k], second.chance[k]) * point
        return both

    def _unclaimed_features(self, state: State) -> float:
        """Return what open unclaimed features would bring to each colour, on average."""
        frontier = self._forecast.frontier
        mean: list[float] = []
        for k in range(len(self._forecast.deadlines)):
            points = 0.0
            for marker in self._marker_of:
                points += marker.point_worths[k]
            mean.append(points / float(self._owners))
        worth = 0.0
        for gap in range(frontier.count):
            feature = frontier.feature[gap]
            if (
                frontier.starts(feature) != gap
                or state.board.is_claimed(feature)
                or not (state.board.is_kind(feature, CITY) or state.board.is_kind(feature, ROAD))
            ):
                continue
            one = Forecast(feature)
            if self._forecast.look_at(state, one):
                for k, chance in enumerate(one.chance):
                    worth += one.points * chance * mean[k]
        return worth

    def _claimable(self, state: State) -> float:
        """Return what claiming a feature that the last tile completed would bring at once."""
        best = 0.0
        for f in state.board.completed:
            if not state.board.is_claimed(f) and not state.board.is_kind(f, self.mists.mist.castle):
                best = max(best, completed_points(state, f))
        most = 0.0
        for marker in self._marker_of:
            worth = 0.0
            for point in marker.point_worths:
                worth += point
            most = max(most, worth)
        return best * most


def _risk(short: float) -> float:
    """Return what a likely shortfall costs: the logarithm of the odds' sum, 0 far ahead."""
    return short if short > 30.0 else log1p(exp(short))


def _slope(short: float) -> float:
    """Return how much of that one more point takes away, from 0 to 1."""
    return 1.0 / (1.0 + exp(-max(short, -30.0)))
