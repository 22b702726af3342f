"""The table of levels, and level 2 (LVL2-*)."""

import pytest
from support.notation import standing

from carc import Expansion, FollowerKind, Rules

# -- the table of levels ---------------------------------------------------------------------------


@pytest.mark.rule("LVL3-01", "LVL4-01", "LVL6-01", "COOP-02")
@pytest.mark.parametrize(
    ("level", "ghosts", "milestones", "goal", "piles"),
    [
        (1, 15, [], 50, [50]),
        (2, 15, [], 75, [60]),
        (3, 15, [15, 50], 100, [20, 20, 20]),
        (4, 13, [20, 60], 120, [20, 20, 20]),
        (5, 13, [15, 50], 100, [20, 20, 20]),
        (6, 12, [10, 25], 50, [20, 20, 20]),
    ],
)
def test_what_each_level_plays_with(level, ghosts, milestones, goal, piles):
    state = Rules.from_spec(f"mists:{level}", players=3).start()
    data = state.to_dict()
    assert (len(data["tiles"]), sum(standing(state, "ghost").values())) == (4, 3)
    assert data["ghost_stock"] + 3 == ghosts
    assert (data["milestones"], data["goal"], data["piles"]) == (milestones, goal, piles)
    assert sum(data["bag"].values()) == sum(piles)
    kinds = {segment.kind for tile in state.rules.catalogue.tiles for segment in tile.segments}
    assert ("castle" in kinds, "cemetery" in kinds) == (level > 1, level > 1)


# -- level 2 ---------------------------------------------------------------------------------------


@pytest.mark.rule("LVL2-01")
def test_a_castle_is_complete_with_8_neighbours(table):
    t = table("mists:2").lay("castle", 1, 0, 0, "0")
    for x, y in ((0, -1), (1, -1), (2, -1), (2, 0), (2, 1), (1, 1)):
        t.lay("plain", x, y)
    assert not t.feature("castle", 1, 0)["complete"]
    t.lay("plain", 0, 1)
    assert t.feature("castle", 1, 0)["complete"]
    assert t.score == 2  # its own tile shows mist


def haunted_cemetery(table, spec="mists:2"):
    """An open cemetery at (1, 0) with a ghost, one more on a wisp; only (1, 1) keeps it open."""
    t = table(spec).lay("cemetery", 1, 0).lay("wisp", -1, 0)
    assert (t.ghosts(1, 0), t.ghosts(-1, 0)) == (1, 1)
    return t.lay("town", 1, -1, 0, "0").lay("town", 2, 0, 0, "0")


@pytest.mark.rule("LVL2-02", "LVL2-03", "COOP-12")
def test_tiles_on_4_sides_close_a_cemetery(table):
    """The rulebook's: the team buries a follower of its choice and the cemetery's ghost goes."""
    t = haunted_cemetery(table).put("plain", 1, 1)
    assert (t.decision, t.legal) == ("bury", ["bury:1,-1,0", "bury:2,0,0"])
    t.do("bury:1,-1,0")
    assert t.graves == {(1, 0): 2}
    assert (t.ghosts(1, 0), t.on_board, t.data["ghost_stock"]) == (0, 1, 14)
    assert [one["meeple"] for one in t.data["supplies"]] == [4, 5, 4]
    assert t.feature("city", 1, -1)["followers"] == []


@pytest.mark.rule("LVL2-03")
def test_the_only_follower_on_the_board_is_buried_without_a_choice(table):
    t = table("mists:2").lay("cemetery", 1, 0).lay("town", 1, -1, 0, "0").lay("plain", 2, 0)
    t.lay("plain", 1, 1)
    assert list(t.graves.values()) == [1]
    assert [one["meeple"] for one in t.data["supplies"]] == [5, 4, 5]


@pytest.mark.rule("LVL2-03")
def test_with_none_on_the_board_a_follower_comes_from_ones_own_supply(table):
    """The active player's: here the first one's, of one colour, then the second one's, of two."""
    t = table("mists:2").lay("cemetery", 1, 0).lay("plain", 1, -1).lay("plain", 2, 0)
    t.lay("plain", 1, 1)
    assert list(t.graves.values()) == [0]
    assert [one["meeple"] for one in t.data["supplies"]] == [4, 5, 5]

    t = table("mists:2", 2).lay("cemetery", 1, 0).lay("plain", 1, -1).lay("plain", 2, 0)
    t.put("plain", 1, 1)
    assert t.legal == ["bury:blue", "bury:yellow"]
    t.do("bury:yellow")
    assert list(t.graves.values()) == [3]
    assert [one["meeple"] for one in t.data["supplies"]] == [3, 3, 3, 2]


class Giants(Expansion):
    """Each colour has a giant besides."""

    def __init__(self):
        super().__init__()
        self.name = "giants"

    def follower_kinds(self, kinds):
        return [*kinds, FollowerKind("giant", 2, 1)]


@pytest.mark.rule("LVL2-03")
def test_any_kind_of_follower_can_be_buried(table):
    t = table("mists:2", beside=[Giants()])
    t.lay("cemetery", 1, 0).put("town", 1, -1).do("claim:0,giant").lay("plain", 2, 0)
    t.lay("plain", 1, 1)  # the giant is the only one on the board
    assert t.graves == {(1, 0): 1}
    assert t.data["supplies"] == [{"meeple": 5, "giant": 1 - (owner == 1)} for owner in range(3)]
    assert t.data["out_of_play"] == {"giant": 1}


@pytest.mark.rule("LVL2-03")
def test_with_no_follower_at_all_nobody_is_buried(table):
    t = table("mists:2", 1, cemetery=41)
    for y in range(6):
        for x in range(7):
            if (x, y) != (0, 0):
                t.put("cemetery", x, y)
                while t.decision == "bury":
                    t.do(t.legal[0])
    buried = list(t.graves.values())
    assert len(buried) == 5 * 4
    assert buried.count(None) == 5 * 4 - 12
    assert [one["meeple"] for one in t.data["supplies"]] == [0] * 4


@pytest.mark.rule("LVL2-03")
def test_a_buried_follower_is_not_buried_again(table):
    t = haunted_cemetery(table).put("plain", 1, 1).do("bury:1,-1,0")
    t.lay("cemetery", 0, 1).lay("plain", -1, 1).lay("plain", 0, 2)  # home and (1, 1) close it
    assert t.graves == {(1, 0): 2, (0, 1): 0}


@pytest.mark.rule("LVL2-04")
def test_one_open_cemetery_of_the_teams_choice_gets_an_extra_ghost(table):
    t = table("mists:2").lay("cemetery", 1, 0).lay("cemetery", -1, 0)
    t.put("pair", 0, -1)
    assert t.legal == ["cemetery:-1,0", "cemetery:1,0"]
    t.do("cemetery:1,0")
    assert (t.ghosts(0, -1), t.ghosts(1, 0), t.ghosts(-1, 0)) == (2, 1, 0)


@pytest.mark.rule("LVL2-04")
def test_no_ghost_for_the_mist_no_extra_ghost(table):
    t = table("mists:2").lay("haze", 1, 0, 3).lay("cemetery", -1, 0)
    # Neither calls for a ghost: it expands; it has no symbol.
    t.lay("wisp", 2, 0, 2).lay("haze", 0, 1)
    assert t.ghosts(-1, 0) == 1  # the wisp's mist looks north: it touched nothing
    t.lay("haze", 0, -1)
    assert t.ghosts(-1, 0) == 1


@pytest.mark.rule("LVL2-04", "COOP-14")
def test_the_extra_ghost_counts_for_losing(table):
    t = table("mists:2")
    t.lay("fog", 1, 0).lay("plain", 2, 0).lay("fog", 3, 0).lay("plain", 4, 0).lay("fog", 5, 0)
    t.lay("plain", 6, 0).lay("fog", 7, 0).lay("plain", 8, 0).lay("pair", 9, 0)
    t.lay("cemetery", -1, 0)
    assert t.data["ghost_stock"] == 1
    t.put("wisp", 0, -1)
    assert t.ended == (False, "COOP-14")


@pytest.mark.rule("LVL2-05")
def test_ghosts_leave_a_cemetery_for_a_scoring_given_up(table):
    t = haunted_cemetery(table).put("town", 1, -2, 2)
    t.do("ghosts:1,0")
    assert (t.ghosts(1, 0), t.score) == (0, 0)
