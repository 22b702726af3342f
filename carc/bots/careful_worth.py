"""`TeamWorth`: what a position of `mists:LEVEL` is worth to a team, for `careful`.

Worth is counted in points. A ghost costs more the fewer are left in the stock. A follower's feature
is worth what it will score for all colours on it, times the chance that it is completed before the
pile runs out.
"""

from math import exp

from carc.base.board.arrays import NOTHING
from carc.base.cells import AROUND, SIDES
from carc.base.evaluation.frontier import Frontier
from carc.base.evaluation.unseen_tiles import UnseenTiles, chance_to_draw
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.scoring import majority
from carc.errors import BadBot
from carc.mists import Mists, MistsState
from carc.mists.estimates.calling import calling_kinds
from carc.mists.estimates.feature_forecast import bank_gap_count, completed_points, ghosts_by_place
from carc.mists.mists_state import NO_MARKER

# The cost of one more ghost on the board, by how many stay in the stock.
_BASE, _AMPLITUDE, _DECAY = 2.0, 9.0, 3.0
_GHOST = tuple(_BASE + _AMPLITUDE * exp(-left / _DECAY) for left in range(16))
# The cost of a draw that would lose the game, were it certain.
_CAUGHT = 60.0
# The chance that a feature with one gap is completed in time, and the factor for each further gap.
_CLOSING = 0.65
_FURTHER = 0.4
# The factors for each further gap of a bank, of a cemetery and for each neighbour of a castle.
_FINISHING = 0.55
_FENCING = 0.8
_AROUND = 0.86
# The share of the ghosts' cost that follows the stock expected once banks are finished.
_HOPE = 0.6
# A free cell where a misty tile would call for a ghost fewer.
_EDGE = 0.4
_MOST_EDGES = 10
# The followers in the supply of one colour: the first is worth most.
_SPARE = (2.0, 1.2, 0.7, 0.4, 0.2)
# The share of their points that counts of two colours' features that one tile could join.
_JOINT = 0.2
# What a point is worth, and how much more where points must come fast.
_PACE = (0.8, 0.3)
# Level 6: what a marker's points beyond the next milestone are worth before the others are there.
_BEYOND = 0.3
# Points must come so much faster where tiles are lost face down.
_HASTE = 1.5
# The tiles that a feature takes to be completed.
_HORIZON = 7.0
# Milestones reached.
_MILESTONE = 10.0
# The end of the game.
_WON = 1e6


class TeamWorth:
    """The worth of positions for a team, seen from one decision."""

    def __init__(self, rules: Rules) -> None:
        """Prepare for the decisions of some rules of `mists`; others raise `BadBot`."""
        mists = next((e for e in rules.expansions if isinstance(e, Mists)), None)
        if not isinstance(mists, Mists):
            raise BadBot(f"bot careful plays mists:1 to mists:6 only, not {rules.spec}")
        self.rules = rules
        self.mists = mists
        self._unseen = UnseenTiles(rules)
        self._frontier = Frontier(rules)
        self._calling = calling_kinds(mists)
        # The cost of the ghosts on the board, by those in the stock.
        self._costs = [sum(_GHOST[left:15]) for left in range(17)]
        self._turns = 1
        self._target = 0
        self._point = 0.0
        self._in_time = 0.0

    def look(self, state: State) -> None:
        """Look at the position of a decision: the tiles to come, and how fast points must come."""
        self._unseen.look(state.bag)
        level = self.mists.level
        team = self.mists.state_of(state)
        goals = (*level.milestones, level.goal)
        self._target = goals[min(team.pile, len(level.milestones))]
        self._turns = max(1, team.left)
        later = sum(self.mists.pile_sizes[team.pile + 1 :])
        scores = [m for m in team.markers if m != NO_MARKER] or [state.scores[0]]
        to_goal = sum(max(0, level.goal - score) for score in scores)
        to_target = sum(max(0, self._target - score) for score in scores)
        pace = max(to_goal / max(1, team.left + later), to_target / max(4, team.left))
        if level.haunted:
            pace *= _HASTE
        self._point = min(2.5, max(0.6, _PACE[0] + _PACE[1] * pace))
        self._in_time = 1.0 - exp(-(team.left + 0.5 * later) / _HORIZON)

    def worth(self, state: State) -> float:
        """Return the worth of a position that can follow the decision."""
        team = self.mists.state_of(state)
        if state.is_terminal:
            return _WON if team.won else -_WON
        self._frontier.look(state)
        stock = min(team.stock, 15)
        worth = self._progress(state, team) - (1 - _HOPE) * self._costs[stock]
        ready = stock - (1 if team.cemeteries and not self.mists.level.haunted else 0)  # LVL2-04
        calling = self._calling[min(max(ready, 0), len(self._calling) - 1)]
        worth -= _CAUGHT * self._unseen.share(calling)
        misty = bank_gap_count(state, self._frontier, self.mists.mist.bank)
        worth += _EDGE * min(misty, _MOST_EDGES)
        hope = stock + self._recovered(state, team)
        hope += self._laid_to_rest(state, team)
        most = min(3, max(ghosts_by_place(team, state)[0].values(), default=0))
        for gain, chance in self._features(state, team):
            relief = self._cost(hope) - self._cost(hope + most)
            if relief > gain:
                hope += chance * most
            else:
                worth += chance * gain
        worth += self._joining(state)
        if state.step.name == "claim":
            worth += self._claimable(state)
        worth -= _HOPE * self._cost(hope)
        for owner in range(state.rules.owners):
            worth += sum(_SPARE[: state.board.supply_of(owner)])
        return worth - self._open_cemeteries(state, team)

    # -- progress and ghosts ----------------------------------------------------------------------

    def _progress(self, state: State, team: MistsState) -> float:
        """Return the worth of the points scored and of the milestones reached."""
        level = self.mists.level
        score = state.scores[0]
        worth = self._point * score
        if team.markers:
            worth = 0.0
            for marker in team.markers:
                if marker != NO_MARKER:
                    beyond = min(marker, level.goal) - min(marker, self._target)
                    worth += self._point * (min(marker, self._target) + _BEYOND * beyond)
        reached = team.pile
        if reached < len(level.milestones) and score >= level.milestones[reached]:
            reached += 1
        return worth + _MILESTONE * reached

    def _cost(self, stock: float) -> float:
        """Return the cost of the ghosts on the board, by the stock expected."""
        low = min(int(stock), 15)
        rest = min(stock, 15.0) - low
        return self._costs[low] + rest * (self._costs[low + 1] - self._costs[low])

    def _recovered(self, state: State, team: MistsState) -> float:
        """Return how many ghosts finished banks may bring back."""
        frontier = self._frontier
        _, ghosts = ghosts_by_place(team, state)
        back = 0.0
        for first in range(frontier.count):
            bank = frontier.feature[first]
            if bank not in ghosts or frontier.starts(bank) != first:
                continue
            gaps = self._gaps(bank)
            sides = sum(frontier.edges(gap) for gap in gaps)
            if state.board.open_edges(bank) == sides:  # no edge of it touches clear ground
                chance = self._in_time * _FINISHING ** (len(gaps) - 1)
                for gap in gaps:
                    share = self._unseen.overlaying(frontier.demand[gap], frontier.sides[gap])
                    chance *= chance_to_draw(share, self._turns)
                back += chance * ghosts[bank]
        return back

    def _laid_to_rest(self, state: State, team: MistsState) -> float:
        """Return how many ghosts may leave cemeteries that tiles enclose."""
        back = 0.0
        for segment in team.cemeteries:
            ghosts = team.ghosts.get(segment, 0)
            if ghosts:
                cell = state.board.cell_under(segment)
                demands = [state.board.demand_of(cell + step) for step in SIDES]
                missing = [demand for demand in demands if demand]
                chance = self._in_time * _FENCING ** (len(missing) - 1)
                for demand in missing:
                    chance *= self._chance_to_fill(demand)
                back += chance * ghosts
        return back

    def _open_cemeteries(self, state: State, team: MistsState) -> float:
        """Return what open cemeteries will cost: ghosts, or tiles laid face down."""
        haunted = self.mists.level.haunted
        cost = 0.0
        for segment in team.cemeteries:
            cell = state.board.cell_under(segment)
            around = AROUND if haunted else SIDES
            missing = sum(1 for step in around if state.board.tile_on_cell(cell + step) == NOTHING)
            cost += 1.5 + (0.9 * self._point if haunted else 0.8) * missing
        return cost

    # -- features ---------------------------------------------------------------------------------

    def _features(self, state: State, team: MistsState) -> list[tuple[float, float]]:
        """Return, for each feature with followers, its worth and the chance that it scores."""
        hounds = [state.board.feature_of(segment) for segment in team.hounds if segment >= 0]
        on_board = sum(team.ghosts.values())
        forecast: list[tuple[float, float]] = []
        for feature in state.board.occupied_features():
            if state.board.kind_of(feature) == "castle":
                points, chance = self._castle(state, feature)
            else:
                points, chance = self._city_or_road(state, feature)
            if chance:
                gain = self._point * points * self._scorers(state, team, feature)
                if feature in hounds:
                    gain += self._point * on_board
                forecast.append((gain, chance))
        return forecast

    def _castle(self, state: State, castle: int) -> tuple[float, float]:
        """Return the points of a castle, and the chance that it scores."""
        missing = state.board.free_around(castle)
        if state.board.is_open(castle) and not missing:
            return 0.0, 0.0  # beside a face-down tile
        mist, cell = self.mists.mist, state.board.cell_under(castle)
        misty = state.board.count_tiles_around(cell, mist.tiles)
        return 2.0 * misty + 1.2 * missing, _AROUND**missing * self._in_time

    def _city_or_road(self, state: State, feature: int) -> tuple[float, float]:
        """Return the points of a city or road, and the chance that it scores."""
        frontier = self._frontier
        gaps = self._gaps(feature)
        sides = sum(frontier.edges(gap) for gap in gaps)
        if sides < state.board.open_edges(feature):
            return 0.0, 0.0  # beside a face-down tile
        growth = min(sides, 2) * (1.2 if state.board.kind_of(feature) == "city" else 0.6)
        points = completed_points(state, feature) + growth
        chance = _CLOSING * _FURTHER ** (sides - 1) if gaps else 1.0
        for gap in gaps:
            chance *= self._chance_to_fill(frontier.demand[gap])
        if gaps:
            chance *= self._in_time
        return points, chance

    def _scorers(self, state: State, team: MistsState, feature: int) -> float:
        """Return how many colours score a feature; in level 6 those behind count for more."""
        owners = majority(state, feature)
        if not team.markers:
            return float(len(owners))
        count = 0.0
        for owner in owners:
            marker = team.markers[owner]
            count += 1.0 if marker < self._target else _BEYOND * (marker < self.mists.level.goal)
        return count

    def _joining(self, state: State) -> float:
        """Return what joining the features of two colours with one tile may bring (COOP-18)."""
        frontier, board = self._frontier, state.board
        meeting: dict[tuple[int, str], list[int]] = {}
        for first in range(frontier.count):
            feature = frontier.feature[first]
            if frontier.starts(feature) == first and board.is_claimed(feature):
                for gap in self._gaps(feature):
                    place = (frontier.cell[gap], board.kind_of(feature))
                    meeting.setdefault(place, []).append(feature)
        worth = 0.0
        for (cell, _), features in meeting.items():
            if len(features) == 2 and majority(state, features[0]) != majority(state, features[1]):
                points = sum(completed_points(state, feature) for feature in features)
                chance = self._chance_to_fill(board.demand_of(cell))
                worth += _JOINT * self._point * points * chance
        return worth

    def _claimable(self, state: State) -> float:
        """Return what claiming a feature that the last tile completed would bring at once."""
        best = 0.0
        for feature in state.board.completed:
            kind = state.board.kind_of(feature)
            if kind in ("city", "road") and not state.board.is_claimed(feature):
                best = max(best, self._point * completed_points(state, feature))
        return best

    def _gaps(self, feature: int) -> list[int]:
        """Return the gaps of a feature."""
        gaps: list[int] = []
        gap = self._frontier.starts(feature)
        while gap >= 0:
            gaps.append(gap)
            gap = self._frontier.next[gap]
        return gaps

    def _chance_to_fill(self, demand: int) -> float:
        """Return the chance that a tile which fits a free cell is drawn in time."""
        return chance_to_draw(self._unseen.fitting(demand), self._turns)
