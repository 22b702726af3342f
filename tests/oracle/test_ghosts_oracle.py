"""The oracle of Ghosts, Castles & Cemeteries by itself: positions counted by hand on a small set of
tiles.

Turns are written as `KIND X,Y,R` and the further actions. On the table at the start lie a clear
tile at 0,0, mist at 20,0 and a clear tile at 22,0: mist at 19,0 only expands the bank, mist at 21,0
expands it and meets a clear edge besides.

The rule that a position shows stands above it as a comment, as in test_oracle.py.
"""

from typing import Any

import pytest
from support.oracle.ghosts import GhostsOracle

# The base set in these positions is a start tile that goes back to the box (GCC-01).
BOX = """carc-tiles 1
set box
tile BOX 1 FFFF
  field N E S W
start BOX 0,0
"""
TILES = {
    "CLEAR": ("FFFF", "field N E S W"),
    "MIST": ("FFFF", "mist N E S W"),
    "CASTLE": ("FFFF", "castle", "mist N E S W"),
    "TOMB": ("FFFF", "cemetery", "field N E S W"),
    "LANE": ("FRFF", "road E", "field N EL ER S W"),
    "BEND": ("FFRR", "road S W", "field N E SL WR", "field SR WL"),
    "FORK": ("FRRR", "road E S W", "field N EL WR", "field ER SL", "field SR WL"),
    "TOWN": ("CFFF", "city N", "field E S W touches=0"),
    "GATE": ("CRFF", "road E", "city N", "field EL ER S W touches=1"),
}
START = {"CLEAR": 2, "MIST": 1}


def table(copies: dict[str, int] | None = None, players: int = 2, **options: str) -> GhostsOracle:
    """With so many copies of the tiles in the bag: ten of each if nothing else is said."""
    lines = ["carc-tiles 1", "set small"]
    for name, (edges, *segments) in TILES.items():
        count = 10 if copies is None else copies.get(name, 0)
        lines += [f"tile {name} {count + START.get(name, 0)} {edges}", *segments]
    lines += ["start CLEAR 0,0", "start MIST 20,0", "start CLEAR 22,0"]
    return GhostsOracle([BOX, "\n".join(lines)], players, **options)


def turns(on: GhostsOracle, *texts: str) -> GhostsOracle:
    for text in texts:
        kind, where, *actions = text.split()
        for action in (f"draw:{kind}", f"place:{where}", *actions):
            on.apply(action)
    return on


def ghosts(on: GhostsOracle) -> list[tuple[int, ...]]:
    pieces = on.to_dict()["pieces"]
    return [(p["x"], p["y"], p["segment"], p["count"]) for p in pieces if p["kind"] == "ghost"]


# GCC-01, GCC-03, GCC-04
def test_the_start() -> None:
    shown = table(players=3).to_dict()
    assert "BOX" not in shown["bag"]
    assert shown["supplies"] == [{"meeple": 5, "guard": 2}] * 3
    assert (shown["ghost_stock"], shown["pieces"], shown["guard_stock"]) == (15, [], [3, 3, 3])


# GCC-07
def test_expanding_the_mist_haunts_the_only_meeple_of_an_opponent() -> None:
    on = turns(table(), "CLEAR 1,0,0 claim:0,meeple", "MIST 19,0,0")
    assert ghosts(on) == [(1, 0, 0, 1)]
    assert on.to_dict()["ghost_stock"] == 14
    assert on.decision() == "draw"  # nobody stands on mist (MIST-07)


# GCC-07
def test_of_two_meeples_the_active_player_chooses() -> None:
    on = turns(table(), "LANE 1,0,0 claim:0,meeple", "CLEAR 0,1,0 pass")
    turns(on, "TOWN 0,-1,0 claim:0,meeple", "MIST 19,0,0")
    assert (on.current_player(), on.decision()) == (1, "haunt")
    assert on.legal() == ["haunt:0,-1,0", "haunt:1,0,0"]
    on.apply("haunt:1,0,0")
    assert ghosts(on) == [(1, 0, 0, 1)]


# GCC-08
@pytest.mark.parametrize("torn", ["CLEAR 20,1,0 pass", "MIST 23,0,0"])
def test_clear_ground_on_mist_and_mist_on_clear_ground_haunt_the_own_meeple(torn: str) -> None:
    on = turns(table(), "LANE 1,0,0 claim:0,meeple", "TOWN 0,-1,0 claim:0,meeple", torn)
    assert ghosts(on) == [(1, 0, 0, 1)]


# GCC-09
def test_first_the_opponents_ghost_then_the_own() -> None:
    on = turns(table(), "LANE 1,0,0 claim:0,meeple", "TOWN 0,-1,0 claim:0,meeple")
    turns(on, "CLEAR 0,1,0 claim:0,meeple", "TOWN -1,0,3 claim:0,meeple", "MIST 21,0,0")
    assert (on.current_player(), on.decision()) == (0, "haunt")
    assert on.legal() == ["haunt:0,-1,0", "haunt:-1,0,0"]
    on.apply("haunt:-1,0,0")
    assert (on.current_player(), on.decision()) == (0, "haunt own")
    assert on.legal() == ["haunt:1,0,0", "haunt:0,1,0"]
    on.apply("haunt:0,1,0")
    assert ghosts(on) == [(-1, 0, 0, 1), (0, 1, 0, 1)]
    assert on.decision() == "draw"


# GCC-10, GCC-11
def test_guards_take_no_ghosts() -> None:
    on = turns(table(), "LANE 1,0,0 claim:0,guard", "MIST 19,0,0", "MIST 21,0,0")
    assert on.to_dict()["ghost_stock"] == 15
    assert on.to_dict()["supplies"] == [{"meeple": 5, "guard": 1}, {"meeple": 5, "guard": 2}]


# GCC-10
def test_without_an_opponents_meeple_the_own_is_haunted_all_the_same() -> None:
    on = turns(table(), "LANE 1,0,0 claim:0,meeple", "CLEAR 0,1,0 pass", "MIST 21,0,0")
    assert ghosts(on) == [(1, 0, 0, 1)]


# GCC-12
def test_the_third_ghost_scares_off() -> None:
    on = turns(table(), "LANE 1,0,0 claim:0,meeple", "MIST 19,0,0", "CLEAR 0,1,0 pass")
    turns(on, "MIST 18,0,0", "CLEAR 0,2,0 pass")
    assert ghosts(on) == [(1, 0, 0, 2)]
    turns(on, "MIST 17,0,0")
    assert ghosts(on) == []
    assert on.to_dict()["ghost_stock"] == 15
    assert on.to_dict()["supplies"][0] == {"meeple": 5, "guard": 2}


# GCC-12
def test_the_last_meeple_scared_off_can_be_placed_again_at_once() -> None:
    on = turns(table(), "LANE 0,1,0 claim:0,meeple", "MIST 19,0,0", "LANE 0,2,0 claim:0,meeple")
    turns(on, "MIST 18,0,0 haunt:0,1,0", "LANE 0,3,0 claim:0,meeple", "CLEAR 0,-1,0 pass")
    turns(on, "LANE 0,4,0 claim:0,meeple", "CLEAR 0,-2,0 pass", "LANE 0,5,0 claim:0,meeple")
    turns(on, "CLEAR 0,-3,0 pass", "CLEAR 20,1,0")
    assert on.decision() == "haunt own"
    assert on.to_dict()["supplies"][0]["meeple"] == 0
    on.apply("haunt:0,1,0")
    assert on.legal() == ["claim:0,meeple", "claim:0,guard", "pass"]


# GCC-16, GCC-17, GCC-18
@pytest.mark.parametrize(("knight", "score"), [("claim:0,meeple", 2), ("pass", 0)])
def test_a_haunted_road_costs_more_than_it_is_worth(knight: str, score: int) -> None:
    """2 tiles and 2 ghosts: 2 - 4, taken from the 4 of a city or from nothing."""
    on = turns(table(), "LANE 1,0,0 claim:0,meeple", "MIST 19,0,0", "TOWN 0,-1,0 pass")
    turns(on, "MIST 18,0,0", f"TOWN 0,-2,2 {knight}", "LANE 2,0,2 pass")
    shown = on.to_dict()
    assert shown["scores"] == [score, 0]
    assert (shown["pieces"], shown["ghost_stock"]) == ([], 15)
    assert shown["supplies"][0] == {"meeple": 5, "guard": 2}


# GCC-16
def test_tied_players_each_pay_for_their_own_ghosts() -> None:
    on = turns(table(), "LANE 1,0,0 claim:0,meeple", "LANE 1,1,0 claim:0,meeple")
    turns(on, "BEND 2,0,0 pass", "MIST 19,0,0", "BEND 2,1,1 pass")
    assert on.to_dict()["scores"] == [4 - 2, 4]


# GCC-13, GCC-16
@pytest.mark.parametrize("second", ["meeple", "guard"])
def test_who_is_outnumbered_pays_nothing(second: str) -> None:
    """A road of 4 tiles; the 4 of player 1 are from a city. A guard counts as one follower."""
    on = turns(table(), "LANE 1,0,0 claim:0,meeple", "CLEAR 1,1,0 pass")
    turns(on, f"LANE 2,1,3 claim:0,{second}", "CLEAR 3,1,0 pass", "CLEAR 0,-1,0 pass")
    turns(on, "LANE 3,0,2 claim:0,meeple", "TOWN 0,1,2 pass", "TOWN 0,2,0 claim:0,meeple")
    turns(on, "MIST 19,0,0")
    assert ghosts(on) == [(3, 0, 0, 1)]
    turns(on, "FORK 2,0,0 pass")
    assert on.to_dict()["scores"] == [4, 4]
    assert on.to_dict()["ghost_stock"] == 15
    assert on.to_dict()["supplies"] == [{"meeple": 5, "guard": 2}] * 2


# GCC-17
def test_a_score_is_held_at_0_after_each_feature() -> None:
    """One tile completes a road with 2 ghosts, its first segment (2 - 4), then a city (4)."""
    on = turns(table(), "CLEAR -1,0,0 pass", "MIST 19,0,0", "LANE -1,1,0 claim:0,meeple")
    turns(on, "MIST 18,0,0", "CLEAR -1,2,0 pass", "MIST 17,0,0", "TOWN 0,2,0 claim:0,meeple")
    assert ghosts(on) == [(-1, 1, 0, 2)]
    turns(on, "CLEAR 0,-1,0 pass", "GATE 0,1,2 pass")
    assert on.to_dict()["scores"] == [4, 0]


CASTLE = ["CASTLE 19,0,0 claim:0,meeple", "MIST 19,-1,0", "CLEAR 18,-1,0 pass", "MIST 19,1,0"]
CASTLE += ["CLEAR 20,-1,0 pass", "MIST 20,1,0", "CLEAR 18,0,0 pass"]


# GCC-14, GCC-19
def test_a_castle_scores_2_for_each_tile_with_mist_among_the_9() -> None:
    on = turns(table(ghosts="off"), *CASTLE)
    assert on.to_dict()["scores"] == [0, 0]
    turns(on, "CLEAR 18,1,0 pass")
    assert on.to_dict()["scores"] == [2 * 5, 0]
    assert on.to_dict()["supplies"][0] == {"meeple": 5, "guard": 2}


# GCC-22
def test_a_castle_at_the_end_scores_1_for_each() -> None:
    on = turns(table({"CASTLE": 1, "MIST": 3, "CLEAR": 3}, ghosts="off"), *CASTLE)
    assert on.decision() is None
    assert on.to_dict()["scores"] == [5, 0]


# GCC-05
def test_a_castle_that_is_off_is_not_claimed() -> None:
    assert turns(table(castles="off"), "CASTLE 19,0,0").decision() == "draw"


GRAVE = ["TOMB 1,0,0 claim:0,meeple", "MIST 19,0,0", "TOWN 0,-1,0 pass", "CLEAR 0,1,0 pass"]
GRAVE += ["TOWN 0,-2,2 claim:0,meeple", "CLEAR 1,1,0 pass", "CLEAR 1,-1,0 pass"]
GRAVE += ["CLEAR 2,-1,0 pass", "CLEAR 2,0,0 pass", "CLEAR 2,1,0 pass"]


# GCC-15, GCC-20
@pytest.mark.parametrize(
    ("guards", "supply", "stock"),
    [("on", {"meeple": 5, "guard": 3}, [2, 3]), ("off", {"meeple": 7}, [0, 0])],
)
def test_a_cemetery_gives_a_guard_and_its_keepers_ghost_costs_2(
    guards: str, supply: dict[str, int], stock: list[int]
) -> None:
    """The 4 of player 0 are from a city."""
    shown = turns(table(guards=guards), *GRAVE).to_dict()
    assert shown["scores"] == [4 - 2, 0]
    assert (shown["supplies"][0], shown["guard_stock"]) == (supply, stock)
    assert shown["ghost_stock"] == 15


# GCC-20
def test_the_fourth_cemetery_finds_no_guard_left() -> None:
    ring = [(x, -1) for x in range(6)] + [(x, 1) for x in range(6)] + [(5, 0)]
    clear = [f"CLEAR {x},{y},0 pass" for x, y in ring]
    on = table({"TOMB": 4, "CLEAR": 14})
    for x in range(1, 5):
        turns(on, f"TOMB {x},0,0 claim:0,meeple", clear.pop(0))
    turns(on, *clear)
    assert on.to_dict()["guard_stock"] == [0, 3]
    assert on.to_dict()["supplies"][0] == {"meeple": 5, "guard": 5}


# GCC-23
def test_a_keeper_scores_nothing_at_the_end() -> None:
    on = turns(table({"TOMB": 1}), "TOMB 1,0,0 claim:0,meeple")
    assert on.to_dict()["scores"] == [0, 0]
    assert on.to_dict()["winners"] == [0, 1]


def end(*texts: str, **copies: int) -> dict[str, Any]:
    on = turns(table(copies), *texts)
    assert on.decision() is None
    return on.to_dict()


# GCC-21
def test_at_the_end_a_ghost_costs_1() -> None:
    """A city of 2 tiles, 4, and an incomplete road of 1, less its 2 ghosts."""
    texts = ["LANE 1,0,0 claim:0,meeple", "MIST 19,0,0", "TOWN 0,-1,0 claim:0,meeple"]
    texts += ["MIST 18,0,0 haunt:1,0,0", "TOWN 0,-2,2 pass"]
    shown = end(*texts, LANE=1, MIST=2, TOWN=2)
    assert shown["scores"] == [4 + 1 - 2, 0]
    assert [(p["kind"], p["x"], p["y"], p["count"]) for p in shown["pieces"]] == [
        ("ghost", 1, 0, 2)
    ]


# GCC-17, GCC-21
def test_no_score_ends_below_0() -> None:
    texts = ["LANE 1,0,0 claim:0,meeple", "MIST 19,0,0", "CLEAR 0,1,0 pass", "MIST 18,0,0"]
    assert end(*texts, LANE=1, MIST=2, CLEAR=1)["scores"] == [0, 0]
