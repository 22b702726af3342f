"""The oracle of Hills & Sheep, written from HIL-01 to HIL-03."""

from typing import Any

from support.oracle.classics import ClassicsOracle
from support.oracle.table import CHANCE, Cell, Node, Turn, piece

WOLF = 0


class HillsOracle(ClassicsOracle):
    """`base+hills`."""

    def __init__(
        self, texts: list[str], players: int, *, plays: set[str], ties: str = "one", **options: str
    ) -> None:
        self.by_number = ties == "most"
        if self.setting("hills", "tiles", "on") == "on":
            self.split_edges = True
        self.tokens_left = [2, 4, 5, 5, 2]  # wolves, then one sheep to four
        self.flocks: dict[Node, list[int]] = {}  # each shepherd's tokens
        self.keepers: dict[Node, int] = {}
        self.beneath = 0
        self.older: set[Node] = set()  # where shepherds stood before the claim
        super().__init__(texts, players, plays=plays, **options)

    # -- hills and vineyards -----------------------------------------------------------------------

    def tiles_left(self) -> int:
        return super().tiles_left() - self.beneath

    def after_placing(self, player: int, cell: Cell) -> Turn:
        """HIL-01."""
        if self.shows(cell, "hill") and self.tiles_left():
            self.beneath += 1
        yield from super().after_placing(player, cell)

    def majority(self, feature: set[Node]) -> list[int]:
        """HIL-01."""
        tied = super().majority(feature)
        on_hills = [
            owner
            for node, (owner, kind) in self.followers.items()
            if node in feature and self.is_follower(kind) and self.shows((node[0], node[1]), "hill")
        ]
        count = {p: on_hills.count(p) for p in tied}
        if not self.by_number:
            count = {p: min(n, 1) for p, n in count.items()}
        return [p for p in tied if count[p] == max(count.values())]

    def worth(self, feature: set[Node], final: bool) -> int:
        """HIL-03."""
        points = super().worth(feature, final)
        x, y, index = next(iter(feature))
        if self.parts((x, y))[index].kind == "monastery" and self.complete(feature):
            points += 3 * sum(self.shows(cell, "vineyard") for cell in self.around((x, y)))
        return points

    # -- shepherds ---------------------------------------------------------------------------------

    def may_stand(self, player: int, kind: str, node: Node) -> bool:
        """HIL-02."""
        if kind != "shepherd":
            return super().may_stand(player, kind, node)
        allowed = self.part(node).kind == "field" and self.allows((node[0], node[1]))
        return allowed and not self.shepherds(self.feature(node))

    def shepherds(self, field: set[Node]) -> list[Node]:
        return [node for node in self.flocks if node in field]

    def stand(self, player: int, kind: str, node: Node) -> None:
        """A shepherd leaves room for a follower on the same segment."""
        if kind != "shepherd":
            super().stand(player, kind, node)
            return
        self.supply[player][kind] -= 1
        self.crowds.setdefault(node, []).append((player, kind))
        self.flocks[node] = []
        self.keepers[node] = player

    def take_away(self, node: Node, player: int, kind: str) -> None:
        if kind == "shepherd" and node in self.flocks:  # else in a trap
            for sheep in self.flocks.pop(node):
                self.tokens_left[sheep] += 1
            del self.keepers[node]
        super().take_away(node, player, kind)

    def draw_token(self, shepherd: Node) -> Turn:
        names = ["wolf", "1", "2", "3", "4"]
        ways = [f"token:{names[sheep]}" for sheep, n in enumerate(self.tokens_left) if n]
        if not ways:
            return
        chosen = yield CHANCE, "token", ways
        sheep = names.index(chosen.removeprefix("token:"))
        if sheep == WOLF:
            for node in self.shepherds(self.feature(shepherd)):
                self.take_away(node, self.keepers[node], "shepherd")
        else:
            self.tokens_left[sheep] -= 1
            self.flocks[shepherd].append(sheep)

    def claim(self, player: int, cell: Cell) -> Turn:
        self.older = set(self.flocks)
        yield from super().claim(player, cell)

    def tend(self, player: int, cell: Cell) -> Turn:
        yield from super().tend(player, cell)
        mine = [node for node, keeper in self.keepers.items() if keeper == player]
        mine.sort(key=lambda node: (node[1], node[0], node[2]))
        for node in mine:
            if node not in self.older:
                yield from self.draw_token(node)
        waiting: list[Node] = []
        for node in mine:
            field = self.feature(node)
            known = any(one in field for one in waiting)
            if node in self.older and not known and any(n[:2] == cell for n in field):
                waiting.append(node)
        while True:
            self.score_closed(keep=waiting)
            waiting = [node for node in waiting if node in self.flocks]
            if not waiting:
                return
            node = waiting.pop(0)
            chosen = yield player, "flock", ["flock:grow", "flock:home"]
            if chosen == "flock:grow":
                yield from self.draw_token(node)
            else:
                self.drive_home(self.feature(node))

    def score_closed(self, keep: list[Node]) -> None:
        for node in list(self.flocks):
            field = self.feature(node)
            if node in self.flocks and not field & {*keep} and not self.can_grow(field):
                self.drive_home(field)

    def drive_home(self, field: set[Node]) -> None:
        shepherds = self.shepherds(field)
        sheep = sum(sum(self.flocks[node]) for node in shepherds)
        for keeper in dict.fromkeys(self.keepers[node] for node in shepherds):
            self.add(keeper, sheep)
        for node in shepherds:
            self.take_away(node, self.keepers[node], "shepherd")

    def can_grow(self, field: set[Node]) -> bool:
        return any(
            not self.taken(self.beyond((x, y), half // 2))
            for x, y, index in field
            for half in self.parts((x, y))[index].halves
        )

    # -- the surface -------------------------------------------------------------------------------

    def pieces(self) -> list[dict[str, Any]]:
        return super().pieces() + [
            piece("sheep", *node, count=sum(tokens), text=" ".join(map(str, tokens)))
            for node, tokens in self.flocks.items()
            if tokens
        ]

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "sheep_bag": self.tokens_left}
