"""How a state keeps what lies and stands on the table: order, far cells, several on one segment, the agenda."""

from carc import Rules, Step
from carc.base.actions import place


def test_placements_far_from_the_start_are_made_once_too() -> None:
    for x, y in (
        (0, 0),
        (31, -32),
        (32, 0),
        (-32, 1),
        (-33, 5),
        (0, 32),
        (0, -33),
        (-500, 500),
        (96, 1),
    ):
        for rotation in range(4):
            made = place(x, y, rotation)
            assert (made.x, made.y, made.rotation) == (x, y, rotation)
            assert place(x, y, rotation) is made


def test_segments_are_in_order_by_cell_then_index() -> None:
    state = Rules.named("base").start()
    catalogue = state.rules.catalogue
    for x in (1, -1):  # straight roads east and west of the start tile
        state.lay(catalogue.index["U"], place(x, 0, 1).cell, 1)
    by_place = sorted(range(state.segments), key=state.place_of)
    assert state.in_order(reversed(range(state.segments))) == by_place
    assert by_place != list(range(state.segments))


def test_several_on_a_segment_are_told_of_together_and_once() -> None:
    state = Rules.named("base").start()
    for segment, owner in ((0, 0), (1, 1), (0, 1), (1, 0)):
        state.put_follower(segment, owner, 0)
    assert state.followers == [0, 1]
    assert [state.all_at(0), state.all_at(1)] == [[(0, 0), (1, 0)], [(1, 0), (0, 0)]]
    assert state.followers_on(state.feature_of(0)) == [0]
    state.take_follower(0, 0, 0)
    assert (state.followers, state.all_at(0)) == ([0, 1], [(1, 0)])


def test_a_step_is_scheduled_before_one_that_waits_below_others() -> None:
    state = Rules.named("base").start()
    names = [step.name for step, _ in reversed(state.agenda)]
    state.schedule(Step("extra"), 1, state.agenda[-4][0])
    assert [step.name for step, _ in reversed(state.agenda)] == [*names[:3], "extra", *names[3:]]
    assert names == ["draw", "place", "claim", "score", "end"]
