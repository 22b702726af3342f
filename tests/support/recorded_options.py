"""Options of the recorded games in our notation: a method for each of the other engine's words.

`Options` is the part of `Replay` that translates; it changes nothing. `carc.formats.jcz` knows the
names of that engine.
"""

from pathlib import Path
from typing import Any

from carc import Rules, State
from carc.base.game.rules import COLOURS
from carc.formats.jcz.figures import read_figure
from carc.formats.jcz.places import Place
from carc.formats.jcz.translation import Translation

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

Option = list[Any]


class Options:
    """What the other engine offers, in our notation."""

    rules: Rules
    state: State
    translation: Translation

    def kind(self, code: str) -> str:
        """The kind of a figure by its code, `0.small.3`."""
        return read_figure(code)[1]

    def tile(self, theirs: str) -> str:
        return self.translation.names.named(theirs)

    def placement(self, tile: str, option: Option) -> str:
        return self.translation.lay(tile, *option)

    def place(self, x: int, y: int, kind: str, where: str) -> Place:
        """A place of theirs: x, y, index of the segment in its tile's data."""
        return self.translation.place(x, y, kind, where)

    def text(self, option: Option) -> str:
        """An option of theirs as an action of ours."""
        return str(getattr(self, f"text_{option[0]}")(*option[1:]))

    def text_pass(self) -> str:
        return "pass"

    def text_meeple(self, figure: str, x: int, y: int, kind: str, where: str) -> str:
        meant = self.translation.deploy(FIGURES[figure], x, y, kind, where)
        legal = {str(action) for action in self.state.legal_actions()}
        return next((text for text in meant if text in legal), meant[0])

    def text_fairy(self, x: int, y: int, kind: str, where: str, code: str) -> str:
        return self.translation.figure("fairy", self.place(x, y, kind, where), self.kind(code))

    def text_return(self, why: str, *at: Any) -> str:
        *where, code = at
        owner, kind = read_figure(code)
        return self.translation.take_back(why, self.place(*where), kind, owner)

    def text_dragon(self, x: int, y: int) -> str:
        return self.translation.on_cell("dragon", x, y)

    def text_gold(self, x: int, y: int) -> str:
        return self.translation.on_cell("gold", x, y)

    def text_circle(self, kind: str, what: str) -> str:
        return {"DEPLOY": "crops:add", "REMOVE": "crops:take"}[what]

    def text_flock(self, x: int, y: int, where: str, what: str) -> str:
        return {"EXPAND": "flock:grow", "SCORE": "flock:home"}[what]

    def text_mage(self, x: int, y: int, kind: str, where: str) -> str:
        return self.translation.move_wizard("mage", self.place(x, y, kind, where))

    def text_witch(self, x: int, y: int, kind: str, where: str) -> str:
        return self.translation.move_wizard("witch", self.place(x, y, kind, where))

    def text_count(self, x: int, y: int, kind: str, where: str) -> str:
        return self.translation.count(self.place(x, y, kind, where))

    def text_tunnel(self, token: str, x: int, y: int, kind: str, where: str) -> str:
        return self.translation.tunnel(token, self.place(x, y, kind, where))

    def text_acrobats(self, x: int, y: int, kind: str, where: str) -> str:
        return self.translation.pyramid(self.place(x, y, kind, where))

    def text_building(self, token: str, x: int, y: int) -> str:
        return self.translation.building(token)

    def text_tower(self, x: int, y: int) -> str:
        return self.translation.tower(x, y)

    def text_capture(self, x: int, y: int, kind: str, where: str, code: str) -> str:
        owner, figure = read_figure(code)
        return self.translation.of_owner("capture", self.place(x, y, kind, where), figure, owner)

    def text_ransom(self, figure: str, jailer: int) -> str:
        return f"ransom:{FIGURES[figure]},{COLOURS[jailer]}"

    def text_exchange(self, figure: str, code: str) -> str:
        return f"exchange:{FIGURES[figure]}"

    def text_ferry(self, x: int, y: int, kind: str, where: str) -> str:
        return self.translation.ferry(x, y, where)

    def text_auction(self, number: int, tile: str, price: int) -> str:
        return f"auction:{self.tile(tile)},{price}"

    def text_bid(self, price: int) -> str:
        return f"bid:{price}"

    def text_deal(self, which: str) -> str:
        return which.lower()

    def text_castle(self, x: int, y: int, kind: str, where: str) -> str:
        return self.translation.castle(self.place(x, y, kind, where))

    def text_bridge(self, x: int, y: int, kind: str, where: str) -> str:
        return self.translation.bridge(x, y, where)

    def text_tile(self, x: int, y: int, degrees: int) -> str:
        return "abbey"

    def text_remove(self, which: str) -> str:
        return f"leave:{which}"
