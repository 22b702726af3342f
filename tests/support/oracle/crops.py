"""The oracle of the Crop Circles, written from CRC-01."""

from support.oracle.classics import ClassicsOracle
from support.oracle.flier import SPECIAL
from support.oracle.table import Cell, Node, Turn


class CropsOracle(ClassicsOracle):
    """`base+crops`."""

    def right_after_scoring(self, player: int, cell: Cell) -> Turn:
        yield from super().right_after_scoring(player, cell)
        for kind in self.claimable:
            if self.shows(cell, f"crop_circle={kind}") and self.standing():
                chosen = yield player, "crops", ["crops:add", "crops:take"]
                for n in range(1, self.players + 1):
                    each = (player + n) % self.players
                    if chosen == "crops:add":
                        yield from self.add_one(each, kind)
                    else:
                        yield from self.take_one(each, kind)

    def own_on(self, player: int, feature: str) -> list[tuple[Node, str]]:
        """A player's followers on features of a kind."""
        return [
            (node, kind)
            for node, owner, kind in self.standing()
            if owner == player and self.is_follower(kind) and self.part(node).kind == feature
        ]

    def add_one(self, player: int, feature: str) -> Turn:
        """A player may add a follower beside an own one."""
        places = dict.fromkeys(node for node, _ in self.own_on(player, feature))
        ways = {
            f"add:{node[0]},{node[1]},{node[2]},{kind}": (node, kind)
            for node in places
            if self.allows(node[:2])
            for kind in self.figures()
            if self.supply[player][kind] and self.is_follower(kind)
            if feature in SPECIAL.get(kind, self.claimable)
        }
        if ways:
            chosen = yield player, "crops follow", [*ways, "pass"]
            if chosen != "pass":
                node, kind = ways[chosen]
                self.stand(player, kind, node)

    def take_one(self, player: int, feature: str) -> Turn:
        """A player must take one back."""
        ways = {
            f"take:{node[0]},{node[1]},{node[2]},{kind}": (node, kind)
            for node, kind in self.own_on(player, feature)
        }
        if ways:
            chosen = next(iter(ways))
            if len(ways) > 1:
                chosen = yield player, "crops follow", list(ways)
            node, kind = ways[chosen]
            self.take_away(node, player, kind)
