"""What players of JCloisterZone do, in our notation."""

from typing import Final

from carc.base.cells import REACH
from carc.base.game.rules import COLOURS, Rules
from carc.base.game.state import State
from carc.errors import BadRecord
from carc.formats.jcz.figures import ON_TOP, TAKEN, TAKEN_OF_ANYBODY
from carc.formats.jcz.places import QUARTERS, Place, check_reach, place_at
from carc.formats.jcz.saved_game import brief
from carc.formats.jcz.tiles import TileNames


class Translation:
    """Translates actions for the position that a state has at the time.

    Arguments are theirs, except for kinds of figure. Each method returns an action in notation,
    which may be illegal.
    """

    def __init__(self, rules: Rules, state: State) -> None:
        """Translate for this state, which changes as the game goes on."""
        self.rules: Final = rules
        self.state: Final = state
        self.names: Final = TileNames(rules)
        self.has_quarters: Final = any(each.name == "count" for each in rules.expansions)

    def place(self, x: int, y: int, feature: str, location: str) -> Place:
        """Return a place on the board."""
        return place_at(self.state, x, y, feature, location)

    def lay(self, tile: str, x: int, y: int, degrees: int) -> str:
        """Lay a tile, turned clockwise by so many degrees."""
        check_reach(x, y)
        return f"place:{x},{y},{(degrees // 90 + self.names.turns(self.names.named(tile))) % 4}"

    def deploy(self, kind: str, x: int, y: int, feature: str, location: str) -> tuple[str, ...]:
        """Put a figure on a place: a claim, or what else the position makes of it."""
        if feature == "FlyingMachine":
            return (f"fly:{kind}",)
        place = self.place(x, y, feature, location)
        if location in QUARTERS:
            return (self.figure("enter", place, kind),)
        if feature in ON_TOP:
            return (self.figure(ON_TOP[feature], place, kind),)
        if kind == "barn":
            return (self.figure("barn", place, kind),)
        elsewhere = (self.figure("portal", place, kind), *self._moved(place, kind))
        if self.state.board.tile_at(x, y) != self.state.board.last_tile:
            return elsewhere
        verb = "lie" if location == "AS_ABBOT" else "claim"
        return f"{verb}:{place[2]},{kind}", *elsewhere

    def _moved(self, place: Place, kind: str) -> tuple[str, ...]:
        """Return how a figure comes to a place otherwise than by a claim."""
        return (
            *(self.figure(verb, place, kind) for verb in ("wagon", "join", "add")),
            "land:{},{},{}".format(*place),
        )

    def figure(self, verb: str, place: Place, kind: str) -> str:
        """Choose a figure at a place."""
        return "{}:{},{},{},{}".format(verb, *place, kind)

    def of_owner(self, verb: str, place: Place, kind: str, owner: int) -> str:
        """Choose a figure that may be anybody's."""
        if owner >= len(COLOURS):
            raise BadRecord(f"there is no player {owner}")
        return f"{self.figure(verb, place, kind)},{COLOURS[owner]}"

    def take_back(self, source: str, place: Place, kind: str, owner: int) -> str:
        """Take a figure off the board; `source` says by what right."""
        if source == "ABBOT_RETURN":
            return "abbot"
        if source in TAKEN_OF_ANYBODY:
            return self.of_owner(TAKEN_OF_ANYBODY[source], place, kind, owner)
        if source not in TAKEN:
            raise BadRecord(f"carc does not know how {brief(source)} takes a figure back")
        if source == "FESTIVAL" and self.has_quarters and place in QUARTERS.values():
            return self.figure("recall", place, kind)
        return self.figure(TAKEN[source], place, kind)

    def move_wizard(self, verb: str, place: Place) -> str:
        """Move the mage or the witch. Theirs are places, ours features with their first segment."""
        board = self.state.board
        feature = board.feature_of(board.segment_at(*place))
        first = board.in_order(board.members(feature))[0]
        return "{}:{},{},{}".format(verb, *board.place_of(first))

    def on_cell(self, verb: str, x: int, y: int) -> str:
        """Choose a tile."""
        check_reach(x, y)
        return f"{verb}:{x},{y}"

    def tower(self, x: int, y: int) -> str:
        """Put a piece on a tower."""
        return self.figure("tower", self.place(x, y, "Tower", "I"), "piece")

    def tunnel(self, token: str, place: Place) -> str:
        """Put a token, such as `TUNNEL_A`, into a tunnel."""
        return self.figure("tunnel", place, token[-1:].lower())

    def ferry(self, x: int, y: int, location: str) -> str:
        """Lay a ferry between two roads of a lake."""
        if len(location) != 2:
            raise BadRecord(f"a ferry joins two roads, such as NE, not {brief(location)}")
        one, other = sorted(self.place(x, y, "Road", end)[2] for end in location)
        return f"ferry:{x},{y},{one},to{other}"

    def bridge(self, x: int, y: int, location: str) -> str:
        """Build a bridge, north to south or west to east as the tile lies."""
        tile = self.state.board.tile_at(x, y) if max(abs(x), abs(y)) <= REACH else -1
        if tile < 0 or location not in ("NS", "WE"):
            raise BadRecord(f"there can be no bridge {brief(location)} at {x},{y}")
        turned = self.state.board.rotation_of(tile) % 2
        return f"bridge:{x},{y},0,{('ns', 'we')[(location == 'WE') ^ turned]}"

    def castle(self, place: Place) -> str:
        """Make a city a castle."""
        return "castle:{},{},{}".format(*place)

    def count(self, place: Place) -> str:
        """Move the count to a quarter."""
        return "count:{},{},{}".format(*place)

    def pyramid(self, place: Place) -> str:
        """Score the acrobats at a place."""
        return self.figure("pyramid", place, "score")

    def building(self, token: str) -> str:
        """Put a little building, such as `LB_SHED`, on the tile just placed."""
        return f"building:{token.removeprefix('LB_').lower()}"
