"""The oracles of The Spell Circles, in both modes (rules SPC-*, SCC-*)."""

from typing import Any

from support.oracle.base import Oracle
from support.oracle.ghosts import GhostsOracle
from support.oracle.levels import by_node
from support.oracle.mists import MistsOracle
from support.oracle.table import AROUND, Cell, Node, Turn, piece


def circles_of(oracle: Oracle, cell: Cell) -> list[Node]:
    """The circles of a tile, each as its mist segment."""
    found: list[Node] = []
    for index, part in enumerate(oracle.parts(cell)):
        found += [(*cell, index)] * part.marks.get("circles", 0)
    return found


def name(node: Node) -> str:
    return ",".join(map(str, node))


def draw_in(ghosts: dict[Node, int], held: dict[Node, int], empty: list[Node], player: int) -> Turn:
    """SPC-04, SCC-04: ghosts from the 8 tiles around into the circles, while there are both."""
    cell = (empty[0][0], empty[0][1]) if empty else (0, 0)
    near = {(cell[0] + dx, cell[1] + dy) for dx, dy in AROUND}
    while empty:
        nodes = sorted((n for n in ghosts if (n[0], n[1]) in near), key=by_node)
        if not nodes:
            return
        node = nodes[0]
        if len(nodes) > 1 and sum(ghosts[n] for n in nodes) > len(empty):
            texts = [f"lure:{name(n)}" for n in nodes]
            text = yield player, "lure", texts
            node = nodes[texts.index(text)]
        ghosts[node] -= 1
        if not ghosts[node]:
            del ghosts[node]
        circle = empty.pop(0)
        held[circle] = held.get(circle, 0) + 1


class CompetitiveCirclesOracle(GhostsOracle):
    """`base+ghosts+spellcircles`."""

    def __init__(self, texts: list[str], players: int, **options: str) -> None:
        self.held: dict[Node, int] = {}
        super().__init__(texts, players, **options)

    def after_placing(self, player: int, cell: Cell) -> Turn:
        if not self.on("ghosts"):
            return
        expanded, torn = self.touched(cell)
        own_torn: list[Node] = []
        others_torn: list[Node] = []
        for side in range(4):
            there = self.beyond(cell, side)
            if there in self.board and self.misty(cell, side) != self.misty(there, (side + 2) % 4):
                if self.misty(cell, side):
                    own_torn.append(self.mist_at(cell, side))
                else:
                    others_torn.append(self.mist_at(there, (side + 2) % 4))
        circles = circles_of(self, cell)
        before = dict(self.held)  # SCC-10
        if circles and own_torn:  # SCC-03
            for _ in circles:
                if not self.stock or not self.meeples(player, own=True):
                    break
                yield from self.give_ghost(player, own=True)
        # A tile that closes the mist gets no ghosts in its circles.
        circles_left = [n for n in circles if not self.complete(self.feature(n))]
        yield from draw_in(self.ghosts, self.held, circles_left, player)
        while circles_left and self.stock:
            self.stock -= 1
            circle = circles_left.pop(0)
            self.held[circle] = self.held.get(circle, 0) + 1
        if expanded:
            yield from self.give_ghost(player, own=False)
        finished: list[Node] = []
        continued: list[Node] = []
        for index, part in enumerate(self.parts(cell)):
            if part.kind == "mist":
                bank = self.feature((*cell, index))
                (finished if self.complete(bank) else continued).extend(
                    n for n in before if n in bank
                )
        yield from self.release(player, finished, own=False)  # SCC-06
        if continued:
            yield from self.release_one(player, sorted(set(continued), key=by_node))  # SCC-05
        if torn and not (circles and not others_torn):
            yield from self.give_ghost(player, own=True)
        banks = [self.feature(node) for node in own_torn + others_torn]
        torn_circles = [n for n in before if n in self.held and any(n in bank for bank in banks)]
        yield from self.release(player, torn_circles, own=True)  # SCC-07, SCC-08

    def mist_at(self, cell: Cell, side: int) -> Node:
        for index, part in enumerate(self.parts(cell)):
            if part.kind == "mist" and side in part.edges:
                return (*cell, index)
        raise AssertionError("no mist at that side")

    def free(self, node: Node) -> None:
        self.held[node] -= 1
        if not self.held[node]:
            del self.held[node]
        self.stock += 1

    def choose(self, player: int, own: bool) -> Any:
        nodes = self.meeples(player, own)
        if not nodes:
            return None
        node = nodes[0]
        if len(nodes) > 1:
            texts = [f"haunt:{name(n)}" for n in nodes]
            text = yield player, "free own" if own else "free", texts
            node = nodes[texts.index(text)]
        return node

    def release(self, player: int, circles: list[Node], own: bool) -> Turn:
        """All ghosts of these circles, one by one; nobody left to take them: to the stock."""
        for circle in circles:
            while circle in self.held:
                node = yield from self.choose(player, own)
                self.free(circle)
                if node is not None:
                    self.haunt(node)

    def release_one(self, player: int, circles: list[Node]) -> Turn:
        if not self.meeples(player, own=False):
            return
        circle = circles[0]
        if len(circles) > 1:
            texts = [f"free:{name(n)}" for n in circles]
            text = yield player, "free", texts
            circle = circles[texts.index(text)]
        node = yield from self.choose(player, own=False)
        self.free(circle)
        self.haunt(node)

    def pieces(self) -> list[dict[str, Any]]:
        held = [piece("bound ghost", *node, count=n) for node, n in self.held.items()]
        return super().pieces() + held


class CooperativeCirclesOracle(MistsOracle):
    """`mists:LEVEL+spellcircles`."""

    def __init__(self, texts: list[str], players: int, level: int, **options: str) -> None:
        self.cat: Node | str = "aside"
        super().__init__(texts, players, level, **options)

    def turns(self) -> Turn:
        symbols = sum(p.marks.get("ghosts", 0) for cell in self.board for p in self.parts(cell))
        self.apart = self.stock - symbols - 7  # SPC-02
        yield from super().turns()

    def fill_circles(self, player: int, cell: Cell) -> Turn:
        empty = [n for n in circles_of(self, cell) if not self.complete(self.feature(n))]  # SPC-07
        yield from draw_in(self.ghosts, self.bound, empty, player)
        if len(empty) > self.stock:
            self.lose("COOP-14")
        self.called = bool(empty)  # SPC-05
        self.stock -= len(empty)
        for node in empty:
            self.bound[node] = self.bound.get(node, 0) + 1

    def cat_comes(self, player: int) -> Turn:
        if self.cat == "aside" and self.stock <= self.apart:
            yield from self.put_cat(player)

    def cat_moves(self, player: int) -> Turn:
        if self.cat == "moving":
            yield from self.put_cat(player)

    def put_cat(self, player: int) -> Turn:
        nodes = sorted(self.followers, key=by_node)
        chosen: Node | str = nodes[0] if nodes else "waiting"
        if len(nodes) > 1:
            texts = [f"cat:{name(n)}" for n in nodes]
            text = yield player, "cat", texts
            chosen = nodes[texts.index(text)]
        self.cat = chosen

    def placed(self, node: Node) -> None:
        if self.cat == "waiting":
            self.cat = node

    def left_board(self, node: Node) -> None:
        if self.cat == node:
            self.cat = "moving"

    def score_cat(self, player: int, feature: set[Node], owners: dict[Node, int]) -> Turn:
        """SPC-09."""
        if not isinstance(self.cat, str) and self.cat in owners:
            owner = owners[self.cat]
            self.cat = "moving"
            yield from self.gain(player, [owner], sum(self.bound.values()))

    def pieces(self) -> list[dict[str, Any]]:
        cat = [] if isinstance(self.cat, str) else [piece("cat", *self.cat)]
        return super().pieces() + cat

    def to_dict(self) -> dict[str, Any]:
        left = max(0, self.stock - self.apart) if self.cat == "aside" else None
        return {**super().to_dict(), "cat_stock": left}
