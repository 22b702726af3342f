"""What the oracle plays on: its own reader of tiles, the table, features found by walking."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterable
from functools import cache
from typing import Any

from support.oracle.standing import Standing

CHANCE, TERMINAL = -1, -4
SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))  # north, east, south, west
AROUND = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]
NO_PART = (
    *("carc-tiles", "set", "number", "known:", "reconstructed:"),
    *("group", "symbol", "hand", "meets", "wall"),
)
HALVES = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"]

Cell = tuple[int, int]
Node = tuple[int, int, int]  # x, y, index of the segment
Turn = Generator[tuple[int, str, list[str]], str, None]
Choice = Generator[tuple[int, str, list[str]], str, str]
Found = Generator[tuple[int, str, list[str]], str, tuple[int, str, str] | None]


class Part:
    """A segment as read: kind, edges and half-edges it reaches, cities it touches, marks."""

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
                elif word.startswith("shares="):
                    part.edges.add("NESW".index(word[7:]))
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
    to: int | None = None,
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
        **({} if to is None else {"to": to}),
    }


class OracleTable:
    """Base Carcassonne. `decide` is who decides what with which choices; `apply` makes one."""

    follower_kinds: tuple[str, ...] = ("meeple",)
    claimable: tuple[str, ...] = ("city", "road", "field", "monastery")
    surrounded: tuple[str, ...] = ("monastery",)  # kinds completed by their 8 neighbours
    unscored: tuple[str, ...] = ("tower", "stronghold")  # worth nothing to those who stand there
    split_edges = False  # whether two fields can share an edge without a road between them

    def __init__(
        self,
        texts: list[str],
        players: int,
        fields: str = "on",
        small_cities: str = "full",
        **_: str,
    ) -> None:
        self.halves_small = small_cities == "half"  # BASE-08
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
        self.followers = Standing()
        # Figures on segments with room for several, in the order in which they came.
        self.crowds: dict[Node, list[tuple[int, str]]] = {}
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

    @abstractmethod
    def game(self) -> Turn: ...

    # -- set-up, for subclasses --------------------------------------------------------------------

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

    # -- the table ---------------------------------------------------------------------------------

    def put_tile(self, cell: Cell, kind: str, rotation: int) -> None:
        for side in range(4):
            self.forget(self.beyond(cell, side))
        self.beside.update(self.beyond(cell, side) for side in range(4))
        self.board[cell] = (kind, rotation)
        self.order.append(cell)

    def forget(self, cell: Cell) -> None:
        """Forget which features the segments of a tile are part of."""
        for index in range(len(self.parts(cell)) if cell in self.board else 0):
            for node in self.walked.get((*cell, index), ()):
                self.walked.pop(node, None)

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
        """All segments of the feature of this one; remembered till a tile is laid beside it."""
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

    def unclaimed(self, feature: set[Node]) -> bool:
        """Whether nobody has claimed a feature."""
        return not any(node in feature for node in self.followers)

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
                if not self.closes(there, kind, (edge + 2) % 4):
                    return False
        return True

    def closes(self, there: Cell, kind: str, side: int) -> bool:
        """Whether a feature ends or goes on at this side of the next tile."""
        return any(p.kind == kind and side in p.edges for p in self.parts(there))

    def tiles_left(self) -> int:
        """How many tiles can still be drawn."""
        return sum(self.bag.values())

    def taken(self, cell: Cell) -> bool:
        """Whether a tile lies there."""
        return cell in self.board

    def placements(self, kind: str) -> list[str]:
        """BASE-03, by trying every free cell and rotation; `hasty` stops at the first that fits."""
        found = []
        free = (cell for cell in self.beside if not self.taken(cell))
        turned = [[self.letter(kind, rotation, side) for side in range(4)] for rotation in range(4)]
        for x, y in free if self.hasty else sorted(free, key=lambda c: (c[1], c[0])):
            asked = []
            for side, (dx, dy) in enumerate(SIDES):
                there = self.board.get((x + dx, y + dy))
                if there is not None:
                    asked.append((side, self.letter(*there, (side + 2) % 4)))
            for rotation, letters in enumerate(turned):
                for side, letter in asked:
                    if not meet(letters[side], letter) and letters[side] != "?":
                        if self.with_help(kind, rotation, (x, y)):
                            found.append(f"place:{x},{y},{rotation}")
                        break
                else:
                    if len(asked) == 4 or (asked and letters[0] != "?"):  # ABM-01
                        found.append(f"place:{x},{y},{rotation}")
                        if self.hasty:
                            return found
        return found

    def with_help(self, kind: str, rotation: int, cell: Cell) -> bool:
        """Whether something makes a tile fit that does not fit: nothing in the base game."""
        return False

    def fits(self, kind: str, rotation: int, cell: Cell) -> bool:
        """Whether a tile may be placed there, as far as its edges say."""
        fits = self.fits_plainly(kind, rotation, cell)
        return fits or self.with_help(kind, rotation, cell)

    def fits_plainly(self, kind: str, rotation: int, cell: Cell) -> bool:
        """Whether a tile shares an edge with another, and all it shares match (BASE-03)."""
        shared = [side for side in range(4) if self.beyond(cell, side) in self.board]
        if self.letter(kind, rotation, 0) == "?":  # ABM-01
            return len(shared) == 4
        return bool(shared) and all(
            meet(
                self.letter(*self.board[self.beyond(cell, side)], (side + 2) % 4),
                self.letter(kind, rotation, side),
            )
            for side in shared
        )


def meet(one: str, other: str) -> bool:
    """Whether two edges may lie side by side (BASE-03, GAT-01)."""
    return one == other or (one + other) in ("GR", "RG", "GF", "FG")


@cache
def printed(text: str, word: str) -> dict[str, list[str]]:
    """The tiles of a tile file with lines that begin with this word, and the word after it."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if words[:1] == ["tile"]:
            name = words[1]
        elif words[:1] == [word]:
            found.setdefault(name, []).append(words[1])
    return found
