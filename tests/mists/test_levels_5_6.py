"""Levels 5 and 6: haunted cemeteries, face-down tiles, markers of colours (LVL5-*, LVL6-*)."""

import pytest

from carc import Rules
from carc.base.game.outcome import results

# -- level 5 ---------------------------------------------------------------------------------------


def blocked_city(table, spec="mists:5", **copies):
    """The rulebook's: a cemetery at (0, 1) among three misty tiles, a bank, red's open city."""
    t = table(spec, **copies).lay("haze", 1, 0).lay("haze", 1, 1, 2).lay("haze", -1, 0)
    t.lay("town", -1, 1, 2, "0")
    assert t.feature("mist", 1, 0)["complete"]
    return t.put("cemetery", 0, 1)


@pytest.mark.rule("LVL5-02", "LVL5-03", "LVL5-04")
def test_a_haunted_cemetery_adds_3_ghosts_and_blocks_a_city(table):
    t = blocked_city(table)
    assert [t.ghosts(*at) for at in ((1, 0), (1, 1), (-1, 0))] == [1, 1, 1]
    assert t.on_board == 3
    assert (t.decision, t.legal) == ("hide", ["hide:-1,2", "hide:0,2", "hide:1,2"])
    t.do("hide:-1,2")
    city = t.feature("city", -1, 1)
    assert (city["open_edges"], city["complete"]) == (0, False)
    assert t.score == 0
    assert t.hidden == [(-1, 2)]


@pytest.mark.rule("LVL5-01", "LVL5-03")
def test_8_tiles_close_a_haunted_cemetery_face_down_ones_included(table):
    t = blocked_city(table).do("hide:-1,2")
    t.lay("plain", -2, 0).do("hide:1,2")
    assert t.graves == {}
    t.lay("plain", -3, 0)  # the last free cell leaves no choice; the only follower is buried
    assert t.graves == {(0, 1): 0}
    assert t.hidden == [(-1, 2), (0, 2), (1, 2)]
    t.lay("plain", -4, 0)
    assert len(t.hidden) == 3  # none is open: none is hidden


@pytest.mark.rule("LVL5-07")
def test_which_tile_was_laid_face_down_first_is_not_to_be_seen(table):
    """Nor which cemetery lay there first: the same table is the same position."""
    one, other = [
        table("mists:5").lay("cemetery", 1, 0).do(first).lay("plain", -1, 0).do(second)
        for first, second in (("hide:2,1", "hide:2,-1"), ("hide:2,-1", "hide:2,1"))
    ]
    assert one.hidden == other.hidden
    assert (one.state, one.state.to_text()) == (other.state, other.state.to_text())
    one, other = [
        table("mists:2").lay("cemetery", first, 0).lay("plain", 0, 1).lay("cemetery", -first, 0)
        for first in (1, -1)
    ]
    assert (one.state, one.state.to_text()) == (other.state, other.state.to_text())


@pytest.mark.rule("LVL5-01")
def test_tiles_on_4_sides_do_not_close_a_haunted_cemetery(table):
    t = table("mists:5").lay("cemetery", 1, 0).do("hide:0,-1").lay("plain", 1, -1).do("hide:0,1")
    t.lay("plain", 2, 0).do("hide:2,-1").put("town", 1, 1, 2)
    assert t.decision == "claim"  # nobody was buried
    assert t.graves == {}
    t.do("pass")  # the last free cell gets the face-down tile
    assert list(t.graves.values()) == [0]  # from red's supply: it is red's turn


@pytest.mark.rule("LVL5-01", "COOP-12")
def test_a_face_up_tile_closes_a_haunted_cemetery_before_ghosts_and_follower(table):
    t = table("mists:5").lay("cemetery", 1, 0).do("hide:0,-1").lay("plain", -1, 0).do("hide:0,1")
    t.lay("plain", 1, -1).do("hide:2,-1").lay("plain", 2, 0).do("hide:2,1").put("wisp", 1, 1)
    assert list(t.graves.values()) == [1]  # from green's supply: it is green's turn
    assert (t.on_board, t.data["current_player"], len(t.hidden)) == (1, -1, 4)


@pytest.mark.rule("LVL5-01", "LVL2-04")
def test_haunted_cemeteries_get_no_extra_ghosts(table):
    t = table("mists:5").lay("cemetery", 1, 0).do("hide:2,1").lay("pair", -1, 0)
    assert (t.on_board, t.ghosts(1, 0)) == (2, 0)


@pytest.mark.rule("LVL5-02", "COOP-14")
def test_a_cemetery_that_calls_for_too_many_ghosts_loses_the_game(table):
    t = table("mists:5")
    t.lay("fog", 1, 0).lay("plain", 2, 0).lay("fog", 3, 0).lay("plain", 4, 0).lay("fog", 5, 0)
    t.lay("plain", 6, 0).lay("fog", 7, 0)
    assert t.data["ghost_stock"] == 1
    t.put("cemetery", 2, 1)  # beside two misty tiles
    assert t.ended == (False, "COOP-14")


@pytest.mark.rule("LVL5-03")
def test_one_face_down_tile_a_turn_at_any_open_cemetery(table):
    t = table("mists:5").lay("cemetery", 1, 0).do("hide:2,1")
    t.put("cemetery", -1, 0)
    cells = {(x, y) for cx in (1, -1) for x in (cx - 1, cx, cx + 1) for y in (-1, 0, 1)}
    cells -= {(0, 0), (1, 0), (-1, 0), (2, 1)}
    assert t.legal == [f"hide:{x},{y}" for y, x in sorted((y, x) for x, y in cells)]
    t.do("hide:-2,0")
    assert t.data["current_player"] == -1
    assert len(t.hidden) == 2


@pytest.mark.rule("LVL5-04")
@pytest.mark.parametrize("hide_last", [False, True])
def test_a_castle_beside_a_face_down_tile_is_never_complete(table, hide_last):
    t = table("mists:5").lay("castle", 1, 0, 0, "0")
    for x, y in ((1, -1), (2, -1), (2, 0), (2, 1), (1, 1)):
        t.lay("plain", x, y)
    if hide_last:
        t.lay("plain", 0, -1).lay("cemetery", -1, 0).do("hide:0,1")
    else:
        t.lay("cemetery", -1, 0).do("hide:0,1").lay("plain", 0, -1)
    castle = t.feature("castle", 1, 0)
    assert (castle["complete"], t.score, len(castle["followers"])) == (False, 0, 1)


@pytest.mark.rule("LVL5-05")
def test_a_face_up_tile_needs_a_face_up_neighbour_too(table):
    t = table("mists:5").lay("cemetery", 0, -1).do("hide:1,0").do("draw:town")
    cells = {text.rpartition(",")[0] for text in t.legal}
    assert "place:2,0" not in cells  # only the face-down tile beside it
    assert "place:1,1" not in cells
    assert "place:1,-1" in cells  # the cemetery's east, above the face-down tile
    assert "place:1,-1,2" in t.legal  # a city against a face-down tile: it matches anything
    t.do("place:1,-1,2")
    assert t.data["tiles"][-1] == {"x": 1, "y": -1, "kind": "town", "rotation": 2}


@pytest.mark.rule("LVL5-05")
def test_face_down_tiles_may_lie_side_by_side(table):
    t = table("mists:5").lay("cemetery", 0, -1).do("hide:1,-2").lay("plain", 0, 1)
    assert "hide:0,-2" in t.legal


@pytest.mark.rule("LVL5-06", "MIST-05")
def test_mist_against_a_face_down_tile_is_never_finished(table):
    t = table("mists:5").lay("haze", 1, 0, 3).lay("pair", 2, 0, 1).lay("cemetery", 1, 1)
    assert t.ghosts(2, 0) == 2  # 1 of its 2 symbols, 1 for the cemetery at its corner
    t.do("hide:2,1")  # against its southern mist
    mist = t.feature("mist", 2, 0)
    assert (mist["complete"], mist["open_edges"]) == (False, 0)
    assert t.ghosts(2, 0) == 2


@pytest.mark.rule("LVL5-07")
def test_nobody_knows_a_face_down_tile(table):
    t = table("mists:5", cemetery=1, plain=59).lay("cemetery", 1, 0)
    before = t.data
    t.do("hide:0,1")
    assert t.data["bag"] == before["bag"] == {"plain": 59}  # unseen: in a pile or face down
    assert t.data["piles"] == [18, 20, 20]
    assert t.state._dealt == 2  # the deal goes on behind it
    assert [one for one in t.data["tiles"] if (one["x"], one["y"]) == (0, 1)] == []


@pytest.mark.rule("LVL5-08", "LVL3-02")
def test_no_tile_for_3c_is_lost(table):
    t = table("mists:5", cemetery=1, plain=5).lay("plain", -1, 0).lay("cemetery", 1, 0)
    assert t.ended == (False, "LVL3-02")


@pytest.mark.rule("LVL5-08", "LVL3-03")
def test_a_milestone_reached_brings_the_next_pile_for_3c(table):
    t = table("mists:5", palace=2, hall=1, cemetery=1, plain=11)
    t.lay("palace", 0, -1, 0, "0").lay("hall", 0, -2).lay("cemetery", 1, 0).do("hide:2,1")
    assert t.data["piles"] == [1, 5, 5]
    t.lay("palace", 0, -3, 2)
    assert (t.decision, t.score, t.data["pile"], t.data["piles"]) == ("hide", 60, 3, [0, 0, 10])
    assert t.do("hide:2,0").data["piles"] == [0, 0, 9]


# -- level 6 ---------------------------------------------------------------------------------------


@pytest.mark.rule("LVL6-01")
@pytest.mark.parametrize(("players", "colours"), [(1, 4), (2, 4), (4, 4), (5, 5)])
def test_the_team_chooses_three_colours_for_markers(players, colours):
    state = Rules.from_spec("mists:6", players=players).start()
    assert state.step.name == "markers"
    legal = [str(action) for action in state.legal_actions()]
    assert len(legal) == len(set(legal)) == {4: 4, 5: 10}[colours]
    state.apply(state.check(state.rules.parse("markers:red,blue,yellow")))
    data = state.to_dict()
    assert data["markers"] == {"red": 0, "blue": 0, "yellow": 0}
    # Markers come from the box for 1 or 2 players, else each is one of its colour's own followers.
    each = [3] * 4 if players < 3 else [4, 5, 4, 4, 5][:colours]
    assert [one["meeple"] for one in data["supplies"]] == each


@pytest.mark.rule("LVL6-01")
def test_three_players_have_a_marker_each():
    data = Rules.from_spec("mists:6", players=3).start().to_dict()
    assert data["markers"] == {"red": 0, "green": 0, "blue": 0}
    assert [one["meeple"] for one in data["supplies"]] == [4, 4, 4]
    assert data["decision"] == "draw"


@pytest.mark.rule("LVL6-01")
@pytest.mark.parametrize(
    ("players", "supplies"), [(1, [3] * 4), (2, [3] * 4), (3, [4] * 3), (4, [4] * 4), (5, [4] * 5)]
)
def test_every_colour_has_a_marker_by_the_answer_of_11_2022(players, supplies):
    rules = Rules.from_spec("mists:6(level6_scoring=every_colour)", players=players)
    data = rules.start().to_dict()
    assert list(data["markers"].values()) == [0] * len(supplies)
    assert [one["meeple"] for one in data["supplies"]] == supplies


def two_cities(table, spec="mists:6"):
    """Red's and yellow's city joined, 3 tiles, 6 points, by red; markers green, yellow, black."""
    t = table(spec, 5).do("markers:green,yellow,black") if "every" not in spec else table(spec, 5)
    t.lay("town", 1, 0, 0, "0").lay("plain", 0, -1).lay("plain", 0, -2)
    t.lay("town", 1, -2, 2, "0").lay("plain", -1, 0)
    return t.lay("tube", 1, -1)


@pytest.mark.rule("LVL6-02", "COOP-18")
def test_two_colours_score_6_and_one_without_a_marker_chooses(table):
    """The rulebook's, with black for its pink: the team decides for green."""
    t = two_cities(table)
    assert t.data["markers"] == {"green": 0, "yellow": 6, "black": 0}
    assert (t.decision, t.legal) == ("marker", ["marker:green", "marker:yellow", "marker:black"])
    t.do("marker:green")
    assert t.data["markers"] == {"green": 6, "yellow": 6, "black": 0}
    assert t.data["scores"] == [0] * 5


@pytest.mark.rule("LVL6-01", "LVL6-02")
def test_with_a_marker_for_every_colour_each_moves_its_own(table):
    t = two_cities(table, "mists:6(level6_scoring=every_colour)")
    assert t.data["markers"] == {"red": 6, "green": 0, "blue": 0, "yellow": 6, "black": 0}
    assert t.decision == "draw"


def third_marker(table):
    """Red 40, green 40, blue about to reach 16; red's follower on a road at (-1, 0); a wisp."""
    t = table("mists:6", 3, palace=4, cap=4, end=2, wisp=1, plain=49)
    t.lay("palace", 0, -1, 0, "0").lay("palace", 0, 1, 2, "0").lay("cap", 1, 0, 1, "0")
    t.lay("palace", 0, -2, 2).lay("palace", 0, 2).lay("cap", 2, 0, 3)
    assert t.data["markers"] == {"red": 40, "green": 40, "blue": 8}
    assert (t.score, t.data["pile"]) == (8, 1)
    t.lay("end", -1, 0, 1, "0").lay("wisp", 3, 0).lay("cap", 3, -1, 0, "0")
    return t.put("cap", 3, -2, 2).do("points")


@pytest.mark.rule("LVL6-03")
def test_a_milestone_counts_once_every_marker_has_reached_it(table):
    t = third_marker(table)
    assert t.data["markers"] == {"red": 40, "green": 40, "blue": 16}
    assert t.hounds == {"Rufus": (-1, 0, 0)}
    assert t.data["pile"] == 2
    assert t.data["scores"] == [16, 16, 16]


@pytest.mark.rule("LVL6-03", "COOP-22")
def test_the_goal_counts_once_every_marker_has_reached_it(table):
    t = table("mists:6", 3, palace=6, hall=3, plain=51)
    t.lay("palace", 0, -1, 0, "0").lay("palace", 0, 1, 2, "0").lay("palace", 1, 0, 1, "0")
    t.lay("hall", 0, -2).lay("hall", 0, 2).lay("hall", 2, 0, 1)
    t.lay("palace", 0, -3, 2).lay("palace", 0, 3)
    assert t.data["markers"] == {"red": 60, "green": 60, "blue": 0}
    assert not t.state.is_terminal
    t.lay("palace", 3, 0, 3)
    assert t.ended == (True, "COOP-22")
    assert results(t.state) == [60, 60, 60]


@pytest.mark.rule("LVL6-02")
def test_where_there_are_no_points_no_marker_is_chosen(table):
    """Red, without a marker, has both hounds on a road of two tiles and there is no ghost: 2
    points, and 0 twice.
    """
    t = table("mists:6", 5, palace=6, end=2, plain=52).do("markers:green,yellow,black")
    t.lay("end", -1, 0, 1, "0").lay("palace", 0, -1, 0, "0").lay("plain", -1, 1)
    t.lay("palace", 0, 1, 2, "0").lay("palace", 1, 0, 1, "0")
    t.lay("palace", 0, -2, 2).lay("palace", 0, 2).lay("palace", 2, 0, 3)
    assert (t.score, t.data["pile"]) == (40, 3)
    t.put("end", -2, 0, 3).do("marker:green")
    assert t.decision == "draw"
    assert t.data["markers"] == {"green": 42, "yellow": 40, "black": 40}


@pytest.mark.rule("LVL6-02", "COOP-22")
def test_a_colour_without_a_marker_chooses_none_when_the_game_is_won(table):
    """Red's and yellow's city brings yellow's marker, the last, to the goal; red has none."""
    t = table("mists:6", 5, palace=6, hall=3, plain=51).do("markers:green,yellow,black")
    t.lay("palace", 1, 0, 0, "0").lay("palace", -1, 0, 3, "0").lay("plain", 0, -1)
    t.lay("plain", 0, -2).lay("palace", 0, 1, 2, "0").lay("hall", -2, 0, 1)
    t.lay("palace", -3, 0, 1).lay("hall", 0, 2).lay("palace", 1, -2, 2, "0").lay("palace", 0, 3)
    assert t.data["markers"] == {"green": 60, "yellow": 0, "black": 60}
    t.lay("hall", 1, -1)
    assert t.state.is_terminal
    assert t.ended == (True, "COOP-22")
    assert t.data["markers"] == {"green": 60, "yellow": 60, "black": 60}


@pytest.mark.rule("LVL6-04")
def test_a_hounds_points_go_to_its_followers_colour(table):
    t = third_marker(table).put("end", -2, 0, 3).do("points")
    assert t.data["markers"] == {"red": 40 + 2 + 1, "green": 40, "blue": 16}


@pytest.mark.rule("LVL6-04", "LVL6-02")
def test_a_hounds_points_for_a_colour_without_a_marker(table):
    t = table("mists:6", 5, palace=6, end=2, wisp=1, plain=51).do("markers:green,yellow,black")
    t.lay("end", -1, 0, 1, "0").lay("palace", 0, -1, 0, "0").lay("wisp", -1, 1)
    t.lay("palace", 0, 1, 2, "0").lay("palace", 1, 0, 1, "0")
    t.put("palace", 0, -2, 2).do("points").put("palace", 0, 2).do("points")
    t.put("palace", 2, 0, 3).do("points", "pass", "pass")  # neither hound clears the wisp beside it
    assert t.data["markers"] == {"green": 40, "yellow": 40, "black": 40}
    t.put("end", -2, 0, 3).do("points", "marker:green", "marker:yellow", "marker:yellow")
    assert t.data["markers"] == {"green": 42, "yellow": 42, "black": 40}


@pytest.mark.rule("LVL6-01", "LVL5-02")
def test_level_6_has_the_cemeteries_of_level_5(table):
    assert blocked_city(table, "mists:6").decision == "hide"
