"""The numbers of figures that are alike."""

from contextlib import nullcontext

import pytest
from support.notation import begin, do, expansion_of, kept, lay

from carc.errors import BadRecord
from carc.formats.jcz.figure_numbers import Figures
from carc.formats.jcz.reading import Reader
from carc.formats.jcz.saved_game import Message

BLACKSMITH = (-1, 1, 0)
ROAD = (0, 1, 1)


def test_a_follower_keeps_its_number_on_the_way_through_carcassonne() -> None:
    """The first goes on a road; the second into the city; the first goes home, the second joins."""
    state = begin("base+count", 2)
    city, figures = expansion_of(state, "count").city, Figures(state.rules)
    road, quarter = (state.board.segment_at(*place) for place in (ROAD, BLACKSMITH))
    assert figures.put(road, 0, "meeple") == "0.small.1"
    state.put_follower(road, 0, 0)
    figures.follow(state)
    assert figures.put(quarter, 0, "meeple") == "0.small.2"
    city._enter(state, quarter, 0, 0)
    figures.follow(state)
    state.take_follower(road)
    figures.follow(state)
    assert figures.move(quarter, road, 0, "meeple") == "0.small.2"
    city._join(state, road, 0, 0)
    figures.follow(state)
    assert figures.standing(road, 0, "meeple") == ["0.small.2"]
    assert figures.at_home(0, "meeple") == "0.small.1"


def test_who_is_put_down_when_another_goes_home_has_a_number_of_its_own() -> None:
    """The second completes the first one's city: both stood on the board for a moment."""
    state = begin("base", 2)
    figures = Figures(state.rules)
    start = state.board.segment_at(0, 0, 0)
    assert figures.put(start, 0, "meeple") == "0.small.1"
    state.put_follower(start, 0, 0)
    do(state, "draw:E place:0,-1,2")
    here = state.board.segment_at(0, -1, 1)
    assert figures.put(here, 0, "meeple") == "0.small.2"
    do(state, "claim:1,meeple")
    figures.follow(state)
    assert figures.standing(here, 0, "meeple") == ["0.small.2"]
    assert figures.at_home(0, "meeple") == "0.small.1"


def test_who_leaves_first_of_two_alike_is_who_came_first() -> None:
    state = begin("base+crops", 2)
    figures = Figures(state.rules)
    city = state.board.segment_at(0, 0, 0)
    for number in (1, 2):
        assert figures.put(city, 0, "meeple") == f"0.small.{number}"
        state.put_follower(city, 0, 0)
    assert figures.standing(city, 0, "meeple") == ["0.small.1", "0.small.2"]
    state.take_follower(city, 0, 0)
    figures.follow(state)
    assert figures.standing(city, 0, "meeple") == ["0.small.2"]


def test_the_fairys_companion_leaves_after_another_who_is_alike() -> None:
    """By DRG-05 she stays with one of them; there she is with a figure of a number."""
    state = begin("base+crops+dragon", 2)
    figures = Figures(state.rules)
    city = state.board.segment_at(0, 0, 0)
    assert [figures.put(city, 0, "meeple") for _ in range(3)] == [f"0.small.{n}" for n in (1, 2, 3)]
    figures.companion = "0.small.1"
    assert [figures.send_home(city, 0, "meeple") for _ in range(3)] == [
        f"0.small.{n}" for n in (2, 3, 1)
    ]


@pytest.mark.parametrize("lies", [1, 2])
def test_who_lies_in_a_monastery_stays_when_one_alike_is_scored(lies: int) -> None:
    state = lay(begin("base+monasteries", 2), "MO01 0,1,0")
    figures, monastery = Figures(state.rules), state.board.segment_at(0, 1, 0)
    for _ in range(2):
        figures.put(monastery, 0, "meeple")
    figures.lying.add(f"0.small.{lies}")
    state.board.seat_follower(monastery, 0, 0)
    figures.follow(state)
    assert figures.standing(monastery, 0, "meeple") == [f"0.small.{lies}"]


@pytest.mark.parametrize(
    ("came", "location", "is_read"),
    [
        ("lies stands", "AS_ABBOT", True),
        ("lies stands", "I", False),
        ("stands lies", "I", True),
        ("stands lies", "AS_ABBOT", False),
        ("lies", "AS_ABBOT", True),
        ("stands", "I", True),
    ],
)
@pytest.mark.parametrize("kind", ["CAPTURE_FOLLOWER", "RETURN_MEEPLE"])
def test_a_file_says_which_of_two_alike_leaves_a_monastery(
    kind: str, came: str, location: str, is_read: bool
) -> None:
    """Here who came first does (MON-01)."""
    state = lay(begin("base+festival+monasteries+tower", 2), "MO01 0,1,0")
    monastery = state.board.segment_at(0, 1, 0)
    for posture in came.split():
        state.board.seat_follower(monastery, 0, 0)
        if posture == "lies":
            kept(state, "monasteries").lay_last(state.board, monastery)
    pointer = {"position": [0, 1], "location": location, "feature": "Monastery"}
    payload = {"pointer": {"featurePointer": pointer, "meepleId": "0.small.1"}}
    message = Message(1, kind, {**payload, "source": "FESTIVAL"}, 0)
    with nullcontext() if is_read else pytest.raises(BadRecord, match="who came first leaves"):
        assert (
            Reader(state.rules, state)
            .read(message)
            .texts[0]
            .endswith(("capture:0,1,0,meeple,red", "festival:0,1,0,meeple"))
        )


@pytest.mark.parametrize(("tile", "caught"), [("RQ02 0,1,0", (0, 0, 0)), ("RQ01 1,0,0", (0, 0, 1))])
def test_who_is_caught_stood_near_the_trap(tile: str, caught: tuple[int, int, int]) -> None:
    """Two are alike, and the one who was put there first goes home in the same action."""
    state = lay(begin("base+russian", 2), "U 5,5,1")
    figures = Figures(state.rules)
    places = [state.board.segment_at(*place) for place in ((5, 5, 0), caught)]
    for place in places:
        figures.put(place, 0, "meeple")
        state.put_follower(place, 0, 0)
    name, place_at = tile.split()
    state.take_follower(places[0])
    do(state, f"draw:{name} place:{place_at}")
    figures.follow(state)
    (trap,) = kept(state, "russian").traps
    assert figures.standing(trap, 0, "meeple") == ["0.small.2"]
    assert figures.at_home(0, "meeple") == "0.small.1"


def test_a_ransom_is_for_who_holds_the_figure() -> None:
    """Two jailers hold one each; the first captured goes free first."""
    state = begin("base+tower", 3)
    figures = Figures(state.rules)
    road = state.board.segment_at(0, 0, 1)
    prison = expansion_of(state, "tower").prison
    for number, jailer in ((1, 1), (2, 2)):
        assert figures.put(road, 0, "meeple") == f"0.small.{number}"
        assert figures.capture(road, 0, "meeple", jailer) == f"0.small.{number}"
        prison.jail(state, jailer, 0, 0)
    figures.follow(state)
    assert figures.prisoner(0, "meeple", 1) == "0.small.1"
    assert figures.prisoner(0, "meeple", 2) == "0.small.2"
    assert figures.at_home(0, "meeple") == "0.small.3"
    prison.jail(state, 1, 0, 0, -1)
    figures.follow(state)
    assert figures.at_home(0, "meeple") == "0.small.1"
