"""`Frontier`: the free cells that features continue to, as the board has them cell by cell."""

import pickle
import random

import pytest
from support.notation import do

from carc import Evaluation, Frontier, Rules, State
from carc.base.cells import SIDES, cell_at
from carc.base.game.playout import random_action
from carc.errors import CarcError

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
    for cell, demand in state.board.free_cells().items():
        for side in range(4):
            tile = state.board.tile_on_cell(cell + SIDES[side])
            if tile < 0:
                continue
            for segment in (
                state.board.segment_at_side(tile, side ^ 2),
                state.board.overlay_at_side(tile, side ^ 2),
            ):
                if segment >= 0:
                    here = found.setdefault(state.board.feature_of(segment), {})
                    here[cell] = (demand, here.get(cell, (0, 0))[1] | 1 << side)
    return found


@pytest.mark.parametrize("spec", SPECS)
def test_a_frontier_tells_what_the_board_answers_side_by_side(spec: str) -> None:
    rules = Rules.cached(spec, 2)
    frontier = Frontier(rules)
    rng = random.Random(1)
    state = rules.start()
    hidden = 0
    while not state.is_terminal:
        state.apply(random_action(state, rng))
        if state.step.name == "place":
            frontier.look(state)
            told = asked(state)
            assert {f: gaps_of(frontier, f) for f in told} == told
            assert frontier.count == sum(map(len, told.values()))
            assert all(
                frontier.starts(f) == -1 for f in state.board.all_features() if f not in told
            )
            hidden = max(hidden, len(state.board.face_down_cells()))
    assert (hidden > 0) == (spec == "mists:5")


@pytest.mark.parametrize("spec", ["base", "base+hills", "base+ghosts"])
def test_cities_and_roads_grow_nowhere_but_at_their_gaps(spec: str) -> None:
    """Also one that opens at an edge another city of its tile carries (hills, a vineyard)."""
    rules = Rules.cached(spec, 2)
    frontier, ask = Frontier(rules), Evaluation(rules)
    rng = random.Random(3)
    grown = 0
    for _ in range(3):
        state = rules.start()
        while not state.is_terminal:
            action = random_action(state, rng)
            if state.step.name != "place":
                state.apply(action)
                continue
            frontier.look(state)
            before = {}
            for feature in state.board.all_features():
                if state.board.kind_of(feature) in ("city", "road"):
                    gaps = gaps_of(frontier, feature)
                    before[feature] = state.board.tiles_of(feature), gaps
                    assert (len(gaps) > 0) == (state.board.open_edges(feature) > 0)
                    assert ask.signs(state, feature)[1] == len(gaps)
            cells = set(state.board.free_cells())
            state.apply(action)
            (cell,) = cells - set(state.board.free_cells())
            for feature, (tiles, gaps) in before.items():
                if state.board.tiles_of(state.board.feature_of(feature)) > tiles:
                    assert cell in gaps
                    grown += 1
    assert grown > 100


def test_what_is_asked_amiss_is_refused_in_a_sentence() -> None:
    frontier, ask = Frontier(Rules.from_spec("base", 2)), Evaluation(Rules.from_spec("base", 2))
    other = Rules.from_spec("base+inns", 2).start()
    state = Rules.from_spec("base", 2).start()  # rules that are equal will do
    frontier.look(state)
    assert ask.worth(state, state.board.feature_of(0), 1) > 0
    for asked in (frontier.look, ask.players, ask.owners):
        with pytest.raises(CarcError, match=r"the state is of .*base\+inns.*, not of .*base"):
            asked(other)
    for feature in (-1, 99999):
        for question in (ask.closing, ask.signs):
            with pytest.raises(CarcError, match=f"there is no feature {feature}"):
                question(state, feature)
        with pytest.raises(CarcError, match=f"there is no feature {feature}"):
            frontier.starts(feature)
    with pytest.raises(CarcError, match="there is no owner 7; owners are 0 to 1"):
        ask.worth(state, state.board.feature_of(0), 7)
    with pytest.raises(CarcError, match="no weight 'nonsense'; they are"):
        Evaluation(state.rules, {"nonsense": 1.0})
    for weight in (float("nan"), "x"):
        with pytest.raises(CarcError, match="the weight city_grows is a number, not"):
            Evaluation(state.rules, {"city_grows": weight})  # type: ignore[dict-item]


def test_two_cities_that_come_to_one_cell_each_have_their_gap_there() -> None:
    """The start tile's city goes on round a corner, to the cell that the one beside it opens to."""
    rules = Rules.cached("base", 2)
    state = do(rules.start(), "draw:N place:0,-1,2 pass draw:D place:1,0,0 pass")
    frontier = Frontier(rules)
    frontier.look(state)
    corner = cell_at(1, -1)
    _, east, south, west = (1 << side for side in range(4))
    mine = gaps_of(frontier, state.board.feature_of(state.board.segment_at(0, 0, 0)))
    theirs = gaps_of(frontier, state.board.feature_of(state.board.segment_at(1, 0, 0)))
    road = gaps_of(frontier, state.board.feature_of(state.board.segment_at(0, 0, 1)))
    assert {cell: sides for cell, (_, sides) in mine.items()} == {corner: west}
    assert {cell: sides for cell, (_, sides) in theirs.items()} == {corner: south}
    assert {cell: sides for cell, (_, sides) in road.items()} == {
        cell_at(-1, 0): east,
        cell_at(2, 0): west,
    }
    assert mine[corner][0] == theirs[corner][0] == state.board.demand_of(corner)
    assert state.board.demand_of(cell_at(0, 0)) == 0  # a tile lies there
    assert state.board.demand_of(cell_at(2, -1)) == 0  # no tile beside it
    assert gaps_of(pickle.loads(pickle.dumps(frontier)), 0) == {}
