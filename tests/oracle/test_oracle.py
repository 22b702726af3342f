"""The oracle by itself: rare positions counted by hand; test_agreement.py meets all others.

Turns are written as `KIND X,Y,R` and what is claimed: a segment, `pass`, or nothing where no claim
is asked for. The tiles are the base game's; D, the start tile, has its city north and its road
east-west.

The rule that a position shows stands above it as a comment, not as a mark: docs/rules.md lists the
tests of the engine.
"""

import re
from importlib.resources import files
from typing import Any

from support.oracle.base import Oracle
from support.oracle.table import CHANCE, TERMINAL

BASE = (files("carc") / "base/tiles/base.txt").read_text(encoding="utf-8")


def only(**copies: int) -> str:
    """The base set with so many copies of these tiles besides the start tile, and no others."""

    def count(found: re.Match[str]) -> str:
        return f"tile {found[1]} {copies.get(found[1], 0) + (found[1] == 'D')} "

    return re.sub(r"^tile (\S+) \d+ ", count, BASE, flags=re.MULTILINE)


def turn(table: Oracle, text: str) -> None:
    kind, where, *claim = text.split()
    table.apply(f"draw:{kind}")
    table.apply(f"place:{where}")
    for what in claim:
        table.apply("pass" if what == "pass" else f"claim:{what},meeple")


def played(*turns: str, tiles: str = BASE, players: int = 2) -> Oracle:
    table = Oracle([tiles], players)
    for text in turns:
        turn(table, text)
    return table


def with_segment(table: Oracle, x: int, y: int, index: int) -> dict[str, Any]:
    return next(f for f in table.to_dict()["features"] if [x, y, index] in f["segments"])


# BASE-01, BASE-02
def test_the_start() -> None:
    table = Oracle([BASE], 3)
    shown = table.to_dict()
    assert (table.current_player(), table.decision()) == (CHANCE, "draw")
    assert table.legal() == [f"draw:{kind}" for kind in "ABCDEFGHIJKLMNOPQRSTUVWX"]
    assert sum(shown["bag"].values()) == 71
    assert shown["bag"]["D"] == 3
    assert shown["supplies"] == [{"meeple": 7}] * 3
    assert shown["scores"] == [0, 0, 0]
    assert shown["winners"] is None
    # The city; the field north of the road (two half-edges); the one south of it (two and an edge);
    # the road.
    assert [(f["kind"], f["segments"], f["open_edges"]) for f in shown["features"]] == [
        ("city", [[0, 0, 0]], 1),
        ("field", [[0, 0, 2]], 2),
        ("field", [[0, 0, 3]], 3),
        ("road", [[0, 0, 1]], 2),
    ]


# BASE-04
def test_a_tile_that_fits_nowhere_is_discarded_and_the_same_player_draws_again() -> None:
    table = played("E 0,-1,2 0", tiles=only(E=1, C=1, B=1))
    table.apply("draw:C")
    assert table.current_player() == CHANCE
    assert table.to_dict()["discarded"] == ["C"]
    assert table.legal() == ["draw:B"]
    table.apply("draw:B")
    assert table.current_player() == 1


# BASE-04, BASE-15
def test_the_last_tile_may_fit_nowhere() -> None:
    table = played("E 0,-1,2 0", tiles=only(E=1, C=1))
    table.apply("draw:C")
    assert (table.current_player(), table.decision(), table.legal()) == (TERMINAL, None, [])
    assert table.to_dict()["discarded"] == ["C"]
    assert table.to_dict()["scores"] == [4, 0]


# BASE-06
def test_without_meeples_there_is_nothing_to_claim() -> None:
    table = played(*(f"B 0,{y},0 0" for y in range(1, 15)), tiles=only(B=16))
    assert table.to_dict()["supplies"] == [{"meeple": 0}] * 2
    turn(table, "B 0,15,0")
    assert table.decision() == "draw"


# BASE-07
def test_a_road_from_village_to_monastery() -> None:
    table = played("W 1,0,0 2", "A -1,0,3 pass")
    assert table.to_dict()["scores"] == [3, 0]


# BASE-07, BASE-18
def test_a_road_loop() -> None:
    table = played("V 0,1,3 0", "V 1,1,0 pass", "V 0,2,2 pass", "V 1,2,1 pass")
    assert table.to_dict()["scores"] == [4, 0]
    inside, outside = with_segment(table, 0, 1, 2), with_segment(table, 0, 1, 1)
    assert inside["segments"] == [[0, 1, 2], [0, 2, 2], [1, 1, 2], [1, 2, 2]]
    assert inside["open_edges"] == 0
    assert not inside["complete"]
    assert [0, 0, 3] in outside["segments"]
    assert outside["open_edges"] == 7 + 2  # around the loop; beside the start tile's road


# BASE-07, BASE-10
def test_a_road_that_leaves_a_crossing_and_comes_back_counts_its_tile_once() -> None:
    table = played("V 0,1,3 0", "V 1,1,0 pass", "V 0,2,2 pass")
    table.apply("draw:X")
    table.apply("place:1,2,0")
    # Its roads north and west are the claimed one by now.
    assert table.legal() == [*(f"claim:{index},meeple" for index in (1, 2, 4, 5, 6, 7)), "pass"]
    table.apply("pass")
    assert table.to_dict()["scores"] == [4, 0]


# BASE-10
def test_two_segments_of_a_tile_in_one_city_count_once() -> None:
    table = played("N 0,1,2 0", "N 1,1,3 pass", "N 0,2,1 pass", "I 1,2,3 pass")
    assert len(with_segment(table, 1, 2, 0)["segments"]) == 5
    assert table.to_dict()["scores"] == [8, 0]


# BASE-15, BASE-16, BASE-19
def test_what_is_incomplete_at_the_end() -> None:
    # A road of 2 and a monastery with 2 neighbours; a city of 2 tiles with a coat of arms.
    table = played("U 1,0,1 0", "F 0,-1,1 0", "B 0,1,0 0", tiles=only(U=1, F=1, B=1))
    assert table.current_player() == TERMINAL
    shown = table.to_dict()
    assert shown["scores"] == [2 + 3, 3]
    assert shown["winners"] == [0]
    assert shown["supplies"] == [{"meeple": 5}, {"meeple": 6}]
    assert sum(len(f["followers"]) for f in shown["features"]) == 3


# BASE-17
def test_a_field_counts_a_city_once_though_it_borders_it_twice() -> None:
    turns = ["E 0,1,2 1", "F 0,2,1 pass", "E 0,3,0 pass", "B -1,1,0 pass", "B -1,2,0 pass"]
    table = played(*turns, tiles=only(E=2, F=1, B=2))
    assert [-1, 2] in with_segment(table, 0, 1, 1)["tiles"]
    assert table.to_dict()["scores"] == [3, 0]


class WithCastles(Oracle):
    surrounded = ("monastery", "castle")


# MIST-02, MIST-04, MIST-05, MIST-06
def test_mist_castles_and_several_start_tiles() -> None:
    text = """carc-tiles 1
set small
tile P 3 FFFF  # a comment
  castle
  mist N E ghosts=2
  field S W
  number 14
  known: copies
  reconstructed: edges, segments
tile Q 1 RFFF
  road N
  cemetery
  mist N
  field E S W
start P 0,0
start P 1,0
"""
    table = WithCastles([BASE.replace("start D 0,0", ""), text], 2)
    shown = table.to_dict()
    assert [(t["x"], t["y"], t["kind"]) for t in shown["tiles"]] == [(0, 0, "P"), (1, 0, "P")]
    assert (shown["bag"]["P"], shown["bag"]["Q"], shown["bag"]["D"]) == (1, 1, 4)
    # The west tile's mist meets the east tile's clear field: neither goes on there, neither is open
    # there.
    west, east = with_segment(table, 0, 0, 1), with_segment(table, 1, 0, 1)
    assert (west["kind"], west["open_edges"], west["marks"]) == ("mist", 1, {"ghosts": 2})
    assert (east["kind"], east["open_edges"]) == ("mist", 2)
    assert (
        with_segment(table, 0, 0, 2)["open_edges"],
        with_segment(table, 1, 0, 2)["open_edges"],
    ) == (2, 1)
    assert not with_segment(table, 0, 0, 0)["complete"]
    # A clear field fits a misty one; a field does not fit the misty road.
    table.apply("draw:Q")
    assert "place:0,-1,2" not in table.legal()
    table.apply("place:1,-1,1")
    assert with_segment(table, 1, -1, 3)["tiles"] == [[1, -1]]
    assert with_segment(table, 1, 0, 1)["open_edges"] == 1
    table.apply("pass")
    # Mist on mist is one bank; open to the west, and against the clear edge east it can never be
    # finished.
    turn(table, "P 0,-1,2 pass")
    bank = with_segment(table, 0, -1, 1)
    assert bank["segments"] == [[0, -1, 1], [0, 0, 1]]
    assert (bank["open_edges"], bank["complete"], bank["marks"]) == (1, False, {"ghosts": 4})
    turn(table, "U 0,1,1 pass")
    assert with_segment(table, 0, 1, 2)["segments"] == [[0, 0, 2], [0, 1, 2]]
