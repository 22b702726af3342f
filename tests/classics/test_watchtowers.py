"""The Watchtowers, counted by hand."""

import pytest
from support.notation import begin, do, estimates_of, lay, put, scored

# East of the start tile's southern neighbour, with its city to the east: E completes it.
CITY_EAST = "draw:E place:1,1,3 pass"


@pytest.mark.rule("WAT-01")
def test_a_watchtower_scores_before_the_city_of_the_follower_beside_it() -> None:
    """The start tile, the tower's own and the cap show cities."""
    state = put(lay(begin("base+watchtowers", 2), "WT03 0,1,1"), 0, (0, 1, 0))
    assert scored(do(state, CITY_EAST)) == ["0: watched cities 3x1 = 3", "0: city 2x2 = 4"]


@pytest.mark.rule("WAT-01")
def test_it_scores_for_its_follower_and_not_for_the_majority() -> None:
    """Green stands on the tower's tile, red with two followers elsewhere in the city."""
    state = lay(begin("base+watchtowers+inns", 2), "WT03 0,1,1", "N 1,1,3")
    put(state, 1, (0, 1, 0))
    put(state, 0, (1, 1, 0), kind="big")
    do(state, "draw:E place:1,2,0 pass")
    assert scored(state) == ["1: watched cities 4x1 = 4", "0: city 3x2 = 6"]


@pytest.mark.rule("WAT-01", "BRC-02")
@pytest.mark.parametrize(("option", "cities"), [("", 3), ("(castles=none)", 2)])
def test_a_castle_is_a_city_to_it_or_not_by_an_option(option: str, cities: int) -> None:
    """The castle of the start tile, the tower's own city and the cap's, which becomes none."""
    state = lay(begin(f"base+bridges+watchtowers{option}", 2), "WT03 0,1,1")
    put(state, 0, (0, 0, 0), (0, 1, 0))
    do(state, f"draw:E place:0,-1,2 pass castle:0,-1,0 {CITY_EAST} pass")
    assert scored(state)[0] == f"0: watched cities {cities}x1 = {cities}"


MONKS = ("B -1,2,0", "B 1,2,0")


@pytest.mark.rule("WAT-01")
@pytest.mark.parametrize("option", ["", "(castles=none)"])
@pytest.mark.parametrize(
    ("tiles", "follower", "last", "scoring"),
    [
        # The start tile, the tower's own and the crossing.
        (["WT05 0,1,2"], (0, 1, 1), "draw:W place:1,1,2 pass", "watched roads 3x1 = 3"),
        (
            ["WT11 0,1,0", *MONKS],
            (0, 1, 1),
            "draw:W place:1,1,2 pass",
            "watched monasteries 2x3 = 6",
        ),
        # Red's follower and green's at 1,2; green's other one is too far away.
        (["WT04 0,1,1", *MONKS, "B 1,3,0"], (0, 1, 0), CITY_EAST, "watched meeples 2x2 = 4"),
        # C and F next to it; M is too far away.
        (
            ["WT08 0,1,0", "C -1,2,0", "F 1,2,0", "M 1,3,0"],
            (0, 1, 0),
            CITY_EAST,
            "watched coats of arms 2x2 = 4",
        ),
    ],
)
def test_what_each_counts_on_the_nine_tiles(
    tiles: list[str], follower: tuple[int, int, int], last: str, scoring: str, option: str
) -> None:
    state = put(lay(begin(f"base+watchtowers{option}", 2), *tiles), 0, follower)
    if "meeples" in scoring:
        put(state, 1, (1, 2, 0), (1, 3, 0))
    watched = [s for s in scored(do(state, last)) if "watched" in s]
    assert watched == [f"0: {scoring}"]


@pytest.mark.rule("WAT-01")
def test_farmers_and_the_end_of_the_game_bring_nothing() -> None:
    state = put(lay(begin("base+watchtowers", 2), "WT03 0,1,1"), 0, (0, 1, 2))
    assert scored(do(state, CITY_EAST)) == []


@pytest.mark.rule("WAT-01")
def test_an_option_lets_it_score_at_once() -> None:
    """The start tile and the tower's own show cities. A pig is no follower."""
    state = begin("base+traders+watchtowers(bonus=claimed)", 2)
    do(state, "draw:WT03 place:0,1,1 claim:0,meeple")
    put(state, 0, (0, 1, 2), kind="pig")
    assert scored(state) == ["0: watched cities 2x1 = 2"]
    assert scored(do(state, CITY_EAST))[1:] == ["0: city 2x2 = 4"]


@pytest.mark.rule("WAT-01")
def test_bots_expect_half_of_it() -> None:
    """Two tiles show cities."""
    state = put(lay(begin("base+watchtowers", 2), "WT03 0,1,1"), 1, (0, 1, 0))
    towers = estimates_of(state, "watchtowers")
    assert towers.expected_points(state, [0.0, 0.0]) == [0.0, 1.0]
