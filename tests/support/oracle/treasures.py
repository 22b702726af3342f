"""The oracles of The Festival, The Goldmines and Mage & Witch, from FES-01, GLD-* and MAG-*."""

from typing import Any

from support.oracle.classics import ClassicsOracle
from support.oracle.table import Cell, Node, Turn, piece


class FestivalOracle(ClassicsOracle):
    """`base+festival`."""

    def instead(self, player: int) -> list[str]:
        found = super().instead(player)
        if not self.shows(self.order[-1], "festival"):
            return found
        mine = {
            f"festival:{x},{y},{index},{kind}": None
            for (x, y, index), owner, kind in self.standing()
            if owner == player
            if self.setting("festival", "returns", "figures") == "figures" or self.is_follower(kind)
        }
        return [*found, *mine]

    def do_instead(self, player: int, chosen: str) -> None:
        if not chosen.startswith("festival:"):
            super().do_instead(player, chosen)
            return
        x, y, index, kind = chosen.removeprefix("festival:").split(",")
        self.take_away((int(x), int(y), int(index)), player, kind)


class GoldOracle(ClassicsOracle):
    """`base+gold`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.ingots: dict[Cell, int] = {}
        self.purse = [0] * players
        self.due_to: dict[Cell, set[int]] = {}  # who may take from a tile this turn
        super().__init__(texts, players, plays=plays, **options)

    def after_placing(self, player: int, cell: Cell) -> Turn:
        """GLD-01."""
        if self.shows(cell, "goldmine"):
            self.ingots[cell] = self.ingots.get(cell, 0) + 1
            near = sorted(self.around(cell), key=lambda c: (c[1], c[0]))
            other = near[0]
            if len(near) > 1:
                chosen = yield player, "gold", [f"gold:{x},{y}" for x, y in near]
                x, y = chosen.removeprefix("gold:").split(",")
                other = (int(x), int(y))
            self.ingots[other] = self.ingots.get(other, 0) + 1
        yield from super().after_placing(player, cell)

    def score(self, feature: set[Node], final: bool) -> None:
        if not final:
            cells = {(x, y) for x, y, _ in feature}
            if self.part(next(iter(feature))).kind in self.surrounded:
                cells |= set(self.around(next(iter(cells))))
            for cell in cells & self.ingots.keys():
                self.due_to.setdefault(cell, set()).update(self.majority(feature))
        super().score(feature, final)

    def after_scoring(self, player: int, cell: Cell) -> Turn:
        self.hand_out(player)
        yield from super().after_scoring(player, cell)

    def hand_out(self, player: int) -> None:
        """GLD-02."""
        while any(self.due_to.get(cell) for cell in self.ingots):
            from_here = [
                (-len(owners), y, x)
                for (x, y), owners in self.due_to.items()
                if player in owners and (x, y) in self.ingots
            ]
            if from_here:
                _, y, x = min(from_here)
                self.purse[player] += 1
                self.ingots[x, y] -= 1
                if not self.ingots[x, y]:
                    del self.ingots[x, y]
            player = (player + 1) % self.players
        self.due_to = {}

    def final(self) -> None:
        """GLD-03."""
        super().final()
        for player, held in enumerate(self.purse):
            self.add(player, held * (1 + (held > 3) + (held > 6) + (held > 9)))

    def pieces(self) -> list[dict[str, Any]]:
        return super().pieces() + [piece("gold", *cell, count=n) for cell, n in self.ingots.items()]

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "gold": self.purse}


class MageOracle(ClassicsOracle):
    """`base+mage`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.magic: dict[str, Node] = {}  # where mage and witch are
        super().__init__(texts, players, plays=plays, **options)

    def has(self, who: str, feature: set[Node]) -> bool:
        return self.magic.get(who) in feature

    def together(self) -> bool:
        return len(self.magic) == 2 and self.has("mage", self.feature(self.magic["witch"]))

    def after_placing(self, player: int, cell: Cell) -> Turn:
        """MAG-01."""
        yield from super().after_placing(player, cell)
        if self.shows(cell, "mage") or self.together():
            ways = [f"{who}:{place}" for place in self.magic_places() for who in ("mage", "witch")]
            if not ways:
                ways = [f"leave:{who}" for who in sorted(self.magic)]
            if ways:
                chosen = ways[0]
                if len(ways) > 1:
                    chosen = yield player, "mage", ways
                verb, _, where = chosen.partition(":")
                if verb == "leave":
                    del self.magic[where]
                else:
                    x, y, index = where.split(",")
                    self.magic[verb] = (int(x), int(y), int(index))

    def chased(self, cell: Cell) -> None:
        """DRG-02: they stay, or the dragon drives them away."""
        if self.setting("mage", "dragon", "stay") == "leave":
            self.magic = {who: node for who, node in self.magic.items() if node[:2] != cell}

    def magic_places(self) -> list[str]:
        """The incomplete roads and cities with neither, each by its first segment."""
        found: list[set[Node]] = []
        for x, y in self.board:
            for index, part in enumerate(self.parts((x, y))):
                if part.kind in ("road", "city"):
                    feature = self.feature((x, y, index))
                    taken = self.has("mage", feature) or self.has("witch", feature)
                    if feature not in found and not taken and not self.complete(feature):
                        found.append(feature)
        firsts = [min((y, x, index) for x, y, index in feature) for feature in found]
        return [f"{x},{y},{index}" for y, x, index in firsts]

    def worth(self, feature: set[Node], final: bool) -> int:
        """MAG-02, MAG-03."""
        points = super().worth(feature, final)
        if self.has("mage", feature):
            points += len({(x, y) for x, y, _ in feature})
        if self.has("witch", feature):
            points = (points + 1) // 2
        return points

    def completed_by(self, player: int, feature: set[Node]) -> None:
        super().completed_by(player, feature)
        self.leave(feature)

    def leave(self, feature: set[Node]) -> None:
        self.magic = {who: node for who, node in self.magic.items() if node not in feature}

    def score(self, feature: set[Node], final: bool) -> None:
        super().score(feature, final)
        self.leave(feature)

    def pieces(self) -> list[dict[str, Any]]:
        return super().pieces() + [piece(who, *node) for who, node in self.magic.items()]
