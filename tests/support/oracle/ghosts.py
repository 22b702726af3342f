"""The oracle of Ghosts, Castles & Cemeteries (rules MIST-*, GCC-*)."""

from typing import Any

from support.oracle.base import Oracle
from support.oracle.table import Cell, Node, Part, Turn, piece

Tiles = dict[str, tuple[int, str, list[Part]]]
Start = list[tuple[str, int, int]]


class GhostsOracle(Oracle):
    """`base+ghosts`; texts are the base set's and the mists'. Options as in the spec."""

    surrounded = ("monastery", "castle", "cemetery")

    def __init__(self, texts: list[str], players: int, **options: str) -> None:
        self.options = options
        self.ghosts: dict[Node, int] = {}
        self.stock = 15 if self.on("ghosts") else 0
        self.guards = [3 if self.on("guards") else 0] * players
        self.follower_kinds = ("meeple", "guard") if self.on("guards") else ("meeple",)
        self.claimable = ("city", "road", "field", "monastery")
        self.claimable += ("castle",) * self.on("castles") + ("cemetery",) * self.on("cemeteries")
        super().__init__(texts, players, **options)

    def on(self, option: str) -> bool:
        return self.options.get(option, "on") == "on"

    def opened(self, tiles: Tiles, start: Start, first: bool) -> tuple[Tiles, Start]:
        """GCC-01: the base's start tile goes back to the box, unless only the base's are played."""
        if first and self.options.get("tiles", "all") == "all":
            for name, _, _ in start:
                copies, letters, parts = tiles[name]
                tiles[name] = (copies - 1, letters, parts)
            return tiles, []
        return tiles, start

    def first_supply(self) -> dict[str, int]:
        return {"meeple": 5, "guard": 2} if self.on("guards") else {"meeple": 7}

    def misty(self, cell: Cell, side: int) -> bool:
        return any(p.kind == "mist" and side in p.edges for p in self.parts(cell))

    def shows_mist(self, cell: Cell) -> bool:
        return any(p.kind == "mist" for p in self.parts(cell))

    def touched(self, cell: Cell) -> tuple[bool, bool]:
        """Whether mist meets mist at this tile's sides, and a clear side (GCC-07, GCC-08)."""
        expanded = torn = False
        for side in range(4):
            there = self.beyond(cell, side)
            if there in self.board:
                mine, theirs = self.misty(cell, side), self.misty(there, (side + 2) % 4)
                expanded |= mine and theirs
                torn |= mine != theirs
        return expanded, torn

    def after_placing(self, player: int, cell: Cell) -> Turn:
        expanded, torn = self.touched(cell)
        if self.on("ghosts"):
            if expanded:
                yield from self.give_ghost(player, own=False)
            if torn:
                yield from self.give_ghost(player, own=True)

    def meeples(self, player: int, own: bool) -> list[Node]:
        firsts = {node: crowd[0] for node, crowd in self.crowds.items() if crowd}
        firsts |= {node: self.followers[node] for node in self.followers}
        found = [
            node
            for node, (who, kind) in firsts.items()
            if kind == "meeple" and (who == player) == own
        ]
        return sorted(found, key=lambda n: (n[1], n[0], n[2]))

    def give_ghost(self, player: int, own: bool) -> Turn:
        """GCC-07 to GCC-12."""
        nodes = self.meeples(player, own)
        if self.stock == 0 or not nodes:
            return
        chosen = f"haunt:{nodes[0][0]},{nodes[0][1]},{nodes[0][2]}"
        if len(nodes) > 1:
            choices = [f"haunt:{x},{y},{index}" for x, y, index in nodes]
            chosen = yield player, "haunt own" if own else "haunt", choices
        x, y, index = (int(n) for n in chosen.removeprefix("haunt:").split(","))
        self.haunt((x, y, index))

    def haunt(self, node: Node) -> None:
        self.stock -= 1
        self.ghosts[node] = self.ghosts.get(node, 0) + 1
        if self.ghosts[node] == 3:
            self.take_away(node, *self.haunted(node))

    def haunted(self, node: Node) -> tuple[int, str]:
        """Whom the ghosts of a segment stand with (GCC-12)."""
        return self.followers[node] if node in self.followers else self.crowds[node][0]

    def take_away(self, node: Node, player: int, kind: str) -> None:
        if self.haunted(node) != (player, kind):  # the ghosts stay with another
            kept = self.ghosts.pop(node, 0)
            super().take_away(node, player, kind)
            if kept:
                self.ghosts[node] = kept
            return
        if node not in self.followers:
            self.stock += self.ghosts.pop(node, 0)
        super().take_away(node, player, kind)

    def go_home(self, node: Node) -> None:
        self.stock += self.ghosts.pop(node, 0)  # GCC-12, GCC-18
        super().go_home(node)

    def scored_in(self, done: list[set[Node]]) -> list[set[Node]]:
        """GCC-17: by the place of the first follower on each, as one reads a page."""
        first: list[tuple[Cell, set[Node]]] = []
        for feature in done:
            places = [(y, x) for x, y, index in self.followers if (x, y, index) in feature]
            if places:
                first.append((min(places), feature))
        return [feature for _, feature in sorted(first, key=lambda one: one[0])]

    def worth(self, feature: set[Node], final: bool) -> int:
        node = next(iter(feature))
        if self.part(node).kind == "castle":  # GCC-19, GCC-22
            cell = (node[0], node[1])
            around = sum(self.shows_mist(c) for c in self.around(cell))
            return around + 1 if final else 2 * (around + self.shows_mist(cell))
        return super().worth(feature, final)

    def penalty(self, player: int, feature: set[Node], final: bool) -> int:
        """GCC-16; at the end ghosts are paid for otherwise (GCC-21)."""
        if final:
            return 0
        return 2 * sum(
            n
            for node, n in self.ghosts.items()
            if node in feature and self.haunted(node)[0] == player
        )

    def add(self, player: int, points: int) -> None:
        self.scores[player] = max(0, self.scores[player] + points)  # GCC-17

    def score(self, feature: set[Node], final: bool) -> None:
        super().score(feature, final)
        if self.part(next(iter(feature))).kind == "cemetery" and not final:  # GCC-20
            for node, (player, _) in self.followers.items():
                if node in feature and self.guards[player]:
                    self.guards[player] -= 1
                    self.supply[player]["guard"] += 1

    def final(self) -> None:
        super().final()
        for player in range(self.players):  # GCC-21
            ghosts = sum(n for node, n in self.ghosts.items() if self.haunted(node)[0] == player)
            self.add(player, -ghosts)

    def pieces(self) -> list[dict[str, Any]]:
        return [piece("ghost", *node, count=n) for node, n in self.ghosts.items()]

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "ghost_stock": self.stock, "guard_stock": self.guards}
