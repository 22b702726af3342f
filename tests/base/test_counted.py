"""What the base game scores in small positions, counted by hand.

The start tile D lies at 0,0: city in the north, road from west to east. Segment 0 of a tile with a
city is the city. Where no claim is named, nobody claims.
"""

import pytest
from support.notation import begin, do, emptied, finish, legal, scored, skip

from carc import State

TURNS = [  # what, the moves, what they score
    (
        "a road from a crossing to a village",
        "draw:X place:1,0,0 draw:L place:-1,0,0 claim:1,meeple",
        ["1: road 3x1 = 3"],
    ),
    (
        "a road from a city gate to a monastery",
        "draw:S place:-1,0,3 claim:1,meeple draw:A place:1,0,1",
        ["0: road 3x1 = 3"],
    ),
    (
        "a road in a circle through the start tile",
        "draw:V place:1,0,0 claim:0,meeple draw:V place:1,1,1 draw:U place:0,1,1 draw:V "
        "place:-1,1,2 draw:V place:-1,0,3",
        ["0: road 6x1 = 6"],
    ),
    (
        "a road in a circle with a gap is open",
        "draw:V place:1,0,0 claim:0,meeple draw:V place:1,1,1 draw:U place:0,1,1 draw:V "
        "place:-1,1,2",
        [],
    ),
    (
        "a city whose last gap is walled",
        "draw:R place:0,-1,2 claim:0,meeple draw:E place:1,-1,3 draw:E place:-1,-1,1",
        ["0: city 4x2 = 8"],
    ),
    ("a city with one gap is open", "draw:R place:0,-1,2 claim:0,meeple draw:E place:1,-1,3", []),
    (
        "two coats of arms",
        "draw:C place:0,-1,0 claim:0,meeple draw:E place:1,-1,3 draw:E place:-1,-1,1 draw:F "
        "place:0,-2,1 draw:E place:0,-3,2",
        ["0: city 6x2, coat of arms 2x2 = 16"],
    ),
    (
        "a road that comes back to its crossing counts the crossing once",
        "draw:X place:1,0,0 claim:0,meeple draw:V place:1,-1,3 draw:V place:2,-1,0 draw:V "
        "place:2,0,1",
        ["0: road 4x1 = 4"],
    ),
    (
        "two knights of two players in one city",
        "draw:F place:0,-1,1 claim:0,meeple draw:E place:1,-1,0 claim:0,meeple draw:N "
        "place:0,-2,2 draw:N place:1,-2,3",
        ["0: city 5x2, coat of arms 1x2 = 12", "1: city 5x2, coat of arms 1x2 = 12"],
    ),
]
TWO_FARMERS = "draw:E place:0,-1,2 claim:1,meeple draw:U place:1,0,1 claim:2,meeple"
ENDS = [
    (
        "two fields beside one completed city",
        TWO_FARMERS,
        ["0: completed city 1x3 = 3", "1: completed city 1x3 = 3"],
    ),
    (
        "the two fields joined, by a tile whose own city stays open",
        f"{TWO_FARMERS} draw:E place:1,-1,0",
        ["0: completed city 1x3 = 3", "1: completed city 1x3 = 3"],
    ),
    (
        "a field with two completed cities",
        "draw:E place:0,-1,2 draw:E place:1,-1,0 claim:1,meeple draw:E place:1,-2,2",
        ["1: completed city 2x3 = 6"],
    ),
    (
        "the city beyond the road",
        "draw:U place:1,0,1 claim:1,meeple draw:E place:0,-1,2",
        ["0: field 0 = 0"],
    ),
]


def cases(told: list[tuple[str, str, list[str]]]) -> list[object]:
    return [pytest.param(moves, points, id=what) for what, moves, points in told]


@pytest.mark.rule("BASE-07", "BASE-08", "BASE-10", "BASE-11", "BASE-14")
@pytest.mark.parametrize(("moves", "points"), cases(TURNS))
def test_what_is_completed(moves: str, points: list[str]) -> None:
    assert scored(skip(do(begin("base", 2), moves))) == points


@pytest.mark.rule("BASE-11", "BASE-14", "BASE-17", "BASE-18")
@pytest.mark.parametrize(("moves", "points"), cases(ENDS))
def test_farmers_at_the_end(moves: str, points: list[str]) -> None:
    state = skip(do(begin("base", 2), moves))
    assert [text for text in scored(finish(state)) if "city 2x2" not in text] == points


def stand(state: State, owner: int, x: int, y: int, segment: int) -> State:
    """One more meeple there."""
    state.put_follower(state.board.segment_at(x, y, segment), owner, 0)
    return state


TWO_CITIES = "draw:E place:1,-1,0 claim:0,meeple draw:N place:0,-2,2"


@pytest.mark.rule("BASE-11", "BASE-12", "BASE-14", "BASE-19")
def test_two_knights_against_one_who_scores_nothing_and_goes_home() -> None:
    state = stand(do(begin("base", 2), "draw:F place:0,-1,1 claim:0,meeple"), 0, 0, 0, 0)
    skip(do(state, f"{TWO_CITIES} draw:N place:1,-2,3"))
    assert scored(state) == ["0: city 5x2, coat of arms 1x2 = 12"]
    assert state.to_dict()["supplies"] == [{"meeple": 7}] * 2
    assert finish(state).winners == [0]


@pytest.mark.rule("BASE-11", "BASE-16")
def test_the_majority_counts_at_the_end_as_before() -> None:
    """R joins both cities and leaves the east open."""
    state = stand(do(begin("base", 2), "draw:F place:0,-1,1 claim:0,meeple"), 0, 0, 0, 0)
    skip(do(state, f"{TWO_CITIES} draw:R place:1,-2,2"))
    assert scored(finish(state)) == ["0: city 5x1, coat of arms 1x1 = 6"]


@pytest.mark.rule("BASE-11", "BASE-17")
def test_the_majority_on_a_field_takes_it() -> None:
    """The second farmer stands between the start tile's city and its road."""
    state = stand(do(begin("base", 2), TWO_FARMERS), 1, 0, 0, 2)
    skip(do(state, "draw:E place:1,-1,0"))
    assert scored(finish(state)) == ["1: completed city 1x3 = 3"]


@pytest.mark.rule("BASE-03")
@pytest.mark.parametrize(
    ("moves", "places"),
    [
        ("draw:E", "0,-1,2 0,1,1 0,1,2 0,1,3"),
        (  # at 1,-1 it lies beside two fields: its two roads must face north and east
            "draw:U place:1,0,1 draw:E place:0,-1,2 draw:V",
            "-1,-1,0 -1,-1,1 -1,0,2 -1,0,3 0,-2,1 0,-2,2 0,1,0 0,1,3 "
            "1,-1,2 1,1,0 1,1,3 2,0,0 2,0,1",
        ),
    ],
    ids=["a city on one edge", "all neighbours at once"],
)
def test_where_a_tile_may_lie(moves: str, places: str) -> None:
    state = skip(do(begin("base", 2), moves))
    assert sorted(legal(state)) == sorted(f"place:{place}" for place in places.split())


@pytest.mark.rule("BASE-15", "BASE-16")
def test_the_last_tile_s_turn_is_scored() -> None:
    state = emptied(begin("base", 2), "E")
    do(state, "draw:E place:0,-1,2 claim:0,meeple")
    assert state.is_terminal
    assert (scored(state), state.winners) == (["0: city 2x2 = 4"], [0])
