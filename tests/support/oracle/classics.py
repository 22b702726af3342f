"""The oracle of classic expansions: Inns & Cathedrals, Traders & Builders, The River, the Abbot,
King & Robber Baron, beside ghosts too.
"""

from typing import Any, ClassVar

from support.oracle.base import Oracle
from support.oracle.table import Cell, Node, Part, Turn, printed

Tiles = dict[str, tuple[int, str, list[Part]]]
Start = list[tuple[str, int, int]]

GOODS = ("wine", "grain", "cloth")
HELPERS = ("builder", "pig")
IDLE = (*HELPERS, "barn", "shepherd")  # figures that are no followers
# The figures that an expansion adds.
FIGURES: dict[str, tuple[str, ...]] = {
    "abbey": ("mayor", "wagon", "barn"),
    "abbot": ("abbot",),
    "bigtop": ("ringmaster",),
    "hills": ("shepherd",),
    "inns": ("big",),
    "phantom": ("phantom",),
    "traders": HELPERS,
}
GARDEN = "-garden"


class ClassicsOracle(Oracle):
    """`base` with any of them; texts are the base's, ghosts', then theirs by name."""

    settings: ClassVar[dict[str, dict[str, str]]] = {}  # by expansion, its options

    def __init__(self, texts: list[str], players: int, *, plays: set[str], **options: str) -> None:
        self.plays = plays
        self.part_of_river = options.pop("part", "one")
        self.alternate = options.pop("bends", "room") == "alternate"
        self.group: dict[str, str] = {}
        self.symbols: dict[str, list[str]] = {}
        for text in texts:
            self.group |= {name: words[0] for name, words in printed(text, "group").items()}
            for name, words in printed(text, "symbol").items():
                self.symbols[name] = self.symbols[name.removesuffix(GARDEN)] = words
        self.tokens = [dict.fromkeys(GOODS, 0) for _ in range(players)]
        self.due = self.extra = False
        self.holder: dict[str, int | None] = {"king": None, "robber": None}
        self.most = {"king": 0, "robber": 0}
        self.surrounded = (*self.surrounded, "garden")
        super().__init__(texts, players, **options)

    # -- what there is -----------------------------------------------------------------------------

    def opened(self, tiles: Tiles, start: Start, first: bool) -> tuple[Tiles, Start]:
        tiles, start = super().opened(tiles, start, first)
        second = "RJ01" in tiles
        if self.setting("gq11", "spring", "river") == "own" and "river" in self.plays:  # GQ-01
            springs = [name for name in tiles if self.group.get(name) == "spring"]
            if "GR01" in tiles:
                start = [("GR01", 0, 0)]
            for name in springs if "GR01" not in tiles else []:
                tiles.pop(name)
                start = [laid for laid in start if laid[0] != name]
        else:
            tiles.pop("GR01", None)
        if self.setting("gq11", "herd", "on") != "on" and "GQ02" in tiles:  # GQ-02
            copies, letters, (field,) = tiles["GQ02"]
            plain = Part(field.kind, field.edges, field.halves, field.touches)
            tiles["GQ02"] = (copies, letters, [plain])
        if self.setting("monasteries", "others", "on") == "off":  # MON-01
            tiles = {name: tile for name, tile in tiles.items() if name not in ("A", "B")}
        river = any("I" in letters for _, letters, _ in tiles.values())
        gardens = self.setting("abbot", "gardens", "all" if "abbot" in self.plays else "off")
        if gardens == "off" or (gardens == "base" and not first):
            tiles = self.plain(tiles)
        if river and self.part_of_river == "both":  # RIV-02: the spring of I, the lake of II
            gone = "spring" if second else "lake"
            tiles = {name: tile for name, tile in tiles.items() if self.group.get(name) != gone}
            start = [laid for laid in start if laid[0] in tiles]
        elif "river" in self.plays and not river:  # RIV-01
            for name, _, _ in start if not first else []:
                copies, letters, parts = tiles[name]
                tiles[name] = (copies - 1, letters, parts)
            start = []
        return tiles, start

    def plain(self, tiles: Tiles) -> Tiles:
        """ABB-01: without the abbot there are no gardens."""
        found: Tiles = {}
        for name, (copies, letters, parts) in tiles.items():
            bare = name.removesuffix(GARDEN)
            before = found[bare][0] if bare in found else 0
            rest = [part for part in parts if part.kind != "garden"]
            found[bare] = (before + copies, letters, rest)
        return found

    def figures(self) -> tuple[str, ...]:
        """The kinds of figure, those of expansions by the expansions' names."""
        first, *guard = super().figures()
        added = FIGURES | {"ghosts": tuple(guard)}
        return (first, *(kind for name in sorted(self.plays) for kind in added.get(name, ())))

    def first_supply(self) -> dict[str, int]:
        usual = super().first_supply()
        counts = {  # `wagon_count` and others
            option.removesuffix("_count"): int(value)
            for options in self.settings.values()
            for option, value in options.items()
            if option.endswith("_count")
        }
        return {kind: counts.get(kind, usual.get(kind, 1)) for kind in self.figures()}

    def setting(self, expansion: str, option: str, default: str) -> str:
        return self.settings.get(expansion, {}).get(option, default)

    def shows(self, cell: Cell, symbol: str) -> bool:
        return symbol in self.symbols.get(self.board[cell][0], ())

    def holds_tile(self, player: int) -> bool:
        """Whether a player has a tile to place without drawing."""
        return False

    def tiles_to_come(self) -> bool:
        """Whether there is a tile to place besides abbeys."""
        return self.tiles_left() > 0

    def allows(self, cell: Cell) -> bool:
        """Whether figures may be put on a tile now."""
        return True

    def open_to_dragon(self, cell: Cell) -> bool:
        """Whether the dragon may move to a tile."""
        return True

    def arrive(self, player: int, node: Node) -> Turn:
        """What follows when a follower has come to another tile than the one just placed."""
        yield from ()

    def upright(self, node: Node) -> list[tuple[int, str]]:
        """Who stands there: without German monasteries all who are there."""
        return [*self.followers.at(node)]

    def within_reach(self, node: Node) -> bool:
        """Whether dragon, towers and traps reach those who stand there."""
        return True

    def is_follower(self, kind: str) -> bool:
        """Whether a kind of figure can claim something."""
        return kind not in IDLE

    # -- a turn ------------------------------------------------------------------------------------

    def drawable(self) -> list[str]:
        """RIV-02."""
        kinds = super().drawable()
        wet = [kind for kind in kinds if "I" in self.sides[kind, 0]]
        for group in ("fork", "", "lake"):
            now = [kind for kind in wet if self.group.get(kind, "") == group]
            if now:
                return now
        return kinds

    def placements(self, kind: str) -> list[str]:
        if "I" not in self.sides[kind, 0]:
            return super().placements(kind)
        hasty, self.hasty = self.hasty, False
        found = super().placements(kind)
        self.hasty = hasty
        return [text for text in found if self.river_goes_on(kind, text)]

    def river_goes_on(self, kind: str, text: str) -> bool:
        """RIV-03."""
        x, y, rotation = (int(n) for n in text.removeprefix("place:").split(","))
        wet = [side for side in range(4) if self.letter(kind, rotation, side) == "I"]
        into = [side for side in wet if self.beyond((x, y), side) in self.board]
        if not into:
            return False
        for side in wet:
            if side in into:
                continue
            there = self.beyond((x, y), side)
            ahead = self.beyond(there, side)
            left, right = (side + 3) % 4, (side + 1) % 4
            room = [self.beyond(there, left), self.beyond(there, right), ahead]
            room += [self.beyond(ahead, left), self.beyond(ahead, right)]
            if any(cell in self.board for cell in room):
                return False
            if (
                self.alternate
                and self.bends(into[0], side) == self.bend_before((x, y), into[0]) != 0
            ):
                return False
        return True

    @staticmethod
    def bends(entered: int, left: int) -> int:
        """-1: to the left, 0: straight on, 1: to the right."""
        return {1: -1, 2: 0, 3: 1}[(left - entered) % 4]

    def bend_before(self, cell: Cell, side: int) -> int:
        """How the river last bent before it comes to a cell from a side; 0: it did not."""
        while True:
            cell, out = self.beyond(cell, side), (side + 2) % 4
            kind, rotation = self.board[cell]
            older = self.order[: self.order.index(cell)]
            came = [
                one
                for one in range(4)
                if self.letter(kind, rotation, one) == "I" and self.beyond(cell, one) in older
            ]
            came = [one for one in came if one != out]
            if not came:
                return 0
            if self.bends(came[0], out):
                return self.bends(came[0], out)
            side = came[0]

    def after_placing(self, player: int, cell: Cell) -> Turn:
        """TRD-02."""
        mine = [n for n, who in self.followers.items() if who == (player, "builder")]
        self.due = any(node[:2] == cell for built in mine for node in self.feature(built))
        yield from super().after_placing(player, cell)

    def next_player(self, player: int) -> int:
        """TRD-02, MEE-01: the second part of a turn, or the next turn."""
        self.extra = self.due and not self.extra
        if self.extra:
            return player
        self.new_turn()
        return super().next_player(player)

    def plain_name(self, cell: Cell) -> str:
        """The name of a tile without its garden or bridge."""
        return self.board[cell][0].split("+")[0].removesuffix(GARDEN)

    def have_moved(self) -> None:
        """What happens when who joins or moves on has done so: nothing without traps."""

    def beside_barns(self) -> list[set[Node]]:
        """The fields that score in this turn: none without barns."""
        return []

    def new_turn(self) -> None:
        """What may be done once in a turn may be done again: nothing in the base game."""

    def may_stand(self, player: int, kind: str, node: Node) -> bool:
        part, feature = self.part(node), self.feature(node)
        if kind == "abbot":  # ABB-01
            return part.kind in ("monastery", "garden") and self.unclaimed(feature)
        if kind in HELPERS:  # TRD-01
            on = ("city", "road") if kind == "builder" else ("field",)
            alike = any(who == (player, kind) and n in feature for n, who in self.followers.items())
            may_help = not self.complete(feature) and bool(self.own(player, feature))
            return part.kind in on and may_help and not alike
        return super().may_stand(player, kind, node)

    def unclaimed(self, feature: set[Node]) -> bool:
        """TRD-01: a builder that a ferry left alone claims nothing."""
        return not any(
            node in feature and kind not in HELPERS for node, (_, kind) in self.followers.items()
        )

    def complete(self, feature: set[Node]) -> bool:
        """RIV-04: of a river nobody asks."""
        return self.part(next(iter(feature))).kind != "river" and super().complete(feature)

    def own(self, player: int, feature: set[Node]) -> list[Node]:
        """A player's followers on a feature, builder and pig not among them."""
        return [
            node
            for node, (who, kind) in self.followers.items()
            if node in feature and who == player and self.is_follower(kind)
        ]

    def instead(self, player: int) -> list[str]:
        """ABB-02."""
        out = [node for node, who in self.followers.items() if who == (player, "abbot")]
        return ["abbot"] if any(len(self.around((x, y))) < 8 for x, y, _ in out) else []

    def do_instead(self, player: int, chosen: str) -> None:
        (node,) = (n for n, who in self.followers.items() if who == (player, "abbot"))
        self.add(player, 1 + len(self.around((node[0], node[1]))))
        self.take_away(node, player, "abbot")

    def go_home(self, node: Node) -> None:
        """TRD-05."""
        player, kind = self.followers[node]
        feature = self.feature(node)
        super().go_home(node)
        if self.is_follower(kind) and not self.own(player, feature):
            for left, who in list(self.followers.items()):
                if left in feature and who in [(player, helper) for helper in HELPERS]:
                    self.followers.bring_forward(left, who)
                    super().go_home(left)

    # -- points ------------------------------------------------------------------------------------

    def weight(self, kind: str) -> int:
        """INN-01, TRD-01."""
        return {"big": 2, "builder": 0, "pig": 0}.get(kind, 1)

    def marked(self, feature: set[Node], mark: str) -> int:
        return sum(self.part(node).marks.get(mark, 0) for node in feature)

    def worth(self, feature: set[Node], final: bool) -> int:
        kind = self.part(next(iter(feature))).kind
        if kind == "garden":  # ABB-01
            ((x, y, _),) = feature
            return 1 + len(self.around((x, y)))
        small = self.halves_small and len({(x, y) for x, y, _ in feature}) == 2
        each = {"road": 1, "city": 1 if small else 2}.get(kind, 0)
        special = {"road": "inn", "city": "cathedral"}.get(kind, "")
        inns = "inns" in self.plays and self.setting("inns", "tiles", "on") == "on"
        if special and inns and self.marked(feature, special):  # INN-02, INN-03
            return super().worth(feature, final) // each * (each + 1) if not final else 0
        worth = super().worth(feature, final)
        if kind == "field" and final and self.herds_count():  # GQ-02, TRD-06
            worth += self.cities(feature) * min(1, self.herds(feature))
        return worth

    def herds_count(self) -> bool:
        """GQ-02, TRD-06: two options switch them off."""
        if "traders" in self.plays:
            return self.setting("traders", "herds", "on") == "on"
        return "gq11" in self.plays and self.setting("gq11", "herd", "on") != "none"

    def herds(self, field: set[Node]) -> int:
        """GQ-02, TRD-06; ABM-04: none for barns alone."""
        there = {kind for node, (_, kind) in self.followers.items() if node in field}
        barns_alone = "barn" in there and not any(self.is_follower(kind) for kind in there)
        return 0 if barns_alone else self.marked(field, "pig_herd")

    def penalty(self, player: int, feature: set[Node], final: bool) -> int:
        """TRD-04: a pig is the contrary of one."""
        less = super().penalty(player, feature, final)
        if final and any(
            node in feature and who == (player, "pig") for node, who in self.followers.items()
        ):
            less -= self.cities(feature)
        return less

    def before_scoring(self, player: int, done: list[set[Node]]) -> None:
        """KNG-02."""
        super().before_scoring(player, done)
        if "king" in self.plays and self.setting("king", "worth", "") == "at_once":
            kinds = [self.part(next(iter(feature))).kind for feature in done]
            for title, kind in (("king", "city"), ("robber", "road")):
                holder = self.holder[title]
                if holder is not None:
                    self.add(holder, kinds.count(kind))

    def completed_by(self, player: int, feature: set[Node]) -> None:
        """TRD-03, KNG-01."""
        kind = self.part(next(iter(feature))).kind
        if kind == "city" and "traders" in self.plays:
            for name in GOODS:
                self.tokens[player][name] += self.marked(feature, name)
        title = {"city": "king", "road": "robber"}.get(kind)
        tiles = len({(x, y) for x, y, _ in feature})
        if title and tiles > self.most[title]:
            self.most[title] = tiles
            self.holder[title] = player

    def final(self) -> None:
        super().final()
        for name in GOODS:  # TRD-03
            most = max(held[name] for held in self.tokens)
            for player, held in enumerate(self.tokens):
                if most and held[name] == most:
                    self.add(player, 10)
        if "king" in self.plays:  # KNG-02
            done = [f["kind"] for f in self.features() if f["complete"]]
            worth = self.setting("king", "worth", "completed")
            king, robber = self.holder["king"], self.holder["robber"]
            for holder, kind in ((king, "city"), (robber, "road")):
                if holder is None:
                    continue
                if worth == "completed":
                    self.add(holder, done.count(kind))
                elif worth == "15":
                    self.add(holder, 20 if king == robber else 15)
                elif worth == "10":
                    self.add(holder, 10)

    def to_dict(self) -> dict[str, Any]:
        data = super().to_dict()
        if "traders" in self.plays:
            data |= {"goods": self.tokens, "extra_turn": self.extra}
        if "king" in self.plays:
            data["titles"] = {
                name: {"owner": self.holder[name], "tiles": self.most[name]} for name in self.most
            }
        return data
