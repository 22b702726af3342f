"""The oracle of The Princess & the Dragon, beside the classic expansions that the oracle knows;
written from DRG-01 to DRG-05.
"""

from typing import Any

from support.oracle.classics import ClassicsOracle
from support.oracle.table import SIDES, Cell, Node, Turn, piece

COLOURS = ("red", "green", "blue", "yellow", "black", "pink")


def by_place(node: Node) -> tuple[int, int, int]:
    return node[1], node[0], node[2]


class DragonOracle(ClassicsOracle):
    """`base+dragon`."""

    def __init__(
        self,
        texts: list[str],
        players: int,
        *,
        plays: set[str],
        princess: str = "may",
        moves: str = "before",
        **options: str,
    ) -> None:
        self.must = princess == "must"
        self.late = moves == "after"
        self.dragon: Cell | None = None
        self.fairy: Cell | None = None
        self.ward: tuple[Node, int, str] | None = None  # whom she is with
        self.began = -1
        super().__init__(texts, players, plays=plays, **options)

    # -- chance and the start of a turn ------------------------------------------------------------

    def drawable(self) -> list[str]:
        """DRG-01."""
        kinds = super().drawable()
        calm = [kind for kind in kinds if "dragon" not in self.symbols.get(kind, ())]
        return calm if self.dragon is None and calm else kinds

    def tile_drawn(self, player: int) -> None:
        """DRG-05: once a turn; a builder's second tile is of the same turn, unless one is alone."""
        if self.began != player or self.players == 1:
            self.began = player
            if self.ward is not None and self.at_pyramid():
                self.add(player, [owner for _, owner, _ in self.beside_her()].count(player))
            elif self.ward is not None and self.ward[1] == player:
                self.add(player, 1)

    def beside_her(self) -> list[tuple[Node, int, str]]:
        return [one for one in self.standing() if self.ward is not None and one[0] == self.ward[0]]

    def at_pyramid(self) -> bool:
        """BIG-02: there she is with all acrobats."""
        all_of_them = self.setting("bigtop", "fairy", "each") == "each"
        return all_of_them and self.ward is not None and self.part(self.ward[0]).kind == "acrobats"

    def after_placing(self, player: int, cell: Cell) -> Turn:
        if self.shows(cell, "volcano"):
            self.dragon = cell
        yield from super().after_placing(player, cell)

    # -- what may be done --------------------------------------------------------------------------

    def may_stand(self, player: int, kind: str, node: Node) -> bool:
        """DRG-01."""
        return self.allows(node[:2]) and super().may_stand(player, kind, node)

    def allows(self, cell: Cell) -> bool:
        return cell != self.dragon and super().allows(cell)

    def may_pass(self) -> bool:
        """DRG-03."""
        return not (self.must and self.knights())

    def knights(self) -> list[str]:
        """DRG-03."""
        x, y = self.order[-1]
        found = []
        for node, (who, kind) in sorted(self.followers.items(), key=lambda one: by_place(one[0])):
            for index, part in enumerate(self.parts((x, y))):
                in_city = "princess" in part.marks and node in self.feature((x, y, index))
                if in_city and self.is_follower(kind):
                    found.append(f"princess:{node[0]},{node[1]},{node[2]},{kind},{COLOURS[who]}")
        return [*dict.fromkeys(found)]

    def places(self, player: int) -> list[str]:
        """DRG-04."""
        if not self.shows(self.order[-1], "portal"):
            return []
        found = []
        for x, y in sorted(self.order[:-1], key=lambda cell: (cell[1], cell[0])):
            for index, part in enumerate(self.parts((x, y))):
                if part.kind != "field" and self.complete(self.feature((x, y, index))):
                    continue
                for kind in self.figures():
                    at_home = self.is_follower(kind) and self.supply[player][kind]
                    if at_home and self.may_stand(player, kind, (x, y, index)):
                        found.append(f"portal:{x},{y},{index},{kind}")
        return found

    def choices(self, player: int, cell: Cell) -> list[str]:
        """DRG-03."""
        return (self.must and self.knights()) or super().choices(player, cell)

    def instead(self, player: int) -> list[str]:
        others = self.standing()
        if self.ward is not None:
            others.remove(self.ward)
        wards = [
            f"fairy:{node[0]},{node[1]},{node[2]},{kind}"
            for node, owner, kind in others
            if owner == player and self.is_follower(kind)
        ]
        found = super().instead(player)
        return [*found, *dict.fromkeys(wards), *self.knights(), *self.places(player)]

    def do_instead(self, player: int, chosen: str) -> None:
        verb, _, rest = chosen.partition(":")
        if verb not in ("portal", "princess", "fairy"):
            super().do_instead(player, chosen)
            return
        x, y, index, kind, *colour = rest.split(",")
        node = (int(x), int(y), int(index))
        if verb == "portal":
            self.stand(player, kind, node)
        elif verb == "princess":
            self.take_away(node, COLOURS.index(colour[0]), kind)
        else:
            self.ward, self.fairy = (node, player, kind), node[:2]

    def after_claim(self, player: int, cell: Cell, chosen: str) -> Turn:
        """DRG-04."""
        if chosen.startswith("portal:"):
            x, y, index, _ = chosen.removeprefix("portal:").split(",")
            yield from self.arrive(player, (int(x), int(y), int(index)))
        yield from super().after_claim(player, cell, chosen)

    def go_home(self, node: Node) -> None:
        super().go_home(node)
        self.part_from_fairy()

    def take_away(self, node: Node, player: int, kind: str) -> None:
        super().take_away(node, player, kind)
        self.part_from_fairy()

    def part_from_fairy(self) -> None:
        if self.ward is not None and self.ward not in self.standing():
            self.ward = next(iter(self.beside_her() if self.at_pyramid() else []), None)

    # -- the dragon --------------------------------------------------------------------------------

    def last_before_scoring(self, player: int, cell: Cell) -> Turn:
        yield from super().last_before_scoring(player, cell)
        if self.shows(cell, "dragon") and self.dragon is not None and not self.late:
            yield from self.rage(player)

    def last_after_scoring(self, player: int, cell: Cell) -> Turn:
        yield from super().last_after_scoring(player, cell)
        if self.shows(cell, "dragon") and self.dragon is not None and self.late:
            yield from self.rage(player)

    def rage(self, player: int) -> Turn:
        """DRG-02."""
        assert self.dragon is not None
        been = [self.dragon]
        for _ in range(6):
            x, y = self.dragon
            ways = [(x + dx, y + dy) for dx, dy in SIDES]
            ways = [c for c in ways if c in self.board and self.open_to_dragon(c)]
            ways = [c for c in ways if c not in been and c != self.fairy]
            ways.sort(key=lambda cell: (cell[1], cell[0]))
            if not ways:
                return
            if len(ways) > 1:
                chosen = yield player, "dragon", [f"dragon:{a},{b}" for a, b in ways]
                a, b = chosen.removeprefix("dragon:").split(",")
                ways = [(int(a), int(b))]
            self.dragon = ways[0]
            been.append(ways[0])
            for one in self.standing():
                if one[0][:2] != self.dragon or not self.within_reach(one[0]):
                    continue
                if one[2] != "barn" and one in self.standing():
                    self.take_away(*one)
            self.chased(self.dragon)
            player = (player + 1) % self.players

    def chased(self, cell: Cell) -> None:
        """Mage and witch, with an option."""

    # -- points ------------------------------------------------------------------------------------

    def score(self, feature: set[Node], final: bool) -> None:
        """DRG-05."""
        super().score(feature, final)
        farmed = self.part(next(iter(feature))).kind == "field"
        always = self.setting("dragon", "fairy", "worth") == "always"
        worthless = not always and not farmed and not self.worth(feature, final)
        if final and worthless:  # an inn, a cathedral
            return
        if self.ward is not None and self.ward[0] in feature:
            self.add(self.ward[1], 3)

    def pieces(self) -> list[dict[str, Any]]:
        found = super().pieces()
        if self.dragon is not None:
            found.append(piece("dragon", *self.dragon))
        if self.ward is not None:
            found.append(piece("fairy", *self.ward[0], owner=self.ward[1]))
        elif self.fairy is not None:
            found.append(piece("fairy", *self.fairy))
        return found
