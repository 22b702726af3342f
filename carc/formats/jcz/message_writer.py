"""What players of ours do, as moves of JCloisterZone."""

from typing import Any, Final

from carc.base.game.rules import COLOURS, Rules
from carc.base.game.state import State
from carc.errors import BadRules
from carc.formats.jcz.figure_numbers import Figures
from carc.formats.jcz.figures import SOURCES
from carc.formats.jcz.places import QUARTER_OF, QUARTERS, pointer_to, pointer_to_quarter
from carc.formats.jcz.tiles import TileNames

Payload = dict[str, Any]
Written = tuple[str, Payload]  # the kind of a move, and its contents

_QUARTER: Final = 90
_PLAIN: Final = {
    "pass": ("PASS", ""),
    "flock:grow": ("FLOCK_EXPAND_OR_SCORE", "EXPAND"),
    "flock:home": ("FLOCK_EXPAND_OR_SCORE", "SCORE"),
    "crops:add": ("CIRCLE_REMOVE_OR_DEPLOY", "DEPLOY"),
    "crops:take": ("CIRCLE_REMOVE_OR_DEPLOY", "REMOVE"),
    "buy": ("BAZAAR_BUY_OR_SELL", "BUY"),
    "sell": ("BAZAAR_BUY_OR_SELL", "SELL"),
    "leave:mage": ("MOVE_NEUTRAL_FIGURE", "mage.1"),
    "leave:witch": ("MOVE_NEUTRAL_FIGURE", "witch.1"),
}
# By verb: the method that writes it, where that is not named after the verb.
_LIKE: Final = {
    **dict.fromkeys(("portal", "wagon", "barn", "top", "acrobat", "add"), "deploy"),
    **dict.fromkeys(SOURCES, "return"),
    **dict.fromkeys(("mage", "witch"), "wizard"),
    **dict.fromkeys(("ransom", "exchange"), "free_prisoner"),
}


class MessageWriter:
    """Writes moves for the position that a state has at the time."""

    def __init__(self, rules: Rules, state: State) -> None:
        """Write for this state, which changes as the game goes on."""
        self.rules: Final = rules
        self.state: Final = state
        self.names: Final = TileNames(rules)
        self.figures: Final = Figures(rules)
        self.flying = ""  # the kind of figure in the air
        self.captured_of = -1  # whose follower was captured last

    def tile(self, ours: str) -> str:
        """Return their name of a kind of tile, or raise `BadRules`."""
        theirs = self.names.theirs(ours)
        if theirs is None:
            raise BadRules(f"JCloisterZone has no tile {ours}")
        return theirs

    def write(self, text: str, player: int) -> Written | None:
        """Return the move of an action in notation; None if they have none for it.

        Raises `BadRules` if they do not know the action.
        """
        if text in _PLAIN:
            kind, value = _PLAIN[text]
            if kind == "MOVE_NEUTRAL_FIGURE":
                return kind, {"figureId": value, "to": None}
            return kind, {"value": value} if value else {}
        verb, _, rest = text.partition(":")
        method = getattr(self, f"_write_{_LIKE.get(verb, verb)}", None)
        if method is None:
            raise BadRules(f"JCloisterZone does not know {text}")
        written: Written | None = method(verb, rest.split(","), player)
        return written

    # -- tiles and figures -----------------------------------------------------------------------

    def _write_abbey(self, verb: str, words: list[str], player: int) -> None:
        """Write nothing: their next move lays the abbey."""

    def _write_place(self, verb: str, words: list[str], player: int) -> Written:
        x, y, turns = map(int, words)
        ours = self.rules.tile_names[self.state.tile_in_hand]
        degrees = (turns - self.names.turns(ours)) % 4 * _QUARTER
        theirs = self.tile(ours)
        return "PLACE_TILE", {"tileId": theirs, "rotation": f"R{degrees}", "position": [x, y]}

    def _write_claim(self, verb: str, words: list[str], player: int) -> Written:
        board = self.state.board
        return self._deploying(board.segment_of(board.last_tile, int(words[0])), player, words[1])

    def _write_lie(self, verb: str, words: list[str], player: int) -> Written:
        kind, payload = self._write_claim(verb, words, player)
        payload["pointer"]["location"] = "AS_ABBOT"
        self.figures.lying.add(payload["meepleId"])
        return kind, payload

    def _write_deploy(self, verb: str, words: list[str], player: int) -> Written:
        return self._deploying(self._segment(words), player, words[3])

    def _write_fly(self, verb: str, words: list[str], player: int) -> Written:
        board = self.state.board
        x, y, _ = board.place_of(board.segment_of(board.last_tile, 0))
        pointer = {"position": [x, y], "location": "I", "feature": "FlyingMachine"}
        self.flying = words[0]
        figure = self.figures.at_home(player, words[0])
        return "DEPLOY_MEEPLE", {"pointer": pointer, "meepleId": figure}

    def _write_land(self, verb: str, words: list[str], player: int) -> Written:
        return self._deploying(self._segment(words), player, self.flying)

    def _write_abbot(self, verb: str, words: list[str], player: int) -> Written:
        pointer = self._pointer_at(*self.figures.abbot(player))
        return "RETURN_MEEPLE", {"pointer": pointer, "source": "ABBOT_RETURN"}

    def _write_return(self, verb: str, words: list[str], player: int) -> Written:
        owner = COLOURS.index(words[4]) if len(words) > 4 else player
        segment = self._segment(words)
        figure = self.figures.send_home(segment, owner, words[3])
        pointer = self._pointer_at(segment, figure)
        return "RETURN_MEEPLE", {"pointer": pointer, "source": SOURCES[verb]}

    def _write_recall(self, verb: str, words: list[str], player: int) -> Written:
        figure = self.figures.send_home(self._segment(words), player, words[3])
        pointer = {"featurePointer": _quarter(words), "meepleId": figure}
        return "RETURN_MEEPLE", {"pointer": pointer, "source": "FESTIVAL"}

    def _write_capture(self, verb: str, words: list[str], player: int) -> Written:
        segment = self._segment(words)
        self.captured_of = COLOURS.index(words[4])
        figure = self.figures.capture(segment, self.captured_of, words[3], player)
        pointer = self._pointer_at(segment, figure)
        return "CAPTURE_FOLLOWER", {"pointer": pointer}

    def _write_free_prisoner(self, verb: str, words: list[str], player: int) -> Written:
        if verb == "ransom":
            jailer = COLOURS.index(words[1])
            return "PAY_RANSOM", {"meepleId": self.figures.prisoner(player, words[0], jailer)}
        partner = self.captured_of
        return "EXCHANGE_FOLLOWER", {"meepleId": self.figures.prisoner(player, words[0], partner)}

    # -- all else ----------------------------------------------------------------------------------

    def _write_fairy(self, verb: str, words: list[str], player: int) -> Written:
        segment = self._segment(words)
        alike = self.figures.standing(segment, player, words[3])
        # She goes to another than she is with, if two alike stand there.
        companion = next((one for one in alike if one != self.figures.companion), alike[0])
        self.figures.companion = companion
        pointer = self._pointer_at(segment, companion)
        return "MOVE_NEUTRAL_FIGURE", {"figureId": "fairy.1", "to": pointer}

    def _write_dragon(self, verb: str, words: list[str], player: int) -> Written:
        return "MOVE_NEUTRAL_FIGURE", {"figureId": "dragon.1", "to": [int(word) for word in words]}

    def _write_wizard(self, verb: str, words: list[str], player: int) -> Written:
        return "MOVE_NEUTRAL_FIGURE", {"figureId": f"{verb}.1", "to": self._pointer(words)}

    def _write_enter(self, verb: str, words: list[str], player: int) -> Written:
        figure = self.figures.put(self._segment(words), player, words[3])
        return "DEPLOY_MEEPLE", {"pointer": _quarter(words), "meepleId": figure}

    def _write_count(self, verb: str, words: list[str], player: int) -> Written:
        return "MOVE_NEUTRAL_FIGURE", {"figureId": "count.1", "to": _quarter(words)}

    def _write_join(self, verb: str, words: list[str], player: int) -> Written:
        pointer = self._pointer(words)
        quarter = QUARTERS[QUARTER_OF[pointer["feature"]]]
        start = self.state.board.segment_at(*quarter)
        figure = self.figures.move(start, self._segment(words), player, words[3])
        return "DEPLOY_MEEPLE", {"pointer": pointer, "meepleId": figure}

    def _write_gold(self, verb: str, words: list[str], player: int) -> Written:
        return _token("GOLD", [int(word) for word in words])

    def _write_tower(self, verb: str, words: list[str], player: int) -> Written:
        return _token("TOWER_PIECE", self._pointer(words))

    def _write_tunnel(self, verb: str, words: list[str], player: int) -> Written:
        return _token(f"TUNNEL_{words[3].upper()}", self._pointer(words))

    def _write_castle(self, verb: str, words: list[str], player: int) -> Written:
        return _token("CASTLE", self._pointer(words))

    def _write_bridge(self, verb: str, words: list[str], player: int) -> Written:
        x, y = int(words[0]), int(words[1])
        turned = self.state.board.rotation_of(self.state.board.tile_at(x, y)) % 2
        location = ("NS", "WE")[(words[3] == "we") ^ turned]
        return _token("BRIDGE", {"position": [x, y], "location": location, "feature": "Road"})

    def _write_ferry(self, verb: str, words: list[str], player: int) -> Written:
        pointer = self._pointer(words)
        other = self._pointer([*words[:2], words[3].removeprefix("to")])
        ends = f"{pointer['location']}{other['location']}"
        pointer["location"] = next(name for name in _PAIRS if sorted(name) == sorted(ends))
        return _token("FERRY", pointer)

    def _write_building(self, verb: str, words: list[str], player: int) -> Written:
        board = self.state.board
        x, y, _ = board.place_of(board.segment_of(board.last_tile, 0))
        return _token(f"LB_{words[0].upper()}", [x, y])

    def _write_pyramid(self, verb: str, words: list[str], player: int) -> Written:
        return "SCORE_ACROBATS", {"pointer": self._pointer(words)}

    # -- places and figures ------------------------------------------------------------------------

    def _pointer(self, words: list[str]) -> Payload:
        return pointer_to(self.state, self._segment(words))

    def _segment(self, words: list[str]) -> int:
        x, y, index = map(int, words[:3])
        return self.state.board.segment_at(x, y, index)

    def _deploying(self, segment: int, player: int, kind: str) -> Written:
        figure = self.figures.put(segment, player, kind)
        self.figures.lying.discard(figure)
        return "DEPLOY_MEEPLE", {"pointer": pointer_to(self.state, segment), "meepleId": figure}

    def _pointer_at(self, segment: int, figure: str) -> Payload:
        place = pointer_to(self.state, segment)
        if figure in self.figures.lying:
            place["location"] = "AS_ABBOT"
        return {"featurePointer": place, "meepleId": figure}


_PAIRS: Final = ("NW", "SW", "SE", "NE", "WE", "NS")


def _quarter(words: list[str]) -> Payload:
    """Return a pointer to a quarter of Carcassonne."""
    x, y, index = map(int, words[:3])
    return pointer_to_quarter((x, y, index))


def _token(token: str, pointer: object) -> Written:
    return "PLACE_TOKEN", {"token": token, "pointer": pointer}
