"""The oracle of Mists over Carcassonne: cemeteries, hounds, face-down tiles of levels 2 to 6."""

from abc import abstractmethod
from itertools import combinations

from support.oracle.base import Oracle
from support.oracle.table import AROUND, SIDES, Cell, Node, Part, Turn

COLOURS = ["red", "green", "blue", "yellow", "black", "pink"]
# level -> ghosts, milestones, goal
LEVELS: dict[int, tuple[int, tuple[int, ...], int]] = {
    1: (15, (), 50),
    2: (15, (), 75),
    3: (15, (15, 50), 100),
    4: (13, (20, 60), 120),
    5: (13, (15, 50), 100),
    6: (12, (10, 25), 50),
}
HOUNDS = ("Rufus", "Ronja")
WAITING, GONE = "waiting", "gone"

Tiles = dict[str, tuple[int, str, list[Part]]]
Start = list[tuple[str, int, int]]


class Over(Exception):
    """The game is won or lost."""


def by_cell(cell: Cell) -> tuple[int, int]:
    return cell[1], cell[0]


def by_node(node: Node) -> tuple[int, int, int]:
    return node[1], node[0], node[2]


class Levels(Oracle):
    """What levels add to a turn; `MistsOracle` has the turn."""

    level: int
    options: dict[str, str]
    milestones: tuple[int, ...]
    sizes: list[int]  # of the piles
    pile: int
    left: int
    ghosts: dict[Node, int]
    cemeteries: list[Node]
    closing: list[Node]
    buried: dict[Node, int | None]
    hounds: list[Node | str]
    hidden: list[Cell]
    markers: dict[int, int] | None

    @abstractmethod
    def colours(self, player: int) -> list[int]: ...

    @abstractmethod
    def left_board(self, node: Node) -> None: ...

    @abstractmethod
    def take_off(self, node: Node, n: int) -> None: ...

    @abstractmethod
    def take_ghosts(self, player: int, cell: Cell) -> Turn: ...

    @abstractmethod
    def lose(self, rule: str) -> None: ...

    def close_cemeteries(self, player: int) -> Turn:
        """1c (LVL2-02, LVL2-03, LVL5-01)."""
        near = AROUND if self.level >= 5 else SIDES
        for node in list(self.cemeteries):
            if all(self.taken((node[0] + dx, node[1] + dy)) for dx, dy in near):
                self.cemeteries.remove(node)
                self.closing.append(node)
        while self.closing:
            yield from self.bury(player)

    def bury(self, player: int) -> Turn:
        owner: int | None = None
        if self.followers:
            nodes = sorted(self.followers, key=by_node)
            node = nodes[0]
            if len(nodes) > 1:
                texts = [f"bury:{x},{y},{i}" for x, y, i in nodes]
                text = yield player, "bury", texts
                node = nodes[texts.index(text)]
            owner = self.followers.pop(node)[0]
            self.left_board(node)
            self.hounds = [GONE if hound == node else hound for hound in self.hounds]  # LVL3-06
        else:
            able = [o for o in self.colours(player) if self.supply[o]["meeple"]]
            if able:
                owner = able[0]
                if len(able) > 1:
                    text = yield player, "bury", [f"bury:{COLOURS[o]}" for o in able]
                    owner = COLOURS.index(text.removeprefix("bury:"))
                self.supply[owner]["meeple"] -= 1
        cemetery = self.closing.pop(0)
        self.buried[cemetery] = owner
        if cemetery in self.ghosts:
            self.take_off(cemetery, self.ghosts[cemetery])

    def bring_hounds(self, player: int) -> Turn:
        """LVL3-03, LVL3-04, LVL3-07, LVL3-08."""
        while self.pile < len(self.milestones) and self.scores[0] >= self.milestones[self.pile]:
            nodes = sorted(self.followers, key=by_node)
            if not nodes:
                self.hounds[self.pile] = GONE
            else:
                node = nodes[0]
                if len(nodes) > 1:
                    texts = [f"hound:{x},{y},{i}" for x, y, i in nodes]
                    text = yield player, "hound", texts
                    node = nodes[texts.index(text)]
                self.hounds[self.pile] = node
                cleared: list[Cell] = []
                for _ in range(2):
                    cells = sorted(
                        {
                            (x, y)
                            for x, y, _ in self.ghosts
                            if abs(x - node[0]) <= 1 and abs(y - node[1]) <= 1
                        }
                        - set(cleared),
                        key=by_cell,
                    )
                    if not cells:
                        break
                    texts = [f"ghosts:{x},{y}" for x, y in cells]
                    text = yield player, "sniff", [*texts, "pass"]
                    if text == "pass":
                        break
                    cleared.append(cells[texts.index(text)])
                    yield from self.take_ghosts(player, cleared[-1])
            self.pile += 1
            self.left += self.sizes[self.pile]

    def hide_tile(self, player: int) -> Turn:
        """LVL5-03, LVL5-08."""
        if self.level < 5 or not self.cemeteries:
            return
        if self.left == 0:
            self.lose("LVL3-02")
        near = {(x + dx, y + dy) for x, y, _ in self.cemeteries for dx, dy in AROUND}
        cells = sorted((c for c in near if not self.taken(c)), key=by_cell)
        cell = cells[0]
        if len(cells) > 1:
            texts = [f"hide:{x},{y}" for x, y in cells]
            text = yield player, "hide", texts
            cell = cells[texts.index(text)]
        self.left -= 1
        self.hidden.append(cell)
        yield from self.close_cemeteries(player)

    def choose_markers(self) -> Turn:
        """LVL6-01."""
        owners = range(len(self.supply))
        chosen: tuple[int, ...] = tuple(owners)
        if len(chosen) > 3 and self.options.get("level6_scoring") != "every_colour":
            threes = list(combinations(owners, 3))
            texts = ["markers:" + ",".join(COLOURS[o] for o in three) for three in threes]
            text = yield 0, "markers", texts
            chosen = threes[texts.index(text)]
        self.markers = dict.fromkeys(chosen, 0)
        if self.players >= 3:
            for owner in chosen:
                self.supply[owner]["meeple"] -= 1
