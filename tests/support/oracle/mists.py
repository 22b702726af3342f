"""The oracle of Mists over Carcassonne, co-operative (rules MIST-*, COOP-*, LVL*)."""

from collections import Counter
from itertools import product
from typing import Any

from support.oracle.levels import (
    COLOURS,
    GONE,
    HOUNDS,
    LEVELS,
    WAITING,
    Levels,
    Over,
    Start,
    Tiles,
    by_cell,
    by_node,
)
from support.oracle.table import AROUND, CHANCE, Cell, Node, Turn, piece


class MistsOracle(Levels):
    """`mists:LEVEL`; the text is the mists' own."""

    claimable = ("city", "road", "castle")
    surrounded = ("castle", "cemetery")

    def __init__(self, texts: list[str], players: int, level: int, **options: str) -> None:
        self.level = level
        self.options = options
        self.stock, self.milestones, self.goal = LEVELS[level]
        self.ghosts: dict[Node, int] = {}
        self.bound: dict[Node, int] = {}  # in circles
        self.called = False  # circles took ghosts from the stock this turn
        self.hidden: list[Cell] = []
        self.cemeteries: list[Node] = []  # open
        self.closing: list[Node] = []
        self.buried: dict[Node, int | None] = {}
        self.hounds: list[Node | str] = [WAITING] * len(self.milestones)
        self.markers: dict[int, int] | None = None
        self.pile = 0
        self.outcome: dict[str, Any] | None = None
        self.scoring: Node | None = None
        super().__init__(texts, players)

    # -- set-up ------------------------------------------------------------------------------------

    def opened(self, tiles: Tiles, start: Start, first: bool) -> tuple[Tiles, Start]:
        if self.level == 1:  # COOP-02
            for name in list(tiles):
                if any(part.kind in ("castle", "cemetery") for part in tiles[name][2]):
                    del tiles[name]
        return tiles, start

    def owners(self, players: int) -> int:
        return 4 if players < 3 else players  # COOP-01

    def first_supply(self) -> dict[str, int]:
        return {"meeple": 3 if self.players < 3 else 5}

    def colours(self, player: int) -> list[int]:
        if self.players == 1:
            return [0, 1, 2, 3]
        return [2 * player, 2 * player + 1] if self.players == 2 else [player]

    def taken(self, cell: Cell) -> bool:
        return cell in self.board or cell in self.hidden

    def complete(self, feature: set[Node]) -> bool:
        x, y, _ = next(iter(feature))
        if self.part(next(iter(feature))).kind == "cemetery":  # LVL5-01: face-down tiles count
            return all(self.taken((x + dx, y + dy)) for dx, dy in AROUND)
        return super().complete(feature)

    # -- the game ----------------------------------------------------------------------------------

    def game(self) -> Turn:
        try:
            yield from self.turns()
        except Over:
            return

    def lose(self, rule: str) -> None:
        self.over(False, rule)

    def over(self, won: bool, rule: str) -> None:
        self.outcome = {
            "won": won,
            "rule": rule,
            "score": self.scores[0],
            "goal": self.goal,
            "tiles_left": self.left + sum(self.sizes[self.pile + 1 :]),
        }
        raise Over

    def turns(self) -> Turn:
        for laid in self.board:  # COOP-02
            for index, part in enumerate(self.parts(laid)):
                if part.marks.get("ghosts"):
                    self.put((*laid, index), part.marks["ghosts"])
        total = sum(self.bag.values())
        piles = 1 + len(self.milestones)
        self.sizes = [(total + piles - 1 - n) // piles for n in range(piles)]
        self.left = self.sizes[0]
        player = 0
        if self.level == 6:
            yield from self.choose_markers()
        while True:
            cell: Cell | None = None
            while cell is None:
                cell = yield from self.draw_and_place(player)
            self.check_mist(cell)
            yield from self.close_cemeteries(player)
            yield from self.fill_circles(player, cell)
            yield from self.place_ghosts(player, cell)
            yield from self.cat_comes(player)
            yield from self.claim(player, cell)
            yield from self.score_all(player, cell)
            if self.options.get("hounds") == "after_scoring":
                yield from self.bring_hounds(player)
            yield from self.hide_tile(player)
            yield from self.cat_moves(player)
            player = (player + 1) % self.players

    # What The Spell Circles add, in its own oracle.

    def fill_circles(self, player: int, cell: Cell) -> Turn:
        yield from ()

    def cat_comes(self, player: int) -> Turn:
        yield from ()

    def cat_moves(self, player: int) -> Turn:
        yield from ()

    def placed(self, node: Node) -> None:
        """A follower was put there."""

    def left_board(self, node: Node) -> None:
        """The follower there was scored or buried."""

    def score_cat(self, player: int, feature: set[Node], owners: dict[Node, int]) -> Turn:
        yield from ()

    def draw_and_place(self, player: int) -> Any:
        if self.left == 0:
            self.lose("LVL3-02" if self.milestones else "COOP-22")
        drawn = yield CHANCE, "draw", [f"draw:{k}" for k, n in self.bag.items() if n]
        kind = drawn.removeprefix("draw:")
        self.bag[kind] -= 1
        self.left -= 1
        where = self.placements(kind)
        if not where:
            self.discarded.append(kind)
            return None
        self.hand = kind
        chosen = yield player, "place", where
        self.hand = None
        x, y, rotation = (int(n) for n in chosen.removeprefix("place:").split(","))
        self.put_tile((x, y), kind, rotation)
        for index, part in enumerate(self.parts((x, y))):
            if part.kind == "cemetery":
                self.cemeteries.append((x, y, index))
        return x, y

    def put(self, node: Node, n: int) -> None:
        if n:
            self.stock -= n
            self.ghosts[node] = self.ghosts.get(node, 0) + n

    def take_off(self, node: Node, n: int) -> None:
        self.stock += n
        self.ghosts[node] -= n
        if not self.ghosts[node]:
            del self.ghosts[node]

    def check_mist(self, cell: Cell) -> None:
        """1b (COOP-11)."""
        for index, part in enumerate(self.parts(cell)):
            if part.kind == "mist":
                bank = self.feature((*cell, index))
                if self.complete(bank):
                    for node in [n for n in self.ghosts if n in bank]:
                        self.take_off(node, self.ghosts[node])
                    for node in [n for n in self.bound if n in bank]:
                        self.stock += self.bound.pop(node)

    def place_ghosts(self, player: int, cell: Cell) -> Turn:
        """2a (COOP-13, COOP-14, LVL2-04, LVL5-02)."""
        gets: dict[Node, int] = {}
        met: list[Node] = []
        expands = False
        for index, part in enumerate(self.parts(cell)):
            if part.kind == "mist":
                node = (*cell, index)
                touches = any(True for _ in self.joined(node))
                expands |= touches
                if part.marks.get("ghosts") and not self.complete(self.feature(node)):
                    gets[node] = part.marks["ghosts"]
                    if touches:
                        met.append(node)
        if expands and gets:
            gets[met[0] if met else next(iter(gets))] -= 1
        called = sum(gets.values())
        haunts: list[Node] = []
        if self.level >= 5 and any(part.kind == "cemetery" for part in self.parts(cell)):
            for near in sorted(self.around(cell), key=by_cell):
                misty = [i for i, part in enumerate(self.parts(near)) if part.kind == "mist"]
                if misty:
                    haunts.append((*near, misty[0]))
        calls = called > 0 or self.called
        self.called = False
        extra = int(calls and self.level <= 4 and bool(self.cemeteries))
        if called + len(haunts) + extra > self.stock:
            self.lose("COOP-14")
        for node, n in gets.items():
            self.put(node, n)
        for node in haunts:
            self.put(node, 1)
        if extra:
            nodes = sorted(self.cemeteries, key=by_node)
            node = nodes[0]
            if len(nodes) > 1:
                texts = [f"cemetery:{x},{y}" for x, y, _ in nodes]
                text = yield player, "cemetery", texts
                node = nodes[texts.index(text)]
            self.put(node, 1)

    def claim(self, player: int, cell: Cell) -> Turn:
        """2b (COOP-15)."""
        named = len(self.colours(player)) > 1
        choices = []
        misty = {edge for part in self.parts(cell) if part.kind == "mist" for edge in part.edges}
        for index, part in enumerate(self.parts(cell)):
            clear = part.kind != "road" or not part.edges & misty
            if part.kind in self.claimable and (clear or self.options.get("misty_roads") != "off"):
                feature = self.feature((*cell, index))
                if not any(node in feature for node in self.followers):
                    for owner in self.colours(player):
                        if self.supply[owner]["meeple"]:
                            choices.append(
                                f"claim:{index},meeple" + (f",{COLOURS[owner]}" if named else "")
                            )
        if choices:
            chosen = yield player, "claim", [*choices, "pass"]
            if chosen != "pass":
                number, _, *colour = chosen.removeprefix("claim:").split(",")
                node = (*cell, int(number))
                owner = COLOURS.index(colour[0]) if colour else player
                self.supply[owner]["meeple"] -= 1
                self.followers[node] = (owner, "meeple")
                self.placed(node)

    # -- 3a ----------------------------------------------------------------------------------------

    def score_all(self, player: int, cell: Cell) -> Turn:
        pending: list[set[Node]] = []
        for index, part in enumerate(self.parts(cell)):
            feature = self.feature((*cell, index))
            if part.kind in ("city", "road") and self.complete(feature) and feature not in pending:
                pending.append(feature)
        for near in [*self.around(cell), cell]:
            for index, part in enumerate(self.parts(near)):
                if part.kind == "castle" and self.complete({(*near, index)}):
                    pending.append({(*near, index)})
        pending = [f for f in pending if any(node in f for node in self.followers)]
        while pending:
            first = {min((n for n in self.followers if n in f), key=by_node): f for f in pending}
            nodes = sorted(first, key=by_node)
            node = nodes[0]
            if len(nodes) > 1:
                texts = [f"score:{x},{y},{i}" for x, y, i in nodes]
                text = yield player, "score", texts
                node = nodes[texts.index(text)]
            pending.remove(first[node])
            yield from self.score_one(player, first[node])
            if self.options.get("hounds") != "after_scoring":  # LVL3-03: as soon as it is reached
                yield from self.bring_hounds(player)

    def score_one(self, player: int, feature: set[Node]) -> Turn:
        """COOP-16 to COOP-20, LVL3-05, LVL6-02, LVL6-04."""
        cells = sorted({(x, y) for x, y, _ in self.ghosts}, key=by_cell)
        choice = "points"
        if cells:
            choice = yield player, "reward", ["points", *(f"ghosts:{x},{y}" for x, y in cells)]
        if choice == "points":
            points = self.worth(feature, final=False)
            count = Counter(who for node, (who, _) in self.followers.items() if node in feature)
            every = self.options.get("joint_scoring") == "every_colour"
            colours = [o for o in sorted(count) if every or count[o] == max(count.values())]
            yield from self.gain(player, colours, points)
        else:
            x, y = (int(n) for n in choice.removeprefix("ghosts:").split(","))
            yield from self.take_ghosts(player, (x, y))
        hounds = []
        for number, hound in enumerate(self.hounds):
            if hound in feature:
                assert not isinstance(hound, str)
                self.hounds[number] = GONE
                hounds.append(self.followers[hound][0])
        owners = {n: self.followers[n][0] for n in self.followers if n in feature}
        for node in owners:
            self.go_home(node)
        owed = 0
        points = sum(self.ghosts.values()) + sum(self.bound.values())
        for owner in hounds:
            if self.markers is None or owner in self.markers:
                yield from self.gain(player, [owner], points)
            elif points:
                owed += 1
        for _ in range(owed):
            yield from self.move_any(player, points)
        yield from self.score_cat(player, feature, owners)

    def gain(self, player: int, colours: list[int], points: int) -> Turn:
        if self.markers is None:
            self.scores = [self.scores[0] + points * len(colours)] * len(self.scores)
            self.check_won()
            return
        for owner in colours:
            if owner in self.markers:
                self.markers[owner] += points
        self.scores = [min(self.markers.values())] * len(self.scores)
        self.check_won()
        for owner in colours:
            if owner not in self.markers and points:
                yield from self.move_any(player, points)

    def move_any(self, player: int, points: int) -> Turn:
        """LVL6-02."""
        assert self.markers is not None
        text = yield player, "marker", [f"marker:{COLOURS[o]}" for o in sorted(self.markers)]
        self.markers[COLOURS.index(text.removeprefix("marker:"))] += points
        self.scores = [min(self.markers.values())] * len(self.scores)
        self.check_won()

    def check_won(self) -> None:
        if self.scores[0] >= self.goal:
            self.over(True, "COOP-22")

    def take_ghosts(self, player: int, cell: Cell) -> Turn:
        """1 to 3 ghosts off one tile; off a tile with two mists, how many of which."""
        nodes = sorted(n for n in self.ghosts if (n[0], n[1]) == cell)
        ways = [
            way
            for way in product(*(range(min(3, self.ghosts[n]) + 1) for n in nodes))
            if 1 <= sum(way) <= 3
        ]
        way = ways[0]
        if len(ways) > 1:
            texts = ["take:" + "+".join(map(str, way)) for way in ways]
            text = yield player, "take", texts
            way = ways[texts.index(text)]
        for node, n in zip(nodes, way, strict=True):
            if n:
                self.take_off(node, n)

    def worth(self, feature: set[Node], final: bool) -> int:
        x, y, _ = next(iter(feature))
        if self.part(next(iter(feature))).kind == "castle":
            tiles = [(x, y), *self.around((x, y))]
            return 2 * sum(any(p.kind == "mist" for p in self.parts(c)) for c in tiles)
        return super().worth(feature, final)

    # -- 3b, 3c ------------------------------------------------------------------------------------

    # -- the surface -------------------------------------------------------------------------------

    def winners(self) -> list[int] | None:
        if self.outcome is None:
            return None
        return list(range(self.players)) if self.outcome["won"] else []

    def pieces(self) -> list[dict[str, Any]]:
        found = [piece("ghost", *node, count=n) for node, n in self.ghosts.items()]
        found += [piece("bound ghost", *node, count=n) for node, n in self.bound.items()]
        found += [piece("grave", *node) for node in self.closing]
        found += [piece("grave", *node, owner=owner) for node, owner in self.buried.items()]
        found += [piece("face-down", *cell) for cell in self.hidden]
        for name, hound in zip(HOUNDS, self.hounds, strict=False):
            if not isinstance(hound, str):
                found.append(piece("hound", *hound, text=name))
        return found

    def to_dict(self) -> dict[str, Any]:
        return {
            **super().to_dict(),
            "pile": self.pile + 1,
            "piles": [0] * self.pile + [self.left, *self.sizes[self.pile + 1 :]],
            "ghost_stock": self.stock,
            "markers": {COLOURS[o]: n for o, n in sorted((self.markers or {}).items())},
            "outcome": self.outcome,
        }
