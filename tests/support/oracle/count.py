"""The oracle of The Count of Carcassonne, written from CNT-01 and CNT-02."""

from collections import Counter
from typing import Any

from support.oracle.classics import ClassicsOracle, Start, Tiles
from support.oracle.flier import SPECIAL
from support.oracle.table import Cell, Node, Turn, piece

# The quarters clockwise, with the kind of feature that followers leave each for.
QUARTERS = {"castle": "city", "market": "field", "blacksmith": "road", "cathedral": "monastery"}
CITY = "CO01"  # a tile of the city of Carcassonne
SPRING_AT = (2, -1)


class CountOracle(ClassicsOracle):
    """`base+count`."""

    split_edges = True  # where the wall of the city meets an edge

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.count_in = "castle"
        self.residents: Counter[tuple[str, int, str]] = Counter()  # quarter, owner, kind
        self.scored = False  # whether a feature was in this turn
        self.before = [0] * players  # the scores before that
        self.active = 0
        self.entered = False  # whether somebody entered in this turn
        super().__init__(texts, players, plays=plays, **options)
        self.quarters: dict[str, Node] = {}
        for cell, (name, _) in self.board.items():
            for symbol in self.symbols.get(name, ()):
                if symbol.startswith("quarter="):
                    self.quarters[symbol.removeprefix("quarter=")] = (*cell, 0)

    def opened(self, tiles: Tiles, start: Start, first: bool) -> tuple[Tiles, Start]:
        """CNT-01: the start tiles of the base game are in the bag, those of others in the box."""
        if CITY in tiles:
            return tiles, start
        tiles, start = super().opened(tiles, start, first)
        if any("I" in letters for _, letters, _ in tiles.values()):
            return tiles, [(name, *SPRING_AT) for name, _, _ in start]
        for name, _, _ in start if not first else []:
            copies, letters, parts = tiles[name]
            tiles[name] = (copies - 1, letters, parts)
        return tiles, []

    def open_to_dragon(self, cell: Cell) -> bool:
        """CNT-01: not the two tiles in the middle."""
        return self.group.get(self.board[cell][0]) != "walled"

    # -- leaving the city --------------------------------------------------------------------------

    def leavers(self, player: int, quarter: str) -> list[str]:
        """The kinds of follower that a player may move out of a quarter."""
        if quarter == self.count_in:
            return []
        return [kind for kind in self.figures() if self.residents[quarter, player, kind]]

    def ways_out(self, player: int, features: list[set[Node]]) -> dict[str, tuple[Node, str, str]]:
        """Return where a player's residents may go, with the follower and its quarter."""
        found = {}
        for quarter, on in QUARTERS.items():
            for feature in features if self.leavers(player, quarter) else []:
                if self.part(next(iter(feature))).kind != on:
                    continue
                for node in feature:
                    if self.allows(node[:2]):
                        for kind in self.leavers(player, quarter):
                            text = f"join:{node[0]},{node[1]},{node[2]},{kind}"
                            found[text] = (node, kind, quarter)
        return found

    def instead(self, player: int) -> list[str]:
        """FES-01."""
        found = super().instead(player)
        if self.shows(self.order[-1], "festival"):
            for (quarter, owner, kind), n in self.residents.items():
                if owner == player and n:
                    found.append(self.entry("recall", quarter) + f",{kind}")
        return found

    def do_instead(self, player: int, chosen: str) -> None:
        if not chosen.startswith("recall:"):
            super().do_instead(player, chosen)
            return
        for quarter in QUARTERS:
            if chosen.startswith(self.entry("recall", quarter) + ","):
                kind = chosen.rpartition(",")[2]
                self.residents[quarter, player, kind] -= 1
                self.supply[player][kind] += 1

    def leave_city(self, player: int, node: Node, kind: str, quarter: str) -> None:
        self.residents[quarter, player, kind] -= 1
        self.supply[player][kind] += 1
        self.stand(player, kind, node)

    def last_before_scoring(self, player: int, cell: Cell) -> Turn:
        """CNT-02."""
        yield from super().last_before_scoring(player, cell)
        self.active = player
        done = [*self.done(cell), *self.beside_barns()]
        self.scored, self.before = bool(done), list(self.scores)
        for n in range(1, self.players + 1):
            other = (player + n) % self.players
            while True:
                ways = self.ways_out(other, done)
                if not ways:
                    break
                chosen = yield other, "join", [*ways, "pass"]
                if chosen == "pass":
                    break
                self.leave_city(other, *ways[chosen])
        self.have_moved()

    def ending(self) -> Turn:
        """CNT-02: fields at the end, with an option whatever is incomplete."""
        yield from super().ending()
        asked = [(self.active + n) % self.players for n in range(1, self.players + 1)]
        while asked:
            player = asked.pop(0)
            ways = self.ways_out(player, self.open_features())
            if ways:
                chosen = yield player, "last join", [*ways, "pass"]
                if chosen != "pass":
                    self.leave_city(player, *ways[chosen])
                    asked.append(player)

    def open_features(self) -> list[set[Node]]:
        """The features that followers may join before the final scoring."""
        others = self.setting("count", "final", "market") == "all"
        found: list[set[Node]] = []
        for cell in self.board:
            for index, part in enumerate(self.parts(cell)):
                feature = self.feature((*cell, index))
                if part.kind == "field" or (others and not self.complete(feature)):
                    found += [feature] if feature not in found else []
        return found

    # -- entering it -------------------------------------------------------------------------------

    def after_scoring(self, player: int, cell: Cell) -> Turn:
        """CNT-01."""
        yield from super().after_scoring(player, cell)
        gained = [now - then for now, then in zip(self.scores, self.before, strict=True)]
        if not self.scored or gained[player] > 0 or max(gained) <= 0 or self.entered:
            return
        ways = {
            self.entry("enter", quarter) + f",{kind}": (quarter, kind)
            for quarter, on in QUARTERS.items()
            if on in self.claimable
            for kind in self.figures()
            if self.supply[player][kind] and self.is_follower(kind)
            if on in SPECIAL.get(kind, self.claimable)
        }
        chosen = (yield player, "enter", [*ways, "pass"]) if ways else "pass"
        if chosen != "pass":
            quarter, kind = ways[chosen]
            self.supply[player][kind] -= 1
            self.residents[quarter, player, kind] += 1
            self.entered = self.setting("count", "enter", "turn") == "turn"
            yield from self.move_count(player, quarter)

    def new_turn(self) -> None:
        super().new_turn()
        self.entered = False

    def move_count(self, player: int, entered: str) -> Turn:
        moves = self.setting("count", "moves", "player")
        names = list(QUARTERS)
        if moves == "follow":
            self.count_in = entered
        elif moves == "clockwise":
            self.count_in = names[(names.index(self.count_in) + 1) % len(names)]
        else:
            names = [name for name in names if QUARTERS[name] in self.claimable]
            ways = {self.entry("count", name): name for name in names if name != self.count_in}
            chosen = yield player, "count", [*ways, "pass"]
            self.count_in = ways.get(chosen, self.count_in)

    def entry(self, verb: str, quarter: str) -> str:
        x, y, index = self.quarters[quarter]
        return f"{verb}:{x},{y},{index}"

    # -- the surface -------------------------------------------------------------------------------

    def pieces(self) -> list[dict[str, Any]]:
        found = [piece("count", *self.quarters[self.count_in])]
        for (quarter, owner, kind), n in sorted(self.residents.items()):
            if n:
                found.append(piece(kind, *self.quarters[quarter], owner=owner, count=n))
        return super().pieces() + found

    def to_dict(self) -> dict[str, Any]:
        residents = [
            {"quarter": quarter, "owner": owner, "kind": kind, "count": n}
            for quarter in QUARTERS
            for owner in range(self.players)
            for kind in self.figures()
            if (n := self.residents[quarter, owner, kind])
        ]
        return {**super().to_dict(), "count": self.count_in, "residents": residents}
