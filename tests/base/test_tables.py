"""How a state keeps what lies and stands on the table: order, far cells, several on one segment,
the agenda.
"""

import random
from collections.abc import Iterable

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from carc import Rules, Step
from carc.base.board.candidates import Ranks, segment_in
from carc.base.board.followers import NOBODY
from carc.base.cells import cell_at
from carc.base.game.actions import on_cell, on_segment, place
from carc.base.game.scoring import FIELD, ROAD


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


def test_choices_of_cells_and_segments_are_made_once_each() -> None:
    cells = [cell_at(x, y) for y in range(-18, 19) for x in range(-18, 19)]
    made = [on_cell("test", cell) for cell in cells]
    assert [action.cell for action in made] == cells
    assert all(on_cell("test", cell) is one for cell, one in zip(cells, made, strict=True))
    keys = [
        (cell, index, layer) for cell in cells[600:] for index in (0, 7, 16, 17) for layer in (1, 0)
    ]
    choices = [on_segment("test", *key) for key in keys]
    assert [(one.cell, one.index, one.layer) for one in choices] == keys
    assert all(on_segment("test", *key) is one for key, one in zip(keys, choices, strict=True))


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


def test_figures_and_places_are_found_once_each_and_picked_by_place() -> None:
    """Forty tiles of a random game, red once more wherever red stands."""
    state, rng = Rules.named("base").start(), random.Random(2)
    while state.tiles < 40:
        state.apply(state.random_action(rng))
    mine = {segment for segment, owner, _ in state.figures() if owner == 0}
    for segment in mine:
        state.add_supply(0, 0, 1)
        state.put_follower(segment, 0, 0)
    state.add_supply(0, 0, 1)

    def told(ranks: Ranks) -> list[int]:
        """The segments of ranks in the order in which they are picked."""
        picked = [segment_in(ranks.at(at)) for at in range(ranks.n)]
        assert picked == [segment_in(rank) for rank in ranks.in_order()]
        return picked

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
    assert told(state.ranks_of(0, 1, NOBODY, Ranks())) == by_place(mine)
    assert told(state.ranks_of(0, 0, NOBODY, Ranks())) == []
    twice = (min(mine), 0, 0)
    assert told(state.ranks_of(0, 1, twice, Ranks())) == by_place(mine), "of two there one is left"
    there = state.ranks_in([state.feature_of(twice[0])], 1, 0, Ranks())
    assert told(there).count(twice[0]) == 1
    state.take_follower(*twice)
    assert told(state.ranks_of(0, 1, twice, Ranks())) == by_place(mine - {twice[0]})
    fields = {segment for segment in mine if state.is_kind(segment, FIELD)}
    assert told(state.ranks_on(0, 1, FIELD, Ranks())) == by_place(fields) != by_place(mine)
    firsts = [by_place(state.members(feature))[0] for feature in others]
    assert told(state.open_ranks(roads, [first], Ranks())) == by_place(firsts)
    places = by_place(filter(free, range(state.segment_of(state.last, 0))))
    assert told(state.free_ranks(0, start, 0, Ranks())) == places
    both = told(state.free_ranks(0, start, 1, state.ranks_of(0, 1, NOBODY, Ranks())))
    assert both == [*told(state.ranks_of(0, 1, NOBODY, Ranks())), *places], (
        "another sort comes behind"
    )
    assert state.free_ranks(0, -1, 0, Ranks()).n > len(places) > 12


def test_tiles_that_lie_face_down_are_not_among_those_at_some_steps() -> None:
    state, start = Rules.named("base").start(), cell_at(0, 0)
    steps = vec[i64]([-1, 0, 1])
    assert state.tiles_at(start, steps) == 0b010
    state.lay_face_down(start - 1)
    assert state.tiles_at(start, steps) == 0b010
    assert state.tiles_at(start + 1, steps) == 0b001


def test_what_is_counted_is_kept_for_who_counted_it_and_not_changed_by_copies() -> None:
    """Of ranks 5, 3 and 4 the first in order is 3; a copy has them too until one of the two counts
    anew.
    """
    state = Rules.named("base").start()
    found = state.counting(state)
    for rank in (5, 3, 4):
        found.add(rank)
    assert state.has_counted(state) and not state.has_counted(None)
    copy = state.copy()
    assert [copy.rank_at(at) for at in range(3)] == [3, 4, 5]
    with pytest.raises(IndexError):
        state.rank_at(3)
    copy.counting(copy).add(7)
    state.counting(state).add(9)
    assert (state.rank_at(0), copy.rank_at(0)) == (9, 7)
    again = state.counting(copy)
    assert again.n == 0 and state.has_counted(copy)


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
