"""What the estimates of a team's chances are made of (`carc.mists.estimates`)."""

from typing import Any

import pytest

from carc import Rules, State
from carc.base.evaluation.unseen_tiles import UnseenTiles, chance_to_draw
from carc.mists import Mists
from carc.mists.estimates.feature_forecast import FeatureForecast, Forecast
from carc.mists.estimates.win_estimator import Marker, WinEstimator
from carc.mists.estimates.win_weights import weights_of_level
from carc.mists.levels import LEVELS
from carc.mists.mists_state import NO_MARKER


def _mists(rules: Rules) -> Mists:
    (mists,) = [one for one in rules.expansions if isinstance(one, Mists)]
    return mists


def _estimator(state: State, **weights: float) -> WinEstimator:
    """One that has looked at a position."""
    estimator = WinEstimator(_mists(state.rules), state.rules, weights)
    estimator.chance(state)
    return estimator


def _worth(*points: float) -> Marker:
    """A marker to which a point is worth so much, by deadline."""
    marker = Marker(0)
    marker.point_worths = list(points)
    return marker


def test_an_estimate_follows_the_piles() -> None:
    """Whatever was estimated before: another pile, fewer tiles in it."""
    rules = Rules.from_spec("mists:3", 2)
    state = rules.start()
    own, kept = _mists(rules).state_of(state), WinEstimator(_mists(rules), rules)
    seen = {kept.chance(state)}
    for pile, left in ((0, 5), (1, 5), (2, 5), (2, 9)):
        own.pile, own.left = pile, left
        seen.add(kept.chance(state))
        assert kept.chance(state) == WinEstimator(_mists(rules), rules).chance(state)
    assert len(seen) == 5


def _race(
    state: State, markers: list[int], scorers: list[int], estimator: WinEstimator | None = None
) -> tuple[list[float], list[list[float]]]:
    """What each marker may have scored by the goal, and by colour what a point is worth.

    `scorers`: the colours of a feature that will bring 6 points.
    """
    mists = _mists(state.rules)
    own, estimator = mists.state_of(state), estimator or WinEstimator(mists, state.rules)
    own.markers = markers
    estimator._forecast.look(state, own)
    one = Forecast(0)
    one.scorers, one.points, one.chance = scorers, 6.0, [1.0] * 3
    estimator._forecast.features = [one]
    estimator._race(state, own)
    worths = [marker.point_worths for marker in estimator._marker_of]
    return [marker.expected for marker in estimator._racing], worths


@pytest.mark.rule("LVL6-02")
def test_points_of_a_colour_without_a_marker_help_all_markers() -> None:
    """They are as good as those of the marker that needs them most."""
    state = Rules.from_spec("mists:6", 4).start()
    markers = [50, 0, 20, NO_MARKER]
    expected, worths = _race(state, markers, [])
    assert _race(state, markers, [1])[0] == pytest.approx(
        [expected[0], expected[1] + 6, expected[2]]
    )
    assert _race(state, markers, [3])[0] == pytest.approx([points + 2 for points in expected])
    assert worths[3] == worths[1] != worths[2]


def test_no_more_points_are_worth_anything_to_a_marker_at_its_milestone() -> None:
    state = Rules.from_spec("mists:6", 4).start()
    goal, *_ = LEVELS["6"].milestones
    _, worths = _race(state, [goal, goal - 1, 0, 0], [])
    assert worths[0][0] == 0.0 < worths[1][0]


def test_before_markers_are_given_the_first_three_colours_race() -> None:
    expected, worths = _race(Rules.from_spec("mists:6", 4).start(), [NO_MARKER] * 4, [])
    assert len(expected) == 3
    assert len(set(expected)) == 1
    assert worths[0] == worths[2] != worths[3] == [0.0] * 3


def test_what_was_estimated_before_changes_nothing_for_a_colour_without_a_marker() -> None:
    state = Rules.from_spec("mists:6", 4).start()
    estimator = WinEstimator(_mists(state.rules), state.rules)
    _race(state, [50, 0, 20, NO_MARKER], [], estimator)
    again = [0, 5, 5, NO_MARKER]
    assert _race(state, again, [3], estimator) == _race(state, again, [3])


# -- ghosts --------------------------------------------------------------------------------------


def test_ghosts_on_the_board_cost_less_towards_the_end() -> None:
    state = Rules.from_spec("mists:1", 2).start()
    costs: list[float] = []
    for left in (50, 5):
        _mists(state.rules).state_of(state).left = left
        costs.append(_estimator(state)._cost(3.0))
    assert costs[0] > costs[1] > 0.0


@pytest.mark.rule("COOP-16")
def test_three_ghosts_at_most_are_taken_off_a_tile() -> None:
    state = Rules.from_spec("mists:1", 2).start()
    own, estimator = _mists(state.rules).state_of(state), _estimator(state)
    tile, stock = 0, float(own.stock)
    assert estimator._stock_and_most(state, own, {tile: 2, tile + 1: 5}) == (stock, 3)
    assert estimator._stock_and_most(state, own, {tile: 2}) == (stock, 2)
    own.taking = state.board.cell_of(tile)
    assert estimator._stock_and_most(state, own, {tile: 5}) == (stock + 3, 3)
    assert estimator._stock_and_most(state, own, {tile: 1}) == (stock + 1, 1)


@pytest.mark.parametrize(("level", "missing"), [(2, 3), (5, 7)])
def test_a_cemetery_waits_for_four_tiles_or_eight(table: Any, level: int, missing: int) -> None:
    """One tile lies beside it, on whichever side: three of four are missing, or seven of eight."""
    for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        state = table(f"mists:{level}", cemetery=1, plain=59).lay("cemetery", x, y).state
        estimator = _estimator(state, cemetery=0.0, cemetery_free=1.0)
        own = estimator.mists.state_of(state)
        assert estimator._open_cemeteries(state, own) == pytest.approx(missing)


def test_a_cemetery_is_as_hard_to_close_on_every_side(table: Any) -> None:
    hopes: set[float] = set()
    for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        state = table("mists:2", cemetery=1, plain=59).lay("cemetery", x, y).state
        estimator = _estimator(state)
        own = estimator.mists.state_of(state)
        own.put(own.cemeteries[0], 2)
        hopes.add(round(estimator._laid_to_rest(state, own), 12))
    assert len(hopes) == 1
    assert hopes.pop() > 0.0


# -- features ------------------------------------------------------------------------------------


def test_a_city_is_closed_by_a_tile_that_fits_before_each_deadline(table: Any) -> None:
    state = table("mists:3", cap=6, plain=54).lay("cap", 1, 0).state
    rules = state.rules
    _mists(rules).state_of(state).left = 3
    weights = weights_of_level(False, None)
    forecast = FeatureForecast(_mists(rules), rules, weights)
    forecast.look(state, _mists(rules).state_of(state))
    city = Forecast(state.board.feature_of(state.board.segment_of(state.board.last_tile, 0)))
    assert forecast.look_at(state, city)
    share = forecast.unseen.fitting(
        forecast.frontier.demand[forecast.frontier.starts(city.feature)]
    )
    assert 0.0 < share < 1.0
    assert city.chance == pytest.approx(
        [
            weights["closing"]
            * forecast.in_time(1.0, deadline.turns)
            * chance_to_draw(share, deadline.turns)
            for deadline in forecast.deadlines
        ]
    )


def test_chances_to_draw_follow_the_bag_and_the_time() -> None:
    rules = Rules.from_spec("mists:1", 2)
    state, unseen = rules.start(), UnseenTiles(rules)
    bag = list(state.bag)
    demand = next(
        demand
        for demand in state.board.free_cells().values()
        if unseen.look(bag) is not None and 0.0 < unseen.fitting(demand) < 1.0
    )
    unseen.plan([1.0, 5.0])
    assert unseen.drawn(demand, 0) == unseen.fitting(demand)
    assert unseen.drawn(demand, 1) == chance_to_draw(unseen.fitting(demand), 5.0)
    unseen.plan([2.0])
    assert unseen.drawn(demand, 0) == chance_to_draw(unseen.fitting(demand), 2.0)
    assert unseen.look([0] * len(bag))
    assert unseen.drawn(demand, 0) == 0.0
    assert not unseen.look([0] * len(bag))


def test_a_feature_nobody_holds_counts_for_the_average_colour(table: Any) -> None:
    """Each colour may claim it."""
    state = table("mists:6", cap=6, plain=54, players=3).lay("cap", 1, 0).state
    estimator = _estimator(state)
    turns = len(estimator._forecast.deadlines)
    worths: list[float] = []
    for each in ([1.0, 1.0, 1.0], [3.0, 0.0, 0.0]):
        estimator._marker_of = [_worth(*[point] * turns) for point in each]
        worths.append(estimator._unclaimed_features(state))
    city = Forecast(state.board.feature_of(state.board.segment_of(state.board.last_tile, 0)))
    assert estimator._forecast.look_at(state, city)
    assert worths == pytest.approx([city.points * sum(city.chance)] * 2)


def test_a_completed_city_that_can_be_claimed_counts_for_whom_it_helps_most(table: Any) -> None:
    """It brings 8 points at once."""
    t = table("mists:6", cap=6, plain=54, players=3).lay("cap", 1, 0).put("cap", 1, -1, 2)
    estimator = _estimator(t.state)
    estimator._marker_of = [_worth(0.5), _worth(1.0, 2.0), _worth(1.0)]
    assert estimator._claimable(t.state) == 24.0
