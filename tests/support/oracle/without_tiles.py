"""The oracles of The Phantom, Little Buildings, The Robber's Son, from PHA-01, LIT-01, ROB-01."""

from typing import Any

from support.oracle.classics import ClassicsOracle
from support.oracle.dragon import COLOURS
from support.oracle.table import Cell, Node, Turn, piece

BUILDINGS = {"shed": 1, "house": 2, "tower": 3}


class PhantomOracle(ClassicsOracle):
    """`base+phantom`."""

    def after_claim(self, player: int, cell: Cell, chosen: str) -> Turn:
        yield from super().after_claim(player, cell, chosen)
        verb, _, rest = chosen.partition(":")
        kind = rest.rpartition(",")[2]
        if verb in ("claim", "lie", "portal", "top", "fly") and kind == "phantom":
            return
        if self.setting("phantom", "follows", "any") == "followers":
            placed = verb in ("claim", "lie", "portal", "top", "acrobat") and self.is_follower(kind)
            ways = self.claims(player, cell, ("phantom",)) if placed else []
        elif verb in ("pass", "princess", "rob"):
            return
        else:
            ways = [
                text
                for text in self.claims(player, cell, ("phantom",)) + self.instead(player)
                if text.partition(":")[0] in ("claim", "lie", "portal", "top", "fly")
                if text.endswith("phantom")
                if not (text.startswith(f"{verb}:") and verb in ("portal", "fly"))
            ]
        if ways and self.supply[player]["phantom"]:
            chosen = yield player, "phantom", [*ways, "pass"]
            if chosen.startswith("claim:"):
                self.do_claim(player, cell, chosen)
            elif chosen != "pass":
                self.do_instead(player, chosen)
                yield from self.after_claim(player, cell, chosen)


class BuildingsOracle(ClassicsOracle):
    """`base+buildings`."""

    def __init__(
        self,
        texts: list[str],
        players: int,
        *,
        plays: set[str],
        worth: str = "order",
        **options: str,
    ) -> None:
        self.alike = worth == "each"
        self.unbuilt = [dict.fromkeys(BUILDINGS, 6 // players) for _ in range(players)]
        self.built: dict[Cell, str] = {}
        super().__init__(texts, players, plays=plays, **options)

    def instead(self, player: int) -> list[str]:
        left = self.unbuilt[player]
        return super().instead(player) + [f"building:{kind}" for kind in left if left[kind]]

    def do_instead(self, player: int, chosen: str) -> None:
        if chosen.startswith("building:"):
            kind = chosen.removeprefix("building:")
            self.unbuilt[player][kind] -= 1
            self.built[self.order[-1]] = kind
        else:
            super().do_instead(player, chosen)

    def worth(self, feature: set[Node], final: bool) -> int:
        points = super().worth(feature, final)
        kind = self.part(next(iter(feature))).kind
        if kind == "tower":  # TOW-02
            return points
        cells = {(x, y) for x, y, _ in feature}
        if kind in self.surrounded:
            cells |= set(self.around(next(iter(cells))))
        here = [self.built[cell] for cell in cells if cell in self.built]
        return points + sum(1 if self.alike else BUILDINGS[name] for name in here)

    def pieces(self) -> list[dict[str, Any]]:
        return super().pieces() + [
            piece(f"little {kind}", *cell) for cell, kind in self.built.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "buildings": self.unbuilt}


class SonOracle(ClassicsOracle):
    """`base+son`."""

    def instead(self, player: int) -> list[str]:
        cell = self.order[-1]
        roads = [
            self.feature((*cell, index))
            for index, part in enumerate(self.parts(cell))
            if part.kind == "road" and "robbers_son" in part.marks
        ]
        robbed = [
            f"rob:{node[0]},{node[1]},{node[2]},{kind},{COLOURS[owner]}"
            for node, (owner, kind) in self.followers.items()
            if self.is_follower(kind) and any(node in road for road in roads)
        ]
        return [*super().instead(player), *dict.fromkeys(robbed)]

    def do_instead(self, player: int, chosen: str) -> None:
        if not chosen.startswith("rob:"):
            super().do_instead(player, chosen)
            return
        x, y, index, kind, colour = chosen.removeprefix("rob:").split(",")
        self.take_away((int(x), int(y), int(index)), COLOURS.index(colour), kind)
