"""`Frontier`: the free cells that features go on to, told by the board's own answers, cell by cell."""

import pickle
import random

import pytest

from carc import Frontier, Rules, State
from carc.base.cells import SIDES, cell_at

SPECS = ["base", "base+ghosts", "base+river+inns", "mists:5"]


def gaps_of(frontier: Frontier, feature: int) -> dict[int, tuple[int, int]]:
    """By free cell: what it demands, and the sides through which a feature comes."""
    found = {}
    gap = frontier.starts(feature)
    while gap >= 0:
        assert frontier.feature[gap] == feature
        assert frontier.cell[gap] not in found  # each cell once
        found[int(frontier.cell[gap])] = (int(frontier.demand[gap]), int(frontier.sides[gap]))
        gap = frontier.next[gap]
    assert list(found) == sorted(found)
    return found


def asked(state: State) -> dict[int, dict[int, tuple[int, int]]]:
    """The same of all features, asked side by side."""
    found: dict[int, dict[int, tuple[int, int]]] = {}
    for cell, demand in state.free_cells().items():
        for side in range(4):
            tile = state.tile_on_cell(cell + SIDES[side])
            if tile < 0:
                continue
            for segment in (state.at_side(tile, side ^ 2), state.overlay_at_side(tile, side ^ 2)):
                if segment >= 0:
                    here = found.setdefault(state.feature_of(segment), {})
                    here[cell] = (demand, here.get(cell, (0, 0))[1] | 1 << side)
    return found


@pytest.mark.parametrize("spec", SPECS)
def test_a_frontier_tells_what_the_board_answers_side_by_side(spec: str) -> None:
    rules = Rules.known(spec, 2)
    frontier = Frontier(rules)
    rng = random.Random(1)
    state = rules.start()
    hidden = 0
    while not state.is_terminal:
        state.apply(state.random_action(rng))
        if state.step.name == "place":
            frontier.look(state)
            told = asked(state)
            assert {f: gaps_of(frontier, f) for f in told} == told
            assert frontier.count == sum(map(len, told.values()))
            assert all(frontier.starts(f) == -1 for f in state.features_laid() if f not in told)
            hidden = max(hidden, len(state.face_down()))
    assert (hidden > 0) == (spec == "mists:5")


def test_two_cities_that_come_to_one_cell_each_have_their_gap_there() -> None:
    """The start tile's city goes on round a corner, to the cell that the city of the tile beside it opens to."""
    rules = Rules.known("base", 2)
    state = rules.start()
    for action in ("draw:N", "place:0,-1,2", "pass", "draw:D", "place:1,0,0", "pass"):
        state.apply(state.check(rules.parse(action)))
    frontier = Frontier(rules)
    frontier.look(state)
    corner = cell_at(1, -1)
    _, east, south, west = (1 << side for side in range(4))
    mine = gaps_of(frontier, state.feature_of(state.segment_at(0, 0, 0)))
    theirs = gaps_of(frontier, state.feature_of(state.segment_at(1, 0, 0)))
    road = gaps_of(frontier, state.feature_of(state.segment_at(0, 0, 1)))
    assert {cell: sides for cell, (_, sides) in mine.items()} == {corner: west}
    assert {cell: sides for cell, (_, sides) in theirs.items()} == {corner: south}
    assert {cell: sides for cell, (_, sides) in road.items()} == {
        cell_at(-1, 0): east,
        cell_at(2, 0): west,
    }
    assert mine[corner][0] == theirs[corner][0] == state.demand_of(corner)
    assert state.demand_of(cell_at(0, 0)) == 0  # a tile lies there
    assert state.demand_of(cell_at(2, -1)) == 0  # no tile beside it
    assert gaps_of(pickle.loads(pickle.dumps(frontier)), 0) == {}
