"""The oracles of German Monasteries and The Cult, written from MON-01, CUL-01 and CUL-02."""

from typing import Any

from support.oracle.classics import ClassicsOracle
from support.oracle.table import SIDES, Cell, Node, Part, Turn, piece


class MonasteriesOracle(ClassicsOracle):
    """`base+monasteries`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.bed: dict[Node, tuple[int, str]] = {}  # who lies there
        self.vacant: set[Node] = set()  # surrounded, scored and free
        super().__init__(texts, players, plays=plays, **options)

    def lies(self, node: Node) -> bool:
        return node in self.bed and self.bed[node] in self.followers.at(node)

    def complete(self, feature: set[Node]) -> bool:
        node = next(iter(feature))
        return not self.lies(node) and node not in self.vacant and super().complete(feature)

    def score_turn(self, player: int, cell: Cell) -> None:
        """MON-01: who would lie down may come to one that is surrounded."""
        super().score_turn(player, cell)
        for x, y in self.board:
            for index, part in enumerate(self.parts((x, y))):
                node = (x, y, index)
                free = "special" in part.marks and node not in self.followers
                if free and len(self.around((x, y))) == 8:
                    self.vacant.add(node)

    def instead(self, player: int) -> list[str]:
        cell = self.order[-1]
        lying = [
            text.replace("claim", "lie")
            for index, part in enumerate(self.parts(cell))
            if "special" in part.marks
            for text in self.claims(player, cell, self.figures())
            if text.startswith(f"claim:{index},")
        ]
        return super().instead(player) + lying

    def do_instead(self, player: int, chosen: str) -> None:
        if not chosen.startswith("lie:"):
            super().do_instead(player, chosen)
            return
        cell = self.order[-1]
        self.do_claim(player, cell, chosen.replace("lie", "claim"))
        index, kind = chosen.removeprefix("lie:").split(",")
        self.bed[(*cell, int(index))] = (player, kind)

    def arrive(self, player: int, node: Node) -> Turn:
        """MON-01: by wagon, flight or portal to one that is free."""
        yield from super().arrive(player, node)
        german = "special" in self.part(node).marks
        if german and len(self.followers.at(node)) == 1 and not self.complete({node}):
            chosen = "rest"
            if node not in self.vacant:
                chosen = yield player, "rest", ["rest", "pass"]
            if chosen == "rest":
                self.bed[node] = self.followers[node]

    def go_home(self, node: Node) -> None:
        super().go_home(node)
        self.vacant.discard(node)
        if not self.lies(node):
            self.bed.pop(node, None)

    def worth(self, feature: set[Node], final: bool) -> int:
        node = next(iter(feature))
        if not self.lies(node):
            return super().worth(feature, final)
        points = 1
        for dx, dy in SIDES:
            x, y = node[0] + dx, node[1] + dy
            while self.taken((x, y)):
                points, x, y = points + 1, x + dx, y + dy
        return points

    def pieces(self) -> list[dict[str, Any]]:
        return super().pieces() + [piece("bed", *node) for node in self.bed if self.lies(node)]


class CultOracle(ClassicsOracle):
    """`base+cult`."""

    @staticmethod
    def holy(parts: list[Part]) -> list[tuple[int, bool]]:
        """The monasteries of a tile by index, and whether each is a shrine."""
        return [
            (index, "shrine" in part.marks)
            for index, part in enumerate(parts)
            if part.kind == "monastery"
        ]

    def others(self, cell: Cell, shrine: bool) -> list[Node]:
        """The shrines around a monastery, or the monasteries around a shrine."""
        return [
            (*near, index)
            for near in self.around(cell)
            for index, other in self.holy(self.parts(near))
            if other != shrine
        ]

    def allowed(self, kind: str, cell: Cell) -> bool:
        """CUL-02."""
        for _, shrine in self.holy(self.turned[kind, 0]):
            near = self.others(cell, shrine)
            if len(near) > 1 or any(self.others((x, y), not shrine) for x, y, _ in near):
                return False
        return True

    def placements(self, kind: str) -> list[str]:
        hasty, self.hasty = self.hasty, False
        found = super().placements(kind)
        self.hasty = hasty
        return [text for text in found if self.allowed(kind, self.cell_of(text))]

    @staticmethod
    def cell_of(text: str) -> Cell:
        x, y, _ = text.removeprefix("place:").split(",")
        return int(x), int(y)

    def fits(self, kind: str, rotation: int, cell: Cell) -> bool:
        return self.allowed(kind, cell) and super().fits(kind, rotation, cell)

    def before_scoring(self, player: int, done: list[set[Node]]) -> None:
        """CUL-01: who is completed first wins; of two completed by one tile each does."""
        super().before_scoring(player, done)
        for feature in done:
            x, y, index = next(iter(feature))
            part = self.parts((x, y))[index]
            if part.kind == "monastery" and (x, y, index) in self.followers:
                for other in self.others((x, y), "shrine" in part.marks):
                    while other in self.followers and {other} not in done:
                        self.go_home(other)
