"""The oracle of The Besiegers and The Cathars; written from SIE-01 to SIE-03."""

from support.oracle.classics import ClassicsOracle
from support.oracle.table import AROUND, Cell, Node, Turn


class SiegeOracle(ClassicsOracle):
    """`base+siege`."""

    def besieged(self, feature: set[Node]) -> bool:
        city = self.part(next(iter(feature))).kind == "city"
        return city and self.marked(feature, "besieged") > 0

    def worth(self, feature: set[Node], final: bool) -> int:
        """SIE-01, SIE-02."""
        points = super().worth(feature, final)
        kind = self.part(next(iter(feature))).kind
        if kind == "city" and self.besieged(feature):
            if final:
                return 0
            tiles = len({(x, y) for x, y, _ in feature})
            return points - tiles - self.marked(feature, "coat_of_arms")
        return points

    def city_points(self, city: set[Node], each: int) -> int:
        """SIE-02."""
        return super().city_points(city, each) * (2 if self.besieged(city) else 1)

    def escape(self, player: int, cell: Cell) -> Turn:
        """SIE-03."""
        yield from super().escape(player, cell)
        if self.setting("siege", "escape", "city") == "off":
            return
        if self.setting("siege", "escapes", "tile") == "turn" and self.due and not self.extra:
            return
        ways = {
            f"escape:{node[0]},{node[1]},{node[2]},{kind}": node
            for node, (who, kind) in self.followers.items()
            if who == player and self.is_follower(kind) and self.may_escape(node)
        }
        if ways:
            chosen = yield player, "escape", [*ways, "pass"]
            if chosen != "pass":
                self.take_away(ways[chosen], player, chosen.rpartition(",")[2])

    def may_escape(self, node: Node) -> bool:
        if self.part(node).kind != "city" or not self.besieged(self.feature(node)):
            return False
        strict = self.setting("siege", "escape", "city") == "siege"
        city = self.feature(node)
        from_cells = {n[:2] for n in city if not strict or self.part(n).marks.get("besieged")}
        near = {(x + dx, y + dy) for x, y in from_cells for dx, dy in [*AROUND, (0, 0)]}
        return any(
            part.kind == "monastery" for there in near & {*self.board} for part in self.parts(there)
        )
