"""How a state keeps what lies and stands on the table: order, far cells, several on one segment, the agenda."""

import random
from collections.abc import Iterable

import pytest

from carc import Rules, Step
from carc.base.actions import place
from carc.base.figures import NOBODY
from carc.base.scoring import FIELD, ROAD


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


def test_members_of_what_is_no_feature_are_refused_not_looked_for_for_ever() -> None:
    state = Rules.named("base").start()
    for nothing in (-1, state.segments):
        with pytest.raises(IndexError):
            state.members(nothing)


def test_figures_and_places_are_counted_and_picked_in_the_order_they_are_listed_in() -> None:
    """Forty tiles of a random game, red once more wherever red stands."""
    state, rng = Rules.named("base").start(), random.Random(2)
    while state.tiles < 40:
        state.apply(state.random_action(rng))
    mine = {segment for segment, owner, _ in state.figures() if owner == 0}
    for segment in mine:
        state.add_supply(0, 0, 1)
        state.put_follower(segment, 0, 0)
    state.add_supply(0, 0, 1)

    def by_place(segments: Iterable[int]) -> list[int]:
        return sorted(segments, key=lambda s: (state.place_of(s)[1], state.place_of(s)))

    def free(segment: int) -> bool:
        feature = state.feature_of(segment)
        incomplete = state.is_open(feature) or state.is_kind(segment, FIELD)
        return incomplete and not state.is_claimed(feature) and state.cell_under(segment) != start

    start, roads = state.cell_of(0), 1 << ROAD
    (first, *others) = [
        f for f in state.features_laid() if state.is_open(f) and state.kind_of(f) == "road"
    ]
    assert len(mine) > 3 and len(others) > 3
    assert state.figures_of(0, 1, NOBODY) == [(s, 0) for s in by_place(mine)]
    picked = [
        state.figure_of(0, 1, at, NOBODY) for at in range(state.count_figures_of(0, 1, NOBODY))
    ]
    assert picked == state.figures_of(0, 1, NOBODY)
    but = (min(mine), 0, 0)
    assert state.figures_of(0, 1, but) == picked, "of two there one is left"
    assert state.count_figures_of(0, 1, but) == len(picked)
    assert state.figures_in([state.feature_of(min(mine))], 1)[0][1:] == (0, 0)
    firsts = [by_place(state.members(feature))[0] for feature in others]
    assert state.open_ones(roads, [first]) == by_place(firsts)
    picked = [state.open_one(roads, [first], at) for at in range(state.count_open(roads, [first]))]
    assert picked == by_place(firsts)
    places = by_place(filter(free, range(state.segment_of(state.last, 0))))
    assert state.free_places(0, start) == [(s, 0) for s in places]
    picked = [state.free_place(0, start, at) for at in range(state.count_free_places(0, start))]
    assert picked == state.free_places(0, start)
    assert state.count_free_places(0, -1) > len(places)


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
