"""What a move of a saved game means, in our notation."""

from collections.abc import Callable, Mapping
from typing import Final

import attrs

from carc.base.game.rules import COLOURS, Rules
from carc.base.game.state import State
from carc.classics.monasteries import Monasteries
from carc.errors import BadRecord
from carc.formats.jcz.figures import TAKEN_OF_ANYBODY, read_figure
from carc.formats.jcz.places import Place
from carc.formats.jcz.saved_game import Message, brief, position_in
from carc.formats.jcz.translation import Translation

_CHOICES: Final = {
    ("FLOCK_EXPAND_OR_SCORE", "EXPAND"): "flock:grow",
    ("FLOCK_EXPAND_OR_SCORE", "SCORE"): "flock:home",
    ("CIRCLE_REMOVE_OR_DEPLOY", "DEPLOY"): "crops:add",
    ("CIRCLE_REMOVE_OR_DEPLOY", "REMOVE"): "crops:take",
    ("BAZAAR_BUY_OR_SELL", "BUY"): "buy",
    ("BAZAAR_BUY_OR_SELL", "SELL"): "sell",
}


@attrs.frozen
class Reading:
    """The actions that a move can stand for: the file does not say which; the position does.

    `owner` is whose figure it uses, if only the owner may; else None.
    """

    texts: tuple[str, ...]
    owner: int | None = None


class Reader:
    """Reads moves for the position that a state has at the time.

    Attributes:
        translation: The words of places and tiles.
        offers: The tiles of the last auction, by our names.
        jailers: By figure, who captured it last.
    """

    def __init__(self, rules: Rules, state: State) -> None:
        """Read for this state, which changes as the game goes on."""
        self.translation: Final = Translation(rules, state)
        self.offers: list[str] = []
        self.jailers: Final[dict[str, int]] = {}
        self._state: Final = state
        self._beds: Final = [each for each in rules.expansions if isinstance(each, Monasteries)]
        self._prices: Final = any(each.chosen.get("bazaars") == "on" for each in rules.expansions)

    def read(self, message: Message) -> Reading:
        """Return what a move may mean; raise `BadRecord` if it is damaged, or unknown."""
        method = _METHODS.get(message.kind)
        if method is not None:
            return method(self, message)
        value = message.payload.get("value")
        choice = _CHOICES.get((message.kind, value)) if isinstance(value, str) else None
        if choice is None:
            raise BadRecord("carc does not know this move")
        return Reading((choice,))

    def _pass(self, message: Message) -> Reading:
        return Reading(("pass",))

    def _place_tile(self, message: Message) -> Reading:
        rotation = message.payload.get("rotation")
        if rotation not in ("R0", "R90", "R180", "R270"):
            raise BadRecord("'rotation' is not one of R0, R90, R180, R270")
        x, y = position_in(message.payload.get("position"))
        return Reading((self.translation.lay(message.text("tileId"), x, y, int(rotation[1:])),))

    def _deploy_meeple(self, message: Message) -> Reading:
        owner, kind = read_figure(message.text("meepleId"))
        return Reading(self.translation.deploy(kind, *message.pointer()), owner)

    def _return_meeple(self, message: Message) -> Reading:
        owner, kind = read_figure(message.figure())
        place = self._leaving(message, owner, kind)
        source = message.text("source")
        text = self.translation.take_back(source, place, kind, owner)
        return Reading((text,), None if source in TAKEN_OF_ANYBODY else owner)

    def _leaving(self, message: Message, owner: int, kind: str) -> Place:
        """Return where a figure stands that leaves.

        Raises `BadRecord` if one like it stands in a German monastery and came first, and it lies
        there, or the other way round (MON-01).
        """
        place = self.translation.place(*message.pointer())
        board, who = self._state.board, (owner, self._state.rules.follower_number(kind))
        segment = board.segment_at(*place)
        for each in self._beds:
            here = board.followers_at(segment)
            before = each.state_of(self._state).lying.get(segment, [])
            lies = who in here and here.index(who) in before
            if before and lies != (message.pointer()[3] == "AS_ABBOT"):
                raise BadRecord("of two alike in a monastery who came first leaves, lying or not")
        return place

    def _capture_follower(self, message: Message) -> Reading:
        name = message.figure()
        owner, kind = read_figure(name)
        place = self._leaving(message, owner, kind)
        self.jailers[name] = self._state.current_player
        return Reading((self.translation.of_owner("capture", place, kind, owner),))

    def _pay_ransom(self, message: Message) -> Reading:
        name = message.text("meepleId")
        owner, kind = read_figure(name)
        jailer = self.jailers.get(name)
        if jailer is None:
            raise BadRecord(f"nobody has captured {name}")
        return Reading((f"ransom:{kind},{COLOURS[jailer]}",), owner)

    def _exchange_follower(self, message: Message) -> Reading:
        owner, kind = read_figure(message.text("meepleId"))
        return Reading((f"exchange:{kind}",), owner)

    def _move_neutral_figure(self, message: Message) -> Reading:
        name = message.text("figureId").partition(".")[0]
        target = message.payload.get("to")
        if name in ("mage", "witch"):
            if target is None:
                return Reading((f"leave:{name}",))
            place = self.translation.place(*message.pointer("to"))
            return Reading((self.translation.move_wizard(name, place),))
        if name == "dragon":
            return Reading((self.translation.on_cell("dragon", *position_in(target)),))
        if name == "fairy":
            owner, kind = read_figure(message.figure("to"))
            place = self.translation.place(*message.pointer("to"))
            return Reading((self.translation.figure("fairy", place, kind),), owner)
        if name == "count":
            place = self.translation.place(*message.pointer("to"))
            return Reading((self.translation.count(place),))
        raise BadRecord(f"carc does not know the figure {brief(name)}")

    def _place_token(self, message: Message) -> Reading:
        token = message.payload.get("token")
        if isinstance(token, list):  # in some versions, a class and a name
            token = token[-1] if token else None
        translation = self.translation
        match token:
            case "GOLD":
                cell = position_in(message.payload.get("pointer"))
                text = translation.on_cell("gold", *cell)
            case "TOWER_PIECE":
                text = translation.tower(*message.pointer()[:2])
            case "BRIDGE":
                x, y, _, location = message.pointer()
                text = translation.bridge(x, y, location)
            case "FERRY":
                x, y, _, location = message.pointer()
                text = translation.ferry(x, y, location)
            case "CASTLE":
                text = translation.castle(translation.place(*message.pointer()))
            case "TUNNEL_A" | "TUNNEL_B" | "TUNNEL_C":
                text = translation.tunnel(token, translation.place(*message.pointer()))
            case "LB_SHED" | "LB_HOUSE" | "LB_TOWER":
                text = translation.building(token)
            case _:
                raise BadRecord(f"carc does not know the token {brief(token)}")
        return Reading((text,))

    def _score_acrobats(self, message: Message) -> Reading:
        place = self.translation.place(*message.pointer())
        return Reading((self.translation.pyramid(place),))

    def _bazaar_bid(self, message: Message) -> Reading:
        price = message.whole("price") if self._prices else 0
        at = message.whole("supplyIndex")
        if self._state.step.name == "bid":
            return Reading((f"bid:{price}",))
        if not 0 <= at < len(self.offers):
            raise BadRecord(f"there is no tile {at} at the bazaar")
        return Reading((f"auction:{self.offers[at]},{price}",))


_METHODS: Final[Mapping[str, Callable[[Reader, Message], Reading]]] = {
    "PASS": Reader._pass,
    "PLACE_TILE": Reader._place_tile,
    "DEPLOY_MEEPLE": Reader._deploy_meeple,
    "RETURN_MEEPLE": Reader._return_meeple,
    "CAPTURE_FOLLOWER": Reader._capture_follower,
    "PAY_RANSOM": Reader._pay_ransom,
    "EXCHANGE_FOLLOWER": Reader._exchange_follower,
    "MOVE_NEUTRAL_FIGURE": Reader._move_neutral_figure,
    "PLACE_TOKEN": Reader._place_token,
    "SCORE_ACROBATS": Reader._score_acrobats,
    "BAZAAR_BID": Reader._bazaar_bid,
}
