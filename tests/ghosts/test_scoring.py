"""What is scored with ghosts, castles and cemeteries, in the game and at its end.

The tiles are those of `conftest.py`: a large start tile with two misty edges on the outside of each
quarter, and plain tiles on which things can be counted by hand.
"""

from pathlib import Path

import pytest
from support.ghost_positions import KNIGHTS, begin, ghosts
from support.notation import do, finish, haunt, kept, scored, skip, stock

from carc import Rules, State, play
from carc.bots import by_name


@pytest.mark.rule("GCC-16")
def test_a_city_of_8_with_2_ghosts_scores_4(tiles: Path) -> None:
    """The rulebook's example: 8 points less 2 for each of 2 ghosts."""
    state = do(begin(tiles), "draw:CITY place:0,-1,0 claim:0,meeple draw:LONG place:0,-2,0 pass")
    do(state, "draw:LONG place:0,-3,0 pass")
    haunt(state, 0, -1, 0, 2)
    assert stock(state) == 13
    skip(do(state, "draw:CITY place:0,-4,2"))
    assert scored(state) == ["0: city 4x2, ghosts 2x-2 = 4"]
    assert state.scores == [4, 0]


@pytest.mark.rule("GCC-17")
def test_no_score_drops_below_0(tiles: Path) -> None:
    state = do(begin(tiles), "draw:END place:0,-1,2 claim:0,meeple")
    haunt(state, 0, -1, 0, 2)
    skip(do(state, "draw:END place:0,-2,0"))
    assert scored(state) == ["0: road 2x1, ghosts 2x-2 = -2"]
    assert state.scores == [0, 0]


@pytest.mark.rule("GCC-17")
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(("north", "score"), [("city", 4 - 2), ("road", 0 + 4)])
def test_several_scorings_in_the_order_of_their_followers(
    tiles: Path, north: str, score: int, swapped: bool
) -> None:
    """One tile completes a city, +4, and a road with two ghosts, -2: the northern one is scored
    first, whatever the order of lines in the tile file.
    """
    if swapped:
        text = tiles.read_text().replace("  city N\n  road S\n", "  road S\n  city N\n")
        text = text.replace("E SL touches=0", "E SL touches=1")
        tiles.write_text(text.replace("SR W touches=0", "SR W touches=1"))
    city, road, turned = ("0,-4,2", "0,-2,2", 0) if north == "city" else ("0,-2,0", "0,-4,0", 2)
    south = f"END place:{road}" if north == "city" else f"CITY place:{city}"
    far = f"CITY place:{city}" if north == "city" else f"END place:{road}"
    state = begin(tiles)
    do(state, f"draw:PLAIN place:0,-1,0 draw:PLAIN place:1,-1,0 draw:{south} claim:0,meeple")
    do(state, "draw:PLAIN place:1,-2,0 draw:PLAIN place:1,-3,0 draw:PLAIN place:1,-4,0")
    do(state, f"draw:{far} claim:0,meeple")
    haunt(state, 0, int(road.split(",")[1]), 0, 2)
    skip(do(state, f"draw:GATE place:0,-3,{turned}"))
    assert state.scores == [score, 0]


@pytest.mark.rule("GCC-16")
def test_negative_points_are_taken_from_what_was_scored_before(tiles: Path) -> None:
    state = do(begin(tiles), "draw:END place:0,-1,2 claim:0,meeple")
    haunt(state, 0, -1, 0, 2)
    state.scores[0] = 10
    skip(do(state, "draw:END place:0,-2,0"))
    assert state.scores == [8, 0]


def two_against_one(state: State, north: str) -> State:
    """A city at 0,-2 joined of three: player 0's in the west and `north`, player 1's east."""
    do(state, "draw:PLAIN place:0,-1,0 draw:PLAIN place:1,-1,0 draw:PLAIN place:-1,-1,0")
    do(state, "draw:CITY place:1,-2,3 claim:0,meeple draw:CITY place:-1,-2,1 claim:0,meeple")
    do(state, f"draw:PLAIN place:-1,-3,0 draw:{north} claim:0,meeple")
    state.scores = [0, 10]
    haunt(state, 1, -2, 0, 2)
    haunt(state, -1, -2, 0, 1)
    return skip(do(state, "draw:HUB place:0,-2,0"))


@pytest.mark.rule("GCC-16")
def test_only_the_majority_pays(tiles: Path) -> None:
    """4 tiles for player 0's two meeples, one with a ghost; player 1's two ghosts cost nothing."""
    state = two_against_one(begin(tiles), "CITY place:0,-3,2")
    assert scored(state) == ["0: city 4x2, ghosts 1x-2 = 6"]
    assert state.scores == [6, 10]


@pytest.mark.rule("GCC-18")
def test_followers_and_ghosts_go_back_after_scoring(tiles: Path) -> None:
    state = do(begin(tiles), "draw:END place:0,-1,2 claim:0,meeple")
    haunt(state, 0, -1, 0, 2)
    skip(do(state, "draw:END place:0,-2,0"))
    assert stock(state) == 15
    assert ghosts(state) == {}
    assert state.to_dict()["supplies"][0] == {"meeple": 5, "guard": 2}


@pytest.mark.rule("GCC-19")
def test_a_castle_with_five_misty_neighbours_scores_12(tiles: Path) -> None:
    """The rulebook's example: 5 misty tiles around it and its own, 2 points each."""
    state = begin(tiles, "ghosts=off")
    skip(do(state, "draw:PLAIN place:0,-1,0"))
    skip(do(state, "draw:PLAIN place:0,-2,0"))
    skip(do(state, "draw:PLAIN place:0,-3,0"))
    do(state, "draw:CASTLE place:0,-4,0 claim:0,meeple")
    for number, cell in enumerate(["1,-4", "-1,-4", "1,-3", "-1,-3", "1,-5", "-1,-5", "0,-5"]):
        skip(do(state, f"draw:{'MIST4' if number < 5 else 'PLAIN'} place:{cell},0"))
    assert scored(state) == ["1: castle 6x2 = 12"]


@pytest.mark.rule("GCC-19")
def test_the_large_start_tile_counts_as_four_tiles(tiles: Path) -> None:
    """A castle at 0,-1 with quarters at 0,0 and 1,0 beside it: both and its own tile show mist."""
    state = begin(tiles, "ghosts=off")
    do(state, "draw:CASTLE place:0,-1,0 claim:0,meeple")
    for cell in ["-1,-1", "1,-1", "-1,-2", "0,-2", "1,-2", "-1,0"]:
        skip(do(state, f"draw:PLAIN place:{cell},0"))
    assert scored(state) == ["0: castle 3x2 = 6"]


def bury_site(state: State, follower: str) -> State:
    do(state, f"draw:GRAVE place:0,-1,0 claim:0,{follower}")
    for cell in ["-1,-1", "1,-1", "-1,-2", "0,-2", "1,-2", "-1,0"]:
        skip(do(state, f"draw:PLAIN place:{cell},0"))
    return state


@pytest.mark.rule("GCC-20")
def test_a_keeper_brings_a_guard(tiles: Path) -> None:
    state = bury_site(begin(tiles, "ghosts=off"), "meeple")
    data = state.to_dict()
    assert data["supplies"][0] == {"meeple": 5, "guard": 3}
    assert data["guard_stock"] == [2, 3]
    assert scored(state) == ["0: cemetery 0 = 0"]


@pytest.mark.rule("GCC-20")
def test_an_empty_guard_stock_brings_none(tiles: Path) -> None:
    state = begin(tiles, "ghosts=off")
    kept(state, "ghosts").guards[0] = 0
    data = bury_site(state, "guard").to_dict()
    assert data["supplies"][0] == {"meeple": 5, "guard": 2}


@pytest.mark.rule("GCC-20")
def test_ghosts_with_a_keeper_cost_2_each(tiles: Path) -> None:
    state = begin(tiles)
    state.scores[0] = 9
    do(
        state,
        "draw:GRAVE place:0,-1,0 claim:0,meeple draw:PLAIN place:-1,-1,0 draw:PLAIN place:1,-1,0",
    )
    for cell in ["-1,-2", "0,-2", "1,-2"]:
        skip(do(state, f"draw:PLAIN place:{cell},0"))
    skip(state)
    held = ghosts(state).get((0, -1, 0), 0)
    haunt(state, 0, -1, 0, 2 - held)
    do(state, "draw:MIST1 place:-1,0,3")  # player 0 or 1 lays the last neighbour, mist on mist
    skip(state)
    assert "0: ghosts 2x-2 = -4" in scored(state)
    assert state.scores[0] == 5


# -- the end ---------------------------------------------------------------------------------------


@pytest.mark.rule("GCC-21")
def test_each_ghost_costs_1_at_the_end_not_2(tiles: Path) -> None:
    state = do(begin(tiles), "draw:CITY place:0,-1,0 claim:0,meeple draw:PLAIN place:1,-1,0 pass")
    state.scores[0] = 10
    haunt(state, 0, -1, 0, 2)
    finish(state)
    assert scored(state) == ["0: city 1x1 = 1", "0: ghosts 2x-1 = -2"]
    assert state.scores == [9, 0]


@pytest.mark.rule("GCC-21")
def test_ghosts_at_the_end_cost_those_without_majority_too(tiles: Path) -> None:
    """The same city open in the north: 4 for player 0 less 1 ghost; player 1's two cost 2."""
    state = finish(two_against_one(begin(tiles), "LONG place:0,-3,0"))
    assert scored(state) == ["0: city 4x1 = 4", "0: ghosts 1x-1 = -1", "1: ghosts 2x-1 = -2"]
    assert state.scores == [3, 8]


@pytest.mark.rule("GCC-22")
def test_a_castle_at_the_end_scores_1_a_misty_tile_and_its_own(tiles: Path) -> None:
    state = begin(tiles, "ghosts=off")
    do(state, "draw:CASTLE place:0,-1,0 claim:0,meeple draw:PLAIN place:1,-1,0")
    finish(skip(state))
    # Quarters 0,0 and 1,0 show mist; so does the castle's own tile.
    assert scored(state) == ["0: castle 3x1 = 3"]


@pytest.mark.rule("GCC-22")
def test_a_castle_without_mist_counts_its_own_tile_at_the_end(tiles: Path) -> None:
    """The source counts "the castle's tile itself" without a condition."""
    state = begin(tiles, "ghosts=off")
    do(state, "draw:BARE place:0,-1,0 claim:0,meeple draw:PLAIN place:1,-1,0")
    finish(skip(state))
    assert scored(state) == ["0: castle 3x1 = 3"]  # quarters 0,0 and 1,0, and itself


@pytest.mark.rule("GCC-23")
def test_a_keeper_at_the_end_scores_nothing(tiles: Path) -> None:
    state = do(begin(tiles), "draw:GRAVE place:0,-1,0 claim:0,meeple")
    finish(state)
    assert state.scores == [0, 0]
    assert state.to_dict()["guard_stock"] == [3, 3]


@pytest.mark.rule("GCC-24")
def test_players_level_at_the_top_all_win(tiles: Path) -> None:
    state = do(begin(tiles, players=3), KNIGHTS)
    finish(state)
    assert state.scores == [1, 1, 0]
    assert state.winners == [0, 1]
    assert state.returns() == [0.25, 0.25, -0.5]


@pytest.mark.rule("GCC-05")
@pytest.mark.parametrize("players", [2, 5])
def test_with_every_part_off_the_games_are_the_base_games(players: int) -> None:
    """Action for action, with bots that choose by the legal actions they see."""
    off = "base+ghosts(ghosts=off,castles=off,cemeteries=off,guards=off,tiles=base)"
    for seed in range(5):
        games = [
            play(
                Rules.from_spec(spec, players), [by_name("random", n) for n in range(players)], seed
            )
            for spec in ("base", off)
        ]
        assert games[0].moves == games[1].moves
        assert games[0].result == games[1].result
