"""Plays the scenarios of this folder; `tests/scenario.py` says how they are written."""

import pytest
import scenario
from scenario import Scenario, play, scenarios


@pytest.mark.parametrize(
    "told", [pytest.param(s, id=s.name, marks=pytest.mark.rule(*s.rules)) for s in scenarios()]
)
def test_it_happens_as_told(told: Scenario) -> None:
    play(told)


def told(*sentences: str) -> Scenario:
    lines = tuple(enumerate(sentences, start=1))
    return Scenario("here.txt", "Here", ("BASE-08",), "base", 2, lines)


CITY = "red draws E, lays it at 0,-1 turned 2 with a knight"


@pytest.mark.parametrize(
    ("sentences", "complaint"),
    [
        ([CITY], "it is not told that red scored city 2x2 = 4"),
        ([CITY, "red scored city for 5"], "not so; untold is red scored city 2x2 = 4"),
        ([CITY, "green scored city for 4"], "not so; untold is red scored city 2x2 = 4"),
        ([CITY, "red scored city for 4: city 4x1"], "untold is red scored city 2x2 = 4"),
        ([CITY, *["red scored city for 4"] * 2], "not so; untold is nothing"),
        ([CITY, "nobody scored"], "it is not told that red scored city"),
        (["red lies E at 0,-1"], "no sentence of a scenario"),
        (["green draws E"], "it is red's turn"),
        (["red draws E, lays it at 0,-1"], "place:0,-1,0 is not legal now; legal are"),
        (["red draws X, lays it at 1,0 with a farmer"], "a farmer could stand on segments"),
        (["red draws X", "it may lie only at 1,0"], "it may lie at"),
        (["red draws X, lays it at 1,0", "the follower may be none"], "it may be"),
        (["the score is red 1, green 0"], "the score is red 0, green 0"),
    ],
)
def test_what_is_told_wrong_is_noticed(sentences: list[str], complaint: str) -> None:
    with pytest.raises(AssertionError) as noticed:
        play(told(*sentences))
    assert complaint in str(noticed.value)
    assert str(noticed.value).startswith("here.txt:")


def test_every_scenario_has_a_title_of_its_own_and_names_its_rules() -> None:
    found = scenarios()
    assert len({one.name for one in found}) == len(found)
    assert all(one.rules for one in found)
    assert {path.name for path in scenario.FOLDER.glob("*.txt")} == {one.file for one in found}
