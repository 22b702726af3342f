"""Options of the recorded games in our notation: a method for each of the other engine's words.

`Options` is the part of `Replay` that translates; it changes nothing.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from carc import Rules, State
from carc.base.game.rules import COLOURS

FOLDER = Path(__file__).parent.parent / "classics"
FIGURES = {
    "SmallFollower": "meeple",
    "BigFollower": "big",
    "Abbot": "abbot",
    "Builder": "builder",
    "Pig": "pig",
    "Shepherd": "shepherd",
    "Phantom": "phantom",
    "Mayor": "mayor",
    "Wagon": "wagon",
    "Barn": "barn",
    "Ringmaster": "ringmaster",
}
SHEEP = {"SHEEP_1X": 1, "SHEEP_2X": 2, "SHEEP_3X": 3, "SHEEP_4X": 4, "WOLF": 0}
PAIR = ("mage", "witch")
KNOWN = ("gold", "dragon", "big top", "tower", "little shed", "little house", "little tower")
ON_TOP = {"Tower": "top", "Acrobats": "acrobat"}
TAKEN = {"FESTIVAL": "festival", "CORN_CIRCLE": "take", "TRAP": "free"}
# Their words for kinds of feature, in ours.
WORDS = {
    "SoloveiRazboynik": "razboynik",
    "Vodyanoy": "vodyanoy",
    "YagaHut": "yaga_hut",
    "Castle": "city",
}
# Of base tiles that lie otherwise there before they are turned: by how many quarter turns.
TURNED = {"U": 1, "G": 1, "I": 3}

Option = list[Any]


@cache
def names() -> dict[str, list[str]]:
    """Our names of a kind of tile, by theirs."""
    found: dict[str, list[str]] = {}
    for line in (FOLDER / "ids.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            ours, theirs = line.split()
            found.setdefault(theirs, []).append(ours)
    return found


class Options:
    """What the other engine offers, in our notation."""

    rules: Rules
    state: State
    at: str  # the turn, for messages

    def kind(self, code: str) -> str:
        """The kind of a figure by its code, `0.small.3`."""
        kind = code.split(".")[1]
        return "meeple" if kind == "small" else kind

    def tile(self, theirs: str) -> str:
        (found,) = (name for name in names()[theirs] if name in self.rules.catalogue.index)
        return found

    def placement(self, tile: str, option: Option) -> str:
        x, y, degrees = option
        turned = TURNED.get(self.tile(tile).partition("-")[0], 0)
        return f"place:{x},{y},{(degrees // 90 + turned) % 4}"

    def place(self, x: int, y: int, kind: str, where: str) -> tuple[int, int, int]:
        """A place of theirs: x, y, index of the segment in its tile's data."""
        kind = WORDS.get(kind, kind.lower())
        tile = self.state.board.tile_at(x, y)
        rotation = self.state.board.rotation_of(tile)
        parts = self.state.board.tile_data(tile).segments
        inside = [
            i
            for i, part in enumerate(parts)
            if part.kind == kind and not (part.edges or part.halves)
        ]
        if where == "AS_ABBOT":
            where = "I"
        if set(where) == {"I"}:
            return x, y, inside[len(where) - 1]
        wanted = halves(where)
        for index, part in enumerate(parts):
            reached = {2 * edge + side for edge in part.edges for side in (0, 1)}
            turned = {(half + 2 * rotation) % 8 for half in reached | set(part.halves)}
            if part.kind == kind and turned == wanted:
                return x, y, index
        raise AssertionError(f"{self.at}: {kind} {where} at {x},{y} is no place of ours")

    def text(self, option: Option) -> str:
        """An option of theirs as an action of ours."""
        return str(getattr(self, f"text_{option[0]}")(*option[1:]))

    def text_pass(self) -> str:
        return "pass"

    def text_meeple(self, figure: str, x: int, y: int, kind: str, where: str) -> str:
        if kind == "FlyingMachine":
            return f"fly:{FIGURES[figure]}"
        if where == "AS_ABBOT":
            return f"lie:{self.place(x, y, kind, 'I')[2]},{FIGURES[figure]}"
        place = self.place(x, y, kind, where)
        if kind in ("Tower", "Acrobats"):
            return self.figure(ON_TOP[kind], place, FIGURES[figure])
        if figure == "Barn":
            return self.figure("barn", place, "barn")
        if self.state.step.name == "wagon":
            return self.figure("wagon", place, "wagon")
        if self.state.step.name == "land":
            return "land:{},{},{}".format(*place)
        if self.state.step.name == "crops follow":
            return self.figure("add", place, FIGURES[figure])
        if self.state.board.tile_at(x, y) != self.state.board.last_tile:
            return self.figure("portal", place, FIGURES[figure])
        return f"claim:{place[2]},{FIGURES[figure]}"

    def figure(self, verb: str, place: tuple[int, int, int], kind: str) -> str:
        """The choice of a figure at a place."""
        return "{}:{},{},{},{}".format(verb, *place, kind)

    def text_fairy(self, x: int, y: int, kind: str, where: str, code: str) -> str:
        return self.figure("fairy", self.place(x, y, kind, where), self.kind(code))

    def text_return(self, why: str, *at: Any) -> str:
        if why == "ABBOT_RETURN":
            return "abbot"
        *where, code = at
        place = self.place(*where)
        if why == "PRINCESS":
            return f"{self.figure('princess', place, self.kind(code))},{COLOURS[int(code[0])]}"
        return self.figure(TAKEN[why], place, self.kind(code))

    def text_dragon(self, x: int, y: int) -> str:
        return f"dragon:{x},{y}"

    def text_gold(self, x: int, y: int) -> str:
        return f"gold:{x},{y}"

    def text_circle(self, kind: str, what: str) -> str:
        return {"DEPLOY": "crops:add", "REMOVE": "crops:take"}[what]

    def text_flock(self, x: int, y: int, where: str, what: str) -> str:
        return {"EXPAND": "flock:grow", "SCORE": "flock:home"}[what]

    def text_mage(self, x: int, y: int, kind: str, where: str) -> str:
        """Theirs are places, ours features, each named by its first segment."""
        return self.moved("mage", self.place(x, y, kind, where))

    def text_witch(self, x: int, y: int, kind: str, where: str) -> str:
        return self.moved("witch", self.place(x, y, kind, where))

    def moved(self, verb: str, place: tuple[int, int, int]) -> str:
        state = self.state
        feature = state.board.feature_of(state.board.segment_at(*place))
        first = state.board.in_order(state.board.members(feature))[0]
        return "{}:{},{},{}".format(verb, *state.board.place_of(first))

    def text_tunnel(self, token: str, x: int, y: int, kind: str, where: str) -> str:
        return self.figure("tunnel", self.place(x, y, kind, where), token[-1].lower())

    def text_acrobats(self, x: int, y: int, kind: str, where: str) -> str:
        return self.figure("pyramid", self.place(x, y, kind, where), "score")

    def text_building(self, token: str, x: int, y: int) -> str:
        return f"building:{token.removeprefix('LB_').lower()}"

    def text_tower(self, x: int, y: int) -> str:
        return self.figure("tower", self.place(x, y, "Tower", "I"), "piece")

    def text_capture(self, x: int, y: int, kind: str, where: str, code: str) -> str:
        place = self.place(x, y, kind, where)
        return f"{self.figure('capture', place, self.kind(code))},{COLOURS[int(code[0])]}"

    def text_ransom(self, figure: str, jailer: int) -> str:
        return f"ransom:{FIGURES[figure]},{COLOURS[jailer]}"

    def text_exchange(self, figure: str, code: str) -> str:
        return f"exchange:{FIGURES[figure]}"

    def text_ferry(self, x: int, y: int, kind: str, where: str) -> str:
        one, other = sorted(self.place(x, y, kind, end)[2] for end in where)
        return f"ferry:{x},{y},{one},to{other}"

    def text_auction(self, number: int, tile: str, price: int) -> str:
        return f"auction:{self.tile(tile)},{price}"

    def text_bid(self, price: int) -> str:
        return f"bid:{price}"

    def text_deal(self, which: str) -> str:
        return which.lower()

    def text_castle(self, x: int, y: int, kind: str, where: str) -> str:
        return "castle:{},{},{}".format(*self.place(x, y, kind, where))

    def text_bridge(self, x: int, y: int, kind: str, where: str) -> str:
        turned = self.state.board.rotation_of(self.state.board.tile_at(x, y)) % 2
        way = ("ns", "we")[(where == "WE") ^ turned]
        return f"bridge:{x},{y},0,{way}"

    def text_tile(self, x: int, y: int, degrees: int) -> str:
        return "abbey"

    def text_remove(self, which: str) -> str:
        return f"leave:{which}"


def halves(where: str) -> set[int]:
    """A location by the half-edges it reaches, clockwise from north: `NW`, `_N` (all but north),
    `NL.WR`.
    """
    if where[0] == "_":
        return set(range(8)) - halves(where[1:])
    if where[-1] in "LR":
        return {2 * "NESW".index(word[0]) + "LR".index(word[1]) for word in where.split(".")}
    return {2 * "NESW".index(edge) + side for edge in where for side in (0, 1)}
