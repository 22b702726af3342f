"""How likely the team is to win: a guess for bots (`Mists.prospects`); play asks none of it.

Worth is what makes the chance greater or smaller, in natural logarithms. First a race: what is scored, what followers may yet score by
the chance that it is completed, and what tiles to come bring, against each milestone while its pile lasts and against the goal while
any tile does. Besides it ghosts on the board, dearer the fewer are left in the stock.
"""

from __future__ import annotations

from math import exp, log1p, pow, sqrt
from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.arrays import FACE_DOWN, NOTHING
from carc.base.cells import AROUND, SIDES, count_bits
from carc.base.evaluation.frontier import Frontier
from carc.base.game.steps import TERMINAL
from carc.base.tiles.tile import CITY, ROAD
from carc.mists.mists_state import NO_MARKER, MistsState
from carc.mists.unseen import MOST_CALLED, Unseen, drawn

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.mists.game import Mists

# What a position is judged by: chosen by play. A name with `_marker` is of the levels with several markers, in place of the other.
WEIGHTS: Final[dict[str, float]] = {
    # Points that a tile to come brings, to each marker, besides those of followers that stand; how far it may be off, always and
    # more the more tiles are to come.
    "rate": 1.2,
    "rate_marker": 0.88,
    "spread": 1.44,
    "spread_marker": 0.95,
    "spread_more": 2.55,
    "spread_more_marker": 1.3,
    # What one more ghost on the board costs: always, and more the fewer are left in the stock; how much of it goes by the stock
    # that is hoped for, not by that there is; how many tiles to come make it cost 63 % of that.
    "ghost": 0.056,
    "ghost_rare": 0.59,
    "ghost_rare_marker": 0.7,
    "ghost_falls": 4.0,
    "ghost_hope": 0.56,
    "ghost_tiles": 14.36,
    "edge": 0.021,  # a free cell where a misty tile would call for a ghost fewer
    "caught": 4.16,  # a tile that calls for more ghosts than there are, were it certain
    "caught_marker": 2.3,
    # The chance that a feature with one gap is completed, and how much less with each further gap; a bank, a cemetery and a
    # castle likewise.
    "closing": 0.95,
    "further": 0.7,
    "finishing": 0.4,
    "finishing_marker": 0.59,
    "fencing": 0.55,
    "around": 0.92,
    "around_gap": 0.2,  # a free cell around a castle takes so much of the turns that a gap takes
    "around_gap_marker": 0.24,
    "horizon": 20.5,  # turns that completing takes, a gap
    "coming": 0.0,  # tiles that each cemetery among the unseen will lay face down, as a part of those to come
    "coming_marker": 2.5,
    # What a feature gains by a gap that is filled.
    "city_grows": 1.1,
    "city_grows_marker": 0.4,
    "road_grows": 0.52,
    "road_grows_marker": 0.4,
    "castle_grows": 1.6,
    "castle_grows_marker": 2.1,
    "joint": 0.33,  # of what joining two colours' features would bring
    "joint_marker": 0.1,
    # Of what a feature that nobody holds would bring whichever colour.
    "unclaimed": 0.0,
    "unclaimed_marker": 0.21,
    "spare": 0.079,  # the first follower in a supply, and how much less each further one
    "spare_falls": 0.48,
    "cemetery": 0.122,  # an open one costs, and each cell free around it
    "cemetery_marker": 0.19,
    "cemetery_free": 0.107,
    "cemetery_free_marker": 0.214,
    "certain": 3.38,  # what a position is worth in which nothing is in doubt
    # How much of what is in doubt counts with two piles to come, and with three: it is not as certain as it looks added up.
    "sharp_2": 1.0,
    "sharp_2_marker": 0.8,
    "sharp_3": 1.0,
    "sharp_3_marker": 0.7,
}


PILES: Final = 3  # most that there are: as many milestones and the goal


class Prospects:
    """What the team may expect, under some rules. `weights`: in place of some of `WEIGHTS`. Never changes a state."""

    def __init__(self, mists: Mists, rules: Rules, weights: dict[str, float] | None = None) -> None:
        w = {**WEIGHTS, **(weights or {})}
        if mists.level.markers:
            w.update({k.removesuffix("_marker"): w[k] for k in w if k.endswith("_marker")})
        self.mists: Final = mists
        self.rules: Final = rules
        each = [w["ghost"] + w["ghost_rare"] * exp(-left / w["ghost_falls"]) for left in range(40)]
        # Of the ghosts on the board, by those in the stock.
        self._costs: Final = vec[float](
            [sum(each[left : mists.level.ghosts]) for left in range(41)]
        )
        self._hope: Final = w["ghost_hope"]
        self._edge: Final = w["edge"]
        self._caught: Final = w["caught"]
        self._closing: Final = w["closing"]
        self._further: Final = w["further"]
        self._finishing: Final = w["finishing"]
        self._fencing: Final = w["fencing"]
        self._around: Final = w["around"]
        self._around_gap: Final = w["around_gap"]
        self._horizon: Final = w["horizon"]
        self._coming: Final = w["coming"]
        self._grows: Final = (w["city_grows"], w["road_grows"])
        self._castle_grows: Final = w["castle_grows"]
        self._joint: Final = w["joint"]
        self._unclaimed: Final = w["unclaimed"]
        spare = [w["spare"] * w["spare_falls"] ** n for n in range(16)]
        self._spares: Final = vec[float]([sum(spare[:n]) for n in range(17)])
        self._rate: Final = w["rate"]
        self._spread: Final = (w["spread"], w["spread_more"])
        self._ghost_tiles: Final = w["ghost_tiles"]
        self._grave: Final = (w["cemetery"], w["cemetery_free"])
        self._certain: Final = w["certain"]
        self._sharp: Final = (1.0, w["sharp_2"], w["sharp_3"])
        catalogue = rules.catalogue
        self._coats: Final = rules.coat_of_arms
        self._castle: Final = mists.mist.castle
        self._haunted: Final = mists.level.haunted
        self._markers: Final = mists.level.markers
        self._goals: Final = [*mists.level.milestones, mists.level.goal]
        self._owners: Final[i64] = rules.owners
        self._graves: Final = [k for k, index in enumerate(mists.cemetery_of) if index >= 0]
        self._unseen: Final = Unseen(mists, rules)
        # Of the position looked at last.
        self._frontier: Final = Frontier(rules)
        self._position: i64 = 0
        self._left: float = 0.0  # tiles in the active pile
        self._all: float = 0.0  # and in all
        # The milestones to come and the goal; how many tiles come before each is due.
        self._targets: i64 = 0
        self._points: Final = vec[float]([0.0] * PILES)
        self._times: Final = vec[float]([0.0] * PILES)
        self._worths: Final = vec[float]([0.0] * (PILES * rules.owners))  # by owner, of a point
        # The features with followers on them that may be scored, by number; after them one that nobody holds.
        most = 1 + sum(rules.components.supply)
        self._held: i64 = 0
        self._feature: Final = vec[i64]([0] * most)
        self._counts: Final = vec[i64]([0] * (most * rules.owners))
        self._scorers: Final = vec[i64]([0] * most)  # who scores it, a bit each (COOP-18)
        self._full: Final = vec[float]([0.0] * most)  # what it will score
        self._hound: Final = vec[float]([0.0] * most)  # and for one of them besides
        self._worth: Final = vec[float]([0.0] * most)
        self._city: Final = vec[i64]([0] * most)
        self._order: Final = vec[i64]([0] * most)  # by worth
        # How likely it is completed while each milestone can be reached.
        self._by: Final = vec[float]([0.0] * (most * PILES))
        # By feature: its number, and in which position.
        n = catalogue.most_segments
        self._number: Final = vec[i64]([0] * n)
        self._met: Final = vec[i64]([0] * n)

    def chance(self, state: State) -> float:
        """How likely the team wins, 0 to 1."""
        team = self.mists.state_of(state)
        if state.current_player == TERMINAL:
            return 1.0 if team.won else 0.0
        self._look(state, team)
        return self._weigh(state, team)

    # -- what holds for a whole position ----------------------------------------------------------

    def _look(self, state: State, team: MistsState) -> None:
        self._unseen.look(state.bag)
        self._position += 1
        self._frontier.look(state)
        shorter = (
            1.0 - min(self._coming * self._unseen.share(self._graves), 0.5)
            if self._haunted
            else 1.0
        )
        turns = float(max(1, team.left))
        targets: i64 = 0
        for pile in range(team.pile, len(self.mists.pile_sizes)):
            if targets:
                turns += float(self.mists.pile_sizes[pile])
            self._points[targets] = float(self._goals[pile])
            self._times[targets] = turns * shorter
            targets += 1
        self._targets = targets
        self._left = self._times[0]
        self._all = self._times[targets - 1]

    def _in_time(self, gaps: float, turns: float) -> float:
        """The chance that so many gaps are come to within some turns."""
        return 1.0 - exp(-turns / (self._horizon * gaps))

    # -- weighing ---------------------------------------------------------------------------------

    def _weigh(self, state: State, team: MistsState) -> float:
        on_tile: dict[int, int] = {}
        standing: dict[int, int] = {}
        on_board = 0
        most = 0
        for segment, n in team.ghosts.items():
            on_board += n
            bank = state.board.feature_of(segment)
            standing[bank] = standing.get(bank, 0) + n
            tile = state.board.tile_under(segment)
            here = on_tile.get(tile, 0) + n
            on_tile[tile] = here
            most = max(most, here)
        most = min(most, 3)
        stock = float(team.stock)
        if team.taking >= 0:  # ghosts about to be taken
            stock += float(min(3, on_tile.get(state.board.tile_on_cell(team.taking), 0)))
        hope = stock + self._recovered(state, standing) + self._laid_to_rest(state, team)
        self._features(state, team, on_board)
        worth = self._race(state, team)
        for number in range(self._held):
            self._weigh_feature(number)
        worth += self._meeting()
        if self._unclaimed > 0.0:
            worth += self._unclaimed * self._of_nobody(state)
        for owner in range(self._owners):
            worth += self._spares[min(state.board.supply_of(owner), 16)]
        worth += self._edge * float(min(self._misty_cells(state), 10))
        if state.step.name == "claim":
            worth += self._claimable(state)
        more, lost = self._given_up(hope, float(most))
        hope += more
        worth -= lost
        worth -= (1.0 - self._hope) * self._cost(stock) + self._hope * self._cost(hope)
        ready = team.stock - (1 if team.cemeteries and not self._haunted else 0)  # LVL2-04
        worth -= self._caught * self._unseen.calling[min(max(ready, 0), MOST_CALLED)]
        worth -= self._open_cemeteries(state, team)
        worth = self._certain + self._sharp[self._targets - 1] * worth
        return 1.0 / (1.0 + exp(max(min(-worth, 40.0), -40.0)))

    def _given_up(self, hope: float, most: float) -> tuple[float, float]:
        """How many ghosts come back by scorings given up for them, and what these would have been worth; the least first."""
        order, worth = self._order, self._worth
        for number in range(self._held):
            at = number
            while at and worth[order[at - 1]] > worth[number]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = number
        more = 0.0
        lost = 0.0
        for at in range(self._held):
            chance = self._by[order[at] * PILES + self._targets - 1]
            relief = self._cost(hope + more) - self._cost(hope + more + most)
            if chance * relief > worth[order[at]]:
                more += chance * most
                lost += worth[order[at]]
        return more, lost

    def _race(self, state: State, team: MistsState) -> float:
        """How likely every marker reaches each milestone before its pile is out, and the goal; notes what points are worth."""
        owners = self._owners
        markers = [state.scores[0]]
        if self._markers:
            markers = team.markers if team.marked else [0, 0, 0]
        racing: list[int] = []
        for marker in range(len(markers)):
            if markers[marker] != NO_MARKER:
                racing.append(marker)
        worth = 0.0
        scored = vec[float]([0.0] * len(markers))
        for k in range(self._targets):
            target = self._points[k]
            turns = self._times[k]
            rest = self._rate * turns * self._in_time(1.0, turns)
            for marker in racing:
                scored[marker] = rest + float(markers[marker])
            for number in range(self._held):
                bonus = self._hound[number]
                scorers = self._scorers[number]
                owner: i64 = 0
                while scorers:
                    if scorers & 1:
                        points = self._by[number * PILES + k] * (self._full[number] + bonus)
                        bonus = 0.0
                        home = owner if self._markers else 0
                        if home < len(markers) and markers[home] != NO_MARKER:
                            scored[home] += points
                        else:
                            for marker in racing:
                                scored[marker] += points / float(len(racing))
                    scorers >>= 1
                    owner += 1
            spread = self._spread[0] + self._spread[1] * sqrt(turns)
            homeless = 0.0
            for at in range(owners):
                self._worths[at * PILES + k] = 0.0
            for marker in racing:
                if float(markers[marker]) < target:
                    short = (target - scored[marker]) / spread
                    worth -= _risk(short)
                    point = _slope(short) / spread
                    homeless = max(homeless, point)
                    if marker < owners:
                        self._worths[marker * PILES + k] = point
            for at in range(owners):
                if not self._markers or (team.marked and markers[at] == NO_MARKER):
                    self._worths[at * PILES + k] = homeless
        return worth

    def _open_cemeteries(self, state: State, team: MistsState) -> float:
        """What open cemeteries will cost: ghosts, or tiles laid face down."""
        cost = 0.0
        for segment in team.cemeteries:
            cell = state.board.cell_under(segment)
            missing = 0
            for step in AROUND if self._haunted else SIDES:
                if state.board.tile_on_cell(cell + step) == NOTHING:
                    missing += 1
            cost += self._grave[0] + self._grave[1] * float(missing)
        return cost

    def _cost(self, stock: float) -> float:
        """What the ghosts on the board cost, by the stock."""
        low = i64(stock)
        if low >= 40:
            return 0.0
        cost = self._costs[low] + (stock - float(low)) * (self._costs[low + 1] - self._costs[low])
        return cost * (1.0 - exp(-self._all / self._ghost_tiles))

    def _misty_cells(self, state: State) -> int:
        """The free cells that banks open to, for each bank."""
        around = self._frontier
        count = 0
        for gap in range(around.count):
            if state.board.is_kind(around.feature[gap], self.mists.mist.bank):
                count += 1
        return count

    def _recovered(self, state: State, standing: dict[int, int]) -> float:
        """How many ghosts finishing banks may bring back."""
        around = self._frontier
        back = 0.0
        for bank, ghosts in standing.items():
            gap = around.starts(bank)
            if gap < 0:
                continue
            sides: i64 = 0
            cells = 0
            fit = 1.0
            while gap >= 0:
                cells += 1
                sides += count_bits(around.sides[gap])
                fit *= drawn(
                    self._unseen.used(around.demand[gap], around.sides[gap], False), self._all
                )
                gap = around.next[gap]
            if state.board.open_edges(bank) == sides:  # no edge of it touches clear ground
                chance = self._in_time(float(cells), self._all) * fit
                if cells > 1:
                    chance *= pow(self._finishing, float(cells - 1))
                back += chance * float(ghosts)
        return back

    def _laid_to_rest(self, state: State, team: MistsState) -> float:
        """How many ghosts may leave cemeteries that tiles close."""
        back = 0.0
        for segment in team.cemeteries:
            ghosts = team.ghosts.get(segment, 0)
            if ghosts:
                cell = state.board.cell_under(segment)
                chance = self._in_time(1.0, self._all) / self._fencing
                for step in SIDES:
                    demand = state.board.demand_of(cell + step)
                    if demand:
                        chance *= self._fencing * drawn(self._unseen.fitting(demand), self._all)
                back += min(chance, 1.0) * float(ghosts)
        return back

    def _features(self, state: State, team: MistsState, on_board: int) -> None:
        """The features with followers that may be scored."""
        owners = self._owners
        number, met, here = self._number, self._met, self._position
        held: i64 = 0
        for segment in state.board.occupied_segments():
            f: i64 = state.board.feature_of(segment)
            if met[f] != here:
                met[f] = here
                number[f] = held
                self._feature[held] = f
                self._hound[held] = 0.0
                for owner in range(owners):
                    self._counts[held * owners + owner] = 0
                held += 1
            self._counts[number[f] * owners + state.board.owner_at(segment)] += 1
        for segment in team.hounds:
            if segment >= 0:
                f = state.board.feature_of(segment)
                if met[f] == here:
                    self._hound[number[f]] += float(on_board)
        self._held = 0
        for at in range(held):
            f = self._feature[at]
            to = self._held
            if not self._judge(state, f, to):
                continue
            self._feature[to] = f
            self._hound[to] = self._hound[at]
            for owner in range(owners):
                self._counts[to * owners + owner] = self._counts[at * owners + owner]
            self._scorers[to] = self._leading(to, to, self.mists.every_colour)
            if team.taking >= 0 and f == team.scoring:
                self._full[to] = 0.0  # given up for the ghosts
            self._held = to + 1

    def _leading(self, one: i64, other: i64, everybody: bool) -> i64:
        """Who has most followers on a feature, or on two together, or everybody who has any: a bit each."""
        owners = self._owners
        most: i64 = 1
        found: i64 = 0
        for owner in range(owners):
            count = self._counts[one * owners + owner]
            if other != one:
                count += self._counts[other * owners + owner]
            if count > most and not everybody:
                most = count
                found = 0
            if count >= most:
                found |= 1 << owner
        return found

    def _judge(self, state: State, f: i64, to: i64) -> bool:
        """What a feature will score and how likely, noted at a number; False if never."""
        around = self._frontier
        by, at = self._by, to * PILES
        for k in range(self._targets):
            by[at + k] = 1.0
        self._city[to] = -1
        if state.board.is_kind(f, self._castle):
            return self._judge_castle(state, f, to)
        start = around.starts(f)
        gaps: i64 = 0
        gap = start
        while gap >= 0:
            gaps += count_bits(around.sides[gap])
            gap = around.next[gap]
        if gaps < state.board.open_edges(f):
            return False  # beside a face-down tile
        city = state.board.is_kind(f, CITY)
        self._city[to] = 1 if city else 0
        full = float(state.board.tiles_of(f))
        if city:
            full = 2.0 * (full + float(state.board.mark(f, self._coats)))
        if gaps:
            full += self._grows[0 if city else 1] * float(min(gaps, 2))
            chance = self._closing * pow(self._further, float(gaps - 1))
            for k in range(self._targets):
                by[at + k] = chance * self._in_time(float(gaps), self._times[k])
            gap = start
            while gap >= 0:
                share = self._unseen.fitting(around.demand[gap])
                for k in range(self._targets):
                    by[at + k] *= drawn(share, self._times[k])
                gap = around.next[gap]
        self._full[to] = full
        return True

    def _judge_castle(self, state: State, f: i64, to: i64) -> bool:
        """The same of a castle."""
        cell = state.board.cell_under(f)
        missing = state.board.free_around(f)
        chance = 1.0
        for step in AROUND:
            if state.board.tile_on_cell(cell + step) == FACE_DOWN:
                return False  # never complete (LVL5-04)
            demand = state.board.demand_of(cell + step)
            if demand:
                chance *= drawn(self._unseen.fitting(demand), self._left)
        mist = self.mists.mist
        misty = mist.misty_around(state, cell) + mist.is_misty(state, cell)
        self._full[to] = 2.0 * float(misty) + self._castle_grows * float(missing)
        if missing:
            chance *= pow(self._around, float(missing))
            gaps_in_turns = self._around_gap * float(missing)
            for k in range(self._targets):
                self._by[to * PILES + k] = chance * self._in_time(gaps_in_turns, self._times[k])
        return True

    def _weigh_feature(self, number: i64) -> None:
        """What a feature is worth, by what a point is to each who scores it while each milestone can be reached."""
        worth = 0.0
        full = self._full[number] + self._hound[number]
        scorers = self._scorers[number]
        owner: i64 = 0
        while scorers:
            if scorers & 1:
                for k in range(self._targets):
                    worth += full * self._by[number * PILES + k] * self._worths[owner * PILES + k]
                full = self._full[number]
            scorers >>= 1
            owner += 1
        self._worth[number] = worth

    def _meeting(self) -> float:
        """What joining two colours' features with one tile may bring (COOP-18)."""
        around = self._frontier
        by = self._by
        worth = 0.0
        for one in range(1, self._held):
            start = around.starts(self._feature[one])
            if start < 0 or self._city[one] < 0:
                continue
            for other in range(one):
                if self._city[one] != self._city[other]:
                    continue
                best = 0.0
                mine = start
                theirs = around.starts(self._feature[other])
                while mine >= 0 and theirs >= 0:
                    if around.cell[mine] < around.cell[theirs]:
                        mine = around.next[mine]
                    elif around.cell[mine] > around.cell[theirs]:
                        theirs = around.next[theirs]
                    else:
                        sides = around.sides[mine] | around.sides[theirs]
                        best = max(best, self._unseen.used(around.demand[mine], sides, True))
                        mine = around.next[mine]
                if best > 0.0:
                    both = 0.0
                    scorers = self._leading(one, other, False)
                    owner: i64 = 0
                    while scorers:
                        if scorers & 1:
                            for k in range(self._targets):
                                chance = max(by[one * PILES + k], by[other * PILES + k])
                                both += chance * self._worths[owner * PILES + k]
                        scorers >>= 1
                        owner += 1
                    gain = (self._full[one] + self._full[other]) * both
                    gain -= self._worth[one] + self._worth[other]
                    worth += self._joint * drawn(best, self._left) * gain
        return worth

    def _of_nobody(self, state: State) -> float:
        """What open features nobody holds would bring: to each colour, on average."""
        around = self._frontier
        to = self._held
        point = vec[float]([0.0] * self._targets)
        for k in range(self._targets):
            for owner in range(self._owners):
                point[k] += self._worths[owner * PILES + k] / float(self._owners)
        worth = 0.0
        for gap in range(around.count):
            f = around.feature[gap]
            if (
                around.starts(f) != gap
                or state.board.is_claimed(f)
                or not (state.board.is_kind(f, CITY) or state.board.is_kind(f, ROAD))
                or not self._judge(state, f, to)
            ):
                continue
            for k in range(self._targets):
                worth += self._full[to] * self._by[to * PILES + k] * point[k]
        return worth

    def _claimable(self, state: State) -> float:
        """What the tile just laid offers a follower at once: a complete feature nobody stands on."""
        best = 0.0
        for f in state.board.completed:
            if not state.board.is_claimed(f) and not state.board.is_kind(f, self._castle):
                size = state.board.tiles_of(f)
                city = state.board.is_kind(f, CITY)
                value = (
                    2.0 * float(size + state.board.mark(f, self._coats)) if city else float(size)
                )
                best = max(best, value)
        most = 0.0
        for owner in range(self._owners):
            points = 0.0
            for k in range(self._targets):
                points += self._worths[owner * PILES + k]
            most = max(most, points)
        return best * most


def _risk(short: float) -> float:
    """What a likely shortfall costs: the logarithm of the odds' sum, 0 far ahead."""
    return short if short > 30.0 else log1p(exp(short))


def _slope(short: float) -> float:
    """How much of that a bit more takes away, 0 to 1."""
    return 1.0 / (1.0 + exp(-max(short, -30.0)))
