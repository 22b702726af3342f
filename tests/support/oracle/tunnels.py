"""The oracle of The Tunnel, written from TUN-01 to TUN-03."""

from collections.abc import Iterable
from typing import Any

from support.oracle.classics import ClassicsOracle, Start, Tiles
from support.oracle.table import Cell, Node, Part, Turn, piece

PAIRS = "abc"
MOUTH = "tunnel"


class TunnelOracle(ClassicsOracle):
    """`base+tunnel`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        tokens = self.setting("tunnel", "tokens", "most")
        numbers = {"most": {1: 3, 2: 3, 3: 2}, "fewer": {1: 2, 2: 2}, "one": {}}
        by_players = numbers[tokens]  # TUN-01
        pairs = PAIRS[: by_players.get(players, 1)]
        self.left = [dict.fromkeys(pairs, 2) for _ in range(players)]
        self.token: dict[Node, tuple[int, str]] = {}  # whose, of which pair
        self.new_token: Node | None = None  # of the tile just placed
        self.used = False  # whether there was one in this turn
        super().__init__(texts, players, plays=plays, **options)

    def opened(self, tiles: Tiles, start: Start, first: bool) -> tuple[Tiles, Start]:
        """TUN-01: a road beneath a city has two mouths."""
        tiles, start = super().opened(tiles, start, first)
        change = (
            self.with_mouths if self.setting("tunnel", "others", "on") == "on" else self.plainer
        )
        return {
            name: (copies, letters, change(parts))
            for name, (copies, letters, parts) in tiles.items()
        }, start

    @staticmethod
    def plainer(parts: list[Part]) -> list[Part]:
        """Roads that go on have no mouths."""
        found = [Part(one.kind, one.edges, one.halves, one.touches) for one in parts]
        for part, old in zip(found, parts, strict=True):
            part.marks = dict(old.marks)
            if len(part.edges) == 2:
                part.marks.pop(MOUTH, None)
        return found

    @staticmethod
    def with_mouths(parts: list[Part]) -> list[Part]:
        found: list[Part] = []
        beyond: list[Part] = []
        for part in parts:
            if part.kind == "road" and MOUTH in part.marks and len(part.edges) == 2:
                here, there = (Part("road", {edge}, set(), []) for edge in sorted(part.edges))
                here.marks, there.marks = dict(part.marks), dict(part.marks)
                found.append(here)
                beyond.append(there)
            else:
                found.append(part)
        return found + beyond

    # -- the roads ---------------------------------------------------------------------------------

    def mate(self, node: Node) -> Node | None:
        """TUN-03: the mouth with the other token of the pair."""
        for other, pair in self.token.items():
            if node in self.token and other != node and pair == self.token[node]:
                return other
        return None

    def joined(self, node: Node) -> Iterable[Node]:
        yield from super().joined(node)
        mate = self.mate(node)
        if mate is not None:
            yield mate

    def complete(self, feature: set[Node]) -> bool:
        if any(MOUTH in self.part(node).marks and self.mate(node) is None for node in feature):
            return False
        return super().complete(feature)

    # -- a turn ------------------------------------------------------------------------------------

    def tokens_now(self, player: int) -> list[str]:
        """TUN-02."""
        if self.used:
            return []
        return [
            f"tunnel:{x},{y},{index},{pair}"
            for x, y in sorted(self.board, key=lambda cell: (cell[1], cell[0]))
            for index, part in enumerate(self.parts((x, y)))
            if MOUTH in part.marks and (x, y, index) not in self.token
            for pair, left in self.left[player].items()
            if left
        ]

    def put_token(self, player: int, chosen: str) -> None:
        x, y, index, pair = chosen.removeprefix("tunnel:").split(",")
        self.new_token = (int(x), int(y), int(index))
        sizes = self.builders_roads(player)
        self.token[self.new_token] = (player, pair)
        self.left[player][pair] -= 1
        self.walked = {}
        self.used = True
        if self.setting("tunnel", "builders", "on") == "on":  # TRD-02, TUN-03
            grown = self.builders_roads(player)
            self.due = self.due or any(grown[node] > size for node, size in sizes.items())

    def builders_roads(self, player: int) -> dict[Node, int]:
        """How many tiles have the roads on which a player's builders stand."""
        builders = [n for n, who in self.followers.items() if who == (player, "builder")]
        return {n: len({(x, y) for x, y, _ in self.feature(n)}) for n in builders}

    def new_turn(self) -> None:
        super().new_turn()
        self.used = False

    def beforehand(self, player: int, cell: Cell) -> list[str]:
        found = super().beforehand(player, cell)
        return found + self.tokens_now(player) if self.may_pass() else found

    def do_beforehand(self, player: int, chosen: str) -> None:
        if chosen.startswith("tunnel:"):
            self.put_token(player, chosen)
        else:
            super().do_beforehand(player, chosen)

    def claim(self, player: int, cell: Cell) -> Turn:
        self.new_token = None
        yield from super().claim(player, cell)
        choices = self.tokens_now(player)
        if choices:
            chosen = yield player, "tunnel", [*choices, "pass"]
            if chosen != "pass":
                self.put_token(player, chosen)

    def extended(self, cell: Cell) -> list[Node]:
        return super().extended(cell) + ([self.new_token] if self.new_token else [])

    def pieces(self) -> list[dict[str, Any]]:
        return super().pieces() + [
            piece("tunnel", *node, owner=owner, text=pair)
            for node, (owner, pair) in self.token.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        tokens = [[left.get(pair, 0) for pair in PAIRS] for left in self.left]
        return {**super().to_dict(), "tunnel_tokens": tokens}
