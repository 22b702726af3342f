"""The Flying Machines, counted by hand."""

import pytest
from support.notation import begin, do, legal

from carc import CHANCE, State

# A monastery of green's at -1,1, under a road of red's; the machine at 0,1 points west, to it.
START = "draw:U place:-1,0,1 claim:0,meeple draw:B place:-1,1,0 claim:0,meeple "
MACHINE = "draw:FL02 place:0,1,0 "


def flown(state: State, distance: int) -> State:
    return do(state, START + MACHINE + f"fly:meeple flight:{distance}")


@pytest.mark.rule("FLY-01")
def test_chance_throws_how_far_a_follower_flies() -> None:
    state = do(begin("base+flier", 2), START + MACHINE)
    assert "fly:meeple" in legal(state)
    do(state, "fly:meeple")
    assert (state.current_player, state.to_dict()["flying"]) == (CHANCE, "meeple")
    assert {str(a): round(p, 3) for a, p in state.chance_outcomes()} == {
        "flight:1": 0.333,
        "flight:2": 0.333,
        "flight:3": 0.333,
    }


@pytest.mark.rule("FLY-01")
def test_it_lands_where_its_player_says_occupied_or_not() -> None:
    """Green's monastery or the field about it."""
    state = flown(begin("base+flier", 2), 1)
    assert (state.current_player, legal(state)) == (0, ["land:-1,1,0", "land:-1,1,1"])
    do(state, "land:-1,1,0")
    assert state.board.followers_at(state.board.segment_at(-1, 1, 0)) == [(1, 0), (0, 0)]
    assert state.board.supply_of(0) == 5


@pytest.mark.rule("FLY-01", "DRG-01")
def test_it_does_not_land_where_the_dragon_is() -> None:
    """On the volcano at -1,1 are free fields; who flies there comes home."""
    state = do(begin("base+dragon+flier", 2), "draw:U place:-1,0,1 draw:PD01 place:-1,1,0")
    do(state, MACHINE + "fly:meeple flight:1")
    assert (state.board.supply_of(0), state.current_player) == (7, CHANCE)
    assert not state.board.occupied_segments()


@pytest.mark.rule("FLY-01")
def test_without_landing_on_fields_a_single_place_is_no_choice() -> None:
    state = flown(begin("base+flier(fields=off)", 2), 1)
    assert state.board.followers_at(state.board.segment_at(-1, 1, 0)) == [(1, 0), (0, 0)]
    assert state.current_player == CHANCE


@pytest.mark.rule("FLY-01")
def test_beyond_the_table_it_goes_home() -> None:
    state = flown(begin("base+flier", 2), 2)
    assert (state.board.supply_of(0), state.to_dict()["flying"]) == (6, None)
    assert state.step.name == "draw"


@pytest.mark.rule("FLY-01")
def test_what_is_complete_is_no_place_to_land() -> None:
    """West of the machine lies a cap whose city the start tile completes."""
    state = begin("base+flier(fields=off)", 2)
    do(state, "draw:E place:0,-1,2 pass draw:FL02 place:1,-1,0 fly:meeple flight:1")
    assert not state.board.occupied_segments()
    assert state.board.supply_of(1) == 7


@pytest.mark.rule("FLY-01")
@pytest.mark.parametrize(
    ("rotation", "tile", "there"),
    [(0, "FL01", (-1, 0)), (1, "FL01", (1, 0)), (2, "FL01", (1, 2)), (3, "FL01", (-1, 2))],
)
def test_the_machine_turns_with_its_tile(rotation: int, tile: str, there: tuple[int, int]) -> None:
    """At 0,1, pointing north-west before it is turned; what lies there: roads and monasteries."""
    state = begin("base+flier(fields=off)", 2)
    do(state, "draw:U place:-1,0,1 pass draw:U place:1,0,1 pass draw:B place:-1,1,0 pass")
    do(state, "draw:B place:1,1,0 pass draw:B place:-1,2,0 pass draw:B place:1,2,0 pass")
    do(state, f"draw:{tile} place:0,1,{rotation} fly:meeple flight:1")
    landed = {state.board.place_of(segment)[:2] for segment in state.board.occupied_segments()}
    assert landed == {there}
