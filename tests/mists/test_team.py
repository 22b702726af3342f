"""The bot `team-mcts`, and a team's chances to win (`Estimates.win_chances`)."""

import random

import pytest

from carc import Deal, Evaluation, Rules, State
from carc.base.evaluation.unseen_tiles import UnseenTiles
from carc.base.game.playout import random_action
from carc.bots import by_name
from carc.bots.lookahead import Lookahead
from carc.bots.team_search import TeamSearch
from carc.errors import BadBot
from carc.mists import Mists
from carc.mists.estimates.calling import calling_kinds
from carc.mists.estimates.feature_forecast import FeatureForecast, Forecast
from carc.mists.estimates.win_estimator import Marker, WinEstimator
from carc.mists.estimates.win_weights import weights_of_level
from carc.mists.levels import LEVELS, Level


def _decided(bot: str, rules: Rules, decisions: int) -> list[str]:
    """What a bot that decides for every seat does in a game's first decisions."""
    deal, state, one = Deal(rules, 5), rules.start(), by_name(bot, seed=2)
    found: list[str] = []
    while not state.is_terminal and len(found) < decisions:
        if state.current_player < 0:
            state.apply(deal.choose(state))
            continue
        action = state.check(one.choose(state))
        found.append(str(action))
        state.apply(action)
    return found


def _mists(rules: Rules) -> Mists:
    (estimator,) = rules.estimates.win_chances
    assert isinstance(estimator, WinEstimator)
    assert isinstance(estimator.mists, Mists)
    return estimator.mists


def _chance(state: State) -> float:
    chances = _mists(state.rules).estimates().win_chances(state, [0.5] * state.rules.players)
    assert len(set(chances)) == 1
    return chances[0]


@pytest.mark.parametrize(
    ("spec", "players"),
    [("mists:1", 1), ("mists:3", 3), ("mists:6", 4), ("mists:5+spellcircles", 2)],
)
def test_team_mcts_plays_levels_and_circles_by_the_rules(spec, players):
    rules = Rules.from_spec(spec, players=players)
    assert len(_decided("team-mcts:1", rules, 4)) == 4


def test_team_mcts_by_playouts_is_repeatable():
    rules = Rules.from_spec("mists:4", players=2)
    assert _decided("team-mcts:9", rules, 3) == _decided("team-mcts:9", rules, 3)


def test_team_mcts_refuses_a_game_of_rivals():
    rules = Rules.from_spec("base", players=2)
    state = rules.start()
    state.apply(rules.draw("D"))
    with pytest.raises(BadBot, match="games of a team"):
        by_name("team-mcts:1").choose(state)


def test_team_mcts_takes_the_win(nearly_won):
    t = nearly_won
    bot = by_name("team-mcts:8", seed=1)
    while not t.state.is_terminal:
        t.do(str(bot.choose(t.state)))
    assert t.data["outcome"]["won"]


def test_team_mcts_sees_that_points_now_lose_the_game(table):
    """A city of 40 points could be closed.

    With it the team ends at 40 of 50: the hall and the palace that are left close no other city.
    Left open, it becomes one of 60, if the hall comes before the palace.
    """
    t = table("mists:1", palace=3, hall=1)
    t.lay("palace", 0, -1, 0, "0").do("draw:palace")
    closing = "place:0,-2,2"
    assert closing in [str(action) for action in t.state.legal_actions()]
    assert str(by_name("careful", seed=1).choose(t.state)) == closing
    assert str(by_name("team-mcts:48", seed=1).choose(t.state)) != closing


def test_a_playout_is_worth_what_the_next_tile_is_good_for(table):
    """All tiles left are caps: the next closes the city that waits, and nobody stands better."""
    t = table("mists:1", cap=30).lay("cap", 0, -1, 0, "0")
    lookahead = Lookahead(t.state.rules, Evaluation(t.state.rules))
    search = TeamSearch(lookahead, turns=1, width=4, playout_width=4)
    found = search.playout(t.state.copy(), random.Random(1), 0.5)
    closed = t.lay("cap", 0, -2, 2)
    assert closed.data["scores"][0] == 8
    assert found == pytest.approx(search.value(closed.state))


@pytest.mark.parametrize(
    ("at", "drawn"), [(0.0, "plain"), (0.74, "plain"), (0.76, "cap"), (0.999, "cap")]
)
def test_a_playout_begins_with_the_tile_at_a_place_among_those_left(table, at, drawn):
    """Three plains and a cap: the last quarter is the cap's."""
    t = table("mists:1", cap=2, plain=3).lay("cap", 0, -1, 0, "0")
    search = TeamSearch(
        Lookahead(t.state.rules, Evaluation(t.state.rules)), turns=1, width=9, playout_width=9
    )
    found = search.playout(t.state.copy(), random.Random(1), at)
    assert found == search.actions(t.do(f"draw:{drawn}").state)[0].prior


def test_positions_that_are_equal_promise_the_same_however_they_came_about():
    """Read again from its text, a position has its followers in the order of the board."""
    rng = random.Random(2)
    asked = 0
    for seed in range(12):
        state = Rules.cached("mists:6", 3).start()
        deal = Deal(state.rules, seed)
        while not state.is_terminal:
            drawing = state.current_player < 0
            state.apply(deal.choose(state) if drawing else random_action(state, rng))
            if state.step.name == "draw" and not state.is_terminal:
                asked += 1
                again = State.from_text(state.to_text(), state.rules)
                assert _chance(again) == pytest.approx(_chance(state), abs=1e-12)
    assert asked > 50


def test_cemeteries_still_to_come_leave_less_time(table):
    """Each lays tiles of the pile face down: with one among the unseen less is hoped for."""
    some, none = [
        table("mists:6", cemetery=n, plain=60 - n, players=3).lay("plain", 0, -1) for n in (2, 0)
    ]
    assert _chance(some.state) < _chance(none.state)


def test_a_long_way_to_go_is_less_certain_than_its_risks_added_up():
    """Three markers, three marks each: the sum of what may go wrong would call the game lost."""
    rules = Rules.from_spec("mists:6", players=3)
    start = rules.start()
    assert WinEstimator(_mists(rules), rules, {"sharp_3_marker": 1.0}).chance(
        start
    ) < 0.5 * _chance(start)


@pytest.mark.parametrize(("level", "heeded"), [(5, False), (6, True)])
def test_levels_with_several_markers_have_weights_of_their_own(level, heeded):
    rules = Rules.from_spec(f"mists:{level}", players=3)
    state = rules.start()
    assert (
        WinEstimator(_mists(rules), rules, {"rate_marker": 0.9}).chance(state) != _chance(state)
    ) is heeded


def test_what_a_team_may_expect_grows_with_its_score(table):
    """Two caps closed bring 8 of 50 points: better than the same two with nobody on them."""
    scored = table("mists:1").lay("cap", 0, -1, 0, "0").lay("cap", 0, -2, 2)
    missed = table("mists:1").lay("cap", 0, -1).lay("cap", 0, -2, 2)
    assert scored.data["scores"][0] == 8
    assert missed.data["scores"][0] == 0
    assert 0.0 < _chance(missed.state) < _chance(scored.state) < 1.0


def test_what_a_team_may_expect_falls_with_the_ghosts_left(table):
    fog = table("mists:1").lay("fog", 1, 0)
    plain = table("mists:1").lay("plain", 1, 0)
    assert _chance(fog.state) < _chance(plain.state)


def test_what_a_team_may_expect_is_certain_at_the_end(table):
    t = table("mists:1", palace=2, hall=1, wisp=1, plain=5)
    t.lay("wisp", 1, 0).lay("palace", 0, -1, 0, "0").lay("hall", 0, -2)
    before = _chance(t.state)
    t.put("palace", 0, -3, 2)
    while not t.state.is_terminal:
        t.do(str(t.state.legal_actions()[0]))
    assert before < _chance(t.state) == 1.0


@pytest.mark.rule("LVL5-04")
def test_a_castle_beside_a_face_down_tile_promises_nothing(table):
    """Laid there, the tile fills one of the castle's cells; elsewhere it fills none."""
    beside, away = [
        table("mists:5").lay("castle", 1, 0, 0, "0").lay("cemetery", -1, 0).do(hide)
        for hide in ("hide:0,1", "hide:-2,1")
    ]
    assert _chance(beside.state) < _chance(away.state)


@pytest.mark.rule("LVL5-04")
def test_a_city_that_opens_to_a_face_down_tile_promises_nothing(table):
    """Beside the tile what the city might become is nothing to the team; elsewhere it is."""
    beside, away = [
        table("mists:5").lay("cap", 0, -1, 3, "0").lay("cemetery", -1, 0).do(hide)
        for hide in ("hide:-1,-1", "hide:-2,1")
    ]
    dear = WinEstimator(_mists(beside.state.rules), beside.state.rules, {"city_grows": 20.0})
    assert _chance(beside.state) < _chance(away.state)
    assert dear.chance(beside.state) == _chance(beside.state)
    assert dear.chance(away.state) > _chance(away.state)


def test_a_castle_promises_less_where_no_tile_left_fits_beside_it(table):
    """The only town's city opens to a cell at the castle's corner, or to one further off."""
    near, off = [
        table("mists:2", castle=1, town=1, plain=40)
        .lay("castle", 1, 0, 0, "0")
        .lay("town", 2, 0, rotation)
        for rotation in (2, 1)
    ]
    assert _chance(near.state) < _chance(off.state)


def test_every_milestone_to_come_counts(monkeypatch):
    rules = Rules.from_spec("mists:3", players=3)
    before = _chance(rules.start())
    monkeypatch.setitem(LEVELS, "3", Level(3, 100, 15, (15, 80)))  # not 50
    assert WinEstimator(_mists(rules), rules).chance(rules.start()) < before


@pytest.mark.parametrize(("level", "heeded"), [(5, False), (6, True)])
def test_a_feature_nobody_holds_promises_something_where_several_markers_race(table, level, heeded):
    """Whichever colour needs the points may close and claim it; open ground brings nothing."""
    t = table(f"mists:{level}", cap=9, plain=51)
    blind = WinEstimator(_mists(t.state.rules), t.state.rules, {"unclaimed_marker": 0.0})
    t.lay("plain", 0, -1)
    assert _chance(t.state) == blind.chance(t.state)
    t.lay("cap", 1, 0)
    assert (_chance(t.state) > blind.chance(t.state)) is heeded


def test_a_tile_that_calls_for_just_the_ghosts_in_the_stock_is_no_danger() -> None:
    """Where a tile touches mist, it calls for a ghost less than it shows (COOP-13)."""
    rules = Rules.from_spec("mists:1", 2)
    shown = [sum(ghosts for _, ghosts in some) for some in _mists(rules).symbols]
    kind, ghosts = next((kind, n) for kind, n in enumerate(shown) if n > 1)
    called = calling_kinds(_mists(rules))
    assert kind in called[ghosts - 2]
    assert kind not in called[ghosts - 1]
    assert called[-1] == []


def test_who_has_most_followers_scores_or_every_colour() -> None:
    """COOP-18; by option, all who are there."""
    rules = Rules.from_spec("mists:1", 3)
    forecast = FeatureForecast(_mists(rules), rules, weights_of_level(False, None))
    assert forecast.scorers([2, 0, 1], False) == [0]
    assert forecast.scorers([1, 0, 1], False) == [0, 2]
    assert forecast.scorers([2, 0, 1], True) == [0, 2]


def test_the_scorings_worth_least_are_given_up_first_for_ghosts() -> None:
    """The second relief is worth less than the first, and less than the dearer scoring."""
    rules = Rules.from_spec("mists:1", 2)
    state, estimator = rules.start(), WinEstimator(_mists(rules), rules)
    estimator.chance(state)  # the deadlines
    first, second = (estimator._cost(stock) - estimator._cost(stock + 3) for stock in (2, 5))
    dear, cheap = Forecast(0), Forecast(1)
    dear.worth, cheap.worth = (first + second) / 2, second / 2
    for one in (dear, cheap):
        one.chance = [1.0]
    estimator._forecast.features = [dear, cheap]
    assert estimator._given_up(2, 3) == (3.0, cheap.worth)


def test_tiles_to_come_are_told_by_where_they_show_mist() -> None:
    """A tile with mist at two edges shows it at two sides, however it is turned."""
    rules = Rules.from_spec("mists:1", 2)
    misty = [
        {edge for part in tile.segments if part.kind == "mist" for edge in part.edges}
        for tile in rules.catalogue.tiles
    ]
    bag = [0] * len(misty)
    bag[next(kind for kind, edges in enumerate(misty) if len(edges) == 2)] = 1
    unseen = UnseenTiles(rules)
    unseen.look(bag)
    demands = rules.start().board.free_cells().values()
    demand = next(demand for demand in demands if unseen.fitting(demand))
    shares = {sides: unseen.overlaying(demand, sides) for sides in range(16)}
    assert {sides.bit_count() for sides, share in shares.items() if share == 1.0} == {2}


def test_hounds_score_once_where_two_colours_score() -> None:
    rules = Rules.from_spec("mists:6", 2)
    estimator = WinEstimator(_mists(rules), rules)
    common = Marker(0)
    common.point_worths = [1.0]
    estimator._marker_of = [common, common]
    one = Forecast(0)
    one.scorers, one.points, one.hound_points, one.chance = [0, 1], 4.0, 2.0, [1.0]
    estimator._weigh_feature(one)
    assert one.worth == 4.0 + 4.0 + 2.0
