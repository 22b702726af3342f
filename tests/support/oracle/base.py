"""The oracle: the rules played again the slow and obvious way, to compare the engine with.

Written from docs/rules.md and docs/tile-files.md, with nothing of the engine's: its own reader of
tile files, features found by walking from tile to tile, legal placements found by trying every
cell, and a turn that reads like the rulebook: a generator that yields (who decides, what, the
choices) and is sent the choice. The whole board, for `to_dict`, comes from networkx's connected
components.
"""

from collections import Counter

from support.oracle.surface import OracleSurface
from support.oracle.table import CHANCE, Cell, Choice, Found, Node, Turn


class Oracle(OracleSurface):
    """The game on that table."""

    # -- the game ----------------------------------------------------------------------------------

    def game(self) -> Turn:
        player = 0
        while True:
            found = yield from self.next_tile(player)
            if found is None:  # BASE-15
                break
            player, kind, chosen = found
            cell = self.lay(player, kind, chosen)
            yield from self.after_placing(player, cell)
            yield from self.claim(player, cell)
            yield from self.after_following(player, cell)
            yield from self.tend(player, cell)
            yield from self.last_before_scoring(player, cell)
            self.score_turn(player, cell)
            yield from self.after_scoring(player, cell)
            yield from self.last_after_scoring(player, cell)
            yield from self.right_after_scoring(player, cell)
            yield from self.escape(player, cell)
            yield from self.end_of_turn(player, cell)
            player = self.next_player(player)
        yield from self.ending()
        self.final()
        yield from self.after_final()

    def next_tile(self, player: int) -> Found:
        """Whose turn it is, with which tile and where it is placed; None at the end of the game."""
        while self.tiles_left():
            drawn = yield CHANCE, "draw", [f"draw:{kind}" for kind in self.drawable()]
            kind = drawn.removeprefix("draw:")
            self.bag[kind] -= 1
            found = yield from self.try_tile(player, kind)
            if found is not None:
                return found
        return None

    def try_tile(self, player: int, kind: str) -> Found:
        """Place a tile, if it fits (BASE-04)."""
        self.tile_drawn(player)
        where = self.placements(kind)
        chosen = "pass"
        if where:
            chosen = yield from self.ask_place(player, kind, where)
        if chosen != "pass":
            return player, kind, chosen
        self.discarded.append(kind)
        return None

    def ask_place(self, player: int, kind: str, where: list[str]) -> Choice:
        self.hand = kind
        chosen = yield player, "place", where
        self.hand = None
        return chosen

    def lay(self, player: int, kind: str, chosen: str) -> Cell:
        x, y, rotation = (int(n) for n in chosen.removeprefix("place:").split(","))
        self.put_tile((x, y), kind, rotation)
        return x, y

    def ending(self) -> Turn:
        """What happens before the final scoring: nothing in the base game."""
        yield from ()

    def after_final(self) -> Turn:
        """What chance decides after the final scoring: nothing in the base game."""
        yield from ()

    def tile_drawn(self, player: int) -> None:
        """A turn starts: nothing more in the base game."""

    def after_scoring(self, player: int, cell: Cell) -> Turn:
        """What happens between the scoring and the next turn: nothing in the base game."""
        yield from ()

    def end_of_turn(self, player: int, cell: Cell) -> Turn:
        """What happens after that: nothing in the base game."""
        yield from ()

    def drawable(self) -> list[str]:
        """The kinds of tile that may come now."""
        return [kind for kind, n in self.bag.items() if n]

    def next_player(self, player: int) -> int:
        return (player + 1) % self.players

    def after_placing(self, player: int, cell: Cell) -> Turn:
        """What happens between the tile and the follower: nothing in the base game."""
        yield from ()

    def claim(self, player: int, cell: Cell) -> Turn:
        """The step in which a follower may be placed."""
        yield from self.ask_claim(player, cell)

    def ask_claim(self, player: int, cell: Cell) -> Turn:
        """BASE-05, BASE-06."""
        while True:
            first = self.beforehand(player, cell)
            choices = self.choices(player, cell) + first
            if not choices:
                return
            chosen = yield player, "claim", [*choices, "pass"] if self.may_pass() else choices
            if chosen not in first:
                break
            self.do_beforehand(player, chosen)
        if chosen.startswith("claim:"):
            self.do_claim(player, cell, chosen)
        elif chosen != "pass":
            self.do_instead(player, chosen)
        yield from self.after_claim(player, cell, chosen)

    def beforehand(self, player: int, cell: Cell) -> list[str]:
        """What may be done before a follower is placed: nothing in the base game."""
        return []

    def do_beforehand(self, player: int, chosen: str) -> None:
        raise NotImplementedError(chosen)

    def choices(self, player: int, cell: Cell) -> list[str]:
        """What the player may do in the step of the claim."""
        return self.claims(player, cell, self.figures()) + self.instead(player)

    def claims(self, player: int, cell: Cell, kinds: tuple[str, ...]) -> list[str]:
        """The claims of these kinds of figure that are allowed."""
        return [
            f"claim:{index},{kind}"
            for index in range(len(self.parts(cell)))
            for kind in kinds
            if self.supply[player][kind] and self.may_stand(player, kind, (*cell, index))
        ]

    def do_claim(self, player: int, cell: Cell, chosen: str) -> None:
        where, kind = chosen.removeprefix("claim:").split(",")
        self.stand(player, kind, (*cell, int(where)))

    def stand(self, player: int, kind: str, node: Node) -> None:
        """Put a figure of the supply there."""
        self.supply[player][kind] -= 1
        self.followers[node] = (player, kind)

    def after_claim(self, player: int, cell: Cell, chosen: str) -> Turn:
        """What follows the choice of a claim at once: nothing in the base game."""
        yield from ()

    def may_pass(self) -> bool:
        """BASE-05."""
        return True

    def figures(self) -> tuple[str, ...]:
        """The kinds of figure, in order."""
        return self.follower_kinds

    def may_stand(self, player: int, kind: str, node: Node) -> bool:
        return self.part(node).kind in self.claimable and self.unclaimed(self.claimed_with(node))

    def claimed_with(self, node: Node) -> set[Node]:
        """What is claimed together with a segment: its feature (BASE-05)."""
        return self.feature(node)

    def instead(self, player: int) -> list[str]:
        """What else may be done instead of placing a follower: nothing in the base game."""
        return []

    def do_instead(self, player: int, chosen: str) -> None:
        raise NotImplementedError(chosen)

    def after_following(self, player: int, cell: Cell) -> Turn:
        """What happens between the follower and the scoring: nothing in the base game."""
        yield from ()

    def tend(self, player: int, cell: Cell) -> Turn:
        """What happens to flocks after that: nothing in the base game."""
        yield from ()

    def right_after_scoring(self, player: int, cell: Cell) -> Turn:
        """What the tile brings when all is scored: nothing in the base game."""
        yield from ()

    def escape(self, player: int, cell: Cell) -> Turn:
        """Who escapes after that: nobody in the base game."""
        yield from ()

    def last_before_scoring(self, player: int, cell: Cell) -> Turn:
        """What happens after that: nothing in the base game."""
        yield from ()

    def last_after_scoring(self, player: int, cell: Cell) -> Turn:
        """What happens when all is scored: nothing in the base game."""
        yield from ()

    def score_turn(self, player: int, cell: Cell) -> None:
        """Score what was completed."""
        done = self.done(cell)
        self.before_scoring(player, done)
        for feature in self.scored_in(done):
            here = [node for node in self.followers if node in feature]
            if here:
                self.score(feature, final=False)
                for node in here:
                    if node in self.followers:
                        self.go_home(node)
        for feature in done:
            self.completed_by(player, feature)

    def done(self, cell: Cell) -> list[set[Node]]:
        """Features this tile completed: its own in order, surrounded ones around it, its own."""
        done: list[set[Node]] = []
        for node in self.extended(cell):
            if self.part(node).kind not in (*self.surrounded, "field", "_"):
                feature = self.feature(node)
                if feature not in done and self.complete(feature):
                    done.append(feature)
        for near in [*sorted(self.around(cell), key=lambda c: (c[1], c[0])), cell]:
            for index, part in enumerate(self.parts(near)):
                if part.kind in self.surrounded and self.complete({(*near, index)}):
                    done.append({(*near, index)})
        return done

    def extended(self, cell: Cell) -> list[Node]:
        """Where something may have been completed: the segments of the tile just placed."""
        return [(*cell, index) for index in range(len(self.parts(cell)))]

    def before_scoring(self, player: int, done: list[set[Node]]) -> None:
        """What scores before the features completed: nothing in the base game."""

    def completed_by(self, player: int, feature: set[Node]) -> None:
        """A player completed a feature, claimed or not: nothing more in the base game."""

    def scored_in(self, done: list[set[Node]]) -> list[set[Node]]:
        """The order in which completed features score: it makes no difference in the base game."""
        return done

    def go_home(self, node: Node) -> None:
        player, kind = self.followers.pop(node)
        self.supply[player][kind] += 1

    def take_away(self, node: Node, player: int, kind: str) -> None:
        """Bring a figure home, wherever it is."""
        if (player, kind) in self.followers.at(node):
            self.followers.bring_forward(node, (player, kind))
            self.go_home(node)
        else:
            self.crowds[node].remove((player, kind))
            self.supply[player][kind] += 1

    def worth(self, feature: set[Node], final: bool) -> int:
        """BASE-07 to BASE-10, BASE-16, BASE-17."""
        node = next(iter(feature))
        kind = self.part(node).kind
        tiles = len({(x, y) for x, y, _ in feature})
        if kind == "road":
            return tiles
        if kind == "city":
            coats = sum(self.part(n).marks.get("coat_of_arms", 0) for n in feature)
            full = self.complete(feature) and not (self.halves_small and tiles == 2)
            return (2 if full else 1) * (tiles + coats)
        if kind == "monastery":
            return 1 + len(self.around((node[0], node[1])))
        if kind == "field" and final:
            return self.field_points(feature, 3)
        return 0

    def field_points(self, field: set[Node], each: int) -> int:
        """What a field is worth at so many points a city."""
        return sum(self.city_points(city, each) for city in self.bordered(field))

    def city_points(self, city: set[Node], each: int) -> int:
        return each

    def cities(self, field: set[Node]) -> int:
        return len(self.bordered(field))

    def bordered(self, field: set[Node]) -> list[set[Node]]:
        """BASE-17: the completed cities a field borders."""
        cities: list[set[Node]] = []
        for x, y, index in field:
            for touched in self.parts((x, y))[index].touches:
                city = self.feature((x, y, touched))
                if city not in cities and self.complete(city):
                    cities.append(city)
        return cities

    def score(self, feature: set[Node], final: bool) -> None:
        """BASE-11."""
        points = self.worth(feature, final)
        for player in self.majority(feature):
            self.add(player, points - self.penalty(player, feature, final))

    def majority(self, feature: set[Node]) -> list[int]:
        """BASE-11."""
        count: Counter[int] = Counter()
        for node, (who, kind) in self.followers.items():
            if node in feature:
                count[who] += self.power(kind, feature)
        return [p for p in sorted(count) if count[p] and count[p] == max(count.values())]

    def power(self, kind: str, feature: set[Node]) -> int:
        """How much a figure counts on a feature."""
        return self.weight(kind)

    def weight(self, kind: str) -> int:
        """How much a figure counts in majorities."""
        return 1

    def penalty(self, player: int, feature: set[Node], final: bool) -> int:
        return 0

    def add(self, player: int, points: int) -> None:
        self.scores[player] += points

    def final(self) -> None:
        done: list[set[Node]] = []
        for node in list(self.followers):
            feature = self.feature(node)
            if feature not in done:
                done.append(feature)
                if self.part(node).kind not in self.unscored:
                    self.score(feature, final=True)
        self.score_barns()

    def score_barns(self) -> None:
        """What stands on fields for good."""
