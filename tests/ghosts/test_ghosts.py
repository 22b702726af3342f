"""Who is haunted and who haunts, guards, lords and keepers.

The tiles are those of `conftest.py`: a large start tile with two misty edges on the outside of each
quarter, and plain tiles on which things can be counted by hand.
"""

from pathlib import Path

import pytest
from support import notation
from support.ghost_positions import KNIGHTS, begin, features, ghosts
from support.notation import do, kept, legal, scored, skip, stock

from carc import Expansion

# Player 0 has a knight at 0,-1, player 1 one at 1,-1; both northern banks are torn, nobody had a
# meeple then.


@pytest.mark.rule("GCC-07")
def test_expanding_mist_haunts_an_opponent(tiles: Path) -> None:
    state = do(begin(tiles), f"{KNIGHTS} draw:MIST1 place:-1,0,3")
    assert ghosts(state) == {(1, -1, 0): 1}  # one candidate: nothing to decide
    assert stock(state) == 14


@pytest.mark.rule("GCC-07")
def test_the_active_player_chooses_which_opponent(tiles: Path) -> None:
    state = begin(tiles, players=3)
    do(
        state,
        f"{KNIGHTS} draw:CITY place:2,-1,0 claim:0,guard draw:PLAIN place:3,-1,0 claim:0,guard",
    )
    do(
        state,
        "draw:PLAIN place:4,-1,0 draw:CITY place:5,-1,0 claim:0,meeple draw:MIST1 place:-1,0,3",
    )
    assert state.current_player == 0
    assert legal(state) == ["haunt:1,-1,0", "haunt:5,-1,0"]  # no guards, none of the own
    do(state, "haunt:5,-1,0")
    assert ghosts(state) == {(5, -1, 0): 1}


@pytest.mark.rule("GCC-07")
def test_finishing_a_bank_haunts_too(tiles: Path) -> None:
    state = do(begin(tiles), "draw:MIST1 place:0,-1,0 claim:0,meeple draw:MIST1 place:-1,0,3")
    bank = next(f for f in features(state, "mist") if [0, 0, 1] in f["segments"])
    assert bank["complete"]
    assert ghosts(state) == {(0, -1, 0): 1}


@pytest.mark.rule("GCC-08")
def test_a_tile_without_mist_destroys(tiles: Path) -> None:
    state = do(begin(tiles), f"{KNIGHTS} draw:PLAIN place:-1,0,0")
    assert ghosts(state) == {(0, -1, 0): 1}


@pytest.mark.rule("GCC-08")
def test_a_misty_edge_of_the_tile_against_a_clear_one_destroys(tiles: Path) -> None:
    # Its mist in the west, on CITY's field.
    state = do(begin(tiles), f"{KNIGHTS} draw:MIST1 place:2,-1,1")
    assert ghosts(state) == {(0, -1, 0): 1}


@pytest.mark.rule("GCC-09")
def test_expanding_and_destroying_at_once_opponent_first(tiles: Path) -> None:
    """Mist in the east on QNW's, in the north on CITY's clear edge: an opponent's, then an own."""
    state = do(
        begin(tiles),
        f"{KNIGHTS} draw:CITY place:-1,-1,0 claim:0,meeple draw:CITY place:2,-1,0 claim:0,meeple",
    )
    assert ghosts(state) == {}
    do(state, "draw:MIST4 place:-1,0,0")
    assert (state.current_player, legal(state)) == (0, ["haunt:1,-1,0", "haunt:2,-1,0"])
    do(state, "haunt:2,-1,0")
    assert (state.current_player, legal(state)) == (0, ["haunt:-1,-1,0", "haunt:0,-1,0"])
    do(state, "haunt:0,-1,0")
    assert ghosts(state) == {(0, -1, 0): 1, (2, -1, 0): 1}


@pytest.mark.rule("GCC-09")
def test_several_edges_still_place_one_ghost(tiles: Path) -> None:
    state = do(begin(tiles), f"{KNIGHTS} draw:MIST4 place:-1,0,0 draw:PLAIN place:2,-1,0")
    before = ghosts(state)
    # West of -1,0 and north of it are free; MIST4 at -1,1 touches mist at north (-1,0) and at east
    # (QSW).
    do(skip(state), "draw:MIST4 place:-1,1,0")
    assert ghosts(state)[(1, -1, 0)] - before.get((1, -1, 0), 0) == 1


@pytest.mark.rule("GCC-10")
def test_nobody_to_haunt_no_ghost(tiles: Path) -> None:
    state = do(begin(tiles), "draw:MIST1 place:0,-1,0")
    assert state.step.name == "claim"
    assert stock(state) == 15


@pytest.mark.rule("GCC-10")
def test_an_empty_stock_places_no_ghost(tiles: Path) -> None:
    state = do(begin(tiles), KNIGHTS)
    kept(state, "ghosts").stock = 0
    do(state, "draw:PLAIN place:-1,0,0")
    assert ghosts(state) == {}


@pytest.mark.rule("GCC-11")
def test_guards_never_take_ghosts_farmers_do(tiles: Path) -> None:
    state = do(
        begin(tiles), "draw:CITY place:0,-1,0 claim:1,meeple draw:CITY place:1,-1,0 claim:0,guard"
    )
    do(state, "draw:MIST1 place:-1,0,3")
    assert ghosts(state) == {}  # the only opponent's follower is a guard
    do(skip(state), "draw:PLAIN place:2,0,0 pass draw:PLAIN place:-1,1,0")
    assert ghosts(state) == {(0, -1, 1): 1}  # player 0's farmer
    beside, guard = state.board.segment_at(0, -1, 1), state.rules.follower_number("guard")
    state.put_follower(beside, 0, guard)
    state.take_follower(beside, 0, guard)
    assert ghosts(state) == {(0, -1, 1): 1}, "it stays when a guard leaves"


@pytest.mark.rule("GCC-12")
def test_the_third_ghost_sends_the_meeple_home_and_it_may_be_placed_again(tiles: Path) -> None:
    """The rulebook's example."""
    state = do(begin(tiles), f"{KNIGHTS} draw:PLAIN place:-1,0,0 pass draw:PLAIN place:2,0,0 pass")
    do(state, "draw:PLAIN place:-1,1,0 pass draw:PLAIN place:2,1,0 pass")
    assert ghosts(state) == {(0, -1, 0): 2, (1, -1, 0): 2}
    assert stock(state) == 11
    do(state, "draw:PLAIN place:0,2,0")
    assert ghosts(state) == {(1, -1, 0): 2}
    assert stock(state) == 13
    assert state.to_dict()["supplies"][0] == {"meeple": 5, "guard": 2}
    city = next(f for f in features(state, "city") if [0, -1, 0] in f["segments"])
    assert city["followers"] == []
    do(state, "claim:0,meeple")
    assert state.to_dict()["supplies"][0] == {"meeple": 4, "guard": 2}


@pytest.mark.rule("GCC-12")
def test_an_opponents_third_ghost_scares_off_too(tiles: Path) -> None:
    state = do(begin(tiles), f"{KNIGHTS} draw:PLAIN place:-1,0,0 pass draw:PLAIN place:2,0,0 pass")
    do(state, "draw:MIST1 place:-1,1,3 pass")
    assert ghosts(state) == {(0, -1, 0): 1, (1, -1, 0): 2}
    do(state, "draw:MIST1 place:2,1,1 pass draw:MIST1 place:0,2,2")
    # Player 1 haunted player 0's knight; player 0's third on player 1's knight sends it home.
    assert ghosts(state) == {(0, -1, 0): 2}
    assert state.to_dict()["supplies"][1] == {"meeple": 5, "guard": 2}


# -- followers -------------------------------------------------------------------------------------


@pytest.mark.rule("GCC-13")
def test_guards_count_as_one_follower_and_may_be_farmers(tiles: Path) -> None:
    state = do(begin(tiles), "draw:CITY place:0,-1,0")
    assert legal(state) == [
        "claim:0,meeple",
        "claim:0,guard",
        "claim:1,meeple",
        "claim:1,guard",
        "pass",
    ]


@pytest.mark.rule("GCC-13", "GCC-16")
def test_a_guard_and_a_meeple_tie(tiles: Path) -> None:
    state = begin(tiles, "ghosts=off")
    do(
        state,
        "draw:CITY place:0,-1,0 claim:0,guard draw:PLAIN place:1,-1,0 draw:PLAIN place:1,-2,0",
    )
    do(
        state,
        "draw:PLAIN place:1,-3,0 draw:PLAIN place:1,-4,0 draw:CITY place:0,-3,2 claim:0,meeple",
    )
    do(state, "draw:LONG place:0,-2,0")
    skip(state)
    assert scored(state) == ["0: city 3x2 = 6", "1: city 3x2 = 6"]


@pytest.mark.rule("GCC-14")
def test_a_lord_on_a_castle(tiles: Path) -> None:
    state = do(begin(tiles), "draw:CASTLE place:0,-1,0 claim:0,guard")
    (castle,) = features(state, "castle")
    assert castle["followers"] == [{"owner": 0, "kind": "guard", "x": 0, "y": -1, "segment": 0}]


@pytest.mark.rule("GCC-15")
def test_a_keeper_on_a_cemetery(tiles: Path) -> None:
    state = do(begin(tiles), "draw:GRAVE place:0,-1,0 claim:0,meeple")
    (cemetery,) = features(state, "cemetery")
    assert cemetery["followers"] == [{"owner": 0, "kind": "meeple", "x": 0, "y": -1, "segment": 0}]


class Pairs(Expansion):
    """Each player commands two colours."""

    def __init__(self) -> None:
        super().__init__()
        self.name = "pairs"

    def colours(self, colours: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        return [(0, 1), (2, 3)]


@pytest.mark.rule("GCC-08")
def test_a_ghost_goes_to_any_colour_that_the_player_commands(tiles: Path) -> None:
    state = notation.begin("base+ghosts", 2, tiles, beside=[Pairs()])
    for text in (
        "draw:CITY place:0,-1,0 claim:0,meeple,red draw:CITY place:1,-1,0 claim:0,meeple,blue",
        "draw:CITY place:-1,-1,0 claim:0,meeple,green draw:CITY place:2,-1,0 claim:0,meeple,blue",
    ):
        do(state, text)
    do(state, "draw:PLAIN place:-1,0,0")  # tears the mist; red's and green's knights are player 0's
    assert (state.current_player, legal(state)) == (0, ["haunt:-1,-1,0", "haunt:0,-1,0"])


@pytest.mark.rule("GCC-07", "GCC-12")
def test_a_shepherd_on_the_segment_keeps_no_ghost_off() -> None:
    """A shepherd is no follower, so the meeple beside it takes the ghost, though it came later."""
    state = notation.lay(notation.begin("base+ghosts+hills", 2), "M04 4,5,0", "B 7,5,0")
    farmers = notation.put(state, 1, (7, 5, 1), kind="shepherd")
    notation.put(farmers, 1, (7, 5, 1))
    do(state, "draw:M04 place:5,5,0")
    assert ghosts(state) == {(7, 5, 1): 1}
    notation.haunt(state, 7, 5, 1, n=2)
    assert state.board.followers_at(state.board.segment_at(7, 5, 1)) == [
        (1, state.rules.follower_number("shepherd"))
    ]
