"""The wagon of Abbey & Mayor, counted by hand."""

import pytest
from support.notation import begin, do, lay, legal, put


@pytest.mark.rule("ABM-03")
def test_a_scored_wagon_moves_on_to_an_open_feature_nobody_has_nearby() -> None:
    """From the city of the start tile, in whose north H has another; B at 0,2 is too far."""
    state = lay(begin("base+abbey", 2), "B 0,1,0", "B 0,2,0", "U -1,0,1", "B 1,-1,0")
    put(state, 0, (0, 0, 0), kind="wagon")
    put(state, 1, (1, -1, 0))
    do(state, "draw:H place:0,-1,2 pass")
    assert (state.step.name, state.current_player) == ("wagon", 0)
    assert legal(state) == [
        "wagon:0,-1,1,wagon",
        "wagon:-1,0,0,wagon",
        "wagon:0,0,1,wagon",
        "wagon:0,1,0,wagon",
        "pass",
    ]
    do(state, "wagon:0,1,0,wagon")
    assert state.board.follower_at(state.board.segment_at(0, 1, 0)) == 2
    assert state.current_player < 0


@pytest.mark.rule("ABM-03")
def test_wagons_move_on_from_the_active_player_on() -> None:
    state = begin("base+abbey", 3)
    for owner in (0, 2):
        put(state, owner, (0, 0, 0), kind="wagon")
    state.active_player = 0
    do(state, "draw:H place:0,-1,2 pass")
    assert (state.step.name, state.current_player) == ("wagon", 0)
    do(state, "pass")
    assert (state.step.name, state.current_player) == ("wagon", 2)


@pytest.mark.rule("ABM-03")
@pytest.mark.parametrize(
    ("wagon", "reached"),
    [
        ("touching", ["-1,0,0", "-1,0,1", "1,0,1"]),
        ("near", ["0,-1,0", "0,-1,1", "-1,0,0", "-1,0,1", "0,0,0", "1,0,1"]),
    ],
)
def test_by_the_older_rule_a_wagon_moves_on_to_what_touches(wagon: str, reached: list[str]) -> None:
    """From the road of three tiles: a village's other roads in the west, a monastery in the east.

    North of it are a city, on two tiles, and a road.
    """
    state = lay(begin(f"base+abbey(wagon={wagon})", 2), "W -1,0,2", "P 0,-1,2")
    put(state, 0, (0, 0, 1), kind="wagon")
    do(state, "draw:A place:1,0,1 pass")
    assert legal(state) == [*(f"wagon:{place},wagon" for place in reached), "pass"]
    do(state, "wagon:1,0,1,wagon")
    assert state.board.owner_at(state.board.segment_at(1, 0, 1)) == 0


@pytest.mark.rule("ABM-03")
def test_by_the_older_rule_a_wagon_goes_to_any_tile_of_what_touches() -> None:
    """The annotated rules (JCloisterZone #148): two roads begin at the village where that of the
    wagon ends. One has three tiles.
    """
    state = lay(begin("base+abbey(wagon=touching)", 2), "W -1,0,0", "U -1,1,0", "V -1,2,1")
    put(state, 0, (0, 0, 1), kind="wagon")
    do(state, "draw:A place:1,0,1 pass")
    places = ("-1,0,1", "-1,0,2", "1,0,1", "-1,1,0", "-1,2,0")
    assert legal(state) == [*(f"wagon:{place},wagon" for place in places), "pass"]


@pytest.mark.rule("ABM-03")
def test_the_older_rule_looks_at_all_tiles_of_the_feature() -> None:
    """The wagon stands in the west of the road, three tiles from the monastery in the east."""
    state = lay(begin("base+abbey(wagon=touching)", 2), "A -2,0,3", "U -1,0,1", "U 1,0,1")
    put(state, 0, (-2, 0, 0), kind="wagon")
    do(state, "draw:A place:2,0,1 pass")
    assert legal(state) == ["wagon:-2,0,1,wagon", "wagon:2,0,1,wagon", "pass"]


@pytest.mark.rule("ABM-03")
@pytest.mark.parametrize(
    ("stands", "closing", "reached"),
    [
        ((0, 0, 1), "draw:A place:-2,0,3", ["-2,0,1", "1,0,0"]),  # the road ends at the abbey
        ((2, 0, 0), "draw:E place:2,-1,2", []),  # the city does not
        ((2, 0, 1), "draw:A place:3,0,1", ["1,0,0", "3,0,1"]),
    ],
)
def test_an_abbey_touches_what_ends_at_it(
    stands: tuple[int, int, int], closing: str, reached: list[str]
) -> None:
    """It lies between the start tile and its like: a road ends there from either side."""
    state = begin("base+abbey(wagon=touching)", 2)
    lay(state, "U -1,0,1", "AM-abbey 1,0,0", "D 2,0,0", "A 4,0,3")
    put(state, 0, stands, kind="wagon")
    do(state, closing + " pass")
    assert [text for text in legal(state) if text.startswith("wagon")] == [
        f"wagon:{place},wagon" for place in reached
    ]


@pytest.mark.rule("ABM-03")
def test_what_ends_at_an_abbey_touches_it() -> None:
    """A wagon leaves the abbey, with tiles all around, for the road in the west or the city."""
    state = begin("base+abbey(wagon=touching)", 2)
    lay(state, "AM-abbey 1,0,0", "D 2,0,0", "G 1,1,0", "B 2,1,0", "B 0,1,0", "E 0,-1,2", "E 2,-1,2")
    put(state, 0, (1, 0, 0), kind="wagon")
    do(state, "draw:B place:1,-1,0 pass")
    assert legal(state) == ["wagon:0,0,1,wagon", "wagon:2,0,1,wagon", "wagon:1,1,0,wagon", "pass"]


@pytest.mark.rule("ABM-03")
def test_on_a_tile_only_what_meets_the_feature_is_touched() -> None:
    """AM04 has two cities, and a road at the gate of each."""
    state = put(
        lay(begin("base+abbey(wagon=touching)", 2), "AM04 0,2,0"), 0, (0, 2, 0), kind="wagon"
    )
    do(state, "draw:E place:0,1,2 pass")
    assert legal(state) == ["wagon:0,2,2,wagon", "pass"]
