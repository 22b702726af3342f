"""The oracle of the Russian promotional tiles; written from RUS-01 to RUS-03."""

from __future__ import annotations

from support.oracle.classics import ClassicsOracle
from support.oracle.table import Cell, Node, Turn

NOT_IN_HUT = ("abbot", "mayor", "wagon")
TRAPS = ("razboynik", "vodyanoy")


class RussianOracle(ClassicsOracle):
    """`base+russian`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.traps: list[Node] = []  # in the order in which they were placed
        self.just_caught: list[tuple[Node, int, str]] = []
        self.surrounded = (*self.surrounded, "yaga_hut")
        super().__init__(texts, players, plays=plays, **options)
        self.claimable = (*self.claimable, "yaga_hut")

    # -- the hut -----------------------------------------------------------------------------------

    def may_stand(self, player: int, kind: str, node: Node) -> bool:
        """RUS-01."""
        if self.part(node).kind == "yaga_hut" and kind in NOT_IN_HUT:
            return False
        return super().may_stand(player, kind, node) and self.allows(node[:2])

    def worth(self, feature: set[Node], final: bool) -> int:
        """RUS-01."""
        node = next(iter(feature))
        if self.part(node).kind == "yaga_hut":
            return 9 - len(self.around(node[:2]))
        return super().worth(feature, final)

    # -- the traps ---------------------------------------------------------------------------------

    def complete(self, feature: set[Node]) -> bool:
        return self.part(next(iter(feature))).kind not in TRAPS and super().complete(feature)

    def allows(self, cell: Cell) -> bool:
        """RUS-03."""
        return super().allows(cell) and not any(p.kind == "vodyanoy" for p in self.parts(cell))

    def put_tile(self, cell: Cell, kind: str, rotation: int) -> None:
        super().put_tile(cell, kind, rotation)
        for index, part in enumerate(self.parts(cell)):
            if part.kind in TRAPS:
                self.traps.append((*cell, index))

    def caught_by(self, trap: Node) -> list[tuple[Node, int, str]]:
        """RUS-02, RUS-03."""
        cell = trap[:2]
        caught = [(node, *who) for node, who in self.followers.items()]
        caught += [one for one in self.standing() if one not in caught and one[0] not in self.traps]
        caught = [one for one in caught if self.within_reach(one[0])]
        if self.part(trap).kind == "vodyanoy":
            return [one for one in caught if one[0][:2] in self.around(cell)]
        roads = [
            self.feature((*cell, index))
            for index, part in enumerate(self.parts(cell))
            if part.kind == "road"
        ]
        return [one for one in caught if any(one[0] in road for road in roads)]

    def spot(self, one: tuple[Node, int, str]) -> tuple[int, int, int]:
        """RUS-02: a trap catches by y, then x, then segment."""
        x, y, index = one[0]
        return y, x, index

    def spring(self) -> None:
        for trap in self.traps:
            for node, owner, kind in sorted(self.caught_by(trap), key=self.spot):
                if self.is_follower(kind):
                    self.take_away(node, owner, kind)
                    self.supply[owner][kind] -= 1
                    self.crowds.setdefault(trap, []).append((owner, kind))
                    self.just_caught.append((trap, owner, kind))

    def after_placing(self, player: int, cell: Cell) -> Turn:
        yield from super().after_placing(player, cell)
        self.just_caught = []
        self.spring()
        self.just_caught = [one for one in self.just_caught if one[0][:2] == cell]

    def after_following(self, player: int, cell: Cell) -> Turn:
        yield from super().after_following(player, cell)
        self.spring()

    def instead(self, player: int) -> list[str]:
        """RUS-02."""
        found = super().instead(player)
        if not self.may_pass():
            return found
        held = [(trap, *who) for trap in self.traps for who in self.crowds.get(trap, [])]
        for one in self.just_caught:
            if one in held:
                held.remove(one)
        mine = [one for one in held if one[1] == player]
        return found + [f"free:{x},{y},{n},{kind}" for (x, y, n), _, kind in dict.fromkeys(mine)]

    def do_instead(self, player: int, chosen: str) -> None:
        if not chosen.startswith("free:"):
            super().do_instead(player, chosen)
            return
        x, y, index, kind = chosen.removeprefix("free:").split(",")
        self.take_away((int(x), int(y), int(index)), player, kind)

    def final(self) -> None:
        super().final()
        for trap in self.traps:
            if self.part(trap).kind == "vodyanoy":
                for owner, _ in self.crowds.get(trap, []):
                    self.add(owner, -2)
