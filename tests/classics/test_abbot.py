"""The Abbot, counted by hand."""

import pytest
from support.notation import begin, do, finish, legal, put, scored, skip

from carc import Rules
from carc.errors import BadRules


@pytest.mark.rule("ABB-01")
def test_an_abbot_goes_on_monasteries_and_gardens_and_only_he_into_gardens() -> None:
    state = do(begin("base+abbot", 2), "draw:E-garden place:0,-1,2")
    kinds = [part.kind for part in state.board.tile_data(state.board.last_tile).segments]
    garden = kinds.index("garden")
    assert [text for text in legal(state) if "abbot" in text] == [f"claim:{garden},abbot"]
    assert f"claim:{garden},meeple" not in legal(state)
    do(state, "pass draw:B place:0,1,0")
    assert {"claim:0,abbot", "claim:0,meeple"} <= set(legal(state))
    do(state, "claim:0,abbot draw:B place:1,1,0 claim:0,abbot draw:B place:-1,1,0")
    assert "claim:0,abbot" not in legal(state), "each has one"


@pytest.mark.rule("ABB-01")
def test_a_garden_is_completed_and_scored_as_a_monastery() -> None:
    """The garden at 0,-1, seven tiles around it besides the start tile."""
    state = begin("base+abbot", 2)
    do(state, "draw:E-garden place:0,-1,2 claim:2,abbot draw:U place:1,0,1 draw:U place:-1,0,1")
    do(state, "draw:B place:1,-1,0 draw:B place:-1,-1,0 draw:B place:0,-2,0 draw:B place:1,-2,0")
    assert scored(state) == []
    skip(do(state, "draw:E place:-1,-2,0"))
    assert scored(state) == ["0: garden 9x1 = 9"]
    assert state.to_dict()["supplies"][0] == {"meeple": 7, "abbot": 1}


@pytest.mark.rule("ABB-01")
def test_an_incomplete_garden_counts_itself_and_its_neighbours() -> None:
    state = do(begin("base+abbot", 2), "draw:E-garden place:0,-1,2 claim:2,abbot")
    assert scored(finish(state)) == ["0: garden 2x1 = 2"]


@pytest.mark.rule("ABB-02")
def test_he_comes_home_for_what_his_place_is_worth_now() -> None:
    """The monastery at 0,1 and three tiles around it."""
    state = do(begin("base+abbot", 2), "draw:B place:0,1,0 claim:0,abbot draw:U place:0,2,1")
    assert "abbot" not in legal(state), "green has none to take back"
    do(state, "pass draw:U place:1,1,0")
    assert legal(state)[-2:] == ["abbot", "pass"], "instead of a follower"
    do(state, "abbot")
    assert state.step.name == "draw"
    assert scored(state) == ["0: abbot 4x1 = 4"]
    assert state.to_dict()["supplies"][0] == {"meeple": 7, "abbot": 1}
    assert not state.board.occupied_segments()


@pytest.mark.rule("ABB-02", "FLY-01")
def test_he_comes_home_from_another_whom_he_flew_to() -> None:
    state = do(begin("base+abbot+flier", 2), "draw:B place:0,1,0 claim:0,meeple")
    do(put(state, 1, (0, 1, 0), kind="abbot"), "draw:U place:0,2,1 abbot")
    assert scored(state) == ["1: abbot 3x1 = 3"]
    assert state.board.followers_at(state.board.segment_at(0, 1, 0)) == [(0, 0)]


@pytest.mark.rule("ABB-02")
def test_without_followers_left_he_may_still_come_home() -> None:
    state = do(begin("base+abbot", 2), "draw:B place:0,1,0 claim:0,abbot draw:U place:0,2,1")
    state.board.add_supply(0, 0, -7)
    do(state, "pass draw:U place:1,1,0")
    assert legal(state) == ["abbot", "pass"]


@pytest.mark.rule("ABB-02")
def test_he_stays_where_his_place_is_completed_by_the_tile() -> None:
    """The monastery at 0,1 with red's abbot; red lays the last of its eight neighbours."""
    state = do(begin("base+abbot", 2), "draw:B place:0,1,0 claim:0,abbot")
    for line in ("U -1,0,1", "U 1,0,1", "E -1,1,3", "E 1,1,1", "E -1,2,3", "B 1,2,0"):
        tile, where = line.split()
        skip(do(state, f"draw:{tile} place:{where}"))
    assert state.active_player == 1
    skip(do(state, "draw:U place:2,0,1"))
    do(state, "draw:B place:0,2,0")
    assert "abbot" not in legal(state)
    assert scored(skip(state)) == ["0: monastery 9x1 = 9"]


def test_gardens_are_on_the_tiles_of_all_where_he_plays() -> None:
    """Two of Inns & Cathedrals, one each of the river and of King & Robber; without him, none."""
    spec = "base+inns+king+river+traders"
    gardens = [t for t in Rules.from_spec(f"{spec}+abbot").catalogue.tiles if "-garden" in t.name]
    assert len([tile for tile in gardens if tile.name[:2].isalpha()]) == 2 + 1 + 1 + 2
    without = Rules.from_spec(spec).catalogue
    assert not [t for t in without.tiles for s in t.segments if s.kind == "garden"]
    assert sum(without.copies) == sum(Rules.from_spec(f"{spec}+abbot").catalogue.copies)
    assert without.copies[without.index["RI10"]] == 2


def test_the_team_game_has_no_gardens() -> None:
    with pytest.raises(BadRules, match="abbot needs the tiles of base, which mists leaves"):
        Rules.from_spec("mists:1+abbot")


@pytest.mark.rule("ABB-01")
@pytest.mark.parametrize(
    ("spec", "base", "inns"),
    [
        ("base+abbot+inns", 8, 2),
        ("base+abbot(gardens=base)+inns", 8, 0),
        ("base+abbot(gardens=off)+inns", 0, 0),
    ],
)
def test_which_tiles_have_gardens_is_an_option(spec: str, base: int, inns: int) -> None:
    """The tiles are as many, with or without gardens on them."""
    gardens: list[int] = []
    for tile_set in Rules.from_spec(spec).tile_sets:
        tiles = tile_set.tiles
        gardens.append(sum(t.copies for t in tiles if t.segments[-1].kind == "garden"))
    assert gardens == [base, inns]
    assert Rules.from_spec(spec).start().tiles_left == 71 + 18


@pytest.mark.rule("ABB-01")
def test_games_from_before_the_option_are_read_as_before() -> None:
    """The version of the rules of 0.1, which has no such option."""
    versions = [Rules.from_spec(f"base+abbot{option}").version for option in ("", "(gardens=off)")]
    assert versions[0] == "1-0fa5c2a0-00e8fb54" and versions[0] != versions[1]
