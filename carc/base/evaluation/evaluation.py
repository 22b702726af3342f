"""`Evaluation`: the final points that can be expected of a position. For bots only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.arrays import FOLLOWER_MASK, OWNER_AT, SEGMENT_AT
from carc.base.evaluation.completion import Completion
from carc.base.evaluation.supply import SupplyWorth
from carc.base.evaluation.weights import with_changes
from carc.base.game.outcome import results
from carc.base.tiles.tile import FIELD, ROAD
from carc.base.turn.scoring import leaders, points_for, value
from carc.base.turn.steps import TERMINAL
from carc.errors import CarcError

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Claim

_MOST_GROWTH: Final = 3  # open edges that make a feature grow


class Evaluation:
    """Expected final points under some rules.

    Features, majorities and points of every expansion count, through the hooks that score them.
    What no feature shows, expansions add by the hook `expected_points`. Keep one object for many
    positions: it remembers which tiles fit where. It never changes a state.

    Owners are numbered from 0 to `rules.owners` - 1, features as in `state.board`.
    """

    def __init__(
        self, rules: Rules, weights: Mapping[str, float] | None = None, blind: bool = False
    ) -> None:
        """Prepare for the positions of some rules.

        Args:
            rules: The rules.
            weights: Replace some of `carc.base.evaluation.weights.WEIGHTS`.
            blind: Ignore what expansions expect, and that owners may score differently.

        Raises:
            CarcError: There is no such weight, or its value is not a finite number.
        """
        w = with_changes(weights)
        self.rules: Final = rules
        self._weights: Final = w
        self._blind: Final = blind
        self._completion: Final = Completion(rules, w)
        self._supply: Final = SupplyWorth(rules, w)
        self._city_grows: Final = w["city_grows"]
        self._road_grows: Final = w["road_grows"]
        self._around_grows: Final = w["around_grows"]
        self._field_city: Final = w["field_city"]
        self._field_grows: Final = w["field_grows"]
        self._field_risk: Final = w["field_risk"]
        self._lasts: Final = max(w["spare_lasts"], 0.1)
        self._first_owner: Final = vec[i64]([colours[0] for colours in rules.colours])
        self._one_colour_each: Final = rules.colours == tuple(
            [(owner,) for owner in range(rules.owners)]
        )
        self._scores_differ: Final = (
            len(rules.hooks.power) + len(rules.hooks.player_points) > 0 and not blind
        )
        # By owner: the expected points, and the followers expected to come home.
        self._expected: Final = vec[float]([0.0] * rules.owners)
        self._returning: Final = vec[float]([0.0] * rules.owners)
        # By feature: in which position its points were added.
        self._position: i64 = 0
        self._added_in: Final = vec[i64]([0] * rules.catalogue.most_segments)
        # By city: for which field it was added, fields being numbered in the order of questions.
        self._fields: i64 = 0
        self._added_for: Final = vec[i64]([0] * rules.catalogue.most_segments)
        self._early: float = 0.0  # near 1 at the beginning of the game, 0 with the last tile

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy without what is remembered."""
        return Evaluation, (self.rules, self._weights, self._blind)

    # -- positions --------------------------------------------------------------------------------

    def owners(self, state: State) -> list[float]:
        """Return the final points that each owner can expect.

        Returns:
            `rules.owners` numbers; at the end of the game, the scores.

        Raises:
            CarcError: The state has other rules.
        """
        if state.current_player == TERMINAL:
            return [float(score) for score in state.scores]
        self._look(state)
        expected, returning = self._expected, self._returning
        for owner, score in enumerate(state.scores):
            expected[owner] = float(score)
        self._add_features(state)
        points: list[float] = []
        for at in range(len(expected)):
            supply = self._supply.worth(state, at, returning[at])
            points.append(expected[at] + self._early * supply)
        if not self._blind:
            for estimates in self.rules.estimates.expected_points:
                points = estimates.expected_points(state, points)
        return points

    def _add_features(self, state: State) -> None:
        """Add each feature with followers once, and count the followers that may return."""
        returning = self._returning
        for owner in range(len(returning)):
            returning[owner] = 0.0
        completion = self._completion
        features, claimed = state.board._feature, state.board._claimed
        added_in, here = self._added_in, self._position
        for entry in state.board._followers:
            feature = features[entry >> SEGMENT_AT]
            if claimed[feature]:
                owner_of = (entry & FOLLOWER_MASK) >> OWNER_AT
                returning[owner_of] += completion.chance(state, feature)
            if added_in[feature] != here:
                added_in[feature] = here
                self._add(state, feature)

    def players(self, state: State) -> list[float]:
        """Return the final points that each player can expect.

        Returns:
            `rules.players` numbers; at the end of the game, the results that players are ranked by.

        Raises:
            CarcError: The state has other rules.
        """
        if state.current_player == TERMINAL:
            return [float(result) for result in results(state)]
        owners = self.owners(state)
        return owners if self._one_colour_each else [owners[first] for first in self._first_owner]

    # -- features ---------------------------------------------------------------------------------

    def worth(self, state: State, feature: int, owner: int) -> float:
        """Return the points that a feature will bring an owner who keeps the majority.

        Raises:
            CarcError: The state has other rules, or there is no such feature or owner.
        """
        self._look_for(state, feature)
        if not 0 <= owner < self.rules.owners:
            raise CarcError(f"there is no owner {owner}; owners are 0 to {self.rules.owners - 1}")
        return self._worth(state, feature, owner)

    def closing(self, state: State, feature: int) -> float:
        """Return the chance that a feature is completed, from 0 to 1; 0 for a field.

        Raises:
            CarcError: The state has other rules, or there is no such feature.
        """
        self._look_for(state, feature)
        return self._completion.chance(state, feature)

    def signs(self, state: State, feature: int) -> tuple[float, float, float]:
        """Return what `closing` is computed from.

        Returns:
            log(1 + the draws that each player has left), the free cells the feature needs, and the
            tiles in the bag that fit the rarest of these cells. For a monastery: the missing
            neighbours, and 1.

        Raises:
            CarcError: The state has other rules, or there is no such feature.
        """
        self._look_for(state, feature)
        completion = self._completion
        if completion.by_edges[state.board._kind[feature]]:
            gaps, rarest = completion.gaps(state, feature), completion.rarest(state, feature)
            return completion.log_draws, float(gaps), float(rarest)
        return completion.log_draws, float(state.board.free_around(feature)), 1.0

    def claims(
        self, state: State, claims: Sequence[Claim], player: int, *, unchanged: bool = False
    ) -> list[float]:
        """Return roughly how many more points the owner of each claim can expect with it.

        What the follower could do elsewhere is subtracted. Points of no feature, and what others
        lose, are ignored, so use it to decide which claims to try.

        Args:
            state: The state.
            claims: Claims that are legal now.
            player: The player to claim.
            unchanged: Whether this is the position of the last question, so that it need not be
                looked at again.

        Returns:
            A number for each claim.

        Raises:
            CarcError: The state has other rules.
        """
        if not unchanged:
            self._look(state)
        gains: list[float] = []
        worth = 0.0
        known: i64 = -1  # the segment and owner that `worth` is for
        for claim in claims:
            owner: i64 = claim.owner
            if owner < 0:
                owner = self._first_owner[player]
            segment = state.board._first_segment[state.board.last_tile] + i64(claim.segment)
            feature = state.board._feature[segment]
            if known != segment << SEGMENT_AT | owner:
                known = segment << SEGMENT_AT | owner
                worth = self._worth(state, feature, owner)
            gains.append(worth - self._cost(state, feature, owner, claim.follower))
        return gains

    # -- how --------------------------------------------------------------------------------------

    def _look(self, state: State) -> None:
        """Look at a position."""
        self._completion.look(state)
        turns = float(state.tiles_left) / self.rules.players
        self._early = turns / (turns + self._lasts)
        self._position += 1

    def _look_for(self, state: State, feature: int) -> None:
        """Look at the position of a feature, and check that there is such a feature."""
        self._look(state)
        if not 0 <= feature < state.board.segment_count or state.board._feature[feature] != feature:
            raise CarcError(
                f"there is no feature {feature}; state.board.feature_of(segment) returns a"
                " segment's feature"
            )

    def _cost(self, state: State, feature: i64, owner: i64, follower: i64) -> float:
        """Return what it costs to do without a follower until a feature is completed."""
        if state.board.completed and feature in state.board.completed:
            return 0.0
        chance = self._completion.chance(state, feature)
        return self._early * self._supply.cost(state, owner, follower, chance)

    def _add(self, state: State, feature: i64) -> None:
        """Add what a feature will bring those who have the majority there."""
        expected = self._expected
        worth = 0.0
        known = False
        owners = leaders(state, feature)
        owner: i64 = 0
        while owners:
            if owners & 1:
                if self._scores_differ or not known:
                    worth = self._worth(state, feature, owner)
                    known = True
                expected[owner] += worth
            owners >>= 1
            owner += 1

    def _worth(self, state: State, feature: i64, owner: i64) -> float:
        """Return the mean of the points with and without completion, by its chance."""
        completion = self._completion
        kind = state.board._kind[feature]
        if state.board.completed and feature in state.board.completed:
            return float(self._points(state, feature, owner, False))
        incomplete = float(self._points(state, feature, owner, True))
        if completion.never[kind]:
            if kind == FIELD:
                incomplete += self._open_cities(state, feature)
                incomplete *= 1.0 - self._field_risk * self._early
            return incomplete + self._field_grows * self._early * self._early
        complete = float(self._points(state, feature, owner, False))
        chance = completion.chance(state, feature)
        if completion.by_edges[kind]:
            growth = self._road_grows if kind == ROAD else self._city_grows
            complete += growth * float(min(state.board._open[feature], _MOST_GROWTH))
        else:
            missing = state.board.free_around(feature)
            complete += float(missing)
            incomplete += self._around_grows * float(missing) * self._early
        return chance * complete + (1.0 - chance) * incomplete

    def _points(self, state: State, feature: i64, owner: i64, final: bool) -> int:
        if self._blind:
            return value(state, feature, final)
        return points_for(state, feature, owner, final)

    def _open_cities(self, state: State, field: i64) -> float:
        """Return what the open cities of a field may bring its farmer.

        It walks through the field as `cities_of` does: making a list costs 4 % of an evaluation.
        """
        board = state.board
        starts, touched = self.rules.catalogue.segment_start, self.rules.catalogue.touched
        tile_of, firsts, oriented_kind = board._tile_of, board._first_segment, board._oriented_kind
        features, opened, next_segment = board._feature, board._open, board._next
        added_for, completion = self._added_for, self._completion
        self._fields += 1
        here = self._fields
        worth = 0.0
        segment = field
        while True:
            tile = tile_of[segment]
            beside = firsts[tile]
            bits = touched[starts[oriented_kind[tile] >> 2] + segment - beside]
            while bits:
                if bits & 1:
                    city = features[beside]
                    if opened[city] and added_for[city] != here:
                        added_for[city] = here
                        worth += self._field_city * completion.chance_by_edges(state, city)
                bits >>= 1
                beside += 1
            segment = next_segment[segment]
            if segment == field:
                return worth
