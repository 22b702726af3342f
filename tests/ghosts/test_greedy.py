"""`greedy` plays the ghosts sensibly: whom it haunts, where it lays, when it sends a guard;
`greedy-blind` is told apart by that.

Played on the small tile set of `conftest.py`, with several seeds: what is chosen is no matter of
luck.
"""

from pathlib import Path

import pytest
from support.notation import begin, do, kept, legal

from carc import State
from carc.bots import by_name

SEEDS = range(8)


@pytest.fixture
def state(tiles: Path) -> State:
    return begin("base+ghosts", 2, tiles)


def choices(bot: str, state: State) -> set[str]:
    """What the bot chooses, whatever its seed."""
    return {str(by_name(bot, seed).choose(state.copy())) for seed in SEEDS}


# Green has a knight in a city of two tiles and a highwayman on a road of one; red's tile expands
# the mist.
TWO_MEEPLES = (
    "draw:CITY place:2,0,1 draw:LONG place:3,0,1 claim:0,meeple draw:PLAIN place:2,1,0 "
    "draw:END place:3,1,0 claim:0,meeple draw:MIST1 place:0,-1,0"
)


def test_a_ghost_goes_where_it_costs_most(state: State) -> None:
    do(state, TWO_MEEPLES)
    assert legal(state) == ["haunt:3,0,0", "haunt:3,1,0"]
    assert choices("greedy", state) == {"haunt:3,0,0"}
    assert len(choices("greedy-blind", state)) == 2


def test_a_meeple_whose_ghosts_cost_more_than_it_will_score_is_not_freed_of_them(
    state: State,
) -> None:
    """The third ghost would take two with it, and a knight home from a city worth little more."""
    do(state, TWO_MEEPLES)
    pieces = kept(state, "ghosts")
    pieces.stock -= 2
    pieces.ghosts[state.board.segment_at(3, 0, 0)] = 2
    assert choices("greedy", state) == {"haunt:3,1,0"}


def test_mist_is_not_torn_while_a_meeple_would_pay_for_it(state: State) -> None:
    do(
        state,
        "draw:LONG place:2,0,0 claim:0,meeple draw:LONG place:2,1,0 pass "
        "draw:LONG place:2,-1,0 pass draw:PLAIN place:3,0,0 pass draw:PLAIN",
    )
    clear = {(3, -1), (4, 0), (3, 1)}  # the only free cells beside no mist
    for seed in SEEDS:
        chosen = str(by_name("greedy", seed).choose(state.copy()))
        x, y, _ = chosen.removeprefix("place:").split(",")
        assert (int(x), int(y)) in clear


CITY_OF_THREE = "draw:LONG place:2,0,0 pass draw:LONG place:2,-1,0 pass draw:LONG place:2,-2,0"


def test_a_guard_goes_where_ghosts_threaten(state: State) -> None:
    """A city of three tiles is worth haunting; onto a road of one tile goes a meeple."""
    assert choices("greedy", do(state.copy(), CITY_OF_THREE)) == {"claim:0,guard"}
    small = choices("greedy", do(state.copy(), "draw:ROAD place:-1,0,0"))
    assert small == {one for one in small if not one.endswith("guard")}


def test_without_ghosts_guards_are_kept(tiles: Path) -> None:
    state = begin("base+ghosts(ghosts=off)", 2, tiles)
    assert choices("greedy", do(state, CITY_OF_THREE)) == {"claim:0,meeple"}
