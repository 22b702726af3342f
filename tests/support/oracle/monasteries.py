"""The oracles of German Monasteries and The Cult, written from MON-01, CUL-01 and CUL-02."""

from typing import Any

from support.oracle.classics import ClassicsOracle
from support.oracle.standing import Who
from support.oracle.table import SIDES, Cell, Node, Part, Turn, piece


class MonasteriesOracle(ClassicsOracle):
    """`base+monasteries`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.beds: dict[Node, list[bool]] = {}  # where some lie: whether, as they came
        self.aside: dict[Node, list[Who]] = {}  # who lies there, while others are scored
        self.vacant: set[Node] = set()  # surrounded, scored and free
        super().__init__(texts, players, plays=plays, **options)

    def upright(self, node: Node) -> list[Who]:
        there = super().upright(node)
        if node not in self.beds:
            return there
        return [who for who, lies in zip(there, self.beds[node], strict=True) if not lies]

    def lying(self, node: Node) -> list[Who]:
        there = zip(self.followers.at(node), self.beds[node], strict=True)
        return [who for who, lies in there if lies]

    def all_lie(self, node: Node) -> bool:
        return node in self.beds and not self.upright(node)

    def complete(self, feature: set[Node]) -> bool:
        node = next(iter(feature))
        return not self.all_lie(node) and node not in self.vacant and super().complete(feature)

    def scored_in(self, done: list[set[Node]]) -> list[set[Node]]:
        """MON-01: who lies beside who is scored has no part in it."""
        for feature in done:
            node = next(iter(feature))
            if node in self.beds:
                standing, self.aside[node] = self.upright(node), self.lying(node)
                self.beds.pop(node)
                self.followers.there[node] = standing
        return super().scored_in(done)

    def score_turn(self, player: int, cell: Cell) -> None:
        """MON-01: who would lie down may come to one that is surrounded."""
        super().score_turn(player, cell)
        for node, lying in self.aside.items():
            for who in lying:
                self.followers[node] = who
            self.beds[node] = [True] * len(lying)
        self.aside = {}
        for x, y in self.board:
            for index, part in enumerate(self.parts((x, y))):
                node = (x, y, index)
                free = "special" in part.marks and node not in self.followers
                if free and len(self.around((x, y))) == 8:
                    self.vacant.add(node)

    def score(self, feature: set[Node], final: bool) -> None:
        """MON-01: at the end those who stand score, and then those who lie."""
        node = next(iter(feature))
        if not final or node not in self.beds or self.all_lie(node):
            super().score(feature, final)
            return
        everybody, standing = self.followers.there[node], self.upright(node)
        lying, beds = self.lying(node), self.beds.pop(node)
        self.followers.there[node] = standing
        super().score(feature, final)
        self.followers.there[node], self.beds[node] = lying, [True] * len(lying)
        super().score(feature, final)
        self.followers.there[node], self.beds[node] = everybody, beds

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
        index = chosen.removeprefix("lie:").partition(",")[0]
        self.beds[(*cell, int(index))] = [True]

    def stand(self, player: int, kind: str, node: Node) -> None:
        super().stand(player, kind, node)
        if node in self.beds:
            self.beds[node].append(False)

    def arrive(self, player: int, node: Node) -> Turn:
        """MON-01: by wagon, flight or portal; nobody stands in one that is surrounded."""
        yield from super().arrive(player, node)
        if "special" in self.part(node).marks:
            chosen = "rest"
            if len(self.around(node[:2])) < 8:
                chosen = yield player, "rest", ["rest", "pass"]
            if chosen == "rest":
                beds = self.beds.setdefault(node, [False for _ in self.followers.at(node)])
                beds[-1] = True

    def take_away(self, node: Node, player: int, kind: str) -> None:
        """MON-01: of two alike, who came first leaves."""
        if node in self.beds and (player, kind) in self.followers.at(node):
            at = self.followers.at(node).index((player, kind))
            self.beds[node].insert(0, self.beds[node].pop(at))
        super().take_away(node, player, kind)

    def go_home(self, node: Node) -> None:
        """The first one there; one where all lay is open to others."""
        lay = self.all_lie(node)
        super().go_home(node)
        if lay and len(self.around(node[:2])) == 8:
            self.vacant.add(node)
        left = self.beds.pop(node, [])[1:]
        if any(left):
            self.beds[node] = left

    def worth(self, feature: set[Node], final: bool) -> int:
        node = next(iter(feature))
        if not self.all_lie(node):
            return super().worth(feature, final)
        points = 1
        for dx, dy in SIDES:
            x, y = node[0] + dx, node[1] + dy
            while self.taken((x, y)):
                points, x, y = points + 1, x + dx, y + dy
        return points

    def pieces(self) -> list[dict[str, Any]]:
        beds = [
            piece("bed", *node, owner=owner) for node in self.beds for owner, _ in self.lying(node)
        ]
        return super().pieces() + beds


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
                    for who in self.upright(other) if {other} not in done else ():
                        self.take_away(other, *who)
