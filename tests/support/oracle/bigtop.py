"""The oracle of Under the Big Top; written from BIG-01 to BIG-03."""

from typing import Any

from support.oracle.classics import ClassicsOracle, Start, Tiles
from support.oracle.table import CHANCE, Cell, Node, Part, Turn, piece

ROOM = 3


class BigTopOracle(ClassicsOracle):
    """`base+bigtop`."""

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.tent: Cell | None = None
        self.tent_tokens = {1: 1, 3: 4, 4: 5, 5: 3, 6: 2, 7: 1}
        super().__init__(texts, players, plays=plays, **options)

    def opened(self, tiles: Tiles, start: Start, first: bool) -> tuple[Tiles, Start]:
        """A place for acrobats comes after what is printed on their tile."""
        tiles, start = super().opened(tiles, start, first)
        if self.setting("bigtop", "acrobats", "on") == "on":
            for name, (copies, letters, parts) in tiles.items():
                if "acrobats" in self.symbols.get(name, ()):
                    place = Part("acrobats", set(), set(), [])
                    tiles[name] = (copies, letters, [*parts, place])
        return tiles, start

    def nine(self, cell: Cell) -> list[Cell]:
        return [cell, *self.around(cell)]

    def complete(self, feature: set[Node]) -> bool:
        return self.part(next(iter(feature))).kind != "acrobats" and super().complete(feature)

    # -- the big top -------------------------------------------------------------------------------

    def right_after_scoring(self, player: int, cell: Cell) -> Turn:
        """BIG-01."""
        yield from super().right_after_scoring(player, cell)
        if self.shows(cell, "circus"):
            yield from self.show_token()
            self.tent = cell

    def after_final(self) -> Turn:
        yield from super().after_final()
        yield from self.show_token()

    def show_token(self) -> Turn:
        if self.tent is None:
            return
        left = [points for points, n in self.tent_tokens.items() if n]
        shown = yield CHANCE, "tent", [f"tent:{points}" for points in left]
        points = int(shown.removeprefix("tent:"))
        self.tent_tokens[points] -= 1
        near = self.nine(self.tent)
        both = self.setting("bigtop", "castles", "near") == "near"
        for node, owner, kind in self.standing():
            castle = both and not self.within_reach(node)
            cells = {one[:2] for one in self.feature(node)} if castle else {node[:2]}
            if cells & {*near} and self.is_follower(kind):
                self.add(owner, points)

    # -- acrobats ----------------------------------------------------------------------------------

    def pyramids(self) -> list[Node]:
        return [
            (*cell, index)
            for cell in self.board
            for index, part in enumerate(self.parts(cell))
            if part.kind == "acrobats"
        ]

    def instead(self, player: int) -> list[str]:
        """BIG-02."""
        found = super().instead(player)
        if not self.may_pass():
            return found
        near = self.nine(self.order[-1])
        for node in self.pyramids():
            name = f"{node[0]},{node[1]},{node[2]}"
            n = len(self.crowds.get(node, []))
            if n == ROOM:
                found.append(f"pyramid:{name},score")
            elif node[:2] in near and self.supply[player]["meeple"] and self.allows(node[:2]):
                found.append(f"acrobat:{name},meeple")
        return found

    def do_instead(self, player: int, chosen: str) -> None:
        verb, _, rest = chosen.partition(":")
        if verb not in ("acrobat", "pyramid"):
            super().do_instead(player, chosen)
            return
        x, y, index, _ = rest.split(",")
        node = (int(x), int(y), int(index))
        if verb == "acrobat":
            self.supply[player]["meeple"] -= 1
            self.crowds.setdefault(node, []).append((player, "meeple"))
            return
        for owner, kind in list(self.crowds[node]):
            self.add(owner, 5)
            self.take_away(node, owner, kind)

    # -- points ------------------------------------------------------------------------------------

    def score(self, feature: set[Node], final: bool) -> None:
        """BIG-03."""
        super().score(feature, final)
        for node, (owner, kind) in self.followers.items():
            if node in feature and kind == "ringmaster" and self.within_reach(node):
                tiles = self.nine(node[:2])
                shows = [c for c in tiles if self.shows(c, "circus") or self.shows(c, "acrobats")]
                self.add(owner, 2 * len(shows))

    def final(self) -> None:
        super().final()
        for node in self.pyramids():
            for owner, _ in self.crowds.get(node, []):
                self.add(owner, 5)

    def pieces(self) -> list[dict[str, Any]]:
        tent = [piece("big top", *self.tent)] if self.tent is not None else []
        return super().pieces() + tent

    def to_dict(self) -> dict[str, Any]:
        tokens = [self.tent_tokens.get(points, 0) for points in range(8)]
        return {**super().to_dict(), "tent_tokens": tokens}
