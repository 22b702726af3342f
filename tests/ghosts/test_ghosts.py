"""Ghosts, Castles & Cemeteries: the rules MIST-* and GCC-*, one scenario at least for each.

The scenarios play on a small tile set made for them: a large start tile with two misty edges on the outside of each
quarter, and plain tiles on which things can be counted by hand.
"""

from pathlib import Path

import notation
import pytest
from notation import do, finish, haunt, kept, legal, scored, skip, standing, stock

from carc import Expansion, Rules, State, play
from carc.bots import by_name


def begin(tiles: Path, options: str = "", players: int = 2) -> State:
    return notation.begin(f"base+ghosts({options})" if options else "base+ghosts", players, tiles)


def ghosts(state: State) -> dict[tuple[int, int, int], int]:
    return standing(state, "ghost")


def features(state: State, kind: str) -> list[dict[str, object]]:
    return [f for f in state.features() if f["kind"] == kind]


# -- mist -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MIST-02", "GCC-06")
def test_mist_is_ignored_when_matching(tiles: Path) -> None:
    state = do(begin(tiles), "draw:PLAIN")
    assert "place:0,-1,0" in legal(state)  # a clear field on a misty one
    state = do(begin(tiles), "draw:END place:0,-1,2 draw:MISTROAD")
    assert "place:0,-2,0" in legal(state)  # a misty road on a clear one


@pytest.mark.rule("MIST-03")
def test_a_road_runs_on_under_mist(tiles: Path) -> None:
    state = begin(tiles, "ghosts=off")
    do(
        state,
        "draw:END place:0,-1,2 claim:0,meeple draw:MISTROAD place:0,-2,0 draw:END place:0,-3,0",
    )
    skip(state)
    assert scored(state) == ["0: road 3x1 = 3"]


@pytest.mark.rule("MIST-03")
def test_a_misty_road_can_be_claimed(tiles: Path) -> None:
    state = do(begin(tiles), "draw:END place:0,-1,1 draw:MISTROAD place:-1,-1,1")
    assert "claim:0,meeple" in legal(state)


@pytest.mark.rule("MIST-01", "MIST-04")
def test_touching_misty_edges_join_and_separate_mist_segments_do_not(tiles: Path) -> None:
    state = do(begin(tiles), "draw:MIST2 place:0,-1,0 draw:TWOMISTS place:0,-2,0")
    banks = [f["segments"] for f in features(skip(state), "mist")]
    assert [[0, -2, 2], [0, -1, 1], [0, 0, 1]] in banks  # TWOMISTS' southern segment, MIST2, QNW
    assert [[0, -2, 1]] in banks  # its northern one stays by itself


@pytest.mark.rule("MIST-05")
def test_a_bank_is_finished_when_all_its_edges_touch_mist(tiles: Path) -> None:
    state = do(begin(tiles), "draw:MIST1 place:0,-1,0 draw:MIST1 place:-1,0,3")
    bank = next(f for f in features(skip(state), "mist") if [0, 0, 1] in f["segments"])
    assert (bank["complete"], bank["open_edges"]) == (True, 0)


@pytest.mark.rule("MIST-05")
def test_a_bank_that_touches_a_clear_edge_is_never_finished(tiles: Path) -> None:
    state = do(begin(tiles), "draw:MIST1 place:0,-1,0 draw:PLAIN place:-1,0,0")
    bank = next(f for f in features(skip(state), "mist") if [0, 0, 1] in f["segments"])
    assert (bank["complete"], bank["open_edges"]) == (False, 0)


@pytest.mark.rule("MIST-06")
def test_mist_cuts_a_field_in_two(tiles: Path) -> None:
    """The rulebook's example: a tile with mist between two farmers keeps their fields apart."""
    state = begin(tiles, "ghosts=off")
    do(
        state,
        "draw:PLAIN place:0,-1,0 claim:0,meeple draw:PLAIN place:2,0,0 draw:PLAIN place:2,-1,0",
    )
    do(state, "claim:0,guard") if "claim:0,guard" in legal(state) else skip(state)
    do(state, "draw:BAND place:1,-1,0")
    fields = [f for f in features(skip(state), "field") if f["followers"]]
    assert len(fields) == 2
    assert {f["followers"][0]["owner"] for f in fields} == {0}  # type: ignore[index]


@pytest.mark.rule("MIST-06")
def test_without_mist_the_same_fields_are_one(tiles: Path) -> None:
    state = begin(tiles, "ghosts=off")
    do(
        state,
        "draw:PLAIN place:0,-1,0 claim:0,meeple draw:PLAIN place:2,0,0 draw:PLAIN place:2,-1,0",
    )
    skip(state)
    do(state, "draw:PLAIN place:1,-1,0")
    (field,) = (f for f in features(skip(state), "field") if f["followers"])
    assert [[x, y] for x, y in [(0, -1), (1, -1), (2, -1), (2, 0)]] == field["tiles"]


@pytest.mark.rule("MIST-07")
def test_no_follower_on_mist(tiles: Path) -> None:
    state = do(begin(tiles), "draw:MIST4 place:0,-1,0")
    assert state.step.name == "draw"  # nothing on the tile but mist: nothing to claim


# -- set-up ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("GCC-01", "GCC-02")
def test_the_bag_holds_60_and_71_tiles_and_the_large_start_tile_lies_on_the_table() -> None:
    data = Rules.named("base+ghosts", 3).start().to_dict()
    assert sum(data["bag"].values()) == 131
    assert sorted((t["x"], t["y"]) for t in data["tiles"]) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert data["bag"]["D"] == 3  # the base's start tile is back in the box


@pytest.mark.rule("GCC-03", "GCC-04")
def test_supplies_and_stocks_at_the_start(tiles: Path) -> None:
    data = begin(tiles, players=3).to_dict()
    assert data["supplies"] == [{"meeple": 5, "guard": 2}] * 3
    assert data["guard_stock"] == [3, 3, 3]
    assert (data["ghost_stock"], data["pieces"]) == (15, [])  # symbols on tiles mean nothing


@pytest.mark.rule("GCC-05")
@pytest.mark.parametrize(
    ("off", "tile", "claim"),
    [("castles", "CASTLE", "claim:0,meeple"), ("cemeteries", "GRAVE", "claim:0,meeple")],
)
def test_a_part_switched_off_keeps_its_terrain(
    tiles: Path, off: str, tile: str, claim: str
) -> None:
    on = do(begin(tiles), f"draw:{tile} place:0,-1,0")
    assert claim in legal(on)
    state = do(begin(tiles, f"{off}=off"), f"draw:{tile} place:0,-1,0")
    assert claim not in legal(state)
    assert "claim:1,meeple" in legal(state)  # its field


@pytest.mark.rule("GCC-05")
def test_guards_off_gives_back_the_meeples_of_the_base_game(tiles: Path) -> None:
    data = begin(tiles, "guards=off").to_dict()
    assert data["supplies"] == [{"meeple": 7}] * 2


# -- ghosts ---------------------------------------------------------------------------------------------------------

# Player 0 has a knight at 0,-1, player 1 one at 1,-1; both northern banks are torn, nobody had a meeple then.
KNIGHTS = "draw:CITY place:0,-1,0 claim:0,meeple draw:CITY place:1,-1,0 claim:0,meeple"


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
    state = do(
        begin(tiles), f"{KNIGHTS} draw:MIST1 place:2,-1,1"
    )  # its mist in the west, on CITY's field
    assert ghosts(state) == {(0, -1, 0): 1}


@pytest.mark.rule("GCC-09")
def test_expanding_and_destroying_at_once_opponent_first(tiles: Path) -> None:
    """Mist in the east on QNW's, mist in the north on CITY's clear edge: an opponent's meeple, then an own."""
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
    # West of -1,0 and north of it are free; MIST4 at -1,1 touches mist at north (-1,0) and at east (QSW).
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


# -- followers ------------------------------------------------------------------------------------------------------


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


# -- scoring --------------------------------------------------------------------------------------------------------


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
    """One tile completes a city, +4, and a road with two ghosts, -2: the northern one is scored first, whatever the
    order of lines in the tile file."""
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
    """A city at 0,-2 about to be joined of three: player 0's in the west and `north`, player 1's in the east."""
    do(state, "draw:PLAIN place:0,-1,0 draw:PLAIN place:1,-1,0 draw:PLAIN place:-1,-1,0")
    do(state, "draw:CITY place:1,-2,3 claim:0,meeple draw:CITY place:-1,-2,1 claim:0,meeple")
    do(state, f"draw:PLAIN place:-1,-3,0 draw:{north} claim:0,meeple")
    state.scores = [0, 10]
    haunt(state, 1, -2, 0, 2)
    haunt(state, -1, -2, 0, 1)
    return skip(do(state, "draw:HUB place:0,-2,0"))


@pytest.mark.rule("GCC-16")
def test_only_the_majority_pays(tiles: Path) -> None:
    """4 tiles for player 0's two meeples, one of them with a ghost; player 1's two ghosts cost nothing."""
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
    """A castle at 0,-1 with quarters at 0,0 and 1,0 beside it: both show mist, and so does its own tile."""
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


# -- the end --------------------------------------------------------------------------------------------------------


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
    """The same city with an open end in the north: 4 for player 0 less 1 ghost; 2 ghosts cost player 1 2 points."""
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
            play(Rules.named(spec, players), [by_name("random", n) for n in range(players)], seed)
            for spec in ("base", off)
        ]
        assert games[0].moves == games[1].moves
        assert games[0].result == games[1].result
