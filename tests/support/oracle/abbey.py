"""The oracle of Abbey & Mayor; written from ABM-01 to ABM-04."""

from typing import Any

from support.oracle.classics import GARDEN, ClassicsOracle, Start, Tiles
from support.oracle.table import Cell, Found, Node, Turn

ABBEY = "AM-abbey"
# From a corner of the table to the four tiles around it: which way the tile lies, and the
# half-edges with which it reaches the corner.
CORNER = {(0, 0): {0, 7}, (-1, 0): {1, 2}, (-1, -1): {3, 4}, (0, -1): {5, 6}}


class AbbeyOracle(ClassicsOracle):
    """`base+abbey`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.abbeys = [int(self.setting("abbey", "abbey_count", "1"))] * players
        self.last_round: list[int] | None = None
        # By owner, the wagons that were scored: where, and on what.
        self.wagons: dict[int, list[tuple[Node, set[Node]]]] = {}
        self.placed: list[tuple[int, Node]] = []  # whose wagon, where; the last one last
        self.touching = self.setting("abbey", "wagon", "near") == "touching"
        self.share_fields = self.setting("abbey", "barns", "alone") == "together"
        self.meets: dict[str, list[set[int]]] = {}  # by tile, the segments that touch
        for text in texts:
            name = ""
            for words in (line.split() for line in text.splitlines()):
                if words[:1] == ["tile"]:
                    name = words[1].removesuffix(GARDEN)
                elif words[:1] == ["meets"]:
                    together = {int(word) for word in words[1:]}
                    self.meets.setdefault(name, []).append(together)
        self.new_barn: Node | None = None  # put down in this turn
        self.each: int | None = None  # points a city for barns, and farmers who meet one
        super().__init__(texts, players, plays=plays, **options)

    # -- the abbey ---------------------------------------------------------------------------------

    def opened(self, tiles: Tiles, start: Start, first: bool) -> tuple[Tiles, Start]:
        tiles, start = super().opened(tiles, start, first)
        if ABBEY in tiles:
            tiles[ABBEY] = (0, *tiles[ABBEY][1:])
        return tiles, start

    def next_tile(self, player: int) -> Found:
        """ABM-01; MEE-01: in the second part of a turn an abbey may be placed, too."""
        if self.extra and not self.tiles_left() and not self.holds_tile(player):
            if (yield from self.asked(player)):
                return (yield from self.with_abbey(player))
            player = (player + 1) % self.players
            self.extra = False
        while self.tiles_to_come() or self.last_round != []:
            if self.tiles_left() or self.holds_tile(player):
                if not self.holds_tile(player) and (yield from self.asked(player)):
                    return (yield from self.with_abbey(player))
                found = yield from super().next_tile(player)
                self.last_round = None
                if found is not None:
                    return found
                player = (player + 1) % self.players
            elif self.last_round is None:
                self.last_round = [(player + n) % self.players for n in range(self.players)]
            elif player in self.last_round:
                self.last_round.remove(player)
                if (yield from self.asked(player)):
                    return (yield from self.with_abbey(player))
                player = (player + 1) % self.players
            else:
                player = (player + 1) % self.players
        return None

    def asked(self, player: int) -> Any:
        if not self.abbeys[player] or not self.placements(ABBEY):
            return False
        chosen = yield player, "abbey", ["abbey", "pass"]
        return chosen == "abbey"

    def with_abbey(self, player: int) -> Found:
        self.abbeys[player] -= 1
        return (yield from self.try_tile(player, ABBEY))

    def closes(self, there: Cell, kind: str, side: int) -> bool:
        ends = self.board[there][0] == ABBEY and kind != "mist"  # MIST-05
        return ends or super().closes(there, kind, side)

    def extended(self, cell: Cell) -> list[Node]:
        """An abbey ends what its neighbours lead to it."""
        found = super().extended(cell)
        if self.board[cell][0] == ABBEY:
            for side in range(4):
                there = self.beyond(cell, side)
                for index, part in enumerate(self.parts(there)):
                    if (side + 2) % 4 in part.edges:
                        found.append((*there, index))
        return found

    # -- mayor and wagon ---------------------------------------------------------------------------

    def may_stand(self, player: int, kind: str, node: Node) -> bool:
        """ABM-02, ABM-03."""
        on = {"mayor": ("city",), "wagon": ("city", "road", "monastery"), "barn": ()}
        if kind in on and self.part(node).kind not in on[kind]:
            return False
        return super().may_stand(player, kind, node)

    def power(self, kind: str, feature: set[Node]) -> int:
        """ABM-02: in a castle he counts for nothing."""
        if kind == "mayor":
            is_city = self.part(next(iter(feature))).kind == "city"
            return self.marked(feature, "coat_of_arms") if is_city else 0
        return 0 if kind == "barn" else super().power(kind, feature)

    def score(self, feature: set[Node], final: bool) -> None:
        super().score(feature, final)
        for node, (owner, kind) in self.followers.items():
            if kind == "wagon" and node in feature:
                self.wagons.setdefault(owner, []).append((node, feature))

    def stand(self, player: int, kind: str, node: Node) -> None:
        super().stand(player, kind, node)
        if kind == "wagon":
            self.placed.append((player, node))

    def since(self, owner: int, node: Node) -> int:
        """When an owner's wagon was placed there."""
        return max(n for n, one in enumerate(self.placed) if one == (owner, node))

    def after_scoring(self, player: int, cell: Cell) -> Turn:
        """ABM-03."""
        yield from super().after_scoring(player, cell)
        wagons, self.wagons = self.wagons, {}
        for n in range(self.players):
            owner = (player + n) % self.players
            order = {node: self.since(owner, node) for node, _ in wagons.get(owner, ())}
            for stood, scored in sorted(wagons.get(owner, ()), key=lambda one: order[one[0]]):
                ways = {
                    f"wagon:{node[0]},{node[1]},{node[2]},wagon": node
                    for node in self.in_reach_of_wagon(stood[:2], scored)
                    if node not in scored
                    and self.may_stand(owner, "wagon", node)
                    and not self.complete(self.feature(node))
                }
                if ways:
                    chosen = yield owner, "wagon", [*ways, "pass"]
                    if chosen != "pass":
                        self.stand(owner, "wagon", ways[chosen])
                        yield from self.arrive(owner, ways[chosen])
                        self.have_moved()

    def in_reach_of_wagon(self, stood: Cell, scored: set[Node]) -> list[Node]:
        if self.touching:
            touched = [
                (x, y, other)
                for x, y, index in scored
                for together in self.meets.get(self.plain_name((x, y)), ())
                if index in together
                for other in together - {index}
            ]
            for x, y, index in scored:
                for side, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
                    there = (x + dx, y + dy)
                    if there not in self.board:
                        continue
                    if self.board[there][0].startswith(ABBEY):
                        if side in self.part((x, y, index)).edges:
                            touched.append((*there, 0))
                    elif self.board[x, y][0].startswith(ABBEY):
                        touched += [
                            (*there, number)
                            for number, part in enumerate(self.parts(there))
                            if (side + 2) % 4 in part.edges
                        ]
            return sorted({other for node in touched for other in self.feature(node)})
        cells = [stood, *self.around(stood)]
        return [(*cell, index) for cell in cells for index in range(len(self.parts(cell)))]

    # -- barns -------------------------------------------------------------------------------------

    def corner(self, x: int, y: int) -> Node | None:
        """Where a barn would stand at the north-western corner of this cell."""
        fields = []
        for (dx, dy), halves in CORNER.items():
            there = (x + dx, y + dy)
            if there not in self.board:
                return None
            fields += [
                (*there, index)
                for index, part in enumerate(self.parts(there))
                if part.kind == "field" and halves <= part.halves
            ]
        if len(fields) < len(CORNER) or not {*fields} <= self.feature(fields[0]):
            return None
        return fields[0]

    def barns_of(self, feature: set[Node]) -> list[Node]:
        return [n for n, (_, kind) in self.followers.items() if kind == "barn" and n in feature]

    def instead(self, player: int) -> list[str]:
        """ABM-04."""
        found = super().instead(player)
        if not self.supply[player]["barn"] or not self.may_pass():
            return found
        x, y = self.order[-1]
        for corner in ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)):
            node = self.corner(*corner)
            if node is None:
                continue
            if self.share_fields or not self.barns_of(self.feature(node)):
                found.append(f"barn:{node[0]},{node[1]},{node[2]},barn")
        return found

    def do_instead(self, player: int, chosen: str) -> None:
        if not chosen.startswith("barn:"):
            super().do_instead(player, chosen)
            return
        x, y, index, _ = chosen.removeprefix("barn:").split(",")
        node = (int(x), int(y), int(index))
        self.stand(player, "barn", node)
        self.new_barn = node

    def farmers(self, feature: set[Node]) -> list[tuple[Node, int, str]]:
        return [
            (node, owner, kind)
            for node, (owner, kind) in self.followers.items()
            if node in feature and self.is_follower(kind)
        ]

    def score_farmers(self, feature: set[Node], each: int) -> None:
        if self.farmers(feature):
            self.each = each
            self.score(feature, final=True)
            self.each = None
            for farmer in self.farmers(feature):
                self.take_away(*farmer)

    def score_turn(self, player: int, cell: Cell) -> None:
        """ABM-04: whoever met a barn scores after what was completed."""
        super().score_turn(player, cell)
        if self.new_barn is not None:
            self.score_farmers(self.feature(self.new_barn), 3)
            self.new_barn = None
        self.score_late_farmers()

    def beside_barns(self) -> list[set[Node]]:
        """The fields that score in this turn (CNT-02)."""
        found: list[set[Node]] = []
        for node, (_, kind) in self.followers.items():
            field = self.feature(node) if kind == "barn" else set()
            if field and (node == self.new_barn or self.farmers(field)) and field not in found:
                found.append(field)
        return found

    def score_late_farmers(self) -> None:
        for node, (_, kind) in self.followers.items():
            if kind == "barn":
                self.score_farmers(self.feature(node), 1)

    def field_points(self, field: set[Node], each: int) -> int:
        return super().field_points(field, each if self.each is None else self.each)

    def penalty(self, player: int, feature: set[Node], final: bool) -> int:
        """Farmers who meet a barn are scored during the game: their ghosts count."""
        less = super().penalty(player, feature, final)
        if self.each is not None:
            less += super().penalty(player, feature, False)
        return less

    def final(self) -> None:
        self.score_late_farmers()
        super().final()

    def score_barns(self) -> None:
        self.each = 4
        done: list[tuple[int, set[Node]]] = []
        for node, (owner, kind) in self.followers.items():
            field = self.feature(node)
            if kind == "barn" and (owner, field) not in done:
                done.append((owner, field))
                self.add(owner, self.worth(field, True))

    def to_dict(self) -> dict[str, Any]:
        data = super().to_dict()
        others = data.get("tiles_held", [{}] * self.players)
        mine = [{ABBEY: n} if n else {} for n in self.abbeys]
        return {**data, "tiles_held": [{**a, **b} for a, b in zip(mine, others, strict=True)]}
