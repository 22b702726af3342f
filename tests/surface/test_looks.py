"""What bots ask most of a position: small boards by hand, and `to_dict()` on random ones."""

import random

import pytest
from support.notation import do, feature_at, start
from support.values import in_play

from carc import CHANCE, Rules, State
from carc.base.cells import cell_at
from carc.base.game.bot_queries import changes, kinds_for, points_if_completed
from carc.base.turn.choices import Placements
from carc.testing import check

# The start tile's city open to the north, closed by tile E; its road from west to east.


def test_what_a_feature_is_worth_now_and_if_closed() -> None:
    state = do(start(), "draw:N place:0,-1,2 claim:0,meeple")
    city = feature_at(state, 0, 0, 0)
    assert state.board.kind_of(city) == "city"
    assert state.board.is_open(city)
    assert state.points_now(city) == 2
    assert points_if_completed(state, city) == 4
    assert state.owners_of(city) == [0]
    road = feature_at(state, 0, 0, 1)
    assert state.points_now(road) == points_if_completed(state, road) == 1
    assert state.owners_of(road) == []


def test_what_an_action_changed() -> None:
    before = do(start(), "draw:E place:0,-1,2")
    before.scores = [2, 1]
    state = before.copy()
    state.apply(state.rules.parse("claim:0,meeple"))
    change = changes(before, state)
    # The city is closed, scored and its follower home again: nobody came or went in the end.
    assert (change.tiles, change.came, change.went, change.points) == ([], [], [], [4, 0])
    do(state, "draw:V place:1,0,1 claim:0,meeple")
    change = changes(before, state)
    assert change.tiles == [2]
    assert [state.board.place_of(s) for s, _, _ in change.came] == [(1, 0, 0)]
    assert change.came[0][1:] == (1, 0)
    assert {state.board.kind_of(f) for f in change.features} == {"road", "field"}
    assert feature_at(state, 0, 0, 1) in change.features
    assert changes(before, before).features == []
    left = state.copy()
    left.take_follower(left.board.segment_at(1, 0, 0))
    assert changes(state, left).went == change.came


def test_followers_that_join_one_of_their_own_came_and_went_too() -> None:
    before = do(start(), "draw:V place:1,0,1 claim:0,meeple")
    state, on = before.copy(), before.board.segment_at(1, 0, 0)
    state.put_follower(on, 0, 0)
    assert (changes(before, state).came, changes(before, state).went) == ([(on, 0, 0)], [])
    assert changes(state, before).went == [(on, 0, 0)]


def test_what_is_complete_is_worth_now_what_it_scores() -> None:
    """A road of four tiles with an inn, of which the last claim decision is due: 2 a tile, though
    at the end of the game 0 (INN-02).
    """
    state = do(start("base+inns"), "draw:IC15 place:1,0,0 claim:0,meeple")
    do(state, "draw:W place:2,0,0 pass draw:W place:-1,0,0")
    road = feature_at(state, 0, 0, 1)
    assert not state.board.is_open(road)
    assert (state.points_now(road), points_if_completed(state, road)) == (8, 8)


def test_a_completed_monastery_is_worth_nine_whatever_is_missing_to_it() -> None:
    state = do(start(), "draw:B place:0,1,0")
    (monastery,) = [f for f in state.board.features_of(1) if state.board.kind_of(f) == "monastery"]
    assert (state.points_now(monastery), points_if_completed(state, monastery)) == (2, 9)


def test_open_edges_are_those_that_go_on_where_no_tile_lies() -> None:
    """As `to_dict` counts them by looking at the cells beyond; fields end at mist (MIST-06).

    Mist itself and what neighbours complete: see the method.
    """
    for spec in ("base+river", "base+ghosts", "base+ghosts+hills"):
        for number, state in enumerate(in_play(spec, 2, 1)):
            if number % 20 == 0:
                for told in state.to_dict("features")["features"]:
                    if told["kind"] in ("city", "road", "field"):
                        f = feature_at(state, *told["segments"][0])
                        assert state.board.open_edges(f) == told["open_edges"]


def test_features_of_a_tile_are_named_once() -> None:
    state = start()
    kinds = [state.board.kind_of(f) for f in state.board.features_of(0)]
    assert kinds == ["city", "road", "field", "field"]
    assert len({*state.board.features_of(0)}) == 4


@pytest.mark.parametrize("spec", ["base", "base+ghosts"])
def test_what_fits_where_is_what_may_be_laid(spec: str) -> None:
    seen = 0
    for number, state in enumerate(in_play(spec, 2, 3)):
        if state.tile_in_hand >= 0 and number % 5 == 0:
            legal = state.legal_actions()
            assert Placements(state.board, state.tile_in_hand).actions(state) == legal
            there = [
                (cell, rotation)
                for cell in state.board.free_cells()
                for rotation in {**kinds_for(state, cell), **of_hand(state, cell)}.get(
                    state.tile_in_hand, ()
                )
            ]
            assert there == [(a.cell, a.rotation) for a in legal]  # type: ignore[attr-defined]
            seen += 1
    assert seen > 5
    assert all(not kinds_for(state, cell) for cell in state.board.free_cells())  # the bag is empty
    assert kinds_for(state, cell_at(0, 0)) == {}


def of_hand(state: State, cell: int) -> dict[int, tuple[int, ...]]:
    """What `kinds_for` leaves out if the bag holds no other tile of the hand's kind."""
    other = state.copy()
    other.put_back()
    return kinds_for(other, cell)


def test_parts_of_the_data_are_those_of_the_whole() -> None:
    rng = random.Random(1)
    state = Rules.cached("base+ghosts", 3).start()
    for _ in range(150):
        state.apply(rng.choice(state.legal_actions()))
    whole = state.to_dict()
    for name in whole:
        assert state.to_dict(name) == {name: whole[name]}
    assert state.to_dict("scores", "ghost_stock", "tiles") == {
        "scores": whole["scores"], "ghost_stock": whole["ghost_stock"], "tiles": whole["tiles"],
    }  # fmt: skip
    assert state.to_dict("features")["features"] == whole["features"]
    with pytest.raises(KeyError, match="no part 'bags'; it has rules "):
        state.to_dict("bags")


def test_followers_are_listed_as_they_came() -> None:
    state = do(start(), "draw:V place:1,0,1 claim:0,meeple draw:V place:-1,0,2 claim:1,meeple")
    standing = [
        (state.board.place_of(s), who, kind) for s, who, kind in state.board.all_followers()
    ]
    assert standing == [((1, 0, 0), 0, 0), ((-1, 0, 1), 1, 0)]
    assert state.board.face_down_cells() == []
    assert state.current_player == CHANCE


def test_tiles_lying_face_down_are_told() -> None:
    state = start()
    state.lay_face_down(cell_at(0, 1))
    assert state.board.face_down_cells() == [cell_at(0, 1)]
    assert state.to_dict("engine")["engine"]["face_down"] == [[0, 1]]
    check(Rules.cached("mists:5", 1), games=1, seed=2, every=20)
