"""The Ferries, counted by hand."""

import random

import pytest
from support.notation import begin, do, feature_at, lay, legal, put, scored

from carc import Rules, State

# East of the start tile lies a lake whose roads lead west, south and east (segments 0, 1, 2).


def laked(ferry: str = "to2", spec: str = "base+ferries") -> State:
    """Player 0 placed the lake, and a ferry from its western road."""
    return do(begin(spec, 2), f"draw:FR02 place:1,0,0 pass ferry:1,0,0,{ferry}")


@pytest.mark.rule("FER-01")
def test_who_places_a_lake_joins_two_of_its_roads() -> None:
    state = do(begin("base+ferries", 2), "draw:FR02 place:1,0,0 pass")
    assert legal(state) == ["ferry:1,0,0,to1", "ferry:1,0,0,to2", "ferry:1,0,1,to2"]
    do(state, "ferry:1,0,0,to2")
    west, south, east = (feature_at(state, 1, 0, segment) for segment in range(3))
    assert west == east != south
    # The lake counts once; the road goes on in the west and in the east.
    assert (state.board.tiles_of(west), state.board.open_edges(west)) == (2, 2)


@pytest.mark.rule("FER-01")
def test_a_road_over_a_ferry_scores_as_one() -> None:
    """Crossings at both ends: four tiles."""
    state = put(lay(begin("base+ferries", 2), "W -1,0,2"), 0, (0, 0, 1))
    do(state, "draw:FR02 place:1,0,0 pass ferry:1,0,0,to2 draw:W place:2,0,2 pass pass")
    assert scored(state) == ["0: road 4x1 = 4"]


@pytest.mark.rule("FER-01")
def test_a_road_without_the_ferry_ends_at_the_lake() -> None:
    """The start tile's road ends at a crossing and at the lake: three tiles."""
    state = put(lay(begin("base+ferries", 2), "W -1,0,2"), 0, (0, 0, 1))
    do(state, "draw:FR02 place:1,0,0 pass ferry:1,0,1,to2")
    assert scored(state) == ["0: road 3x1 = 3"]


@pytest.mark.rule("FER-02")
def test_a_link_undone_leaves_the_rest_of_the_roads_as_it_was() -> None:
    """Three roads of two open ends each, the first at an inn; the others get one end and lose one.

    With so many expansions marks take several words; the inn's is the second.
    """
    state = lay(begin("base+darmstadt+inns+siege+traders", 2), "IC15 5,5,0", "U 7,5,0", "U 9,5,0")
    board, mark = state.board, state.rules.catalogue.mark("inn")
    inn, middle, last = (board.segment_at(x, 5, 0) for x in (5, 7, 9))
    board.link(middle, inn)
    board.link(middle, last)
    board.open_edge(last)
    board.close_edge(middle)
    board.unlink(middle, inn)
    rest = board.feature_of(middle)
    assert sorted(board.members(rest)) == [middle, last]
    assert (board.open_edges(inn), board.open_edges(rest)) == (2, 4)
    assert (board.mark(inn, mark), board.mark(rest, mark)) == (1, 0)


@pytest.mark.rule("FER-02")
def test_who_extends_a_road_may_move_the_next_ferry() -> None:
    """The western road loses its end over the lake and is complete with three tiles."""
    state = put(lay(laked(), "W -1,0,2"), 0, (0, 0, 1))
    do(state, "draw:V place:2,0,1 pass")
    assert (state.step.name, legal(state)) == (
        "ferries",
        ["ferry:1,0,0,to1", "ferry:1,0,1,to2", "pass"],
    )
    do(state, "ferry:1,0,1,to2")
    assert scored(state) == ["0: road 3x1 = 3"]
    assert state.board.supply_of(0) == 7
    road = feature_at(state, 1, 0, 1)
    assert road == feature_at(state, 1, 0, 2) == feature_at(state, 2, 0, 0)
    assert state.board.tiles_of(road) == 2


@pytest.mark.rule("FER-02")
def test_followers_stay_on_their_part_of_the_road() -> None:
    state = put(put(laked(), 0, (0, 0, 1)), 1, (1, 0, 2))
    west = feature_at(state, 0, 0, 1)
    assert [state.board.power(west, owner) for owner in (0, 1)] == [1, 1]
    do(state, "draw:V place:2,0,1 pass ferry:1,0,1,to2")
    parts = [feature_at(state, *place) for place in ((0, 0, 1), (2, 0, 0))]
    assert [[state.board.power(part, owner) for owner in (0, 1)] for part in parts] == [
        [1, 0],
        [0, 1],
    ]


@pytest.mark.rule("FER-02", "TRD-05")
@pytest.mark.parametrize(
    ("follower", "ferry", "stays"),
    [
        ((0, 0, 1), "ferry:1,0,0,to1", True),
        ((0, 0, 1), "ferry:1,0,1,to2", True),
        ((1, 0, 2), "ferry:1,0,0,to1", False),  # the ferry leaves the follower
        ((1, 0, 2), "ferry:1,0,1,to2", False),  # the ferry leaves the builder
    ],
)
def test_a_builder_whom_a_ferry_parts_from_its_follower_goes_home(
    follower: tuple[int, int, int], ferry: str, stays: bool
) -> None:
    """The builder is west of the lake, the follower west or east."""
    state = put(put(laked(spec="base+ferries+traders"), 0, follower), 0, (0, 0, 1), kind="builder")
    do(state, f"draw:V place:2,0,1 pass {ferry}")
    builder = state.rules.follower_number("builder")
    assert (state.board.supply_of(0, builder) == 0) is stays


@pytest.mark.rule("FER-02")
def test_no_ferry_moves_where_the_road_is_not_extended() -> None:
    assert do(laked(), "draw:E place:0,-1,2 pass").current_player < 0


@pytest.mark.rule("FER-02")
def test_only_the_nearest_ferry_moves_and_each_once() -> None:
    """A second lake lies beyond the first, and its road is extended."""
    state = do(laked(), "draw:FR02 place:2,0,0 pass ferry:2,0,0,to2 pass")
    do(state, "draw:V place:3,0,1 pass")
    assert {text.partition(",")[0] for text in legal(state)} == {"ferry:2", "pass"}
    do(state, "ferry:2,0,1,to2")
    assert state.current_player < 0  # it was moved already


@pytest.mark.rule("FER-02")
def test_a_position_with_a_moved_ferry_is_read_again() -> None:
    state = do(laked(), "draw:V place:2,0,1 pass ferry:1,0,1,to2")
    again = State.from_text(state.to_text())
    assert again == state and again.to_dict("features") == state.to_dict("features")


@pytest.mark.rule("FER-02")
def test_a_ferry_that_was_moved_may_move_again_in_a_later_turn() -> None:
    state = do(laked(), "draw:V place:2,0,1 pass ferry:1,0,1,to2")
    do(state, "draw:U place:2,-1,0 pass")
    assert "ferry:1,0,0,to1" in legal(state)


@pytest.mark.parametrize("seed", range(3))
def test_a_position_is_written_alike_whatever_was_joined_first(seed: int) -> None:
    """Ferries join and part roads; which segment stands for a feature then depends on the order."""
    rng = random.Random(seed)
    state = Rules.cached("base+ferries+ghosts", 2).start()
    while not state.is_terminal:
        data = state.to_dict()
        assert State.from_dict(data, state.rules).to_dict() == data
        for _ in range(3):
            if not state.is_terminal:
                state.apply(rng.choice(state.legal_actions()))
