"""The Tower, counted by hand."""

import pytest
from support.notation import (
    begin,
    do,
    estimates_of,
    expansion_of,
    finish,
    kept,
    lay,
    legal,
    put,
    scored,
    standing,
)

from carc import State


def verbs(state: State, verb: str) -> list[str]:
    return [text for text in legal(state) if text.startswith(f"{verb}:")]


def grown(height: int, players: int = 2) -> State:
    """A tower of this height on TO02 at 0,1, south of the start tile; red is to claim."""
    state = lay(begin("base+tower", players), "TO02 0,1,0")
    kept(state, "tower").heights[0] = height
    return state


@pytest.mark.rule("TOW-01")
@pytest.mark.parametrize(("players", "pieces"), [(2, 10), (3, 9), (4, 7), (5, 6)])
def test_pieces_are_shared_out(players: int, pieces: int) -> None:
    assert begin("base+tower", players).to_dict()["tower_pieces"] == [pieces] * players
    if players == 5:
        assert begin("base+inns+tower", 6).to_dict()["tower_pieces"] == [5] * 6


@pytest.mark.rule("TOW-01")
def test_a_foundation_is_claimed_by_nobody_and_completed_by_nothing() -> None:
    state = do(begin("base+tower", 2), "draw:TO02 place:0,1,0")
    assert verbs(state, "claim") == ["claim:1,meeple"], "the field only"
    assert "tower" not in [f["kind"] for f in state.to_dict()["features"] if f["complete"]]


@pytest.mark.rule("TOW-02")
def test_a_piece_goes_on_any_foundation_and_a_follower_on_any_tower() -> None:
    state = do(begin("base+tower", 2), "draw:TO02 place:0,1,0")
    assert (verbs(state, "tower"), verbs(state, "top")) == (["tower:0,1,0,piece"], [])
    do(state, "tower:0,1,0,piece draw:TO03 place:0,2,0")
    assert standing(state, "tower") == {(0, 1, 0): 1}
    assert state.to_dict()["tower_pieces"] == [9, 10]
    assert verbs(state, "tower") == ["tower:0,1,0,piece", "tower:0,2,1,piece"]
    assert verbs(state, "top") == ["top:0,1,0,meeple"]
    do(state, "top:0,1,0,meeple draw:B place:1,1,0")
    assert verbs(state, "tower") == ["tower:0,2,1,piece"], "a follower closes the other one"
    assert verbs(state, "top") == []


@pytest.mark.rule("TOW-02")
def test_the_tower_that_gets_a_piece_grows() -> None:
    state = lay(grown(1), "TO03 0,2,0")
    do(state, "draw:B place:1,1,0 tower:0,2,1,piece")
    assert standing(state, "tower") == {(0, 1, 0): 1, (0, 2, 1): 1}


@pytest.mark.rule("TOW-02")
def test_without_pieces_nobody_builds_and_a_follower_on_top_scores_nothing() -> None:
    state = grown(2)
    kept(state, "tower").pieces = [0, 3]
    do(state, "draw:B place:1,1,0")
    assert verbs(state, "tower") == []
    do(state, "top:0,1,0,meeple")
    assert scored(finish(state)) == []


@pytest.mark.rule("TOW-02")
def test_only_those_who_claim_everything_go_on_towers_on_the_dragons_tile_too() -> None:
    state = lay(begin("base+abbey+dragon+inns+tower+traders", 2), "TO02 0,1,0")
    kept(state, "tower").heights[0] = 1
    kept(state, "dragon").dragon = state.board.cell_of(1)
    do(state, "draw:B place:1,1,0")
    assert verbs(state, "top") == ["top:0,1,0,meeple", "top:0,1,0,big"]


@pytest.mark.rule("TOW-03")
@pytest.mark.parametrize(
    ("height", "reached"),
    [
        (1, {"capture:0,1,1,meeple,green", "capture:0,0,1,meeple,green"}),
        (
            2,
            {"capture:0,1,1,meeple,green", "capture:0,0,1,meeple,green"}
            | {"capture:2,1,0,meeple,red"},
        ),
        (
            4,
            {"capture:0,1,1,meeple,green", "capture:0,0,1,meeple,green"}
            | {"capture:2,1,0,meeple,red", "capture:-4,1,0,meeple,green"},
        ),
    ],
)
def test_whom_a_tower_reaches(height: int, reached: set[str]) -> None:
    """Green on the tower's tile, one to the north and four to the west, beyond a gap; red two to
    the east; green over a corner, whom it never reaches. Nobody must be captured (3.0.2 and 5.3.1).
    """
    state = lay(grown(height - 1), "B 2,1,0", "B -4,1,0", "B 1,2,0")
    put(state, 1, (0, 1, 1), (0, 0, 1), (-4, 1, 0), (1, 2, 0))
    put(state, 0, (2, 1, 0))
    do(state, "draw:V place:0,2,0 tower:0,1,0,piece")
    assert set(legal(state)) == {*reached, "pass"}


@pytest.mark.rule("TOW-03")
def test_followers_on_towers_are_reached_and_builders_are_not() -> None:
    state = lay(begin("base+tower+traders", 2), "TO02 0,1,0", "TO02 0,2,0")
    kept(state, "tower").heights[1] = 1
    put(put(state, 1, (0, 2, 0)), 1, (0, 0, 1), kind="builder")
    do(state, "draw:B place:1,1,0 tower:0,1,0,piece")
    assert legal(state) == ["capture:0,2,0,meeple,green", "pass"]
    do(state, "capture:0,2,0,meeple,green")
    assert state.board.supply_of(1) == 6, "a prisoner is not in the supply"


@pytest.mark.rule("TOW-03")
def test_a_captive_is_held_and_an_own_follower_goes_home() -> None:
    state = put(put(grown(0), 1, (0, 0, 1)), 0, (0, 1, 1))
    do(state, "draw:V place:0,2,0 tower:0,1,0,piece capture:0,1,1,meeple,red")
    assert state.board.supply_of(0) == 7
    do(state, "draw:V place:1,1,2 tower:0,1,0,piece pass draw:B place:-1,1,0 tower:0,1,0,piece")
    do(state, "capture:0,0,1,meeple,green")
    data = state.to_dict("prisoners", "out_of_play")
    assert data["prisoners"] == [{"jailer": 0, "owner": 1, "kind": "meeple", "count": 1}]
    assert (state.board.supply_of(1), data["out_of_play"]) == (6, {"meeple": 1})


def exchanged(spec: str, *captives: str) -> State:
    """Green holds these of red; red captures green's follower at 0,0."""
    state = put(lay(begin(spec, 2), "TO02 0,1,0"), 1, (0, 0, 1))
    tower = expansion_of(state, "tower")
    for kind in captives:
        tower.prison.jail(state, 1, 0, state.rules.follower_number(kind))
    return do(state, "draw:V place:0,2,0 tower:0,1,0,piece capture:0,0,1,meeple,green")


@pytest.mark.rule("TOW-04")
def test_prisoners_of_each_other_are_exchanged_at_once_one_for_one() -> None:
    state = exchanged("base+tower", "meeple", "meeple")
    assert (state.board.supply_of(0), state.board.supply_of(1)) == (6, 7)
    held = {"jailer": 1, "owner": 0, "kind": "meeple", "count": 1}
    assert state.to_dict()["prisoners"] == [held]
    assert state.current_player == -1, "there was nothing to choose"


@pytest.mark.rule("TOW-04")
def test_who_captured_chooses_which_comes_back() -> None:
    state = exchanged("base+inns+tower", "meeple", "big")
    assert (state.current_player, legal(state)) == (0, ["exchange:meeple", "exchange:big"])
    do(state, "exchange:big")
    assert state.board.supply_of(0, state.rules.follower_number("big")) == 1
    assert state.board.supply_of(0) == 6


@pytest.mark.rule("TOW-05")
def test_a_ransom_of_3_once_a_turn_frees_a_follower_to_be_used_at_once() -> None:
    state = grown(0)
    tower = expansion_of(state, "tower")
    for _ in range(7):
        tower.prison.jail(state, 1, 0, 0)
    state.scores = [2, 10]
    do(state, "draw:V place:0,2,0")
    assert legal(state) == ["tower:0,1,0,piece", "pass"], "2 points are too few"
    state = state.copy()
    state.scores = [6, 10]
    do(state, "pass draw:V place:1,1,2")
    assert not verbs(state, "ransom"), "green has nobody to buy back"
    do(state, "pass draw:B place:-1,1,0")
    assert "claim:0,meeple" not in legal(state)
    do(state, "ransom:meeple,green")
    assert state.scores == [3, 13]
    assert not verbs(state, "ransom") and "claim:0,meeple" in legal(state)
    do(state, "claim:0,meeple")
    held = {"jailer": 1, "owner": 0, "kind": "meeple", "count": 6}
    assert state.to_dict()["prisoners"] == [held]
    do(state, "draw:V place:2,1,0 pass draw:B place:-2,1,0")
    assert verbs(state, "ransom") == ["ransom:meeple,green"], "in the next turn again"


@pytest.mark.rule("TOW-05")
def test_bots_expect_half_of_the_ransoms() -> None:
    state = grown(0, 3)
    for owner in (0, 2):
        expansion_of(state, "tower").prison.jail(state, 1, owner, 0)
    tower = estimates_of(state, "tower")
    assert tower.expected_points(state, [0.0, 0.0, 0.0]) == [0.0, 3.0, 0.0]


@pytest.mark.rule("TOW-05", "MEE-01")
def test_one_ransom_in_both_parts_of_a_builder_s_turn() -> None:
    """The publisher: the builder's turn is a part of the turn; so JCloisterZone plays, too."""
    state = begin("base+tower+traders", 2)
    for _ in range(2):
        expansion_of(state, "tower").prison.jail(state, 1, 0, 0)
    put(state, 0, (0, 0, 1))
    put(state, 0, (0, 0, 1), kind="builder")
    state.scores = [9, 0]
    do(state, "draw:U place:1,0,1 ransom:meeple,green pass draw:E place:0,-1,2")
    assert state.to_dict()["extra_turn"] and not verbs(state, "ransom")
    do(state, "pass draw:U place:2,0,1 pass draw:U place:3,0,1")
    assert (state.active_player, verbs(state, "ransom")) == (0, ["ransom:meeple,green"])
