"""King & Robber Baron, counted by hand."""

import pytest
from support.notation import begin, do, estimates_of, finish, lay, scored, skip

from carc import State


def titles(state: State) -> dict[str, int | None]:
    """Who is king, who robber baron."""
    return {name: title["owner"] for name, title in state.to_dict()["titles"].items()}


@pytest.mark.rule("KNG-01")
def test_who_completes_the_first_city_is_king_whoever_scores_it() -> None:
    """Two tiles by green, claimed by nobody; then two by red, which is no more."""
    state = begin("base+king", 2)
    assert titles(state) == {"king": None, "robber": None}
    do(state, "draw:U place:1,0,1 pass draw:E place:0,-1,2 pass")
    assert titles(state) == {"king": 1, "robber": None}
    do(state, "draw:E place:0,-2,0 draw:U place:2,0,1 draw:E place:0,-3,2 pass")
    assert titles(state) == {"king": 1, "robber": None}, "an equal one does not take it"


@pytest.mark.rule("KNG-01")
def test_a_larger_city_takes_the_title() -> None:
    """Two tiles by green, then three by red."""
    state = begin("base+king", 2)
    do(state, "draw:U place:1,0,1 draw:E place:0,-1,2 draw:E place:0,-2,0 draw:V place:2,0,1")
    assert titles(state)["king"] == 1
    do(state, "draw:G place:0,-3,0 draw:U place:-1,0,1 draw:E place:0,-4,2 pass")
    assert titles(state)["king"] == 0


@pytest.mark.rule("KNG-01")
def test_the_longest_road_makes_the_robber_baron() -> None:
    """Start tile and two crossings: 3 tiles, completed by green."""
    state = do(begin("base+king", 2), "draw:W place:1,0,0 draw:W place:-1,0,2 pass")
    assert titles(state) == {"king": None, "robber": 1}
    assert state.to_dict()["titles"]["robber"]["tiles"] == 3


@pytest.mark.rule("KNG-02")
def test_at_the_end_each_counts_what_is_completed() -> None:
    """A city of two tiles by green; a road of three by red, claimed by nobody."""
    state = do(begin("base+king", 2), "draw:W place:1,0,0 draw:E place:0,-1,2 draw:W place:-1,0,2")
    assert scored(finish(skip(state))) == ["1: king 1x1 = 1", "0: robber 1x1 = 1"]


@pytest.mark.rule("KNG-02")
def test_bots_expect_what_the_titles_will_bring() -> None:
    state = do(begin("base+king", 2), "draw:U place:1,0,1 draw:E place:0,-1,2 pass")
    king = estimates_of(state, "king")
    assert king.expected_points(state, [0.0, 0.0]) == [0.0, 1.0]


@pytest.mark.rule("KNG-02")
@pytest.mark.parametrize(
    ("worth", "one_each", "both"),
    [
        ("10", ["1: king 1x10 = 10", "0: robber 1x10 = 10"], ["1: king 1x10 = 10"]),
        ("15", ["1: king 1x15 = 15", "0: robber 1x15 = 15"], ["1: king 1x20 = 20"]),
        ("at_once", [], []),
    ],
)
def test_titles_may_be_worth_points_of_their_own(
    worth: str, one_each: list[str], both: list[str]
) -> None:
    """A city by green and a road by red; then a city and a road by green alone."""
    state = do(
        begin(f"base+king(worth={worth})", 2),
        "draw:W place:1,0,0 draw:E place:0,-1,2 draw:W place:-1,0,2",
    )
    expected = estimates_of(skip(state), "king").expected_points(state, [0.0, 0.0])
    assert scored(finish(state)) == one_each
    assert expected == [float(state.scores[0]), float(state.scores[1])]
    state = do(
        begin(f"base+king(worth={worth})", 2),
        "draw:W place:1,0,0 draw:E place:0,-1,2 draw:B place:0,1,0 draw:W place:-1,0,2",
    )
    robber = [text.replace("king", "robber") for text in both]
    assert scored(finish(skip(state))) == both + robber


@pytest.mark.rule("KNG-02")
def test_titles_may_score_as_cities_are_completed() -> None:
    """Green's first city brings nothing; red's next ones, of two and three tiles, score for green.

    The last is red's third of four, who is king by then.
    """
    state = do(
        begin("base+king(worth=at_once)", 2),
        "draw:U place:1,0,1 draw:E place:0,-1,2 draw:E place:0,-2,0 draw:U place:2,0,1",
    )
    assert scored(state) == []
    do(state, "draw:E place:0,-3,2 pass")
    assert scored(state) == ["1: king 1x1 = 1"]
    do(state, "draw:B place:0,1,0 draw:E place:0,-4,0 draw:V place:3,0,1 draw:G place:0,-5,0")
    do(state, "draw:E place:0,-6,2 pass")
    assert scored(state)[1:] == ["1: king 1x1 = 1"]
    assert scored(finish(skip(state)))[2:] == []


@pytest.mark.rule("KNG-02")
def test_who_becomes_king_by_a_turn_scores_from_the_next_one_on() -> None:
    """Green is king of a city of two tiles. Red completes two at once, one of them of three."""
    state = begin("base+king(worth=at_once)", 2)
    lay(state, "E 0,1,2", "G 0,3,0", "E 0,4,0")
    do(state, "draw:B place:1,1,0 pass")
    do(state, "draw:E place:0,-1,2 pass")
    assert titles(state)["king"] == 1
    do(state, "draw:H place:0,2,0 pass")
    assert titles(state)["king"] == 0
    assert scored(state) == ["1: king 2x1 = 2"]
