"""Levels 3 and 4: piles of tiles, milestones and hounds (LVL3-*, LVL4-*)."""

import pytest

from carc.base.turn.scoring import Journal


def rufus(table, spec="mists:3"):
    """The rulebook's: 8 points, then 8 more, pass space 15; green's follower on a road with 2
    ghosts, beside it a cemetery with 4; three wisps far off. 9 tiles are laid.
    """
    t = table(spec).lay("cemetery", 1, 0)
    t.lay("wisp", -1, 0).lay("wisp", -2, 0).lay("wisp", -3, 0)
    t.lay("fogroad", 2, 0, 0, "0")
    t.lay("cap", 0, -1, 0, "0").lay("cap", 0, -2, 2).do("points")
    return t.lay("cap", 0, 1, 2, "0").lay("cap", 0, 2).do("points")


@pytest.mark.rule("LVL3-03", "LVL3-08", "LVL3-01")
def test_rufus_on_space_15_with_16_points_clears_2_and_3_ghosts(table):
    t = rufus(table)
    assert t.score == 16
    assert t.hounds == {"Rufus": (2, 0, 0)}
    assert (t.ghosts(2, 0), t.ghosts(1, 0)) == (2, 4)
    assert (t.decision, t.legal) == ("sniff", ["ghosts:1,0", "ghosts:2,0", "pass"])
    t.do("ghosts:2,0", "take:2")
    assert t.legal == ["ghosts:1,0", "pass"]
    t.do("ghosts:1,0", "take:3")
    assert (t.ghosts(2, 0), t.ghosts(1, 0)) == (0, 1)
    assert t.data["ghost_stock"] == 11
    # The 11 tiles left of the first pile lie on the second.
    assert (t.data["pile"], t.data["piles"]) == (2, [0, 31, 20])


@pytest.mark.rule("LVL3-03")
def test_the_hound_need_not_clear_anything(table):
    t = rufus(table).do("pass")
    assert (t.on_board, t.data["pile"], t.data["current_player"]) == (9, 2, -1)
    t = rufus(table).do("ghosts:1,0", "take:1", "pass")
    assert (t.on_board, t.data["pile"]) == (8, 2)


@pytest.mark.rule("LVL3-03")
def test_the_hound_goes_to_any_follower(table):
    t = table("mists:3").lay("town", 1, 0, 0, "0").lay("end", -1, 0, 0, "0")
    t.lay("cap", 0, -1, 0, "0").lay("cap", 0, -2, 2).lay("cap", 0, 1, 2, "0").lay("cap", 0, 2)
    assert (t.decision, t.legal) == ("hound", ["hound:-1,0,0", "hound:1,0,0"])
    t.do("hound:1,0,0")
    assert t.hounds == {"Rufus": (1, 0, 0)}


def two_cities_at_once(table, hounds):
    """One tile completes two cities, of 22 and 4 points: the first passes Rufus on space 15.

    The third follower stands on a road at (-1, 0).
    """
    t = table(f"mists:3({hounds})", palace=1, town=1, hinge=1, end=1, plain=56)
    t.lay("plain", 0, -1).lay("plain", 0, -2).lay("end", -1, 0, 0, "0")
    t.lay("palace", 1, 0, 0, "0").lay("town", 1, -2, 2, "0").put("hinge", 1, -1)
    return t.do("score:1,0,0")


@pytest.mark.rule("LVL3-03")
def test_a_hound_comes_as_soon_as_its_milestone_is_passed(table):
    """Before the second city scores: its knight may have the hound, and the next pile is active."""
    t = two_cities_at_once(table, "hounds=at_once")
    assert (t.score, t.decision, t.legal) == (22, "hound", ["hound:1,-2,0", "hound:-1,0,0"])
    t.do("hound:1,-2,0")
    assert (t.score, t.data["pile"], t.hounds) == (26, 2, {})
    assert t.decision == "draw"


@pytest.mark.rule("LVL3-03")
def test_a_hound_comes_after_all_scorings_if_so_chosen(table):
    t = two_cities_at_once(table, "hounds=after_scoring")
    assert (t.score, t.decision, t.data["pile"]) == (26, "draw", 2)
    assert t.hounds == {"Rufus": (-1, 0, 0)}


@pytest.mark.rule("LVL3-04")
def test_without_a_follower_on_the_board_the_hound_is_lost_and_the_pile_moves_on(table):
    t = table("mists:3").lay("cap", 0, -1, 0, "0").lay("cap", 0, -2, 2)
    t.lay("cap", 0, 1, 2, "0").lay("cap", 0, 2)
    assert t.score == 16
    assert t.hounds == {}
    assert t.data["piles"] == [0, 36, 20]


@pytest.mark.rule("LVL3-04", "LVL3-03")
def test_buried_followers_take_no_hound(table):
    t = table("mists:3").lay("cemetery", 1, 0).lay("town", 1, -1, 0, "0")
    t.lay("plain", 2, 0).lay("plain", 1, 1)
    t.lay("cap", 0, -1, 0, "0").lay("cap", 0, -2, 2).lay("cap", 0, 1, 2, "0").lay("cap", 0, 2)
    assert t.hounds == {}


@pytest.mark.rule("LVL3-02", "COOP-22")
def test_a_pile_that_runs_out_before_its_milestone_is_the_end(table):
    t = table("mists:3", plain=6).lay("plain", 1, 0).lay("plain", 2, 0)
    assert t.ended == (False, "LVL3-02")
    assert (t.data["piles"], t.data["outcome"]["tiles_left"]) == ([0, 2, 2], 4)


@pytest.mark.rule("LVL3-02")
def test_the_turn_that_plays_the_piles_last_tile_still_counts(table):
    t = table("mists:3", cap=4, plain=8).lay("cap", 0, -1, 0, "0").lay("cap", 0, -2, 2)
    t.lay("cap", 0, 1, 2, "0")
    assert t.data["piles"] == [1, 4, 4]
    t.lay("cap", 0, 2)
    assert not t.state.is_terminal
    assert t.data["piles"] == [0, 4, 4]


@pytest.mark.rule("LVL3-02")
def test_the_goal_must_be_reached_before_the_third_pile_runs_out(table):
    t = table("mists:3", palace=2, hall=1, plain=6).lay("palace", 0, -1, 0, "0").lay("hall", 0, -2)
    t.lay("palace", 0, -3, 2)
    assert (t.score, t.data["pile"], t.data["piles"]) == (60, 3, [0, 0, 6])
    for x in range(1, 7):
        t.lay("plain", x, 0)
    assert t.ended == (False, "LVL3-02")


@pytest.mark.rule("LVL3-05")
@pytest.mark.parametrize(("reward", "points"), [("points", 3 + 4), ("ghosts:-3,0", 3)])
def test_the_hound_is_scored_after_its_follower(table, reward, points):
    t = rufus(table).do("ghosts:2,0", "take:2", "ghosts:1,0", "take:3")
    assert t.on_board == 4  # three wisps, one on the cemetery
    t.lay("end", 2, -1).put("end", 2, 1, 2)
    journal = t.state.journal = Journal()
    t.do(reward)
    assert t.score == 16 + points
    assert journal.scorings[-1].text == f"Rufus, ghosts {t.on_board}x1 = {t.on_board}"
    assert t.hounds == {}
    assert t.decision == "draw"  # never ghosts instead of a hound's points


@pytest.mark.rule("LVL3-05")
def test_a_hound_stays_with_its_follower_until_then(table):
    t = rufus(table).do("pass").lay("end", 2, -1)
    assert t.hounds == {"Rufus": (2, 0, 0)}


@pytest.mark.rule("LVL3-06")
def test_burying_a_follower_with_a_hound_removes_the_hound(table):
    t = rufus(table).do("pass").lay("plain", 1, -1).lay("plain", 1, 1)
    assert list(t.graves.values()) == [1]
    assert t.hounds == {}
    assert t.score == 16


@pytest.mark.rule("LVL3-07")
def test_two_milestones_in_one_turn_one_after_the_other(table):
    t = table("mists:3", palace=2, hall=1, town=1, end=1, wisp=2, plain=53)
    t.lay("town", 1, 0, 0, "0").lay("end", -1, 0, 0, "0").lay("wisp", -2, 0).lay("wisp", 2, 0)
    t.lay("palace", 0, -1, 0, "0").lay("hall", 0, -2).put("palace", 0, -3, 2).do("points")
    assert t.score == 60
    assert (t.decision, t.legal, t.data["pile"]) == ("hound", ["hound:-1,0,0", "hound:1,0,0"], 1)
    t.do("hound:-1,0,0", "ghosts:-2,0")
    assert (t.decision, t.legal, t.data["pile"]) == ("hound", ["hound:-1,0,0", "hound:1,0,0"], 2)
    assert t.data["piles"] == [0, 33, 20]
    t.do("hound:1,0,0", "ghosts:2,0")
    assert (t.data["pile"], t.data["piles"], t.on_board) == (3, [0, 0, 53], 0)


@pytest.mark.rule("LVL3-07", "LVL3-05")
def test_both_hounds_may_keep_one_follower_company(table):
    t = table("mists:3", palace=2, hall=1, town=2, wisp=2, plain=53)
    t.lay("town", 1, 0, 0, "0").lay("wisp", -1, 0).lay("wisp", -2, 0)
    t.lay("palace", 0, -1, 0, "0").lay("hall", 0, -2).put("palace", 0, -3, 2).do("points")
    assert t.hounds == {"Rufus": (1, 0, 0), "Ronja": (1, 0, 0)}
    t.put("town", 1, -1, 2).do("points")
    assert t.score == 60 + 4 + 2 + 2


@pytest.mark.rule("LVL3-05", "COOP-22")
def test_a_second_hound_is_not_scored_after_the_first_one_won(table):
    t = table("mists:3", palace=3, hall=1, town=5, cap=2, wisp=2, plain=47)
    t.lay("town", 1, 0, 0, "0").lay("palace", 0, -1, 0, "0").lay("hall", 0, -2)
    t.lay("palace", 0, -3, 2)  # 60: both hounds, with the only follower on the board
    t.lay("palace", 0, 1, 2, "0").lay("town", 0, 2)
    t.lay("cap", -1, 0, 3, "0").lay("cap", -2, 0, 1)
    t.lay("town", -1, -1, 3, "0").lay("town", -2, -1, 1)
    t.lay("wisp", 2, 0).lay("wisp", 3, 0)
    assert (t.score, t.on_board) == (60 + 22 + 8 + 4, 2)
    journal = t.state.journal = Journal()
    t.put("town", 1, -1, 2).do("points")
    assert t.ended == (True, "COOP-22")
    assert [one.points for one in journal.scorings] == [4, 2]  # the city, Rufus; Ronja no more
    assert t.score == 100
