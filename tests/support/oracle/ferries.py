"""The oracle of The Ferries; written from FER-01 and FER-02."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from support.oracle.classics import ClassicsOracle
from support.oracle.table import Cell, Node, Turn, piece


class FerriesOracle(ClassicsOracle):
    """`base+ferries`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.ferries: dict[Cell, tuple[int, int]] = {}
        self.moved_at: list[Cell] = []
        self.complete_before: list[set[Node]] = []
        super().__init__(texts, players, plays=plays, **options)

    def joined(self, node: Node) -> Iterable[Node]:
        yield from super().joined(node)
        pair = self.ferries.get(node[:2], ())
        if node[2] in pair:
            yield from ((*node[:2], index) for index in pair if index != node[2])

    def roads_of(self, cell: Cell) -> list[Node]:
        return [(*cell, n) for n, part in enumerate(self.parts(cell)) if part.kind == "road"]

    def ways(self, cell: Cell) -> list[str]:
        """Where the ferry of a lake may go."""
        x, y = cell
        pairs = combinations([node[2] for node in self.roads_of(cell)], 2)
        return [f"ferry:{x},{y},{a},to{b}" for a, b in pairs if self.ferries.get(cell) != (a, b)]

    def put_ferry(self, text: str) -> None:
        x, y, a, b = text.removeprefix("ferry:").replace("to", "").split(",")
        self.ferries[int(x), int(y)] = (int(a), int(b))
        self.walked = {}

    def after_following(self, player: int, cell: Cell) -> Turn:
        """FER-01, FER-02."""
        yield from super().after_following(player, cell)
        self.moved_at, self.complete_before = [cell], []
        if self.shows(cell, "ferry"):
            chosen = yield player, "ferry", self.ways(cell)
            self.put_ferry(chosen)
        while True:
            choices = [way for lake in self.nearest(cell) for way in self.ways(lake)]
            if not choices:
                break
            chosen = yield player, "ferries", [*choices, "pass"]
            if chosen == "pass":
                break
            x, y = (int(n) for n in chosen.removeprefix("ferry:").split(",")[:2])
            roads = [self.feature(node) for node in self.roads_of((x, y))]
            self.complete_before += [road for road in roads if self.complete(road)]
            before = self.ferries[x, y]
            self.put_ferry(chosen)
            for index in {*before, *self.ferries[x, y]}:
                self.leave_behind(self.feature((x, y, index)))
            self.moved_at.append((x, y))

    def leave_behind(self, road: set[Node]) -> None:
        """FER-02: builders without a follower of their owner go home."""
        here = [one for one in self.standing() if one[0] in road]
        led = {owner for _, owner, kind in here if self.is_follower(kind)}
        for node, owner, kind in here:
            if owner not in led:
                self.take_away(node, owner, kind)

    def nearest(self, cell: Cell) -> list[Cell]:
        """The lakes with the nearest ferries that may still be moved."""
        found: list[Cell] = []
        todo = self.roads_of(cell)
        been = set(todo)
        while todo:
            node = todo.pop()
            lake = node[:2]
            if lake != cell and node[2] in self.ferries.get(lake, ()):
                found.append(lake)
                continue
            fresh = [other for other in self.joined(node) if other not in been]
            been.update(fresh)
            todo += fresh
        return [lake for lake in dict.fromkeys(found) if lake not in self.moved_at]

    def extended(self, cell: Cell) -> list[Node]:
        """What a ferry left or joined may be complete now."""
        moved = [node for lake in self.moved_at[1:] for node in self.roads_of(lake)]
        changed = [node for node in moved if self.feature(node) not in self.complete_before]
        return super().extended(cell) + changed

    def pieces(self) -> list[dict[str, Any]]:
        found = super().pieces()
        for cell, (a, b) in self.ferries.items():
            found.append(piece("ferry", *cell, a, to=b))
        return found
