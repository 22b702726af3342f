"""`FeatureForecast`: what the team's features will score, and how likely. For bots only."""

from __future__ import annotations

from math import exp, pow
from typing import TYPE_CHECKING, Final, final

from carc.base.cells import around_at
from carc.base.evaluation.frontier import Frontier
from carc.base.evaluation.unseen_tiles import UnseenTiles
from carc.base.tiles.tile import CITY

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.mists.mists_state import MistsState
    from carc.mists.team_game import TeamGame

NEITHER: Final = -1  # a feature that is no city and no road
NOBODY: Final[list[int]] = []
NEVER: Final[list[float]] = []


@final
class Deadline:
    """A milestone or the goal.

    Attributes:
        goal: The points to be reached.
        turns: The tiles that come before.
    """

    def __init__(self, goal: float, turns: float) -> None:
        self.goal: Final = goal
        self.turns: Final = turns


@final
class Forecast:
    """What a feature will score, and how likely.

    Attributes:
        feature: The feature.
        followers: How many each owner has on it.
        scorers: The owners who score it (COOP-18).
        points: What it will score.
        hound_points: What the hounds on it will score besides.
        chance: How likely it is completed, by deadline.
        city: 1 for a city, 0 for a road, else `NEITHER`.
        worth: What it is worth to all who score it.
    """

    def __init__(self, feature: int) -> None:
        self.feature: Final = feature
        self.followers = NOBODY
        self.scorers = NOBODY
        self.points = 0.0
        self.hound_points = 0.0
        self.chance = NEVER
        self.city = NEITHER
        self.worth = 0.0


class FeatureForecast:
    """The features with followers in a position, and the deadlines of milestones and goal.

    Keep one object for many positions.

    Attributes:
        deadlines: Those to come.
        features: The features with followers that may be scored.
        unseen: The tiles to come.
        frontier: The free cells that features may grow to.
    """

    def __init__(self, mists: TeamGame, rules: Rules, weights: dict[str, float]) -> None:
        """Prepare for the positions of some rules."""
        self.mists: Final = mists
        self._closing: Final = weights["closing"]
        self._further: Final = weights["further"]
        self._around: Final = weights["around"]
        self._around_gap: Final = weights["around_gap"]
        self._horizon: Final = weights["horizon"]
        self._coming: Final = weights["coming"]
        self._city_grows: Final = weights["city_grows"]
        self._road_grows: Final = weights["road_grows"]
        self._castle_grows: Final = weights["castle_grows"]
        self._all_goals: Final = [*mists.level.milestones, mists.level.goal]
        self._owners: Final = rules.owners
        self._cemeteries: Final = [k for k, index in enumerate(mists.cemetery_of) if index >= 0]
        self.unseen: Final = UnseenTiles(rules)
        self.frontier: Final = Frontier(rules)
        self.deadlines: list[Deadline] = []
        self.features: list[Forecast] = []
        # The pile and the tiles left in it that the deadlines are for.
        self._pile: int = -1
        self._left: int = -1

    def look(self, state: State, own: MistsState) -> None:
        """Look at a position: its deadlines, the tiles to come and where they may go."""
        self.frontier.look(state)
        if self.unseen.look(state.bag) or own.pile != self._pile or own.left != self._left:
            self._pile, self._left = own.pile, own.left
            self._look_ahead(own)

    def _look_ahead(self, own: MistsState) -> None:
        """Set the deadlines."""
        shorter = (
            1.0 - min(self._coming * self.unseen.share(self._cemeteries), 0.5)
            if self.mists.level.haunted
            else 1.0
        )
        turns = float(max(1, own.left))
        self.deadlines = [Deadline(float(self._all_goals[own.pile]), turns * shorter)]
        for pile in range(own.pile + 1, len(self.mists.pile_sizes)):
            turns += float(self.mists.pile_sizes[pile])
            self.deadlines.append(Deadline(float(self._all_goals[pile]), turns * shorter))
        self.unseen.plan([deadline.turns for deadline in self.deadlines])

    def all_turns(self) -> float:
        """Return how many tiles come before the last deadline."""
        return self.deadlines[-1].turns

    def in_time(self, gaps: float, turns: float) -> float:
        """Return the chance that so many gaps are filled within some turns."""
        return 1.0 - exp(-turns / (self._horizon * gaps))

    def look_at_features(self, state: State, own: MistsState) -> None:
        """Forecast each feature with followers."""
        self.features = []
        for one in self._occupied(state, own).values():
            if not self.look_at(state, one):
                continue
            one.scorers = self.scorers(one.followers, self.mists.every_colour)
            if own.taking >= 0 and one.feature == own.scoring:
                one.points = 0.0  # given up for the ghosts
            self.features.append(one)

    def _occupied(self, state: State, own: MistsState) -> dict[int, Forecast]:
        """Return the features with followers, with what stands there."""
        board = state.board
        found: dict[int, Forecast] = {}
        for segment in board.occupied_segments():
            feature = board.feature_of(segment)
            one = found.get(feature)
            if one is None:
                one = found[feature] = Forecast(feature)
                one.followers = [0] * self._owners
            one.followers[board.owner_at(segment)] += 1
        for segment in own.hounds:
            if segment >= 0 and (one := found.get(board.feature_of(segment))) is not None:
                for ghosts in own.ghosts.values():
                    one.hound_points += float(ghosts)
        return found

    def scorers(self, followers: list[int], everybody: bool) -> list[int]:
        """Return who has most followers.

        Args:
            followers: How many each owner has.
            everybody: Whether to return all owners who have some.
        """
        most = 1
        scorers: list[int] = []
        for owner, count in enumerate(followers):
            if count > most and not everybody:
                most = count
                scorers = []
            if count >= most:
                scorers.append(owner)
        return scorers

    def share_joining(self, first: Forecast, second: Forecast) -> float:
        """Return the largest share of the unseen tiles that join two features on one cell."""
        frontier, unseen = self.frontier, self.unseen
        best = 0.0
        gap = frontier.starts(first.feature)
        other = frontier.starts(second.feature)
        while gap >= 0 and other >= 0:
            if frontier.cell[gap] < frontier.cell[other]:
                gap = frontier.next[gap]
            elif frontier.cell[gap] > frontier.cell[other]:
                other = frontier.next[other]
            else:
                sides = frontier.sides[gap] | frontier.sides[other]
                best = max(best, unseen.joining(frontier.demand[gap], sides))
                gap = frontier.next[gap]
        return best

    def look_at(self, state: State, one: Forecast) -> bool:
        """Forecast a feature; return False if it will never be completed."""
        if state.board.is_kind(one.feature, self.mists.mist.castle):
            return self._look_at_castle(state, one)
        frontier = self.frontier
        start = frontier.starts(one.feature)
        gaps = 0
        gap = start
        while gap >= 0:
            gaps += frontier.edges(gap)
            gap = frontier.next[gap]
        if gaps < state.board.open_edges(one.feature):
            return False  # a tile lies face down beside it
        one.city = 1 if state.board.is_kind(one.feature, CITY) else 0
        one.points = completed_points(state, one.feature)
        if not gaps:
            one.chance = [1.0] * len(self.deadlines)
            return True
        grows = self._city_grows if one.city else self._road_grows
        one.points += grows * float(min(gaps, 2))
        filled = self._closing * pow(self._further, float(gaps - 1))
        one.chance = []
        for k, deadline in enumerate(self.deadlines):
            chance = filled * self.in_time(float(gaps), deadline.turns)
            gap = start
            while gap >= 0:
                chance *= self.unseen.drawn(frontier.demand[gap], k)
                gap = frontier.next[gap]
            one.chance.append(chance)
        return True

    def _look_at_castle(self, state: State, one: Forecast) -> bool:
        board = state.board
        cell = board.cell_under(one.feature)
        missing = board.free_around(one.feature)
        filled = 1.0
        for place in range(8):
            beside = around_at(cell, place)
            if board.is_face_down(beside):
                return False  # LVL5-04
            demand = board.demand_of(beside)
            if demand:
                filled *= self.unseen.drawn(demand, 0)
        misty = board.count_tiles_around(cell, self.mists.mist.tiles)
        one.points = 2.0 * float(misty) + self._castle_grows * float(missing)
        if not missing:
            one.chance = [1.0] * len(self.deadlines)
            return True
        filled *= pow(self._around, float(missing))
        gaps = self._around_gap * float(missing)
        one.chance = [filled * self.in_time(gaps, deadline.turns) for deadline in self.deadlines]
        return True


def completed_points(state: State, feature: int) -> float:
    """Return what a city or road of this size scores if it is complete."""
    board = state.board
    points = float(board.tiles_of(feature))
    if board.is_kind(feature, CITY):
        points = 2.0 * (points + float(board.mark(feature, state.rules.coat_of_arms)))
    return points


def bank_gap_count(state: State, frontier: Frontier, bank: int) -> int:
    """Return how many free cells banks continue to, counted for each bank.

    Args:
        state: The position.
        frontier: Its frontier.
        bank: The kind of segment that banks are.
    """
    board, features = state.board, frontier.feature
    count = 0
    for gap in range(frontier.count):
        if board.is_kind(features[gap], bank):
            count += 1
    return count


def ghosts_by_place(own: MistsState, state: State) -> tuple[dict[int, int], dict[int, int]]:
    """Return the ghosts on each tile, and on each bank or cemetery by its feature.

    Bound ones do not count.
    """
    board = state.board
    on_tile: dict[int, int] = {}
    on_bank: dict[int, int] = {}
    for segment, n in own.ghosts.items():
        tile, bank = board.tile_under(segment), board.feature_of(segment)
        on_tile[tile] = on_tile.get(tile, 0) + n
        on_bank[bank] = on_bank.get(bank, 0) + n
    return on_tile, on_bank
