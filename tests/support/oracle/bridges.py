"""The oracle of Bridges, Castles & Bazaars; written from BRC-01 and BRC-02."""

from typing import Any

from support.oracle.bazaars import BazaarsOracle
from support.oracle.table import Cell, Found, Node, Part, Turn, meet, piece

SPANS = {"ns": 0, "we": 1}  # a side of the unturned tile that a bridge begins at
LARGER = {"AM03": {0}, "HS01": {0}, "HS07": {0, 1}, "PD10": {0}}  # than a semicircle
CASTLE = "stronghold"  # the kind of feature that a city becomes


def beneath(part: Part) -> Part:
    """BIG-02: there is no place for acrobats beneath a bridge."""
    return Part("_", set(), set(), []) if part.kind == "acrobats" else part


class BridgesOracle(BazaarsOracle):
    """`base+bridges`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.bridges = [3 if players < 5 else 2] * players
        self.castles = list(self.bridges)
        self.walls: set[Node] = set()  # cities that are castles now
        self.waiting_castles: list[set[Node]] = []
        self.new_castles: list[set[Node]] = []
        self.named: dict[frozenset[Node], Node] = {}  # the segment by which a castle was named
        self.castle_points = 0
        self.built_at: Cell | None = None  # where a bridge was built in this turn
        self.building = -1  # who places a tile
        super().__init__(texts, players, plays=plays, **options)

    # -- bridges -----------------------------------------------------------------------------------

    def with_bridge(self, kind: str, span: str) -> str | None:
        """Return the tile with a bridge, or None if there is no place for one."""
        first = SPANS[span]
        letters = self.sides[kind, 0]
        if "+" in kind or not self.fields_at(kind, first):
            return None
        name = f"{kind}+{span}"
        if (name, 0) not in self.turned:
            bridge = Part("road", {first, first + 2}, set(), [])
            bridged = ["R" if n in (first, first + 2) else letters[n] for n in range(4)]
            for r in range(4):
                self.turned[name, r] = [*map(beneath, self.turned[kind, r]), bridge.turned(r)]
                self.sides[name, r] = [bridged[(side - r) % 4] for side in range(4)]
            if kind in self.symbols:
                self.symbols[name] = self.symbols[kind]
        return name

    def fields_at(self, kind: str, side: int) -> bool:
        """Whether this edge and the one opposite are field, and not under mist (MIST-06)."""
        ground = {h for part in self.turned[kind, 0] if part.kind == "field" for h in part.halves}
        ends = {2 * side, 2 * side + 1, 2 * side + 4, 2 * side + 5}
        return ends <= ground and {self.sides[kind, 0][n] for n in (side, side + 2)} == {"F"}

    def carried(self, cell: Cell, span: str, rotation: int) -> bool:
        """Whether beyond both ends of a bridge lies no tile, or one whose road it continues.

        And no acrobats are on the tile (BIG-02).
        """
        if any(self.part(node).kind == "acrobats" for node in self.there(cell)):
            return False
        for side in ((SPANS[span] + rotation) % 4, (SPANS[span] + rotation + 2) % 4):
            there = self.beyond(cell, side)
            if there in self.board and self.letter(*self.board[there], (side + 2) % 4) not in "RG":
                return False
        return True

    def there(self, cell: Cell) -> list[Node]:
        return [node for node, crowd in self.crowds.items() if crowd and node[:2] == cell]

    def helped(self, kind: str, rotation: int, cell: Cell) -> tuple[Cell, str] | None:
        """Where a bridge makes a tile fit, and the tile that it makes there."""
        if self.setting("bridges", "bridges", "near") == "off" or not self.bridges[self.building]:
            return None
        wrong = [
            side
            for side in range(4)
            if self.beyond(cell, side) in self.board
            and not meet(
                self.letter(*self.board[self.beyond(cell, side)], (side + 2) % 4),
                self.letter(kind, rotation, side),
            )
        ]
        for span, first in SPANS.items():
            name = self.with_bridge(kind, span)
            ends = {(first + rotation) % 4, (first + rotation + 2) % 4}
            if name is not None and {*wrong} <= ends and self.carried(cell, span, rotation):
                return cell, name
        if len(wrong) != 1 or self.letter(kind, rotation, wrong[0]) != "R":
            return None
        there = self.beyond(cell, wrong[0])
        other, turns = self.board[there]
        span = "ns" if (wrong[0] - turns) % 2 == 0 else "we"
        name = self.with_bridge(other, span)
        return (there, name) if name is not None and self.carried(there, span, turns) else None

    def with_help(self, kind: str, rotation: int, cell: Cell) -> bool:
        return self.helped(kind, rotation, cell) is not None

    def try_tile(self, player: int, kind: str) -> Found:
        self.building = player
        self.built_at = None
        return (yield from super().try_tile(player, kind))

    def ask_place(self, player: int, kind: str, where: list[str]) -> Any:
        """BRC-01: who can place a tile by bridges only may decline."""
        texts = [text.removeprefix("place:").split(",") for text in where]
        if not any(self.fits_plainly(kind, int(r), (int(x), int(y))) for x, y, r in texts):
            where = [*where, "pass"]
        return (yield from super().ask_place(player, kind, where))

    def lay(self, player: int, kind: str, chosen: str) -> Cell:
        x, y, rotation = (int(n) for n in chosen.removeprefix("place:").split(","))
        if not self.fits_plainly(kind, rotation, (x, y)):
            help_at = self.helped(kind, rotation, (x, y))
            assert help_at is not None
            there, name = help_at
            self.use_bridge(player, there)
            if there == (x, y):
                kind = name
            else:
                self.board[there] = (name, self.board[there][1])
        return super().lay(player, kind, chosen)

    def use_bridge(self, player: int, cell: Cell) -> None:
        self.bridges[player] -= 1
        self.built_at = cell
        self.walked = {}

    def beforehand(self, player: int, cell: Cell) -> list[str]:
        """BRC-01."""
        found = super().beforehand(player, cell)
        mode = self.setting("bridges", "bridges", "near")
        if mode == "off" or not self.bridges[player] or self.built_at is not None:
            return found
        if not self.may_pass():  # DRG-03
            return found
        cells = [cell] if mode == "own" else [cell, *(self.beyond(cell, n) for n in range(4))]
        for x, y in cells:
            if (x, y) in self.board:
                kind, rotation = self.board[x, y]
                for span in SPANS:
                    if self.with_bridge(kind, span) and self.carried((x, y), span, rotation):
                        found.append(f"bridge:{x},{y},0,{span}")
        return found

    def do_beforehand(self, player: int, chosen: str) -> None:
        if not chosen.startswith("bridge:"):
            super().do_beforehand(player, chosen)
            return
        x, y, _, span = chosen.removeprefix("bridge:").split(",")
        cell = (int(x), int(y))
        kind, rotation = self.board[cell]
        name = self.with_bridge(kind, span)
        assert name is not None
        self.board[cell] = (name, rotation)
        self.use_bridge(player, cell)

    def extended(self, cell: Cell) -> list[Node]:
        found = super().extended(cell)
        if self.built_at is not None and self.built_at != cell:
            found.append((*self.built_at, len(self.parts(self.built_at)) - 1))
        return found

    # -- castles -----------------------------------------------------------------------------------

    def parts(self, cell: Cell) -> list[Part]:
        parts = super().parts(cell)
        for x, y, index in self.walls:
            if (x, y) == cell:
                castle = Part(CASTLE, parts[index].edges, set(), [])
                castle.marks = parts[index].marks
                parts = [*parts[:index], castle, *parts[index + 1 :]]
        return parts

    def small(self, city: set[Node]) -> bool:
        """BRC-02: two semicircles."""
        return len(city) == 2 and all(self.semicircle(node) for node in city)

    def semicircle(self, node: Node) -> bool:
        parts = self.parts(node[:2])
        edges = parts[node[2]].edges
        if len(edges) != 1 or node[2] in LARGER.get(self.plain_name(node[:2]), ()):
            return False
        side = next(iter(edges))
        field_of = {half: part for part in parts if part.kind == "field" for half in part.halves}
        for corner in (side + 1, side + 2):  # the far corners, by the edge before them
            before = field_of.get((2 * corner + 1) % 8)
            behind = field_of.get((2 * corner + 2) % 8)
            if before is not behind and before is not None and behind is not None:
                return False
        return True

    def last_before_scoring(self, player: int, cell: Cell) -> Turn:
        yield from super().last_before_scoring(player, cell)
        self.new_castles = []
        if self.setting("bridges", "castles", "on") == "off":
            return
        cities = [f for f in self.done(cell) if self.part(next(iter(f))).kind == "city"]
        small = [city for city in cities if self.small(city)]
        for owner in [player, *self.after(player)[:-1]]:
            while self.castles[owner]:
                mine = {
                    "castle:{},{},{}".format(*next(n for n in city if n[:2] == cell)): city
                    for city in small
                    if self.holds(owner, city) and not city & self.walls
                }
                chosen = (yield owner, "castle", [*mine, "pass"]) if mine else "pass"
                if chosen == "pass":
                    break
                self.make_castle(owner, mine[chosen])
                x, y, index = chosen.removeprefix("castle:").split(",")
                self.named[frozenset(mine[chosen])] = (int(x), int(y), int(index))

    def holds(self, owner: int, city: set[Node]) -> bool:
        """A mayor without a coat of arms has no majority, but is alone."""
        most = self.majority(city)
        there = {
            who for n, (who, kind) in self.followers.items() if n in city and self.is_follower(kind)
        }
        return most == [owner] or (not most and there == {owner})

    def make_castle(self, owner: int, city: set[Node]) -> None:
        self.castles[owner] -= 1
        for node, (who, kind) in list(self.followers.items()):
            stays = who == owner and self.is_follower(kind)
            if node in city and (who, kind) in self.followers.at(node) and not stays:
                self.take_away(node, who, kind)
        self.walls |= city
        self.walked = {}
        self.waiting_castles.append(city)
        self.new_castles.append(city)

    def within_reach(self, node: Node) -> bool:
        """BRC-02."""
        return self.part(node).kind != CASTLE and super().within_reach(node)

    def complete(self, feature: set[Node]) -> bool:
        return self.part(next(iter(feature))).kind != CASTLE and super().complete(feature)

    def vicinity(self, castle: set[Node]) -> set[Cell]:
        """BRC-02."""
        cells = {node[:2] for node in castle}
        columns = {x for x, _ in cells}
        aside = ((0, 1), (0, -1)) if len(columns) > 1 else ((1, 0), (-1, 0))
        return cells | {(a + dx, b + dy) for a, b in cells for dx, dy in aside}

    def score_turn(self, player: int, cell: Cell) -> None:
        done = [(self.worth(f, False), {n[:2] for n in f}) for f in self.done(cell)]
        super().score_turn(player, cell)
        waiting = [castle for castle in self.waiting_castles if castle not in self.new_castles]
        while True:
            best = [
                (max(points for points, cells in done if cells & self.vicinity(castle)), castle)
                for castle in waiting
                if any(cells & self.vicinity(castle) for _, cells in done)
            ]
            if not best:
                return
            points, castle = max(best, key=lambda one: one[0])
            waiting.remove(castle)
            self.waiting_castles.remove(castle)
            done.append((points, {node[:2] for node in castle}))
            self.score_castle(castle, points)

    def score_castle(self, castle: set[Node], points: int) -> None:
        self.castle_points = points
        here = [node for node in self.followers if node in castle]
        if here:
            self.score(castle, final=False)
        for node in here:
            if node in self.followers:
                self.go_home(node)

    def worth(self, feature: set[Node], final: bool) -> int:
        if self.part(next(iter(feature))).kind == CASTLE:
            return 0 if final else self.castle_points
        return super().worth(feature, final)

    def bordered(self, field: set[Node]) -> list[set[Node]]:
        """A castle counts for a field, by 1 point more than a city."""
        found = super().bordered(field)
        for x, y, index in field if self.walls else ():
            for touched in self.parts((x, y))[index].touches:
                castle = self.feature((x, y, touched))
                if castle & self.walls and castle not in found:
                    found.append(castle)
        return found

    def city_points(self, city: set[Node], each: int) -> int:
        return super().city_points(city, each) + (1 if city & self.walls else 0)

    # -- the surface -------------------------------------------------------------------------------

    def pieces(self) -> list[dict[str, Any]]:
        found = super().pieces()
        found += [piece("castle", *node) for node in self.named.values()]
        return found

    def to_dict(self) -> dict[str, Any]:
        more = {"bridges": self.bridges, "castles": self.castles, "tiles_offered": self.offered}
        for name in ("bridges", "castles"):
            if self.setting("bridges", name, "on") == "off":
                del more[name]
        return {**super().to_dict(), **more}
