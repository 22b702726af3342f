"""The River, counted by hand.

RI10 unturned has river in the south and west, RI07 in the east and west.
"""

import random

import pytest
from support.notation import begin, do, emptied, lay, legal

from carc import CHANCE, Rules, State
from carc.errors import BadRules


@pytest.mark.rule("RIV-01")
@pytest.mark.parametrize("spec", ["base+river", "base+river(part=two)", "base+river(part=both)"])
def test_the_spring_takes_the_place_of_the_start_tile(spec: str) -> None:
    state = Rules.from_spec(spec).start()
    assert [tile["kind"] for tile in state.to_dict()["tiles"]] in (["RI01"], ["RJ01"])
    assert state.board.tile_at(0, 0) == 0
    assert state.bag[state.rules.catalogue.index["D"]] == 4


def drawn(spec: str, seed: int, n: int) -> list[str]:
    """The first tiles drawn in a random game."""
    state, deal, rng = (
        Rules.from_spec(spec).start(),
        Rules.from_spec(spec).deal(seed),
        random.Random(seed),
    )
    drawn: list[str] = []
    while len(drawn) < n:
        chance = state.current_player == CHANCE
        action = deal.choose(state) if chance else rng.choice(state.legal_actions())
        if chance:
            drawn.append(str(action).removeprefix("draw:"))
        state.apply(state.check(action))
    return drawn


@pytest.mark.rule("RIV-02")
@pytest.mark.parametrize(
    ("spec", "river", "first", "last"),
    [
        (
            "base+river",
            11,
            {"RI03", "RI04", "RI05", "RI06", "RI07", "RI08", "RI09", "RI10"},
            "RI02",
        ),
        ("base+river(part=two)", 11, {"RJ04"}, "RJ03"),
        ("base+river(part=both)", 21, {"RJ04"}, "RJ03"),
    ],
)
def test_the_fork_the_river_the_lake_then_the_bag(
    spec: str, river: int, first: set[str], last: str
) -> None:
    orders = [drawn(spec, seed, river + 4) for seed in range(4)]
    for order in orders:
        assert order[0] in first
        assert order[river - 1] == last
        assert all(name.startswith(("RI", "RJ")) for name in order[:river])
        assert not any(name.startswith(("RI", "RJ")) for name in order[river:])
    assert len({tuple(order[1 : river - 1]) for order in orders}) > 1, "the others in any order"


@pytest.mark.rule("RIV-02")
def test_of_two_rivers_one_spring_and_one_lake_are_played() -> None:
    both = Rules.from_spec("base+river(part=both)").catalogue.index
    assert "RJ01" not in both
    assert "RI02" not in both
    assert {"RI01", "RJ03"} <= set(both)


@pytest.mark.rule("RIV-03")
def test_the_river_goes_on_and_does_not_turn_back() -> None:
    """From the spring east; to the south at 1,0; there not west again, where the spring lies."""
    state = do(begin("base+river", 2), "draw:RI10")
    assert legal(state) == ["place:1,0,0", "place:1,0,1"]
    do(state, "place:1,0,0 pass draw:RI10")
    assert legal(state) == ["place:1,1,2"]


@pytest.mark.rule("RIV-03")
@pytest.mark.parametrize(
    ("bends", "placements"),
    [("room", ["place:3,-2,0", "place:3,-2,1"]), ("alternate", ["place:3,-2,1"])],
)
def test_after_a_straight_it_may_bend_the_same_way_where_there_is_room(
    bends: str, placements: list[str]
) -> None:
    """Left at 1,0, right at 1,-2, straight on at 2,-2; at 3,-2 right is south, left is north."""
    state = begin(f"base+river(bends={bends})", 2)
    do(state, "draw:RI10 place:1,0,1 draw:RI07 place:1,-1,1 pass draw:RI10 place:1,-2,3")
    do(state, "draw:RI07 place:2,-2,0 pass draw:RI09")
    assert legal(state) == placements


@pytest.mark.rule("RIV-03")
def test_nor_does_it_come_back_to_the_spring() -> None:
    """North and west about it: at -2,0 it may not turn east, for the spring is beyond."""
    state = begin("base+river", 2)
    do(state, "draw:RI10 place:1,0,1 draw:RI07 place:1,-1,1 draw:RI10 place:1,-2,0")
    do(state, "draw:RI07 place:0,-2,0 draw:RI05 place:-1,-2,0 draw:RI09 place:-2,-2,3")
    do(state, "draw:RI06 place:-2,-1,0 pass draw:RI08")
    assert legal(state) == ["place:-2,0,2"]


@pytest.mark.rule("RIV-03")
def test_nor_does_it_come_to_face_itself_over_a_corner() -> None:
    """East, south, east, north about a bay: at 3,-1 it may not turn west, for 1,0 is beyond."""
    state = begin("base+river(bends=room)", 2)
    do(state, "draw:RI10 place:1,0,0 draw:RI10 place:1,1,2 draw:RI07 place:2,1,0 pass")
    do(state, "draw:RI09 place:3,1,1 pass draw:RI07 place:3,0,1 pass draw:RI08")
    assert legal(state) == ["place:3,-1,0"]


@pytest.mark.rule("RIV-03")
def test_there_is_room_for_the_next_tile() -> None:
    """Two arms of the fork: where one would run beside the other it is not laid."""
    state = begin("base+river(part=two)", 2)
    do(state, "draw:RJ04 place:1,0,0")  # north, east, west
    do(state, "draw:RJ09 place:2,0,1 pass draw:RJ12")
    # North of the fork no bend: to the west lies the spring below, to the east 2,0. North of 2,0 it
    # bends away from the fork.
    assert legal(state) == ["place:2,-1,3"]


@pytest.mark.rule("RIV-04")
def test_nobody_claims_a_river_and_it_parts_fields() -> None:
    """RI05: monastery, river, road to the south; the field north of it and that beside the road."""
    state = do(begin("base+river", 2), "draw:RI05 place:1,0,0")
    kinds = [part.kind for part in state.board.tile_data(state.board.last_tile).segments]
    assert f"claim:{kinds.index('river')},meeple" not in legal(state)
    north, between = (
        state.board.feature_of(state.board.segment_of(state.board.last_tile, index))
        for index, part in enumerate(state.board.tile_data(state.board.last_tile).segments)
        if part.kind == "field" and set(part.halves) & {2, 3}
    )
    assert north != between


@pytest.mark.rule("RIV-04")
def test_the_team_game_has_no_place_for_a_river() -> None:
    with pytest.raises(BadRules, match="river needs the start of base, and mists has its own"):
        Rules.from_spec("mists:1+river")


def test_the_start_tiles_of_others_go_to_the_box() -> None:
    """Ghosts' large start tile is not laid beside the spring."""
    state: State = Rules.from_spec("base+ghosts+river").start()
    assert len(state.to_dict()["tiles"]) == 1


@pytest.mark.rule("RIV-04", "ABM-01")
def test_an_abbey_ends_an_open_river() -> None:
    """East of the spring, between three other tiles: with river tiles that fitted nowhere."""
    state = lay(begin("base+abbey+river", 2), "B 1,1,0", "B 1,-1,0", "B 2,0,0")
    spring = state.board.segments_of(0)
    (river,) = (one for one in spring if state.board.kind_of(one) == "river")
    do(emptied(state, "B", "B"), "draw:B place:3,0,0 pass")
    assert legal(state) == ["abbey", "pass"] and state.board.is_open(river)
    do(state, "abbey place:1,0,0 pass")
    assert not state.board.is_open(river)
