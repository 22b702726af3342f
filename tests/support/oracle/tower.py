"""The oracle of The Tower; written from TOW-01 to TOW-05."""

from typing import Any

from support.oracle.classics import IDLE, ClassicsOracle
from support.oracle.dragon import COLOURS
from support.oracle.table import SIDES, Cell, Node, Turn, piece

NOT_ON_TOP = (*IDLE, "abbot", "mayor", "wagon")


def text(node: Node) -> str:
    return f"{node[0]},{node[1]},{node[2]}"


class TowerOracle(ClassicsOracle):
    """`base+tower`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.pieces_left = [{1: 10, 2: 10, 3: 9, 4: 7, 5: 6, 6: 5}[players]] * players  # TOW-01
        self.heights: dict[Node, int] = {}
        self.captives: list[tuple[int, int, str]] = []  # jailer, owner, kind
        self.ransomed = False
        super().__init__(texts, players, plays=plays, **options)

    def complete(self, feature: set[Node]) -> bool:
        """TOW-01."""
        return self.part(next(iter(feature))).kind != "tower" and super().complete(feature)

    def new_turn(self) -> None:
        super().new_turn()
        self.ransomed = False

    # -- what may be done --------------------------------------------------------------------------

    def foundations(self) -> list[Node]:
        """The foundations and towers that nobody tops."""
        found = [
            (*cell, index)
            for cell in self.board
            for index, part in enumerate(self.parts(cell))
            if part.kind == "tower"
        ]
        return [node for node in found if node not in self.followers]

    def instead(self, player: int) -> list[str]:
        """TOW-02."""
        found = super().instead(player)
        if not self.may_pass():
            return found
        open_towers = self.foundations()
        if self.pieces_left[player]:
            found += [f"tower:{text(node)},piece" for node in open_towers]
        for node in open_towers:
            if self.heights.get(node):
                found += [
                    f"top:{text(node)},{kind}"
                    for kind in self.figures()
                    if kind not in NOT_ON_TOP and self.supply[player][kind]
                ]
        return found

    def do_instead(self, player: int, chosen: str) -> None:
        verb, _, rest = chosen.partition(":")
        if verb not in ("tower", "top"):
            super().do_instead(player, chosen)
            return
        x, y, index, what = rest.split(",")
        node = (int(x), int(y), int(index))
        if verb == "tower":
            self.pieces_left[player] -= 1
            self.heights[node] = self.heights.get(node, 0) + 1
        else:
            self.stand(player, what, node)

    def beforehand(self, player: int, cell: Cell) -> list[str]:
        """TOW-05."""
        found = super().beforehand(player, cell)
        if self.ransomed or self.scores[player] < 3 or not self.may_pass():
            return found
        held = {(kind, jailer) for jailer, owner, kind in self.captives if owner == player}
        return found + [f"ransom:{kind},{COLOURS[jailer]}" for kind, jailer in held]

    def do_beforehand(self, player: int, chosen: str) -> None:
        if not chosen.startswith("ransom:"):
            super().do_beforehand(player, chosen)
            return
        kind, colour = chosen.removeprefix("ransom:").split(",")
        jailer = COLOURS.index(colour)
        self.add(player, -3)
        self.add(jailer, 3)
        self.set_free(jailer, player, kind)
        self.ransomed = True

    def set_free(self, jailer: int, owner: int, kind: str) -> None:
        self.captives.remove((jailer, owner, kind))
        self.supply[owner][kind] += 1

    # -- captures ----------------------------------------------------------------------------------

    def in_reach(self, tower: Node) -> list[tuple[Node, int, str]]:
        """TOW-03."""
        x, y, _ = tower
        height = self.heights[tower]
        cells = {(x + dx * n, y + dy * n) for dx, dy in SIDES for n in range(height + 1)}
        return [
            one
            for one in self.standing()
            if one[0][:2] in cells and self.is_follower(one[2]) and self.within_reach(one[0])
        ]

    def after_claim(self, player: int, cell: Cell, chosen: str) -> Turn:
        if chosen.startswith("tower:"):
            x, y, index, _ = chosen.removeprefix("tower:").split(",")
            yield from self.capture(player, (int(x), int(y), int(index)))
        yield from super().after_claim(player, cell, chosen)

    def capture(self, player: int, tower: Node) -> Turn:
        reach = {
            f"capture:{text(node)},{kind},{COLOURS[who]}": (node, who, kind)
            for node, who, kind in self.in_reach(tower)
        }
        if not reach:
            return
        chosen = yield player, "capture", [*reach, "pass"]
        if chosen == "pass":
            return
        node, who, kind = reach[chosen]
        self.take_away(node, who, kind)
        if who == player:
            return
        self.supply[who][kind] -= 1
        self.captives.append((player, who, kind))
        mine = sorted({k for jailer, owner, k in self.captives if (jailer, owner) == (who, player)})
        if mine:  # TOW-04
            self.set_free(player, who, kind)
            back = mine[0]
            if len(mine) > 1:
                answer = yield player, "exchange", [f"exchange:{k}" for k in mine]
                back = answer.removeprefix("exchange:")
            self.set_free(who, player, back)

    # -- the surface -------------------------------------------------------------------------------

    def pieces(self) -> list[dict[str, Any]]:
        towers = [piece("tower", *node, count=height) for node, height in self.heights.items()]
        return super().pieces() + towers

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "tower_pieces": self.pieces_left}
