"""The oracle by itself: random games recounted from points of the plane."""

import os
import random
import re
from collections import Counter
from importlib.resources import files
from typing import Any

import networkx as nx
import pytest
from support.oracle.base import Oracle
from support.oracle.table import TERMINAL, read

GAMES = int(os.environ.get("CARC_ORACLE_GAMES", "1"))
BASE = (files("carc") / "base/tiles/base.txt").read_text(encoding="utf-8")

Point = tuple[int, int]
COMPASS = {"N": (0, -2), "E": (2, 0), "S": (0, 2), "W": (-2, 0)}
HALF = {"NL": (-1, -2), "NR": (1, -2), "EL": (2, -1), "ER": (2, 1)} | {
    "SL": (1, 2),
    "SR": (-1, 2),
    "WL": (-2, 1),
    "WR": (-2, -1),
}


def printed() -> dict[str, list[tuple[str, list[Point], list[int], int]]]:
    """Base tiles as kind, points on the rim (4 to a side), cities touched, coats of segments."""
    tiles: dict[str, list[tuple[str, list[Point], list[int], int]]] = {}
    for block in re.findall(r"^tile .*(?:\n  .*)*", BASE, flags=re.MULTILINE):
        head, *lines = block.splitlines()
        tiles[head.split()[1]] = segments = []
        for line in lines:
            kind, *words = line.split()
            if kind in ("known:", "meets"):
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
