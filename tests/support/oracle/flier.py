"""The oracle of The Flying Machines, written from FLY-01."""

from typing import Any

from support.oracle.classics import ClassicsOracle
from support.oracle.table import CHANCE, Cell, Node, Turn

# Where the arrows point, clockwise from north; a quarter turn is two further.
WINDS = {"N": 0, "NE": 1, "E": 2, "SE": 3, "S": 4, "SW": 5, "W": 6, "NW": 7}
STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
# Followers who claim some kinds of feature only (ABB-01, ABM-02, ABM-03).
SPECIAL = {
    "abbot": ("monastery", "garden"),
    "mayor": ("city",),
    "wagon": ("city", "road", "monastery"),
}


class FlierOracle(ClassicsOracle):
    """`base+flier`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.flying: str | None = None
        super().__init__(texts, players, plays=plays, **options)

    def arrow(self, cell: Cell) -> tuple[int, int] | None:
        kind, rotation = self.board[cell]
        for symbol in self.symbols.get(kind, ()):
            name, _, wind = symbol.partition("=")
            if name == "flier":
                return STEPS[(WINDS[wind] + 2 * rotation) % 8]
        return None

    def instead(self, player: int) -> list[str]:
        found = super().instead(player)
        if self.may_pass() and self.arrow(self.order[-1]) is not None:
            found += [
                f"fly:{kind}"
                for kind in self.figures()
                if self.supply[player][kind] and self.is_follower(kind)
            ]
        return found

    def do_instead(self, player: int, chosen: str) -> None:
        if not chosen.startswith("fly:"):
            super().do_instead(player, chosen)
            return
        self.flying = chosen.removeprefix("fly:")

    def after_claim(self, player: int, cell: Cell, chosen: str) -> Turn:
        if self.flying is not None:
            yield from self.flight(player, cell, self.flying)
        yield from super().after_claim(player, cell, chosen)

    def flight(self, player: int, cell: Cell, kind: str) -> Turn:
        thrown = yield CHANCE, "flight", ["flight:1", "flight:2", "flight:3"]
        far = int(thrown.removeprefix("flight:"))
        arrow = self.arrow(cell)
        assert arrow is not None
        there = (cell[0] + arrow[0] * far, cell[1] + arrow[1] * far)
        places = self.landings(there, kind)
        if places:
            node = places[0]
            if len(places) > 1:
                ways = {f"land:{x},{y},{index}": (x, y, index) for x, y, index in places}
                chosen = yield player, "land", list(ways)
                node = ways[chosen]
            self.stand(player, kind, node)
            self.flying = None
            yield from self.arrive(player, node)
        self.flying = None

    def landings(self, there: Cell, kind: str) -> list[Node]:
        """The incomplete features of a tile that this kind of follower may claim."""
        if there not in self.board or not self.allows(there):
            return []
        fields = self.setting("flier", "fields", "on") == "on"
        return [
            (*there, index)
            for index, part in enumerate(self.parts(there))
            if (fields or part.kind != "field")
            and self.may_claim(kind, part.kind)
            and not self.complete(self.feature((*there, index)))
        ]

    def may_claim(self, kind: str, feature: str) -> bool:
        """Whether a kind of follower claims features of that kind."""
        if kind in SPECIAL:
            return feature in SPECIAL[kind]
        return feature in self.claimable

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "flying": self.flying}
