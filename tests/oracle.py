"""The oracle: the rules played again the slow and obvious way, to compare the engine with.

Written from docs/rules.md and docs/concepts.md, with nothing of the engine's: its own reader of tile files, features found
by walking from tile to tile, legal placements found by trying every cell, and a turn that reads like the rulebook: a
generator that yields (who decides, what, the choices) and is sent the choice. The whole board, for `to_dict`, comes
from networkx's connected components.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from functools import cache
from typing import Any

import networkx as nx

CHANCE, TERMINAL = -1, -4
SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))  # north, east, south, west
AROUND = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]
NO_PART = ("carc-tiles", "set", "number", "known:", "reconstructed:", "group", "symbol")
HALVES = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"]

Cell = tuple[int, int]
Node = tuple[int, int, int]  # x, y, index of the segment
Turn = Generator[tuple[int, str, list[str]], str, None]


class Part:
    """A segment as read: its kind, the edges and half-edges it reaches, the cities it touches, its marks."""

    def __init__(self, kind: str, edges: set[int], halves: set[int], touches: list[int]) -> None:
        self.kind, self.edges, self.halves, self.touches = kind, edges, halves, touches
        self.marks: dict[str, int] = {}

    def turned(self, quarter_turns: int) -> Part:
        edges = {(edge + quarter_turns) % 4 for edge in self.edges}
        halves = {(half + 2 * quarter_turns) % 8 for half in self.halves}
        part = Part(self.kind, edges, halves, self.touches)
        part.marks = self.marks
        return part


@cache
def read(text: str) -> tuple[dict[str, tuple[int, str, list[Part]]], list[tuple[str, int, int]]]:
    """Tiles (copies, letters of the edges, parts) and start tiles of a tile file."""
    tiles: dict[str, tuple[int, str, list[Part]]] = {}
    start = []
    parts: list[Part] = []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words or words[0] in NO_PART:
            continue
        if words[0] == "tile":
            parts = []
            tiles[words[1]] = (int(words[2]), words[3], parts)
        elif words[0] == "start":
            x, y = words[2].split(",")
            start.append((words[1], int(x), int(y)))
        else:
            part = Part(words[0], set(), set(), [])
            for word in words[1:]:
                if word.startswith("touches="):
                    part.touches = [int(n) for n in word[8:].split(",")]
                elif "=" in word:
                    part.marks[word.split("=")[0]] = int(word.split("=")[1])
                elif word in HALVES:
                    part.halves.add(HALVES.index(word))
                elif part.kind == "field":
                    part.halves |= {2 * "NESW".index(word), 2 * "NESW".index(word) + 1}
                else:
                    part.edges.add("NESW".index(word))
            parts.append(part)
    return tiles, start


def piece(
    kind: str,
    x: int,
    y: int,
    segment: int | None = None,
    *,
    owner: int | None = None,
    count: int = 1,
    text: str = "",
) -> dict[str, Any]:
    """One of the pieces of `to_dict`."""
    return {
        "kind": kind,
        "x": x,
        "y": y,
        "segment": segment,
        "owner": owner,
        "count": count,
        "text": text,
    }


class Oracle:
    """Base Carcassonne. `decide` is who decides what with which choices; `apply` makes one."""

    follower_kinds: tuple[str, ...] = ("meeple",)
    claimable: tuple[str, ...] = ("city", "road", "field", "monastery")
    surrounded: tuple[str, ...] = ("monastery",)  # kinds completed by their 8 neighbours

    def __init__(self, texts: list[str], players: int, fields: str = "on", **_: str) -> None:
        if fields == "off":  # BASE-05
            self.claimable = tuple(kind for kind in self.claimable if kind != "field")
        self.players = players
        self.hasty = False
        self.walked: dict[Node, set[Node]] = {}
        self.copies: dict[str, int] = {}
        self.turned: dict[tuple[str, int], list[Part]] = {}
        self.sides: dict[tuple[str, int], list[str]] = {}  # letters clockwise from north
        self.bag: dict[str, int] = {}
        self.board: dict[Cell, tuple[str, int]] = {}  # kind, rotation
        self.beside: set[Cell] = set()  # all cells beside tiles, with tiles or not
        self.order: list[Cell] = []
        self.followers: dict[Node, tuple[int, str]] = {}  # whose, kind
        self.scores = [0] * self.owners(players)
        self.discarded: list[str] = []
        self.hand: str | None = None
        self.supply = [self.first_supply() for _ in range(self.owners(players))]
        start: list[tuple[str, int, int]] = []
        for text in texts:
            tiles, laid = read(text)
            tiles, laid = self.opened(dict(tiles), laid, first=text is texts[0])
            for name, (copies, letters, parts) in tiles.items():
                self.copies[name] = self.bag[name] = copies
                for rotation in range(4):
                    self.turned[name, rotation] = [part.turned(rotation) for part in parts]
                    self.sides[name, rotation] = [
                        letters[(side - rotation) % 4] for side in range(4)
                    ]
            start += laid
        for name, x, y in start:
            self.bag[name] -= 1
            self.put_tile((x, y), name, 0)
        self.turn = self.game()
        self.decide: tuple[int, str | None, list[str]] = next(self.turn)

    # -- set-up, for subclasses ---------------------------------------------------------------------------------

    def opened(
        self,
        tiles: dict[str, tuple[int, str, list[Part]]],
        start: list[tuple[str, int, int]],
        first: bool,
    ) -> tuple[dict[str, tuple[int, str, list[Part]]], list[tuple[str, int, int]]]:
        return tiles, start

    def owners(self, players: int) -> int:
        """How many colours are in play."""
        return players

    def first_supply(self) -> dict[str, int]:
        return {"meeple": 7}

    # -- the table ------------------------------------------------------------------------------------------------

    def put_tile(self, cell: Cell, kind: str, rotation: int) -> None:
        self.walked = {}
        self.beside.update(self.beyond(cell, side) for side in range(4))
        self.board[cell] = (kind, rotation)
        self.order.append(cell)

    def parts(self, cell: Cell) -> list[Part]:
        return self.turned[self.board[cell]]

    def letter(self, kind: str, rotation: int, side: int) -> str:
        return self.sides[kind, rotation][side]

    def beyond(self, cell: Cell, side: int) -> Cell:
        return cell[0] + SIDES[side][0], cell[1] + SIDES[side][1]

    def joined(self, node: Node) -> Iterable[Node]:
        """The segments on neighbouring tiles that this one runs on into (BASE-18, MIST-04)."""
        cell = (node[0], node[1])
        part = self.parts(cell)[node[2]]
        for edge in part.edges:
            there = self.beyond(cell, edge)
            if there in self.board:
                for index, other in enumerate(self.parts(there)):
                    if other.kind == part.kind and (edge + 2) % 4 in other.edges:
                        yield (*there, index)
        for half in part.halves:
            there = self.beyond(cell, half // 2)
            if there in self.board:
                # The left half of an edge lies against the right half of the edge opposite.
                facing = 2 * ((half // 2 + 2) % 4) + (1 - half % 2)
                for index, other in enumerate(self.parts(there)):
                    if facing in other.halves:
                        yield (*there, index)

    def feature(self, node: Node) -> set[Node]:
        """All segments of the feature that this one is part of; remembered till the next tile is laid."""
        if node in self.walked:
            return self.walked[node]
        found = {node}
        todo = [node]
        while todo:
            for other in self.joined(todo.pop()):
                if other not in found:
                    found.add(other)
                    todo.append(other)
        self.walked.update(dict.fromkeys(found, found))
        return found

    def part(self, node: Node) -> Part:
        return self.parts((node[0], node[1]))[node[2]]

    def around(self, cell: Cell) -> list[Cell]:
        near = [(cell[0] + dx, cell[1] + dy) for dx, dy in AROUND]
        return [other for other in near if other in self.board]

    def complete(self, feature: set[Node]) -> bool:
        """BASE-07, BASE-08, BASE-09, MIST-05."""
        node = next(iter(feature))
        kind = self.part(node).kind
        if kind == "field":
            return False
        if kind in self.surrounded:
            return len(self.around((node[0], node[1]))) == 8
        for x, y, index in feature:
            for edge in self.parts((x, y))[index].edges:
                there = self.beyond((x, y), edge)
                if there not in self.board:
                    return False  # nothing there, or a tile face down
                opposite = (edge + 2) % 4
                if not any(p.kind == kind and opposite in p.edges for p in self.parts(there)):
                    return False
        return True

    def taken(self, cell: Cell) -> bool:
        """Whether a tile lies there."""
        return cell in self.board

    def placements(self, kind: str) -> list[str]:
        """BASE-03, by trying every free cell and rotation; a `hasty` oracle stops at the first that fits."""
        found = []
        free = {cell for cell in self.beside if not self.taken(cell)}
        for x, y in sorted(free, key=lambda c: (c[1], c[0])):
            asked = [
                (side, self.letter(*self.board[self.beyond((x, y), side)], (side + 2) % 4))
                for side in range(4)
                if self.beyond((x, y), side) in self.board
            ]
            for rotation in range(4):
                if all(self.letter(kind, rotation, side) == letter for side, letter in asked):
                    found.append(f"place:{x},{y},{rotation}")
                    if self.hasty:
                        return found
        return found

    def fits(self, kind: str, rotation: int, cell: Cell) -> bool:
        """Whether a tile shares an edge with another, and all it shares match (BASE-03)."""
        shared = [side for side in range(4) if self.beyond(cell, side) in self.board]
        return bool(shared) and all(
            self.letter(*self.board[self.beyond(cell, side)], (side + 2) % 4)
            == self.letter(kind, rotation, side)
            for side in shared
        )

    # -- the game ---------------------------------------------------------------------------------------------------

    def game(self) -> Turn:
        player = 0
        while True:
            while True:
                if not any(self.bag.values()):  # BASE-15
                    self.final()
                    return
                drawn = yield CHANCE, "draw", [f"draw:{kind}" for kind in self.drawable()]
                kind = drawn.removeprefix("draw:")
                self.bag[kind] -= 1
                self.tile_drawn(player)
                where = self.placements(kind)
                if where:
                    break
                self.discarded.append(kind)  # BASE-04
            self.hand = kind
            chosen = yield player, "place", where
            self.hand = None
            x, y, rotation = (int(n) for n in chosen.removeprefix("place:").split(","))
            self.put_tile((x, y), kind, rotation)
            yield from self.after_placing(player, (x, y))
            yield from self.claim(player, (x, y))
            self.score_turn(player, (x, y))
            yield from self.after_scoring(player, (x, y))
            player = self.next_player(player)

    def tile_drawn(self, player: int) -> None:
        """A turn starts: nothing more in the base game."""

    def after_scoring(self, player: int, cell: Cell) -> Turn:
        """What happens between the scoring and the next turn: nothing in the base game."""
        yield from ()

    def drawable(self) -> list[str]:
        """The kinds of tile that may come now."""
        return [kind for kind, n in self.bag.items() if n]

    def next_player(self, player: int) -> int:
        return (player + 1) % self.players

    def after_placing(self, player: int, cell: Cell) -> Turn:
        """What happens between the tile and the follower: nothing in the base game."""
        yield from ()

    def claim(self, player: int, cell: Cell) -> Turn:
        """BASE-05, BASE-06."""
        choices = [
            f"claim:{index},{kind}"
            for index in range(len(self.parts(cell)))
            for kind in self.figures()
            if self.supply[player][kind] and self.may_stand(player, kind, (*cell, index))
        ]
        choices += self.instead(player)
        if choices:
            chosen = yield player, "claim", [*choices, "pass"]
            if chosen.startswith("claim:"):
                where, follower = chosen.removeprefix("claim:").split(",")
                self.supply[player][follower] -= 1
                self.followers[(*cell, int(where))] = (player, follower)
            elif chosen != "pass":
                self.do_instead(player, chosen)

    def figures(self) -> tuple[str, ...]:
        """The kinds of figure, in order."""
        return self.follower_kinds

    def may_stand(self, player: int, kind: str, node: Node) -> bool:
        feature = self.feature(node)
        return self.part(node).kind in self.claimable and not any(
            other in feature for other in self.followers
        )

    def instead(self, player: int) -> list[str]:
        """What else may be done instead of placing a follower: nothing in the base game."""
        return []

    def do_instead(self, player: int, chosen: str) -> None:
        raise NotImplementedError(chosen)

    def score_turn(self, player: int, cell: Cell) -> None:
        """Features this tile completed: its own segments in order, then surrounded ones around it, then its own."""
        done: list[set[Node]] = []
        for index, part in enumerate(self.parts(cell)):
            if part.kind not in (*self.surrounded, "field"):
                feature = self.feature((*cell, index))
                if feature not in done and self.complete(feature):
                    done.append(feature)
        for near in [*sorted(self.around(cell), key=lambda c: (c[1], c[0])), cell]:
            for index, part in enumerate(self.parts(near)):
                if part.kind in self.surrounded and self.complete({(*near, index)}):
                    done.append({(*near, index)})
        for feature in self.scored_in(done):
            here = [node for node in self.followers if node in feature]
            if here:
                self.score(feature, final=False)
                for node in here:
                    if node in self.followers:
                        self.go_home(node)
        for feature in done:
            self.completed_by(player, feature)

    def completed_by(self, player: int, feature: set[Node]) -> None:
        """A player completed a feature, claimed or not: nothing more in the base game."""

    def scored_in(self, done: list[set[Node]]) -> list[set[Node]]:
        """The order in which completed features are scored: it makes no difference in the base game."""
        return done

    def go_home(self, node: Node) -> None:
        player, kind = self.followers.pop(node)
        self.supply[player][kind] += 1

    def worth(self, feature: set[Node], final: bool) -> int:
        """BASE-07 to BASE-10, BASE-16, BASE-17."""
        node = next(iter(feature))
        kind = self.part(node).kind
        tiles = len({(x, y) for x, y, _ in feature})
        if kind == "road":
            return tiles
        if kind == "city":
            coats = sum(self.part(n).marks.get("coat_of_arms", 0) for n in feature)
            return (2 if self.complete(feature) else 1) * (tiles + coats)
        if kind == "monastery":
            return 1 + len(self.around((node[0], node[1])))
        if kind == "field" and final:
            return 3 * self.cities(feature)
        return 0

    def cities(self, field: set[Node]) -> int:
        """BASE-17: the completed cities a field borders."""
        cities: list[set[Node]] = []
        for x, y, index in field:
            for touched in self.parts((x, y))[index].touches:
                city = self.feature((x, y, touched))
                if city not in cities and self.complete(city):
                    cities.append(city)
        return len(cities)

    def score(self, feature: set[Node], final: bool) -> None:
        """BASE-11."""
        count: Counter[int] = Counter()
        for node, (who, kind) in self.followers.items():
            if node in feature:
                count[who] += self.weight(kind)
        points = self.worth(feature, final)
        for player in sorted(count):
            if count[player] and count[player] == max(count.values()):
                self.add(player, points - self.penalty(player, feature, final))

    def weight(self, kind: str) -> int:
        """How much a figure counts in majorities."""
        return 1

    def penalty(self, player: int, feature: set[Node], final: bool) -> int:
        return 0

    def add(self, player: int, points: int) -> None:
        self.scores[player] += points

    def final(self) -> None:
        done: list[set[Node]] = []
        for node in list(self.followers):
            feature = self.feature(node)
            if feature not in done:
                done.append(feature)
                self.score(feature, final=True)

    # -- the surface --------------------------------------------------------------------------------------------

    def current_player(self) -> int:
        return self.decide[0]

    def decision(self) -> str | None:
        return self.decide[1]

    def legal(self) -> list[str]:
        return self.decide[2]

    def apply(self, action: str) -> None:
        if self.hasty and self.decision() == "place":
            x, y, rotation = (int(n) for n in action.removeprefix("place:").split(","))
            assert self.hand is not None
            assert self.fits(self.hand, rotation, (x, y)), f"{action} does not fit"
        else:
            assert action in self.legal(), f"{action} is not among {self.legal()}"
        try:
            self.decide = self.turn.send(action)
        except StopIteration:
            self.decide = (TERMINAL, None, [])

    def winners(self) -> list[int] | None:
        if self.decide[0] != TERMINAL:
            return None
        return [p for p in range(self.players) if self.scores[p] == max(self.scores)]

    def open_edges(self, feature: set[Node]) -> int:
        """Edges and half-edges beside roads with no tile beyond; a field's whole edge counts once."""
        count = 0
        for x, y, index in feature:
            part = self.parts((x, y))[index]
            edges = [(edge, 1) for edge in part.edges]
            kind, rotation = self.board[x, y]
            for edge in range(4):
                here = len(part.halves & {2 * edge, 2 * edge + 1})
                if here:
                    edges.append((edge, here if self.letter(kind, rotation, edge) in "RI" else 1))
            count += sum(n for edge, n in edges if not self.taken(self.beyond((x, y), edge)))
        return count

    def features(self) -> list[dict[str, Any]]:
        graph: nx.Graph[Node] = nx.Graph()
        for x, y in self.board:
            for index in range(len(self.parts((x, y)))):
                graph.add_node((x, y, index))
                graph.add_edges_from(((x, y, index), other) for other in self.joined((x, y, index)))
        found = []
        for feature in nx.connected_components(graph):
            marks: Counter[str] = Counter()
            for node in feature:
                marks.update(self.part(node).marks)
            here = sorted(
                (n for n in self.followers if n in feature), key=lambda n: (n[1], n[0], n[2])
            )
            found.append(
                {
                    "kind": self.part(next(iter(feature))).kind,
                    "segments": [list(node) for node in sorted(feature)],
                    "tiles": [list(cell) for cell in sorted({(x, y) for x, y, _ in feature})],
                    "open_edges": self.open_edges(feature),
                    "complete": self.complete(feature),
                    "marks": dict(marks),
                    "followers": [
                        {
                            "owner": self.followers[n][0],
                            "kind": self.followers[n][1],
                            "x": n[0],
                            "y": n[1],
                            "segment": n[2],
                        }
                        for n in here
                    ],
                }
            )
        return sorted(found, key=lambda f: (f["kind"], f["segments"]))

    def pieces(self) -> list[dict[str, Any]]:
        """What stands on the table besides tiles and followers: nothing in the base game."""
        return []

    def to_dict(self) -> dict[str, Any]:
        return {
            "pieces": sorted(
                self.pieces(), key=lambda p: (p["kind"], p["y"], p["x"], p["segment"] or 0)
            ),
            "players": self.players,
            "current_player": self.current_player(),
            "decision": self.decision(),
            "tile_in_hand": self.hand,
            "tiles": [
                {"x": x, "y": y, "kind": self.board[x, y][0], "rotation": self.board[x, y][1]}
                for x, y in self.order
            ],
            "features": self.features(),
            "supplies": self.supply,
            "scores": self.scores,
            "bag": {kind: n for kind, n in self.bag.items() if n},
            "discarded": self.discarded,
            "winners": self.winners(),
        }
