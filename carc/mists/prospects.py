"""How likely the team is to win: a guess for bots (`Mists.prospects`); play asks none of it.

Worth is what makes the chance greater or smaller, in natural logarithms. First a race: what is scored, what followers may yet score by
the chance that it is completed, and what tiles to come bring, against each milestone while its pile lasts and against the goal while
any tile does. Besides it ghosts on the board, dearer the fewer are left in the stock.
"""

from __future__ import annotations

from math import exp, log1p, pow, sqrt
from typing import TYPE_CHECKING, Final

from carc.base.cells import AROUND, SIDES
from carc.base.layout import HIDDEN, NOTHING
from carc.base.scoring import CITY, FIELD
from carc.base.steps import TERMINAL
from carc.mists.slice import NO_MARKER, MistsSlice

if TYPE_CHECKING:
    from carc.base.rules import Rules
    from carc.base.state import State
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
}


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
        self._costs: Final = [sum(each[left : mists.level.ghosts]) for left in range(41)]
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
        self._grows: Final = (w["city_grows"], w["road_grows"])
        self._castle_grows: Final = w["castle_grows"]
        self._joint: Final = w["joint"]
        self._unclaimed: Final = w["unclaimed"]
        spare = [w["spare"] * w["spare_falls"] ** n for n in range(16)]
        self._spares: Final = [sum(spare[:n]) for n in range(17)]
        self._rate: Final = w["rate"]
        self._spread: Final = (w["spread"], w["spread_more"])
        self._ghost_tiles: Final = w["ghost_tiles"]
        self._grave: Final = (w["cemetery"], w["cemetery_free"])
        self._certain: Final = w["certain"]
        catalogue = rules.catalogue
        self._main: Final = list(catalogue.main)
        self._overlay: Final = list(catalogue.overlay)
        self._coats: Final = rules.coat_of_arms
        self._castle: Final = mists.mist.castle
        self._haunted: Final = mists.level.haunted
        self._markers: Final = mists.level.markers
        self._goals: Final = [*mists.level.milestones, mists.level.goal]
        # The most ghosts a tile calls for that touches mist; whether it is a cemetery.
        self._symbols: Final = [sum([ghosts for _, ghosts in some]) - 1 for some in mists.symbols]
        self._fitting: Final[dict[int, list[int]]] = {}  # what a cell demands -> kinds that fit
        # The same for a use of the tile there: which of its sides show mist, or are joined.
        self._using: Final[dict[int, list[int]]] = {}
        # Of the bag looked at last.
        self._bag: list[int] = []
        self._unseen: float = 1.0
        self._shares: dict[int, float] = {}
        self._shares_using: dict[int, float] = {}
        self._calls: list[float] = []
        # Of the position looked at last.
        self._keys: dict[int, int] = {}
        self._left: float = 0.0  # tiles in the active pile
        self._all: float = 0.0  # and in all
        # The milestones to come and the goal; how many tiles come before each is due.
        self._targets: list[int] = []
        self._times: list[float] = []
        self._worths: list[list[float]] = []  # by owner, of a point by each of these

    def chance(self, state: State) -> float:
        """How likely the team wins, 0 to 1."""
        team = self.mists.slice_of(state)
        if state.current_player == TERMINAL:
            return 1.0 if team.won else 0.0
        self._look(state, team)
        return self._weigh(state, team)

    # -- what holds for a whole position ----------------------------------------------------------------------------

    def _look(self, state: State, team: MistsSlice) -> None:
        if state.bag != self._bag:
            self._look_in_bag(state.bag.copy())
        self._keys = state.free_cells()
        self._left = float(max(1, team.left))
        self._all = self._left
        self._targets = self._goals[team.pile :]
        self._times = [self._left]
        for pile in range(team.pile + 1, len(self.mists.pile_sizes)):
            self._all += self.mists.pile_sizes[pile]
            self._times.append(self._all)

    def _look_in_bag(self, bag: list[int]) -> None:
        self._bag = bag
        self._shares = {}
        self._shares_using = {}
        unseen = 0
        for kind in range(len(bag)):
            unseen += bag[kind]
        self._unseen = float(max(1, unseen))
        self._calls = [0.0] * 9
        for kind in range(len(bag)):
            if bag[kind]:
                for stock in range(max(0, min(self._symbols[kind], 8))):
                    self._calls[stock] += bag[kind] / self._unseen

    # -- tiles that may come ------------------------------------------------------------------------------------------

    def _in_time(self, gaps: float, turns: float) -> float:
        """The chance that so many gaps are come to within some turns."""
        return 1.0 - exp(-turns / (self._horizon * gaps))

    def _drawn(self, share: float, turns: float) -> float:
        """The chance that a tile of a share of the unseen is drawn within some turns."""
        if share >= 1.0:
            return 1.0
        return 1.0 - pow(1.0 - share, min(turns, 17.0))

    def _fits(self, key: int) -> float:
        """The share of the unseen tiles that fit a free cell."""
        share = self._shares.get(key)
        if share is None:
            kinds = self._fitting.get(key)
            if kinds is None:
                kinds = []
                fits = self.rules.catalogue.fits
                for kind in range(len(fits)):
                    if fits[kind][key]:
                        kinds.append(kind)
                self._fitting[key] = kinds
            share = self._shares[key] = self._share_of(kinds)
        return share

    def _use(self, key: int, mask: int, joined: bool) -> float:
        """The share of those that fit and show mist at just these sides, or join them (`joined`)."""
        place = key << 5 | mask << 1 | joined
        share = self._shares_using.get(place)
        if share is None:
            kinds = self._using.get(place)
            if kinds is None:
                kinds = self._of_use(key, mask, joined)
                self._using[place] = kinds
            share = self._shares_using[place] = self._share_of(kinds)
        return share

    def _share_of(self, kinds: list[int]) -> float:
        """The share of the unseen tiles that are of these kinds."""
        count = 0
        for kind in kinds:
            count += self._bag[kind]
        return count / self._unseen

    def _of_use(self, key: int, mask: int, joined: bool) -> list[int]:
        found: list[int] = []
        fits = self.rules.catalogue.fits
        for kind in range(len(fits)):
            for rotation in fits[kind][key]:
                at = (kind * 4 + rotation) * 4
                shown = 0
                together = -1
                same = True
                for side in range(4):
                    if self._overlay[at + side] >= 0:
                        shown |= 1 << side
                    if mask >> side & 1:
                        segment = self._main[at + side]
                        if segment < 0 or (together >= 0 and segment != together):
                            same = False
                        together = segment
                if same if joined else shown == mask:
                    found.append(kind)
                    break
        return found

    # -- weighing -----------------------------------------------------------------------------------------------------

    def _weigh(self, state: State, team: MistsSlice) -> float:
        on_tile: dict[int, int] = {}
        standing: dict[int, int] = {}
        on_board = 0
        for segment, n in team.ghosts.items():
            on_board += n
            bank = state.feature_of(segment)
            standing[bank] = standing.get(bank, 0) + n
            tile = state.tile_under(segment)
            on_tile[tile] = on_tile.get(tile, 0) + n
        most = 0
        for n in on_tile.values():
            most = max(most, n)
        most = min(most, 3)
        stock = float(team.stock)
        if team.taking >= 0:  # ghosts about to be taken
            stock += min(3, on_tile.get(state.tile_on_cell(team.taking), 0))
        around = _Frontier(state, self._keys, self._unclaimed > 0.0)
        hope = stock + self._recovered(state, around, standing) + self._laid_to_rest(state, team)
        found = self._features(state, team, around, on_board)
        worth = self._race(state, team, found)
        for one in found:
            one.weigh(self._worths)
        worth += self._meeting(state, around, found)
        if self._unclaimed > 0.0:
            worth += self._unclaimed * self._of_nobody(state, around)
        for owner in range(state.rules.owners):
            worth += self._spares[min(state.supply_of(owner), 16)]
        worth += self._edge * min(around.misty_cells, 10)
        if state.step.name == "claim":
            worth += self._claimable(state)
        for one in found:
            relief = self._cost(hope) - self._cost(hope + most)
            chance = one.by[-1]
            if chance * relief > one.worth:
                hope += chance * most
                worth -= one.worth
        worth -= (1.0 - self._hope) * self._cost(stock) + self._hope * self._cost(hope)
        ready = team.stock - (1 if team.cemeteries and not self._haunted else 0)  # LVL2-04
        worth -= self._caught * self._calls[min(max(ready, 0), 8)]
        worth -= self._open_cemeteries(state, team)
        worth += self._certain
        return 1.0 / (1.0 + exp(max(min(-worth, 40.0), -40.0)))

    def _race(self, state: State, team: MistsSlice, found: list[_Held]) -> float:
        """How likely every marker reaches each milestone before its pile is out, and the goal; notes what points are worth."""
        owners = state.rules.owners
        markers = [state.scores[0]]
        if self._markers:
            markers = team.markers if team.marked else [0, 0, 0]
        racing = [marker for marker in range(len(markers)) if markers[marker] != NO_MARKER]
        worth = 0.0
        self._worths = [[0.0] * len(self._targets) for _ in range(owners)]
        homeless = [0.0] * len(self._targets)
        for k in range(len(self._targets)):
            target = self._targets[k]
            turns = self._times[k]
            rest = self._rate * turns * self._in_time(1.0, turns)
            scored = [rest + marker for marker in markers]
            for one in found:
                for owner in one.owners:
                    points = one.by[k] * one.points(owner)
                    home = owner if self._markers else 0
                    if home in racing:
                        scored[home] += points
                    else:
                        for marker in racing:
                            scored[marker] += points / len(racing)
            spread = self._spread[0] + self._spread[1] * sqrt(turns)
            for marker in racing:
                if markers[marker] < target:
                    short = (target - scored[marker]) / spread
                    worth -= _risk(short)
                    point = _slope(short) / spread
                    homeless[k] = max(homeless[k], point)
                    if marker < owners:
                        self._worths[marker][k] = point
        for owner in range(owners):
            if not self._markers or (team.marked and markers[owner] == NO_MARKER):
                self._worths[owner] = homeless
        return worth

    def _open_cemeteries(self, state: State, team: MistsSlice) -> float:
        """What open cemeteries will cost: ghosts, or tiles laid face down."""
        cost = 0.0
        for segment in team.cemeteries:
            cell = state.cell_under(segment)
            missing = 0
            for step in AROUND if self._haunted else SIDES:
                missing += state.tile_on_cell(cell + step) == NOTHING
            cost += self._grave[0] + self._grave[1] * missing
        return cost

    def _cost(self, stock: float) -> float:
        """What the ghosts on the board cost, by the stock."""
        low = int(stock)
        if low >= 40:
            return 0.0
        cost = self._costs[low] + (stock - low) * (self._costs[low + 1] - self._costs[low])
        return cost * (1.0 - exp(-self._all / self._ghost_tiles))

    def _recovered(self, state: State, around: _Frontier, standing: dict[int, int]) -> float:
        """How many ghosts finishing banks may bring back."""
        back = 0.0
        for bank, asks in around.banks.items():
            ghosts = standing.get(bank, 0)
            if not ghosts:
                continue
            sides = 0
            for mask in asks.values():
                for side in range(4):
                    sides += mask >> side & 1
            if state.open_edges(bank) == sides:  # no edge of it touches clear ground
                chance = self._in_time(float(len(asks)), self._all)
                if len(asks) > 1:
                    chance *= pow(self._finishing, len(asks) - 1)
                for cell, mask in asks.items():
                    chance *= self._drawn(self._use(self._keys[cell], mask, False), self._all)
                back += chance * ghosts
        return back

    def _laid_to_rest(self, state: State, team: MistsSlice) -> float:
        """How many ghosts may leave cemeteries that tiles close."""
        back = 0.0
        for segment in team.cemeteries:
            ghosts = team.ghosts.get(segment, 0)
            if ghosts:
                cell = state.cell_under(segment)
                chance = self._in_time(1.0, self._all) / self._fencing
                for step in SIDES:
                    key = self._keys.get(cell + step)
                    if key is not None:
                        chance *= self._fencing * self._drawn(self._fits(key), self._all)
                back += min(chance, 1.0) * ghosts
        return back

    def _features(
        self, state: State, team: MistsSlice, around: _Frontier, on_board: int
    ) -> list[_Held]:
        """The features with followers that may be scored."""
        held: dict[int, _Held] = {}
        for segment in state.followers:
            f = state.feature_of(segment)
            one = held.get(f)
            if one is None:
                one = _Held(f, len(self._times))
                held[f] = one
            one.count(state.owner_at(segment))
        for segment in team.hounds:
            if segment >= 0:
                one = held.get(state.feature_of(segment))
                if one is not None:
                    one.hound += float(on_board)
        found: list[_Held] = []
        for one in held.values():
            one.settle(self.mists.every_colour)
            if self._judge(state, one, around):
                if team.taking >= 0 and one.feature == team.scoring:
                    one.full = 0.0  # given up for the ghosts
                found.append(one)
        return found

    def _judge(self, state: State, one: _Held, around: _Frontier) -> bool:
        """What a feature will score and how likely; False if never."""
        f = one.feature
        if state.is_kind(f, self._castle):
            cell = state.cell_under(f)
            missing = state.free_around(f)
            chance = 1.0
            for step in AROUND:
                if state.tile_on_cell(cell + step) == HIDDEN:
                    return False  # never complete (LVL5-04)
                key = self._keys.get(cell + step)
                if key is not None:
                    chance *= self._drawn(self._fits(key), self._left)
            mist = self.mists.mist
            misty = mist.misty_around(state, cell) + mist.is_misty(state, cell)
            one.full = 2.0 * misty + self._castle_grows * missing
            if missing:
                chance *= pow(self._around, missing)
                gaps_in_turns = self._around_gap * missing
                one.by = [chance * self._in_time(gaps_in_turns, turns) for turns in self._times]
            return True
        cells = around.gaps.get(f)
        gaps = len(cells) if cells is not None else 0
        if gaps < state.open_edges(f):
            return False  # beside a face-down tile
        city = state.is_kind(f, CITY)
        one.city = city
        size = state.tiles_of(f)
        one.full = 2.0 * (size + state.mark(f, self._coats)) if city else float(size)
        if cells is None:
            return True
        one.full += self._grows[0 if city else 1] * min(gaps, 2)
        chance = self._closing * pow(self._further, gaps - 1)
        one.by = [chance * self._in_time(float(gaps), turns) for turns in self._times]
        before = -1
        for cell in cells:
            if cell != before:
                share = self._fits(self._keys[cell])
                for k in range(len(one.by)):
                    one.by[k] *= self._drawn(share, self._times[k])
            before = cell
        return True

    def _meeting(self, state: State, around: _Frontier, found: list[_Held]) -> float:
        """What joining two colours' features with one tile may bring (COOP-18)."""
        worth = 0.0
        for i in range(1, len(found)):
            one = found[i]
            mine = around.sides.get(one.feature)
            if mine is None:
                continue
            for j in range(i):
                other = found[j]
                theirs = around.sides.get(other.feature)
                if theirs is None or one.city != other.city:
                    continue
                best = 0.0
                for cell, mask in mine.items():
                    beyond = theirs.get(cell)
                    if beyond is not None:
                        share = self._use(self._keys[cell], mask | beyond, True)
                        best = max(best, share)
                if best > 0.0:
                    both = 0.0
                    for owner in one.joined(other):
                        for k in range(len(one.by)):
                            both += max(one.by[k], other.by[k]) * self._worths[owner][k]
                    gain = (one.full + other.full) * both - one.worth - other.worth
                    worth += self._joint * self._drawn(best, self._left) * gain
        return worth

    def _of_nobody(self, state: State, around: _Frontier) -> float:
        """What open features nobody holds would bring: to each colour, on average."""
        owners = len(self._worths)
        points: list[float] = []
        for k in range(len(self._times)):
            point = 0.0
            for owner in range(owners):
                point += self._worths[owner][k]
            points.append(point / owners)
        worth = 0.0
        for f in around.gaps:
            if not (state.is_claimed(f) or state.is_kind(f, FIELD)):
                one = _Held(f, len(self._times))
                if self._judge(state, one, around):
                    for k in range(len(points)):
                        worth += one.full * one.by[k] * points[k]
        return worth

    def _claimable(self, state: State) -> float:
        """What the tile just laid offers a follower at once: a complete feature nobody stands on."""
        best = 0.0
        for f in state.completed:
            if not state.is_claimed(f) and not state.is_kind(f, self._castle):
                size = state.tiles_of(f)
                city = state.is_kind(f, CITY)
                value = 2.0 * (size + state.mark(f, self._coats)) if city else float(size)
                best = max(best, value)
        most = 0.0
        for points in self._worths:
            most = max(most, sum(points))
        return best * most


def _risk(short: float) -> float:
    """What a likely shortfall costs: the logarithm of the odds' sum, 0 far ahead."""
    return short if short > 30.0 else log1p(exp(short))


def _slope(short: float) -> float:
    """How much of that a bit more takes away, 0 to 1."""
    return 1.0 / (1.0 + exp(-max(short, -30.0)))


class _Held:
    """A feature with followers on it: what it will score for each of its owners, and how likely."""

    def __init__(self, feature: int, milestones: int) -> None:
        self.feature: Final = feature
        self.counts: dict[int, int] = {}
        self.owners: list[int] = []
        self.full: float = 0.0
        self.hound: float = 0.0
        self.worth: float = 0.0
        # How likely it is completed while each milestone can be reached.
        self.by: list[float] = [1.0] * milestones
        self.city: bool = False

    def count(self, owner: int) -> None:
        self.counts[owner] = self.counts.get(owner, 0) + 1

    def settle(self, everybody: bool) -> None:
        """Who scores it (COOP-18)."""
        self.owners = leading(self.counts, everybody)

    def points(self, owner: int) -> float:
        """What an owner scores with it; a hound's points go to one of them."""
        return self.full + self.hound if owner == self.owners[0] else self.full

    def weigh(self, worths: list[list[float]]) -> None:
        """What it is worth, by what a point is to each owner while each milestone can be reached."""
        self.worth = 0.0
        for owner in self.owners:
            points = self.points(owner)
            for k in range(len(self.by)):
                self.worth += points * self.by[k] * worths[owner][k]

    def joined(self, other: _Held) -> list[int]:
        """Which colours would score both as one feature."""
        counts = self.counts.copy()
        for owner, n in other.counts.items():
            counts[owner] = counts.get(owner, 0) + n
        return leading(counts, False)


def leading(counts: dict[int, int], everybody: bool) -> list[int]:
    """The owners with most followers, or all."""
    most = 0
    for n in counts.values():
        most = max(most, n)
    found: list[int] = []
    for owner, n in counts.items():
        if everybody or n == most:
            found.append(owner)
    return found


class _Frontier:
    """The free cells that claimed features (or `every` feature) and banks open to."""

    def __init__(self, state: State, keys: dict[int, int], every: bool) -> None:
        self.gaps: dict[int, list[int]] = {}  # feature -> cells, once for each open edge
        self.sides: dict[int, dict[int, int]] = {}  # feature -> cell -> the sides, as bits
        self.banks: dict[int, dict[int, int]] = {}  # the same of banks
        self.misty_cells: int = 0
        for cell in keys:
            for side in range(4):
                tile = state.tile_on_cell(cell + SIDES[side])
                if tile < 0:
                    continue
                segment = state.at_side(tile, side ^ 2)
                if segment >= 0:
                    f = state.feature_of(segment)
                    if every or state.is_claimed(f):
                        if f in self.gaps:
                            self.gaps[f].append(cell)
                        else:
                            self.gaps[f] = [cell]
                            self.sides[f] = {}
                        asks = self.sides[f]
                        asks[cell] = asks.get(cell, 0) | 1 << side
                segment = state.overlay_at_side(tile, side ^ 2)
                if segment >= 0:
                    f = state.feature_of(segment)
                    if f not in self.banks:
                        self.banks[f] = {}
                    asks = self.banks[f]
                    if cell not in asks:
                        self.misty_cells += 1
                    asks[cell] = asks.get(cell, 0) | 1 << side
