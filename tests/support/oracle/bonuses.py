"""The oracles of expansions that bring points beside a feature's own: Darmstadt, The Labyrinth, The
Watchtowers and The Wind Roses, written from DAR-*, LAB-01, WAT-01 and WIN-01.
"""

from collections import Counter
from typing import Any

from support.oracle.classics import ClassicsOracle, Start, Tiles
from support.oracle.table import Cell, Node, Turn, piece


def nine(oracle: ClassicsOracle, cell: Cell) -> list[Cell]:
    """A tile and those around it."""
    return [cell, *oracle.around(cell)]


class DarmstadtOracle(ClassicsOracle):
    """`base+darmstadt`."""

    def before_scoring(self, player: int, done: list[set[Node]]) -> None:
        """DAR-01."""
        for feature in done:
            x, y, _ = next(iter(feature))
            if not self.marked(feature, "church"):
                continue
            near = nine(self, (x, y))
            count = Counter(
                owner
                for node, owner, kind in self.standing()
                if (node[0], node[1]) in near and self.is_follower(kind)
            )
            for owner in count:
                if count[owner] == max(count.values()):
                    self.add(owner, 3)
        super().before_scoring(player, done)

    def worth(self, feature: set[Node], final: bool) -> int:
        """DAR-02."""
        points = super().worth(feature, final)
        if self.marked(feature, "darmstadtium") and self.complete(feature):
            points += 3
        return points


class LabyrinthOracle(ClassicsOracle):
    """`base+labyrinth`."""

    def __init__(
        self,
        texts: list[str],
        players: int,
        *,
        plays: set[str],
        followers: str = "majority",
        **options: str,
    ) -> None:
        self.two_for = followers
        super().__init__(texts, players, plays=plays, **options)

    def claimed_with(self, node: Node) -> set[Node]:
        """LAB-01: the labyrinth alone, or the road from here as far as it."""
        whole = super().claimed_with(node)
        middles = {one for one in whole if "labyrinth" in self.part(one).marks}
        if self.two_for != "majority" or not middles:
            return whole
        if node in middles:
            return {node}
        found, todo = {node}, [node]
        while todo:
            for other in set(self.joined(todo.pop())) - found - middles:
                found.add(other)
                todo.append(other)
        return found

    def wanderers(self, feature: set[Node]) -> list[int]:
        """The owners of the followers on the labyrinth's completed road."""
        if not self.marked(feature, "labyrinth") or not self.complete(feature):
            return []
        here = [who for node, who in self.followers.items() if node in feature]
        return [owner for owner, kind in here if self.is_follower(kind)]

    def worth(self, feature: set[Node], final: bool) -> int:
        points = super().worth(feature, final)
        if self.two_for == "majority":
            points += 2 * len(self.wanderers(feature))
        return points

    def score(self, feature: set[Node], final: bool) -> None:
        super().score(feature, final)
        if self.two_for == "owner":
            for owner in self.wanderers(feature):
                self.add(owner, 2)


class WatchtowersOracle(ClassicsOracle):
    """`base+watchtowers`."""

    def __init__(
        self,
        texts: list[str],
        players: int,
        *,
        plays: set[str],
        bonus: str = "scored",
        **options: str,
    ) -> None:
        self.at_once = bonus == "claimed"
        super().__init__(texts, players, plays=plays, **options)

    def tower(self, cell: Cell) -> str:
        """What a tile's watchtower shows: points/what."""
        for symbol in self.symbols.get(self.board[cell][0], ()):
            if symbol.startswith("watchtower="):
                return symbol.removeprefix("watchtower=")
        return ""

    def watched(self, cell: Cell) -> int:
        """The points of the watchtower on a tile."""
        if not self.tower(cell):
            return 0
        points, what = self.tower(cell).split("/")
        near = nine(self, cell)
        parts = [part for other in near for part in self.parts(other)]
        if what in ("city", "road"):  # a castle's tiles show the city that is printed there
            castles = self.setting("watchtowers", "castles", "cities") == "cities"
            shows = (what, "stronghold") if what == "city" and castles else (what,)
            n = sum(any(part.kind in shows for part in self.parts(other)) for other in near)
        elif what == "coat-of-arms":
            n = sum(part.marks.get("coat_of_arms", 0) for part in parts)
        elif what == "monastery":
            n = sum(part.kind == "monastery" for part in parts)
        else:
            n = sum(
                (x, y) in near and self.is_follower(kind) for (x, y, _), _, kind in self.standing()
            )
        return int(points) * n

    def before_scoring(self, player: int, done: list[set[Node]]) -> None:
        super().before_scoring(player, done)
        if self.at_once:
            return
        for feature in done:
            if self.part(next(iter(feature))).kind in ("city", "road"):
                for node, (owner, kind) in self.followers.items():
                    if node in feature and self.is_follower(kind):
                        self.add(owner, self.watched((node[0], node[1])))

    def stand(self, player: int, kind: str, node: Node) -> None:
        super().stand(player, kind, node)
        if self.at_once and self.is_follower(kind):
            self.add(player, self.watched((node[0], node[1])))


class WindRosesOracle(ClassicsOracle):
    """`base+windroses`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.rose: Cell | None = None
        super().__init__(texts, players, plays=plays, **options)

    def opened(self, tiles: Tiles, start: Start, first: bool) -> tuple[Tiles, Start]:
        """WIN-02."""
        tiles, start = super().opened(tiles, start, first)
        if self.setting("windroses", "start", "usual") == "usual":
            return tiles, start
        if "WR04" in tiles:
            self.rose = (0, 0)
            return tiles, [("WR04", 0, 0)]
        return tiles, [] if first else start

    def after_placing(self, player: int, cell: Cell) -> Turn:
        for symbol in self.symbols.get(self.board[cell][0], ()):
            if symbol == "wind_rose=NWSE":
                self.rose = cell
            elif symbol.startswith("wind_rose=") and self.in_quarter(cell, symbol[10:]):
                self.add(player, 3)
        yield from super().after_placing(player, cell)

    def in_quarter(self, cell: Cell, quarter: str) -> bool:
        if self.rose is None:
            return False
        east, south = cell[0] - self.rose[0], cell[1] - self.rose[1]
        for _ in range(self.board[self.rose][1]):  # as the rose lay before it was turned
            east, south = south, -east
        return (east >= 0 if "E" in quarter else east <= 0) and (
            south >= 0 if "S" in quarter else south <= 0
        )

    def pieces(self) -> list[dict[str, Any]]:
        return super().pieces() + ([piece("wind rose", *self.rose)] if self.rose else [])
