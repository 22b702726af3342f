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
