"""The oracle by itself: positions counted by hand, and random games recounted from points of the plane.

Turns are written as `KIND X,Y,R` and what is claimed: a segment, `pass`, or nothing where no claim is asked for. The tiles are the base
game's; D, the start tile, has its city north and its road east-west.

The rule that a position shows stands above it as a comment, not as a mark: docs/rules.md lists the tests of the engine.
"""

import os
import random
import re
from collections import Counter
from importlib.resources import files
from typing import Any

import networkx as nx
import pytest
from oracle import CHANCE, TERMINAL, Oracle, read

BASE = (files("carc") / "base/data/base.txt").read_text(encoding="utf-8")
GAMES = int(os.environ.get("CARC_ORACLE_GAMES", "2"))


def only(**copies: int) -> str:
    """The base set with so many copies of these tiles besides the start tile, and none of the others."""

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


# -- the start, and where tiles fit ---------------------------------------------------------------------------------


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
    # The city; the field north of the road (two half-edges); the one south of it (two and an edge); the road.
    assert [(f["kind"], f["segments"], f["open_edges"]) for f in shown["features"]] == [
        ("city", [[0, 0, 0]], 1),
        ("field", [[0, 0, 2]], 2),
        ("field", [[0, 0, 3]], 3),
        ("road", [[0, 0, 1]], 2),
    ]


# BASE-03
@pytest.mark.parametrize(
    ("kind", "where"),
    [
        ("B", ["0,1,0", "0,1,1", "0,1,2", "0,1,3"]),
        ("C", ["0,-1,0", "0,-1,1", "0,-1,2", "0,-1,3"]),
        ("U", ["-1,0,1", "-1,0,3", "1,0,1", "1,0,3", "0,1,1", "0,1,3"]),
        ("E", ["0,-1,2", "0,1,1", "0,1,2", "0,1,3"]),
    ],
)
def test_where_a_tile_fits_beside_the_start_tile(kind: str, where: list[str]) -> None:
    table = Oracle([BASE], 2)
    table.apply(f"draw:{kind}")
    assert table.legal() == [f"place:{place}" for place in where]
    assert (table.current_player(), table.decision()) == (0, "place")
    assert table.to_dict()["tile_in_hand"] == kind


# BASE-03
def test_every_shared_edge_must_match() -> None:
    # At 1,1 lie the road's south end of V above and, to the west, the field of B: no straight road E-W fits there.
    table = played("V 1,0,0 pass", "B 0,1,0 pass")
    table.apply("draw:U")
    assert [a for a in table.legal() if a.startswith("place:1,1,")] == [
        "place:1,1,0",
        "place:1,1,2",
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


# -- claims -----------------------------------------------------------------------------------------------------------


# BASE-05
def test_what_may_be_claimed() -> None:
    table = Oracle([BASE], 2)
    table.apply("draw:E")
    table.apply("place:0,-1,2")
    assert (table.current_player(), table.decision()) == (0, "claim")
    assert table.legal() == ["claim:0,meeple", "claim:1,meeple", "pass"]


# BASE-05
def test_a_feature_with_anyones_meeple_anywhere_in_it_is_taken() -> None:
    table = played("U 1,0,1 0")
    table.apply("draw:U")
    table.apply("place:-1,0,1")
    assert table.legal() == ["claim:1,meeple", "claim:2,meeple", "pass"]


# BASE-06
def test_without_meeples_there_is_nothing_to_claim() -> None:
    table = played(*(f"B 0,{y},0 0" for y in range(1, 15)), tiles=only(B=16))
    assert table.to_dict()["supplies"] == [{"meeple": 0}] * 2
    turn(table, "B 0,15,0")
    assert table.decision() == "draw"


# BASE-06
def test_a_meeple_that_comes_back_is_placed_from_the_next_turn_on() -> None:
    table = played("F 0,-1,1 0", tiles=only(F=1, B=14, E=1))
    for y in range(1, 14):
        turn(table, f"B 0,{y},0 " + ("pass" if y % 2 else "0"))
    assert table.to_dict()["supplies"] == [{"meeple": 0}, {"meeple": 7}]
    turn(table, "E 0,-2,2")  # completes the city: 3 tiles and a coat of arms
    assert table.decision() == "draw"
    assert table.to_dict()["supplies"] == [{"meeple": 1}, {"meeple": 7}]
    assert table.to_dict()["scores"] == [8, 0]


# -- features completed -----------------------------------------------------------------------------------------------


# BASE-08, BASE-12
def test_a_city_of_two_tiles_scores_4() -> None:
    table = played("E 0,-1,2 0")
    assert table.to_dict()["scores"] == [4, 0]
    assert table.to_dict()["supplies"] == [{"meeple": 7}] * 2
    assert with_segment(table, 0, 0, 0)["complete"]


# BASE-08, BASE-13
def test_completing_someone_elses_city_scores_for_them() -> None:
    table = played("F 0,-1,1 0", "E 0,-2,2 pass")  # 3 tiles and a coat of arms, twice
    assert table.to_dict()["scores"] == [8, 0]
    assert with_segment(table, 0, -1, 0)["marks"] == {"coat_of_arms": 1}


# BASE-13
def test_a_city_of_nobody_scores_nothing() -> None:
    assert played("E 0,-1,2 pass").to_dict()["scores"] == [0, 0]


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


# BASE-09
def test_a_monastery_scores_9() -> None:
    around = ["U -1,0,1", "U 1,0,1", "E -1,1,3", "E 1,1,1", "E 0,2,2", "E -1,2,2"]
    table = played("B 0,1,0 0", *(f"{one} pass" for one in around))
    assert table.to_dict()["scores"] == [0, 0]
    turn(table, "E 1,2,2 pass")
    assert table.to_dict()["scores"] == [9, 0]
    assert table.to_dict()["supplies"] == [{"meeple": 7}] * 2


# -- majorities ---------------------------------------------------------------------------------------------------------


# BASE-11, BASE-14
def test_players_tied_on_a_joined_city_both_score_it_in_full() -> None:
    apart = ["K 1,0,0 0", "J -1,0,0 0", "N -1,-1,2 pass", "N 1,-1,3 pass"]
    table = played(*apart, "R 0,-1,2 pass")
    assert len(with_segment(table, 0, -1, 0)["tiles"]) == 6
    assert table.to_dict()["scores"] == [12, 12]


# BASE-11, BASE-12, BASE-14
def test_two_knights_beat_one() -> None:
    apart = ["K 1,0,0 0", "J -1,0,0 0", "E 2,0,0 0", "N -1,-1,2 pass", "N 2,-1,3 pass"]
    table = played(*apart, "R 1,-1,2 pass")
    table.apply("draw:R")
    table.apply("place:0,-1,2")
    assert table.legal() == ["claim:1,meeple", "pass"]
    table.apply("pass")
    assert table.to_dict()["scores"] == [16, 0]
    assert table.to_dict()["supplies"] == [{"meeple": 7}] * 2


# -- the end --------------------------------------------------------------------------------------------------------------


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


# BASE-12, BASE-17
def test_a_field_with_two_completed_cities_scores_6() -> None:
    turns = ["E 0,1,2 1", "E 0,2,0 pass", "E 1,1,1 pass", "E 2,1,3 pass"]
    table = played(*turns, tiles=only(E=4))
    assert table.to_dict()["scores"] == [6, 0]
    assert table.to_dict()["supplies"] == [{"meeple": 6}, {"meeple": 7}]


# BASE-17
def test_an_incomplete_city_feeds_no_field() -> None:
    table = played("E 0,1,2 1", "E 0,2,0 pass", "E 1,1,1 pass", tiles=only(E=3))
    assert table.to_dict()["scores"] == [3, 0]


# BASE-17
def test_a_field_counts_a_city_once_though_it_borders_it_twice() -> None:
    turns = ["E 0,1,2 1", "F 0,2,1 pass", "E 0,3,0 pass", "B -1,1,0 pass", "B -1,2,0 pass"]
    table = played(*turns, tiles=only(E=2, F=1, B=2))
    assert [-1, 2] in with_segment(table, 0, 1, 1)["tiles"]
    assert table.to_dict()["scores"] == [3, 0]


# BASE-17, BASE-19
def test_two_fields_count_the_same_city_and_level_players_both_win() -> None:
    table = played("E 0,-1,2 1", "U 1,0,1 2", tiles=only(E=1, U=1))
    assert table.to_dict()["scores"] == [3, 3]
    assert table.to_dict()["winners"] == [0, 1]


# BASE-17, BASE-18
def test_the_field_across_the_road_borders_no_city() -> None:
    table = played("E 0,-1,2 pass", "U 1,0,1 1", tiles=only(E=1, U=1))
    assert table.to_dict()["scores"] == [0, 0]


# -- other sets -----------------------------------------------------------------------------------------------------------


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
    # The west tile's mist meets the east tile's clear field: neither goes on there, neither is open there.
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
    # Mist on mist is one bank; open to the west, and against the clear edge east it can never be finished.
    turn(table, "P 0,-1,2 pass")
    bank = with_segment(table, 0, -1, 1)
    assert bank["segments"] == [[0, -1, 1], [0, 0, 1]]
    assert (bank["open_edges"], bank["complete"], bank["marks"]) == (1, False, {"ghosts": 4})
    turn(table, "U 0,1,1 pass")
    assert with_segment(table, 0, 1, 2)["segments"] == [[0, 0, 2], [0, 1, 2]]


# -- random games recounted -------------------------------------------------------------------------------------------

Point = tuple[int, int]
COMPASS = {"N": (0, -2), "E": (2, 0), "S": (0, 2), "W": (-2, 0)}
HALF = {"NL": (-1, -2), "NR": (1, -2), "EL": (2, -1), "ER": (2, 1)} | {
    "SL": (1, 2),
    "SR": (-1, 2),
    "WL": (-2, 1),
    "WR": (-2, -1),
}


def printed() -> dict[str, list[tuple[str, list[Point], list[int], int]]]:
    """Base tiles as kind, points on the tile's rim (4 to a side), cities touched, coats of arms of each segment."""
    tiles: dict[str, list[tuple[str, list[Point], list[int], int]]] = {}
    for block in re.findall(r"^tile .*(?:\n  .*)*", BASE, flags=re.MULTILINE):
        head, *lines = block.splitlines()
        tiles[head.split()[1]] = segments = []
        for line in lines:
            kind, *words = line.split()
            if kind == "known:":
                continue
            points = [HALF[word] for word in words if word in HALF]
            for word in words:
                if word in COMPASS:
                    sides = [n for n in HALF if n[0] == word] if kind == "field" else []
                    points += [HALF[n] for n in sides] or [COMPASS[word]]
            touches = [int(n) for w in words if w.startswith("touches=") for n in w[8:].split(",")]
            segments.append((kind, points, touches, int("coat_of_arms=1" in words)))
    return tiles


PRINTED = printed()


class Recount:
    """A board's features: segments are joined where they share a point of the plane."""

    def __init__(self, tiles: list[dict[str, Any]]) -> None:
        self.cells = {(t["x"], t["y"]) for t in tiles}
        self.reach: dict[tuple[int, int, int], list[Point]] = {}
        self.printed = {}
        owner: dict[tuple[str, Point], list[tuple[int, int, int]]] = {}
        graph: nx.Graph[tuple[int, int, int]] = nx.Graph()
        for t in tiles:
            for index, segment in enumerate(PRINTED[t["kind"]]):
                node = (t["x"], t["y"], index)
                graph.add_node(node)
                self.printed[node] = segment
                self.reach[node] = []
                for point in segment[1]:
                    x, y = point
                    for _ in range(t["rotation"]):
                        x, y = -y, x
                    at = (4 * t["x"] + x, 4 * t["y"] + y)
                    self.reach[node].append(at)
                    owner.setdefault((segment[0], at), []).append(node)
        for nodes in owner.values():
            nx.add_path(graph, nodes)
        self.loose = {at for (_, at), nodes in owner.items() if len(nodes) == 1}
        self.features = [frozenset(f) for f in nx.connected_components(graph)]

    def kind(self, feature: frozenset[tuple[int, int, int]]) -> str:
        return self.printed[next(iter(feature))][0]

    def near(self, feature: frozenset[tuple[int, int, int]]) -> int:
        ((x, y, _),) = feature
        return sum((x + i % 3 - 1, y + i // 3 - 1) in self.cells for i in range(9))

    def complete(self, feature: frozenset[tuple[int, int, int]]) -> bool:
        kind = self.kind(feature)
        if kind == "monastery":
            return self.near(feature) == 9
        return kind != "field" and not any(p in self.loose for n in feature for p in self.reach[n])

    def value(self, feature: frozenset[tuple[int, int, int]]) -> int:
        kind = self.kind(feature)
        size = len({node[:2] for node in feature})
        if kind == "monastery":
            return self.near(feature)
        if kind == "city":
            arms = sum(self.printed[node][3] for node in feature)
            return (size + arms) * (1 + self.complete(feature))
        if kind == "field":
            walls = {(*n[:2], city) for n in feature for city in self.printed[n][2]}
            return 3 * sum(bool(walls & f) and self.complete(f) for f in self.features)
        return size

    def gains(
        self, feature: frozenset[tuple[int, int, int]], men: dict[tuple[int, int, int], int]
    ) -> Counter[int]:
        here = Counter(who for node, who in men.items() if node in feature)
        most = max(here.values(), default=0)
        return Counter({who: self.value(feature) for who, n in here.items() if n == most})


def numbers(action: str) -> list[int]:
    return [int(n) for n in re.findall(r"-?\d+", action)]


# BASE-07, BASE-08, BASE-09, BASE-10, BASE-11, BASE-12, BASE-16, BASE-17
@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("players", [2, 5])
def test_random_games_recounted(players: int, seed: int) -> None:
    rng = random.Random(f"recount {players} {seed}")
    table = Oracle([BASE], players)
    names = [name for name, (copies, _, _) in read(BASE)[0].items() for _ in range(copies)]
    men: dict[tuple[int, int, int], int] = {}
    scores: Counter[int] = Counter()
    mover = -1
    while table.current_player() != TERMINAL:
        legal = table.legal()
        assert legal
        assert len(set(legal)) == len(legal)
        seat, decision = table.current_player(), table.decision()
        if decision == "draw":
            # Draws as from a shuffled bag: as likely as there are copies.
            bag = table.to_dict()["bag"]
            table.apply("draw:" + rng.choices(list(bag), weights=list(bag.values()))[0])
        else:
            action = rng.choice(legal)
            if decision == "place":
                assert seat == (mover + 1) % players
                mover = seat
                x, y, _ = numbers(action)
            elif action != "pass":
                men[x, y, numbers(action)[0]] = seat
            table.apply(action)
        shown = table.to_dict()
        held = [shown["tile_in_hand"]] if shown["tile_in_hand"] else []
        laid = [tile["kind"] for tile in shown["tiles"]]
        assert (
            sorted([*laid, *held, *shown["discarded"], *Counter(shown["bag"]).elements()]) == names
        )
        if table.decision() not in ("draw", None):
            continue
        # The turn is over, or a tile was discarded: everything is counted again.
        again = Recount(shown["tiles"])
        for feature in again.features:
            if again.complete(feature):
                scores.update(again.gains(feature, men))
                men = {node: who for node, who in men.items() if node not in feature}
        if table.current_player() == TERMINAL:
            for feature in again.features:
                scores.update(again.gains(feature, men))
        assert shown["scores"] == [scores[p] for p in range(players)]
        left = Counter(men.values())
        assert shown["supplies"] == [{"meeple": 7 - left[p]} for p in range(players)]
        theirs = {frozenset((a, b, i) for a, b, i in f["segments"]): f for f in shown["features"]}
        assert set(theirs) == set(again.features)
        for feature, found in theirs.items():
            assert (found["kind"], found["complete"]) == (
                again.kind(feature),
                again.complete(feature),
            )
            standing = {(m["x"], m["y"], m["segment"]): m["owner"] for m in found["followers"]}
            assert standing == {node: who for node, who in men.items() if node in feature}
    best = max(shown["scores"])
    assert shown["winners"] == [p for p in range(players) if shown["scores"][p] == best]
