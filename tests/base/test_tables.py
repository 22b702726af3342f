"""How a state keeps what is on the table: order, far cells, several on one segment, the agenda."""

import random
from collections.abc import Iterable

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from carc import Rules, Step
from carc.base.board.candidates import Candidates, segment_in
from carc.base.cells import cell_at
from carc.base.game.playout import random_action
from carc.base.small_set import SmallSet, TileKinds
from carc.base.tiles.tile import FIELD, ROAD
from carc.base.turn.actions import PASS, on_cell, on_segment, place
from carc.base.turn.choices import NO_CHOICES, Listed


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
        (97, 1),
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
    state = Rules.from_spec("base").start()
    catalogue = state.rules.catalogue
    for x in (1, -1):  # straight roads east and west of the start tile
        state._lay(catalogue.index["U"], place(x, 0, 1).cell, 1)
    by_place = sorted(range(state.board.segment_count), key=state.board.place_of)
    assert state.board.in_order(reversed(range(state.board.segment_count))) == by_place
    assert by_place != list(range(state.board.segment_count))


def test_members_of_what_is_no_feature_are_refused_not_looked_for_for_ever() -> None:
    state = Rules.from_spec("base").start()
    for nothing in (-1, state.board.segment_count):
        with pytest.raises(IndexError):
            state.board.members(nothing)


def test_figures_and_places_are_found_once_each_and_picked_by_place() -> None:
    """Forty tiles of a random game, red once more wherever red stands."""
    state, rng = Rules.from_spec("base").start(), random.Random(2)
    while state.board.tile_count < 40:
        state.apply(random_action(state, rng))
    mine = {segment for segment, owner, _ in state.board.all_followers() if owner == 0}
    for segment in mine:
        state.board.add_supply(0, 0, 1)
        state.put_follower(segment, 0, 0)
    state.board.add_supply(0, 0, 1)

    def told(candidates: Candidates) -> list[int]:
        """The segments of candidates in the order in which they are picked."""
        picked = [segment_in(candidates.at(at)) for at in range(candidates.count)]
        assert picked == candidates.segments()
        return picked

    def by_place(segments: Iterable[int]) -> list[int]:
        return sorted(segments, key=lambda s: (state.board.place_of(s)[1], state.board.place_of(s)))

    def free(segment: int) -> bool:
        feature = state.board.feature_of(segment)
        incomplete = state.board.is_open(feature) or state.board.is_kind(segment, FIELD)
        return (
            incomplete
            and not state.board.is_claimed(feature)
            and state.board.cell_under(segment) != start
        )

    board, start, meeples = state.board, state.board.cell_of(0), SmallSet([0])
    (first, *others) = [
        f for f in board.all_features() if board.is_open(f) and board.kind_of(f) == "road"
    ]
    assert len(mine) > 3 and len(others) > 3
    assert told(board.figures_of(0, meeples)) == by_place(mine)
    assert told(board.figures_of(0, SmallSet([]))) == []
    twice = (min(mine), 0, 0)
    assert told(board.figures_of(0, meeples, twice)) == by_place(mine), "of two there one is left"
    there = [board.feature_of(twice[0])]
    assert told(board.figures_in(there, meeples)).count(twice[0]) == 1
    assert told(board.figures_in(there, meeples, 1)) == []
    state.take_follower(*twice)
    assert told(board.figures_of(0, meeples, twice)) == by_place(mine - {twice[0]})
    fields = {segment for segment in mine if board.is_kind(segment, FIELD)}
    assert told(board.figures_of_on(0, meeples, FIELD)) == by_place(fields) != by_place(mine)
    firsts = [by_place(board.members(feature))[0] for feature in others]
    assert told(board.open_features(SmallSet([ROAD]), [first])) == by_place(firsts)
    beside = board.places_beside(0, meeples, FIELD, [])
    assert told(beside) == by_place(fields), "the supply may follow whoever stands on fields"
    tile = board.tile_under(min(fields))
    left = [segment for segment in fields if board.tile_under(segment) != tile]
    assert told(board.places_beside(0, meeples, FIELD, [tile])) == by_place(left)
    assert told(board.first_figures(meeples, SmallSet([0]))) == by_place(mine)
    places = by_place(filter(free, range(board.segment_of(board.last_tile, 0))))
    assert told(board.free_places(0, [0])) == places
    assert board.free_places(0, []).count > len(places) > 12


def test_choices_go_one_behind_the_other_and_pass_is_last() -> None:
    state = Rules.from_spec("base").start()
    here, there = (Listed([on_cell("test", cell)]) for cell in (1, 2))
    assert here.then(there).actions(state) == [*here.listed, *there.listed]
    assert here.then(NO_CHOICES) is here and NO_CHOICES.then(here) is here
    assert there.or_pass().actions(state) == [*there.listed, PASS]
    assert NO_CHOICES.or_pass() is NO_CHOICES


def test_sets_of_kinds_of_tile_are_united_and_compared_by_what_is_in_them() -> None:
    none, first, last = (TileKinds([a == 1, False, a == 2]) for a in range(3))
    both = first | last
    assert [kind in both for kind in range(3)] == [True, False, True]
    assert both.equals(last | first) and not both.equals(last)
    assert (none | first).equals(first) and (first | none).equals(first)


def test_tiles_that_lie_face_down_are_not_among_those_at_some_steps() -> None:
    state, start = Rules.from_spec("base").start(), cell_at(0, 0)
    steps = vec[i64]([-1, 0, 1])
    assert state.board.tiles_at(start, steps) == 0b010
    state.lay_face_down(start - 1)
    assert state.board.tiles_at(start, steps) == 0b010
    assert state.board.tiles_at(start + 1, steps) == 0b001


def test_several_on_a_segment_are_told_of_together_and_once() -> None:
    state = Rules.from_spec("base").start()
    for segment, owner in ((0, 0), (1, 1), (0, 1), (1, 0)):
        state.put_follower(segment, owner, 0)
    assert state.board.occupied_segments() == [0, 1]
    assert [state.board.followers_at(0), state.board.followers_at(1)] == [
        [(0, 0), (1, 0)],
        [(1, 0), (0, 0)],
    ]
    assert state.board.occupied_segments_of(state.board.feature_of(0)) == [0]
    state.take_follower(0, 0, 0)
    assert (state.board.occupied_segments(), state.board.followers_at(0)) == ([0, 1], [(1, 0)])


def test_a_step_is_scheduled_before_one_that_waits_below_others() -> None:
    state = Rules.from_spec("base").start()
    names = [step.name for step, _ in reversed(state.agenda)]
    state.schedule(Step("extra"), 1, state.agenda[-4][0])
    assert [step.name for step, _ in reversed(state.agenda)] == [*names[:3], "extra", *names[3:]]
    assert names == ["draw", "place", "claim", "score", "end"]
