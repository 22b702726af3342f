"""The numbers of figures that are alike."""

from support.notation import begin, expansion_of, put

from carc.formats.jcz.supply import Figures

BLACKSMITH = (-1, 1, 0)
ROAD = (0, 1, 1)


def test_a_follower_keeps_its_number_on_the_way_through_carcassonne() -> None:
    """The first goes on a road; the second into the city; the first goes home, the second joins."""
    state = begin("base+count", 2)
    city, figures = expansion_of(state, "count").city, Figures(state.rules)
    road, quarter = (state.board.segment_at(*place) for place in (ROAD, BLACKSMITH))
    put(state, 0, ROAD)
    figures.follow(state)
    city._enter(state, quarter, 0, 0)
    figures.follow(state)
    assert figures.standing(quarter, 0, "meeple") == "0.small.2"
    state.take_follower(road)
    figures.follow(state)
    city._join(state, road, 0, 0)
    figures.follow(state)
    assert figures.standing(road, 0, "meeple") == "0.small.2"
    assert figures.at_home(0, "meeple") == "0.small.1"
