"""The oracle of the Russian promotional tiles; written from RUS-01 to RUS-03."""

from collections import Counter

from support.oracle.classics import ClassicsOracle
from support.oracle.table import Cell, Node, Turn

NOT_IN_HUT = ("abbot", "mayor", "wagon")
TRAPS = ("razboynik", "vodyanoy")


class RussianOracle(ClassicsOracle):
    """`base+russian`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.traps: list[Node] = []  # in the order in which they were placed
        self.seen: dict[Node, Counter[Node]] = {}  # figures on the robber's road at his last look
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

    def spring(self, laid: bool = False) -> None:
        if self.setting("russian", "traps", "older") == "newer":
            self.spring_newer(laid)
            return
        for trap in self.traps:
            found = [one for one in self.caught_by(trap) if self.is_follower(one[2])]
            self.catch(trap, found)

    def catch(self, trap: Node, figures: list[tuple[Node, int, str]]) -> None:
        for node, owner, kind in sorted(figures, key=self.spot):
            if (node, owner, kind) in self.standing():
                self.take_away(node, owner, kind)
                self.supply[owner][kind] -= 1
                self.crowds.setdefault(trap, []).append((owner, kind))
                self.just_caught.append((trap, owner, kind))

    def spring_newer(self, laid: bool) -> None:
        """The author's newer wording, from JCloisterZone's issue 412 and WikiCarpedia."""
        robbers = [trap for trap in self.traps if self.part(trap).kind == "razboynik"]
        self.drown()
        for trap in robbers:
            on_road = self.on_road(trap)
            road = {node for near in self.by_distance(trap) for node in near}
            joined = laid and any(node[:2] == self.order[-1] for node in road)
            more = Counter(node for node, _, _ in on_road) - self.seen.get(trap, Counter())
            if joined or more:
                for near in self.by_distance(trap):
                    found = [one for one in on_road if one[0] in near]
                    if found:
                        self.catch_helpers_first(trap, found)
                        break
        self.drown()
        self.seen = {trap: Counter(one[0] for one in self.on_road(trap)) for trap in robbers}

    def drown(self) -> None:
        """The vodyanoy takes all around him, whom the robber holds, too."""
        for trap in self.traps:
            if self.part(trap).kind == "vodyanoy":
                around = self.around(trap[:2])
                found = [one for one in self.standing() if one[0][:2] in around]
                found = [one for one in found if self.within_reach(one[0])]
                found = [one for one in found if self.part(one[0]).kind != "vodyanoy"]
                self.catch_helpers_first(trap, [one for one in found if one[2] != "barn"])

    def catch_helpers_first(self, trap: Node, found: list[tuple[Node, int, str]]) -> None:
        self.catch(trap, [one for one in found if not self.is_follower(one[2])])
        self.catch(trap, [one for one in found if self.is_follower(one[2])])

    def on_road(self, trap: Node) -> list[tuple[Node, int, str]]:
        road = {node for near in self.by_distance(trap) for node in near}
        return [one for one in self.standing() if one[0] in road]

    def by_distance(self, trap: Node) -> list[set[Node]]:
        """The segments of the robber's road, by how far they are along it."""
        near = {
            (*trap[:2], index)
            for index, part in enumerate(self.parts(trap[:2]))
            if part.kind == "road"
        }
        found = [near]
        while found[-1]:
            known = {node for some in found for node in some}
            found.append({other for node in found[-1] for other in self.joined(node)} - known)
        return found

    def after_placing(self, player: int, cell: Cell) -> Turn:
        yield from super().after_placing(player, cell)
        self.just_caught = []
        self.spring(laid=True)
        self.just_caught = [one for one in self.just_caught if one[0][:2] == cell]

    def claim(self, player: int, cell: Cell) -> Turn:
        yield from super().claim(player, cell)
        self.spring()

    def after_following(self, player: int, cell: Cell) -> Turn:
        yield from super().after_following(player, cell)
        self.spring()

    def have_moved(self) -> None:
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

    def after_final(self) -> Turn:
        """RUS-03, MEE-02: after all others but the big top."""
        for trap in self.traps:
            if self.part(trap).kind == "vodyanoy":
                for owner, _ in self.crowds.get(trap, []):
                    self.add(owner, -2)
        yield from super().after_final()
