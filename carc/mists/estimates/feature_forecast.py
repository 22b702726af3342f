"""`FeatureForecast`: what the team's features will score, and how likely. For bots only."""

from __future__ import annotations

from math import exp, pow
from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.cells import AROUND, count_bits
from carc.base.evaluation.frontier import Frontier
from carc.base.tiles.tile import CITY
from carc.mists.estimates.unseen_tiles import UnseenTiles, chance_to_draw

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.mists.mists_state import MistsState
    from carc.mists.team_game import TeamGame

MOST_DEADLINES: Final = 3  # two milestones and the goal
NEITHER: Final = -1  # a feature that is no city and no road


class FeatureForecast:
    """The features with followers in a position, and the deadlines of milestones and goal.

    Keep one object for many positions. Features are numbered from 0 to `count` - 1; what holds for
    a feature and a deadline is at `number * MOST_DEADLINES + deadline`.

    Attributes:
        deadlines: How many deadlines are to come.
        goals: The points to be reached by each deadline.
        turns: The tiles that come before each deadline.
        count: How many features with followers may be scored.
        feature: The feature of each number.
        points: What it will score.
        hound_points: What the hounds on it will score besides.
        scorers: The owners who score it, as bits (COOP-18).
        chance: How likely it is completed by each deadline.
        city: 1 for a city, 0 for a road, else `NEITHER`.
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
        self._grows: Final = (weights["city_grows"], weights["road_grows"])
        self._castle_grows: Final = weights["castle_grows"]
        self._all_goals: Final = [*mists.level.milestones, mists.level.goal]
        self._owners: Final[i64] = rules.owners
        self._cemeteries: Final = [k for k, index in enumerate(mists.cemetery_of) if index >= 0]
        self.unseen: Final = UnseenTiles(mists, rules)
        self.frontier: Final = Frontier(rules)
        self._position: i64 = 0
        self.deadlines: i64 = 0
        self.goals: Final = vec[float]([0.0] * MOST_DEADLINES)
        self.turns: Final = vec[float]([0.0] * MOST_DEADLINES)
        # The last entry is for a feature without followers.
        most = 1 + sum(rules.components.supply)
        self.count: i64 = 0
        self.feature: Final = vec[i64]([0] * most)
        self._followers: Final = vec[i64]([0] * (most * rules.owners))
        self.scorers: Final = vec[i64]([0] * most)
        self.points: Final = vec[float]([0.0] * most)
        self.hound_points: Final = vec[float]([0.0] * most)
        self.city: Final = vec[i64]([0] * most)
        self.chance: Final = vec[float]([0.0] * (most * MOST_DEADLINES))
        # For each feature its number, and in which position.
        n = rules.catalogue.most_segments
        self._number: Final = vec[i64]([0] * n)
        self._numbered_in: Final = vec[i64]([0] * n)

    def look(self, state: State, own: MistsState) -> None:
        """Look at a position: its deadlines, the tiles to come and where they may go."""
        self.unseen.look(state.bag)
        self._position += 1
        self.frontier.look(state)
        shorter = (
            1.0 - min(self._coming * self.unseen.share(self._cemeteries), 0.5)
            if self.mists.level.haunted
            else 1.0
        )
        turns = float(max(1, own.left))
        deadlines: i64 = 0
        for pile in range(own.pile, len(self.mists.pile_sizes)):
            if deadlines:
                turns += float(self.mists.pile_sizes[pile])
            self.goals[deadlines] = float(self._all_goals[pile])
            self.turns[deadlines] = turns * shorter
            deadlines += 1
        self.deadlines = deadlines

    def all_turns(self) -> float:
        """Return how many tiles come before the last deadline."""
        return self.turns[self.deadlines - 1]

    def in_time(self, gaps: float, turns: float) -> float:
        """Return the chance that so many gaps are filled within some turns."""
        return 1.0 - exp(-turns / (self._horizon * gaps))

    def look_at_features(self, state: State, own: MistsState) -> None:
        """Forecast each feature with followers."""
        owners = self._owners
        counted = self._count_followers(state, own)
        self.count = 0
        for at in range(counted):
            f = self.feature[at]
            to = self.count
            if not self.look_at(state, f, to):
                continue
            self.feature[to] = f
            self.hound_points[to] = self.hound_points[at]
            for owner in range(owners):
                self._followers[to * owners + owner] = self._followers[at * owners + owner]
            self.scorers[to] = self.leaders(to, to, self.mists.every_colour)
            if own.taking >= 0 and f == own.scoring:
                self.points[to] = 0.0  # given up for the ghosts
            self.count = to + 1

    def _count_followers(self, state: State, own: MistsState) -> i64:
        """Number the features with followers, and return how many there are."""
        owners = self._owners
        number, numbered_in, here = self._number, self._numbered_in, self._position
        count: i64 = 0
        for segment in state.board.occupied_segments():
            f: i64 = state.board.feature_of(segment)
            if numbered_in[f] != here:
                numbered_in[f] = here
                number[f] = count
                self.feature[count] = f
                self.hound_points[count] = 0.0
                for owner in range(owners):
                    self._followers[count * owners + owner] = 0
                count += 1
            self._followers[number[f] * owners + state.board.owner_at(segment)] += 1
        for segment in own.hounds:
            if segment >= 0:
                f = state.board.feature_of(segment)
                if numbered_in[f] == here:
                    for ghosts in own.ghosts.values():
                        self.hound_points[number[f]] += float(ghosts)
        return count

    def leaders(self, first: i64, second: i64, everybody: bool) -> i64:
        """Return who has most followers on two features together, as bits.

        Args:
            first: The number of a feature.
            second: The number of another; the same number for one feature alone.
            everybody: Whether to return all owners with followers there.
        """
        owners = self._owners
        most: i64 = 1
        leaders: i64 = 0
        for owner in range(owners):
            count = self._followers[first * owners + owner]
            if second != first:
                count += self._followers[second * owners + owner]
            if count > most and not everybody:
                most = count
                leaders = 0
            if count >= most:
                leaders |= 1 << owner
        return leaders

    def share_joining(self, first: i64, second: i64) -> float:
        """Return the largest share of the unseen tiles that join two features on one cell."""
        frontier, unseen = self.frontier, self.unseen
        best = 0.0
        gap = frontier.starts(self.feature[first])
        other = frontier.starts(self.feature[second])
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

    def look_at(self, state: State, f: i64, to: i64) -> bool:
        """Forecast a feature under a number; return False if it will never be completed."""
        frontier = self.frontier
        chance, at = self.chance, to * MOST_DEADLINES
        for k in range(self.deadlines):
            chance[at + k] = 1.0
        self.city[to] = NEITHER
        if state.board.is_kind(f, self.mists.mist.castle):
            return self._look_at_castle(state, f, to)
        start = frontier.starts(f)
        gaps: i64 = 0
        gap = start
        while gap >= 0:
            gaps += count_bits(frontier.sides[gap])
            gap = frontier.next[gap]
        if gaps < state.board.open_edges(f):
            return False  # a tile lies face down beside it
        city = state.board.is_kind(f, CITY)
        self.city[to] = 1 if city else 0
        points = completed_points(state, f)
        if gaps:
            points += self._grows[0 if city else 1] * float(min(gaps, 2))
            filled = self._closing * pow(self._further, float(gaps - 1))
            for k in range(self.deadlines):
                chance[at + k] = filled * self.in_time(float(gaps), self.turns[k])
            gap = start
            while gap >= 0:
                share = self.unseen.fitting(frontier.demand[gap])
                for k in range(self.deadlines):
                    chance[at + k] *= chance_to_draw(share, self.turns[k])
                gap = frontier.next[gap]
        self.points[to] = points
        return True

    def _look_at_castle(self, state: State, f: i64, to: i64) -> bool:
        board = state.board
        cell = board.cell_under(f)
        missing = board.free_around(f)
        filled = 1.0
        for step in AROUND:
            if board.is_face_down(cell + step):
                return False  # LVL5-04
            demand = board.demand_of(cell + step)
            if demand:
                filled *= chance_to_draw(self.unseen.fitting(demand), self.turns[0])
        mist = self.mists.mist
        misty = board.count_tiles_around(cell, mist.tiles)
        self.points[to] = 2.0 * float(misty) + self._castle_grows * float(missing)
        if missing:
            filled *= pow(self._around, float(missing))
            gaps = self._around_gap * float(missing)
            for k in range(self.deadlines):
                self.chance[to * MOST_DEADLINES + k] = filled * self.in_time(gaps, self.turns[k])
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
