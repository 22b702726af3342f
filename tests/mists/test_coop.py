"""Scenarios of the co-operative rules of every level (COOP-*) and of mist (MIST-*)."""

import pytest
from support.notation import standing

from carc import Rules
from carc.base.game.outcome import results
from carc.base.turn.scoring import Journal
from carc.errors import BadRules

# -- setup -----------------------------------------------------------------------------------------


@pytest.mark.rule("COOP-01")
@pytest.mark.parametrize(
    ("players", "supplies"), [(1, [3] * 4), (2, [3] * 4), (3, [5] * 3), (4, [5] * 4), (5, [5] * 5)]
)
def test_colours_and_followers_by_number_of_players(players, supplies):
    state = Rules.from_spec("mists:1", players=players).start()
    assert [one["meeple"] for one in state.to_dict()["supplies"]] == supplies


@pytest.mark.rule("COOP-01")
@pytest.mark.parametrize("players", [0, 6])
def test_the_game_is_for_1_to_5(players):
    with pytest.raises(BadRules, match="1 to 5 players"):
        Rules.from_spec("mists:1", players=players)


@pytest.mark.rule("COOP-03")
def test_one_score_and_one_fate_for_all(table):
    t = table("mists:1").lay("cap", 0, -1, 0, "0").lay("cap", 0, -2, 2)
    assert t.data["scores"] == [8, 8, 8]
    assert results(t.state) == [8, 8, 8]
    assert t.state.returns() == [0.0, 0.0, 0.0]


@pytest.mark.rule("COOP-03", "COOP-15", "MIST-07", "LVL2-06")
@pytest.mark.parametrize(
    ("kind", "segments"),
    [
        ("plain", []),
        ("fog", []),
        ("cemetery", []),
        ("crypt", [0]),
        ("castle", [0]),
        ("fogroad", [0]),
    ],
)
def test_followers_stand_on_roads_cities_and_castles_only(table, kind, segments):
    t = table("mists:2").put(kind, 1, 0)
    offered = [text for text in t.legal if text.startswith("claim")]
    assert offered == [f"claim:{segment},meeple" for segment in segments]


@pytest.mark.rule("MIST-07")
@pytest.mark.parametrize(("option", "claims"), [("on", ["claim:0,meeple"]), ("off", [])])
def test_whether_a_follower_stands_on_a_misty_road_is_an_option(table, option, claims):
    t = table(f"mists:2(misty_roads={option})").put("fogroad", 1, 0)
    assert [text for text in t.legal if text.startswith("claim")] == claims
    assert t.decision == ("claim" if claims else "draw")  # to pass alone is no choice
    t = table(f"mists:2(misty_roads={option})").put("road", 1, 0)
    assert "claim:0,meeple" in t.legal  # a clear one, always


# -- 1: place the tile, check the mist -------------------------------------------------------------


@pytest.mark.rule("COOP-10")
def test_a_tile_needs_a_side_in_common_with_another(table):
    t = table("mists:1").do("draw:plain")
    cells = {text.rpartition(",")[0] for text in t.legal}
    assert cells == {"place:0,-1", "place:-1,0", "place:1,0", "place:0,1"}


@pytest.mark.rule("COOP-10")
def test_a_tile_that_fits_nowhere_leaves_the_pile_and_another_is_drawn(table):
    t = table("mists:1", keep=2, plain=2).do("draw:keep")
    assert t.data["current_player"] == -1
    assert t.data["discarded"] == ["keep"]
    t.put("plain", 1, 0)
    assert t.data["piles"] == [2]


@pytest.mark.rule("COOP-10", "COOP-22")
def test_a_tile_that_fits_nowhere_can_be_the_last(table):
    t = table("mists:1", keep=1, plain=1).lay("plain", 1, 0).do("draw:keep")
    assert t.ended == (False, "COOP-22")


@pytest.mark.rule("MIST-02", "MIST-03", "COOP-15")
def test_a_road_runs_on_under_mist(table):
    t = table("mists:1").lay("end", 1, 0).lay("fogroad", 1, 1, claim="0").lay("end", 1, 2, 2)
    assert t.decision == "reward"  # 2 ghosts stand on the misty tile
    assert t.do("points").score == 3


@pytest.mark.rule("COOP-11", "COOP-21", "MIST-04", "MIST-05")
def test_a_finished_bank_frees_its_ghosts_and_scores_nothing(table):
    t = table("mists:1").lay("haze", 1, 0, 3)  # its mist looks east
    t.lay("fog", 2, 0)  # touches it: 2 of 3 symbols
    assert (t.ghosts(2, 0), t.data["ghost_stock"]) == (2, 13)
    t.lay("haze", 2, -1).lay("haze", 2, 1, 2)
    assert t.on_board == 2
    t.lay("haze", 3, 0, 1)
    assert (t.on_board, t.data["ghost_stock"]) == (0, 15)
    assert t.feature("mist", 2, 0)["complete"]
    assert t.score == 0


@pytest.mark.rule("MIST-05", "COOP-11")
def test_a_bank_beside_clear_ground_is_never_finished(table):
    t = table("mists:1").lay("fog", 1, 0)  # its west touches the clear start tile
    t.lay("haze", 1, -1).lay("haze", 1, 1, 2).lay("haze", 2, 0, 1)
    assert t.ghosts(1, 0) == 3
    assert not t.feature("mist", 1, 0)["complete"]


@pytest.mark.rule("COOP-11")
def test_only_the_finished_bank_of_a_tile_with_two_mists_is_freed(table):
    t = table("mists:1").lay("twin", 1, 0)
    assert t.ghosts(1, 0) == 3
    t.lay("haze", 1, -1)  # closes its northern mist, with 1 ghost
    assert standing(t.state, "ghost") == {(1, 0, 1): 2}


@pytest.mark.rule("COOP-12", "COOP-15")
def test_burying_comes_before_ghosts_and_follower(table):
    t = table("mists:2").lay("cemetery", 1, 0).lay("town", 1, -1, 0, "0").lay("town", 2, 0, 0, "0")
    t.put("wisp", 1, 1, 2)  # closes the cemetery and calls for a ghost
    assert t.decision == "bury"
    assert t.on_board == 0
    t.do("bury:2,0,0")
    assert (t.ghosts(1, 1), t.on_board) == (1, 1)


# -- 2: ghosts -------------------------------------------------------------------------------------


@pytest.mark.rule("COOP-13")
def test_two_ghosts_and_then_none_when_a_one_symbol_tile_expands(table):
    t = table("mists:1").lay("pair", 1, 0)
    assert t.ghosts(1, 0) == 2
    t.lay("wisp", 1, 1, 2)
    assert (t.ghosts(1, 0), t.ghosts(1, 1)) == (2, 0)


@pytest.mark.rule("COOP-13")
def test_a_tile_that_finishes_its_bank_gets_no_ghosts(table):
    t = table("mists:1").lay("haze", 1, 0, 3).lay("plain", 1, 1).lay("haze", 2, 1, 2)
    t.lay("pair", 2, 0, 1)
    assert t.feature("mist", 2, 0)["complete"]
    assert t.on_board == 0


@pytest.mark.rule("COOP-13")
def test_separate_mists_of_a_tile_follow_their_own_banks(table):
    t = table("mists:1").lay("haze", 1, 0).lay("twin", 1, 1)
    # Its northern mist (1 symbol) finishes a bank: none. Its southern (2) does not; the tile
    # touches mist: one fewer.
    assert standing(t.state, "ghost") == {(1, 1, 1): 1}


@pytest.mark.rule("COOP-13")
def test_one_fewer_is_for_the_tile_once(table):
    t = table("mists:1").lay("pair", 1, 0).lay("plain", 0, 1).lay("plain", 0, 2)
    t.lay("pair", 1, 2, 3)  # mist north and east
    assert t.on_board == 4
    t.lay("twin", 1, 1)  # its 1 + 2 symbols touch both banks
    assert t.ghosts(1, 1) == 2


@pytest.mark.rule("COOP-14", "COOP-22")
def test_too_few_ghosts_left_is_lost_at_once(table):
    t = table("mists:1")
    t.lay("fog", 1, 0).lay("plain", 2, 0).lay("fog", 3, 0).lay("plain", 4, 0).lay("fog", 5, 0)
    t.lay("plain", 6, 0).lay("fog", 7, 0).lay("plain", 8, 0).lay("pair", 9, 0)
    assert t.data["ghost_stock"] == 1
    t.put("fogroad", -1, 0)
    assert t.state.is_terminal
    assert t.ended == (False, "COOP-14")
    assert t.state.returns() == [-1.0, -1.0, -1.0]
    assert t.state.winners == []


@pytest.mark.rule("COOP-14")
def test_the_last_ghost_may_be_placed(table):
    t = table("mists:1")
    t.lay("fog", 1, 0).lay("plain", 2, 0).lay("fog", 3, 0).lay("plain", 4, 0).lay("fog", 5, 0)
    t.lay("plain", 6, 0).lay("fog", 7, 0).lay("plain", 8, 0).lay("pair", 9, 0).lay("wisp", -1, 0)
    assert t.data["ghost_stock"] == 0
    assert not t.state.is_terminal


@pytest.mark.rule("COOP-15", "COOP-01")
@pytest.mark.parametrize(
    ("players", "first", "second"),
    [(1, "red green blue yellow", "red green blue yellow"), (2, "red green", "blue yellow")],
)
def test_one_or_two_players_place_any_colour_of_their_own(table, players, first, second):
    t = table("mists:1", players).put("town", 1, 0)
    assert t.legal == [*(f"claim:0,meeple,{colour}" for colour in first.split()), "pass"]
    t.do("pass").put("town", -1, 0)
    assert t.legal == [*(f"claim:0,meeple,{colour}" for colour in second.split()), "pass"]


# -- 3: scoring ------------------------------------------------------------------------------------


def ghostly_city(table):
    """3 ghosts at (-1, 0), 2 at (1, 0); a city of 8 points just completed at (0, -1)."""
    t = table("mists:1").lay("fog", -1, 0).lay("pair", 1, 0)
    return t.lay("cap", 0, -1, 0, "0").put("cap", 0, -2, 2)


@pytest.mark.rule("COOP-16", "COOP-20")
def test_the_points_or_up_to_three_ghosts_off_one_tile(table):
    t = ghostly_city(table)
    assert t.legal == ["points", "ghosts:-1,0", "ghosts:1,0"]
    t.do("points")
    assert (t.score, t.on_board) == (8, 5)
    assert [one["meeple"] for one in t.data["supplies"]] == [5, 5, 5]

    t = ghostly_city(table).do("ghosts:-1,0")
    assert t.legal == ["take:1", "take:2", "take:3"]
    t.do("take:3")
    assert (t.score, t.ghosts(-1, 0), t.ghosts(1, 0)) == (0, 0, 2)
    assert t.data["ghost_stock"] == 13
    assert [one["meeple"] for one in t.data["supplies"]] == [5, 5, 5]

    t = ghostly_city(table).do("ghosts:1,0")
    assert t.legal == ["take:1", "take:2"]
    assert t.do("take:1").on_board == 4


@pytest.mark.rule("COOP-16")
def test_a_single_ghost_leaves_nothing_more_to_decide(table):
    t = table("mists:1").lay("wisp", -1, 0).lay("cap", 0, -1, 0, "0").put("cap", 0, -2, 2)
    t.do("ghosts:-1,0")
    assert (t.on_board, t.score, t.data["current_player"]) == (0, 0, -1)


@pytest.mark.rule("COOP-16")
def test_off_a_tile_with_two_mists_the_team_picks_which_ghosts(table):
    t = table("mists:1").lay("twin", -1, 0).lay("cap", 0, -1, 0, "0").put("cap", 0, -2, 2)
    t.do("ghosts:-1,0")
    assert t.legal == ["take:0+1", "take:0+2", "take:1+0", "take:1+1", "take:1+2"]
    t.do("take:1+1")
    assert standing(t.state, "ghost") == {(-1, 0, 1): 1}


@pytest.mark.rule("COOP-16")
def test_without_ghosts_on_the_board_there_is_no_choice(table):
    assert table("mists:1").lay("cap", 0, -1, 0, "0").lay("cap", 0, -2, 2).score == 8


@pytest.mark.rule("COOP-16")
def test_several_scorings_in_the_active_players_order_each_with_its_choice(table):
    t = table("mists:1", town=2, hinge=1, plain=3, pair=1)
    t.lay("pair", -1, 0).lay("plain", 0, -1).lay("plain", 0, -2)
    t.lay("town", 1, 0, 0, "0").lay("town", 1, -2, 2, "0").put("hinge", 1, -1)
    assert (t.decision, t.legal) == ("score", ["score:1,-2,0", "score:1,0,0"])
    # The second city now knows no choice: no ghosts are left.
    t.do("score:1,0,0", "ghosts:-1,0", "take:2")
    assert (t.score, t.on_board) == (4, 0)
    assert [one["meeple"] for one in t.data["supplies"]] == [5, 5, 5]


@pytest.mark.rule("COOP-16")
def test_a_castle_of_12(table):
    """The rulebook's: five tiles with mist around it, and its own."""
    t = table("mists:2").lay("castle", 1, 0, 0, "0")
    t.lay("haze", 1, -1, 1).lay("haze", 2, -1).lay("haze", 2, 0).lay("haze", 2, 1).lay("haze", 1, 1)
    t.lay("plain", 0, -1)
    assert t.score == 0
    journal = t.state.journal = Journal()
    assert t.lay("plain", 0, 1).score == 12
    assert [one.text for one in journal.scorings] == ["castle 6x2 = 12"]


def joint_road(table, spec="mists:1"):
    """A road of 4 tiles joined out of two, red's and blue's, to be completed at (1, 1) by green."""
    t = table(spec).lay("end", 1, 0, 0, "0")
    t.lay("plain", 0, 1).lay("plain", 0, 2).lay("plain", 0, 3).lay("plain", -1, 0)
    return t.lay("road", 1, 2, 0, "0").lay("end", 1, 3, 2)


@pytest.mark.rule("COOP-18", "COOP-20")
def test_joint_scoring_of_4_points_by_two_colours_gives_8(table):
    t = joint_road(table)
    journal = t.state.journal = Journal()
    t.lay("road", 1, 1)
    assert t.score == 8
    scored = [(one.owner, one.text) for one in journal.scorings]
    assert scored == [(0, "road 4x1 = 4"), (2, "road 4x1 = 4")]  # red's and blue's
    assert [one["meeple"] for one in t.data["supplies"]] == [5, 5, 5]


@pytest.mark.rule("COOP-18")
@pytest.mark.parametrize(("joint", "points"), [("majority", 5), ("every_colour", 10)])
def test_two_blue_and_one_red_on_a_road_of_5(table, joint, points):
    """The publisher's example (Dized 0004); the option reads the rulebook's page 5 by its words:
    each colour once, however many followers.
    """
    t = table(f"mists:1(joint_scoring={joint})", 1)
    for y in (1, 2, 3, 4):
        t.lay("plain", 0, y)
    t.lay("end", 1, 0, 0, "0,blue").lay("road", 1, 2, 0, "0,blue").lay("end", 1, 4, 2, "0,red")
    assert t.lay("road", 1, 1).lay("road", 1, 3).score == points


@pytest.mark.rule("COOP-19")
def test_coats_of_arms_count_for_each_colour(table):
    t = table("mists:1").lay("cap", 1, 0, 0, "0")
    t.lay("plain", 0, -1).lay("plain", 0, -2).lay("plain", 0, 1).lay("cap", 1, -2, 2, "0")
    assert t.lay("tube", 1, -1).score == 2 * (3 * 2 + 2 * 2)


@pytest.mark.rule("COOP-19")
def test_giving_up_the_points_gives_up_all_colours(table):
    t = table("mists:1").lay("cap", 1, 0, 0, "0").lay("pair", -1, 0)
    t.lay("plain", 0, -1).lay("plain", 0, -2).lay("cap", 1, -2, 2, "0").put("tube", 1, -1)
    t.do("ghosts:-1,0", "take:1")
    assert (t.score, t.on_board, t.data["current_player"]) == (0, 1, -1)


@pytest.mark.rule("COOP-20")
def test_a_completed_feature_without_a_follower_is_no_scoring(table):
    t = table("mists:1").lay("wisp", -1, 0).lay("cap", 0, -1).put("cap", 0, -2, 2)
    assert t.legal == ["claim:0,meeple", "pass"]
    t.do("pass")
    assert (t.score, t.data["current_player"]) == (0, -1)


@pytest.mark.rule("COOP-20")
def test_a_follower_put_on_what_the_tile_completed_is_scored_at_once(table):
    t = table("mists:1").lay("cap", 0, -1).lay("cap", 0, -2, 2, "0")
    assert t.score == 8
    assert [one["meeple"] for one in t.data["supplies"]] == [5, 5, 5]


@pytest.mark.rule("COOP-22")
def test_won_the_moment_the_goal_is_reached(table):
    t = table("mists:1", palace=2, hall=1, plain=2)
    t.lay("palace", 0, -1, 0, "0").lay("hall", 0, -2).lay("palace", 0, -3, 2)
    assert t.data["outcome"] == {
        "won": True,
        "rule": "COOP-22",
        "score": 2 * 3 + 2 * 27,
        "goal": 50,
        "tiles_left": 2,
    }
    assert (t.score, t.data["piles"]) == (2 * 3 + 2 * 27, [2])
    assert t.state.returns() == [1.0, 1.0, 1.0]
    assert t.state.winners == [0, 1, 2]


@pytest.mark.rule("COOP-22", "COOP-23")
def test_lost_when_no_tile_is_left_to_draw_and_nothing_is_scored_then(table):
    t = table("mists:1", plain=1, end=1).lay("plain", 1, 0).lay("end", 2, 0, 0, "0")
    assert t.ended == (False, "COOP-22")
    assert t.score == 0
