"""Little Buildings, counted by hand."""

import pytest
from support.notation import begin, do, finish, kept, lay, legal, put, scored, standing


@pytest.mark.rule("LIT-01")
@pytest.mark.parametrize(("players", "each"), [(2, 3), (3, 2), (4, 1), (5, 1)])
def test_six_of_each_are_shared_out(players: int, each: int) -> None:
    state = begin("base+buildings", players)
    own = {"shed": each, "house": each, "tower": each}
    assert state.to_dict()["buildings"] == [own] * players


@pytest.mark.rule("LIT-01")
def test_one_goes_on_the_tile_instead_of_a_follower_until_they_are_used_up() -> None:
    state = do(begin("base+buildings", 4), "draw:V place:1,0,1 building:house")
    assert state.current_player == -1
    assert [*standing(state, "little house")] == [(1, 0, -1)]
    do(state, "draw:U place:1,-1,0 draw:U place:1,-2,0 draw:U place:1,-3,0 draw:U place:1,-4,0")
    assert [text for text in legal(state) if "building" in text] == [
        "building:shed",
        "building:tower",
    ]


def built(spec: str, *buildings: tuple[int, int, int]) -> str:
    """What a road of four tiles is worth with these buildings: x, y, which."""
    state = lay(begin(spec, 2), "U 1,0,1", "U -1,0,1", "U 2,0,1", "B 0,1,0")
    put(state, 0, (0, 0, 1))
    kept(state, "buildings").built = {state.board.tile_at(x, y): which for x, y, which in buildings}
    (road,) = scored(finish(state))
    return road


@pytest.mark.rule("LIT-01")
def test_features_are_worth_more_for_the_buildings_on_their_tiles() -> None:
    """A shed 1, a house 2, a tower 3; one beside the road nothing."""
    three = ((1, 0, 0), (-1, 0, 1), (2, 0, 2))
    assert built("base+buildings", *three, (0, 1, 2)) == "0: road 4x1, buildings 6x1 = 10"
    assert built("base+buildings(worth=each)", *three) == "0: road 4x1, buildings 3x1 = 7"
    assert built("base+buildings") == "0: road 4x1 = 4"


@pytest.mark.rule("LIT-01")
def test_a_monastery_counts_those_around_it() -> None:
    state = put(lay(begin("base+buildings", 2), "B 0,1,0", "B 2,1,0"), 0, (0, 1, 0))
    kept(state, "buildings").built = {0: 1, 1: 0, 2: 2}
    assert scored(finish(state)) == ["0: monastery 2x1, buildings 3x1 = 5"]


@pytest.mark.rule("LIT-01")
def test_a_field_counts_those_on_its_tiles_even_without_a_city() -> None:
    state = put(lay(begin("base+buildings", 2), "B 0,1,0"), 0, (0, 1, 1))
    kept(state, "buildings").built = {1: 2}
    assert scored(finish(state)) == ["0: buildings 3x1 = 3"]


@pytest.mark.rule("LIT-01")
def test_a_garden_counts_those_around_it() -> None:
    """Two tiles; a house on one of them, a shed on the other."""
    state = put(
        lay(begin("base+abbot+buildings", 2), "E-garden 0,-1,2"), 0, (0, -1, 2), kind="abbot"
    )
    kept(state, "buildings").built = {0: 1, 1: 0}
    assert scored(finish(state)) == ["0: garden 2x1, buildings 3x1 = 5"]


@pytest.mark.rule("LIT-01")
def test_no_building_counts_for_an_abbot_who_is_taken_back() -> None:
    state = put(
        lay(begin("base+abbot+buildings", 2), "E-garden 0,-1,2"), 0, (0, -1, 2), kind="abbot"
    )
    kept(state, "buildings").built = {0: 1, 1: 0}
    assert scored(do(state, "draw:U place:1,0,1 abbot")) == ["0: abbot 3x1 = 3"]


@pytest.mark.rule("LIT-01")
def test_a_castle_of_the_ghosts_counts_those_around_it() -> None:
    """Both tiles show mist; a tower is on the second."""
    state = lay(begin("base+buildings+ghosts", 2), "M17 9,9,0", "M17 10,9,0")
    put(state, 0, (9, 9, 2))
    kept(state, "buildings").built = {state.board.tile_at(10, 9): 2}
    assert scored(finish(state)) == ["0: castle 2x1, buildings 3x1 = 5"]


@pytest.mark.rule("LIT-01")
def test_a_cemetery_brings_its_keeper_what_the_buildings_are_worth() -> None:
    state = put(lay(begin("base+buildings+ghosts", 2), "M40 9,9,0", "B 9,8,0"), 0, (9, 9, 3))
    kept(state, "buildings").built = {state.board.tile_at(9, 8): 1}
    assert scored(finish(state)) == ["0: buildings 2x1 = 2"]


@pytest.mark.rule("LIT-01")
@pytest.mark.rule("BRC-02")
def test_a_castle_counts_those_on_its_own_tiles_and_of_the_feature_near_it() -> None:
    """A road of three tiles with a tower in the east, a house on the castle's northern tile, and a
    shed that is on both: the start tile's.
    """
    state = put(begin("base+bridges+buildings", 2), 0, (0, 0, 0))
    do(state, "draw:E place:0,-1,2 pass castle:0,-1,0 draw:W place:1,0,2 pass")
    own = kept(state, "buildings")
    own.built = {state.board.tile_at(*at): n for at, n in (((1, 0), 2), ((0, -1), 1), ((0, 0), 0))}
    do(state, "draw:W place:-1,0,2 pass")
    # The road: 3, and the tower's 3 and the shed's 1; the castle: the house's 2 and the shed's 1.
    assert scored(state) == ["0: castle by road 1x7, buildings 3x1 = 10"]
