"""`import_game`: a saved game of JCloisterZone becomes a match of ours."""

from __future__ import annotations

from typing import Final

from carc.base.game.rules import COLOURS, Rules
from carc.base.game.scoring import Journal
from carc.base.game.steps import CHANCE
from carc.errors import BadRecord, CarcError
from carc.formats.imported import Imported
from carc.formats.jcz.chance import Deck, RandomNumbers, is_early, ways
from carc.formats.jcz.figures import TAKEN_OF_ANYBODY, read_figure
from carc.formats.jcz.forced import ForcedMoves
from carc.formats.jcz.saved_game import Message, SavedGame, brief, position_in, read_saved_game
from carc.formats.jcz.setup import check_start, spec_of
from carc.formats.jcz.tiles import ABBEY
from carc.formats.jcz.translation import Translation
from carc.match.match import Match, Result, make_result
from carc.match.moves import Move
from carc.match.record import GIVEN
from carc.match.referee import take_scorings

# By verb: the step in which we ask. We do not ask where only one thing can be done, they do.
_ASKED_IN: Final = {
    "pass": "",
    "dragon": "dragon",
    "gold": "gold",
    "exchange": "exchange",
    "auction": "auction",
    "buy": "deal",
    "sell": "deal",
    "land": "land",
}
_UNFINISHED: Final = Result(scores=(), ranks=(), winners=(), returns=())
_CHOICES: Final = {
    ("FLOCK_EXPAND_OR_SCORE", "EXPAND"): "flock:grow",
    ("FLOCK_EXPAND_OR_SCORE", "SCORE"): "flock:home",
    ("CIRCLE_REMOVE_OR_DEPLOY", "DEPLOY"): "crops:add",
    ("CIRCLE_REMOVE_OR_DEPLOY", "REMOVE"): "crops:take",
    ("BAZAAR_BUY_OR_SELL", "BUY"): "buy",
    ("BAZAAR_BUY_OR_SELL", "SELL"): "sell",
}


def import_game(text: str, source: str = "file") -> Imported:
    """Return the game in the text of a `.jcz` file.

    Args:
        text: The text of the file.
        source: What error messages call it.

    Raises:
        BadRecord: It is no saved game, or it plays what we do not have. The message says what.
    """
    try:
        saved = read_saved_game(text)
        rules = Rules.from_spec(spec_of(saved.setup), len(saved.players))
        return Replay(saved, rules).run()
    except CarcError as error:
        raise BadRecord(f"{source}: {error}") from None


class Replay:
    """One saved game, played again by our rules."""

    def __init__(self, saved: SavedGame, rules: Rules) -> None:
        """Begin the game."""
        self.saved: Final = saved
        self.rules: Final = rules
        self.state: Final = rules.start()
        check_start(saved.setup, self.state)
        self.state.journal = self.journal = Journal()
        self.translation: Final = Translation(rules, self.state)
        numbers = None if saved.random is None else RandomNumbers(saved.random)
        order = [self.translation.tile(name) for name in saved.draw_order]
        self.deck: Final = Deck(iter(order), numbers)
        self.moves: Final[list[Move]] = []
        self.forced: Final = ForcedMoves(rules)
        self.unasked: list[str] = []  # what we did without asking, and they ask for
        self.offers: list[str] = []  # the tiles of the last auction
        self.owner: int | None = None  # whose figure the move uses, if only its owner may

    def run(self) -> Imported:
        """Play all moves of the file."""
        for message in self.saved.messages:
            try:
                self._play(message)
            except CarcError as error:
                kind = brief(message.kind).strip("'")
                raise BadRecord(f"move {message.number} ({kind}): {error}") from None
        self._finish()
        over = self.state.is_terminal
        match = Match(
            rules=self.rules.spec,
            rules_version=self.rules.version,
            players=self.rules.players,
            seats=self.saved.players,
            seed=0,
            moves=tuple(self.moves),
            result=make_result(self.state, (), self.journal) if over else _UNFINISHED,
            deal=GIVEN,
        )
        return Imported(match, over, self.state)

    # -- moves -----------------------------------------------------------------------------------

    def _play(self, message: Message) -> None:
        """Play one move of the file."""
        if message.kind == "COMMIT":
            self._confirm()
            self._take_number(message)
            return
        tile = message.text("tileId") if message.kind == "PLACE_TILE" else None
        self._chance(tile)
        self._take_number(message)
        if self.state.step.name == "bid" and message.player not in (
            None,
            self.state.current_player,
        ):
            return  # somebody without points, whom we do not ask for a bid
        self.owner = None
        for text in self._translate(message):
            if text in self.unasked:
                self.unasked.remove(text)
            elif self.state.is_terminal:
                raise BadRecord("the game is over before this move")
            elif self._is_legal(text):
                self._check_player(message)
                self._do(text)
            elif self.state.step.name == _ASKED_IN.get(
                text.partition(":")[0], self.state.step.name
            ):
                self.state.check(self.rules.parse(text))  # says what is legal
        while self.state.current_player == CHANCE and is_early(self.state):
            self._do(self._outcome())

    def _check_player(self, message: Message) -> None:
        """Check that the file has the move made by who decides, and with an own figure."""
        decides = self.state.current_player
        if message.player not in (None, decides):
            raise BadRecord(f"player {decides} decides here, not {message.player}")
        if self.owner not in (None, decides):
            raise BadRecord(f"player {decides} decides here; the figure is of player {self.owner}")

    def _own_figure(self, name: str) -> str:
        """Return the kind of a figure, and note whose it is: only the owner may use it."""
        self.owner, kind = read_figure(name)
        return kind

    def _is_legal(self, text: str) -> bool:
        return any(str(action) == text for action in self.state.legal_actions())

    def _do(self, text: str) -> None:
        player = self.state.current_player
        before = self.state.copy()
        self.state.apply(self.state.check(self.rules.parse(text)))
        self.unasked += self.forced.after(before, self.state, text)
        self.moves.append(Move(player, text, take_scorings(self.journal)))

    def _confirm(self) -> None:
        """End the turn: what we still offer in it, they do not."""
        while self._is_legal("pass") and self.state.step.name in ("claim", "phantom", "tunnel"):
            self._do("pass")

    def _take_number(self, message: Message) -> None:
        """From now on chance goes by the number of this move."""
        if message.random is not None:
            self.deck.numbers = RandomNumbers(message.random)

    def _translate(self, message: Message) -> list[str]:
        """Return the actions that a move stands for, in our notation."""
        method = getattr(self, f"_read_{message.kind.lower()}", None)
        if method is not None:
            texts: list[str] = method(message)
            return texts
        value = message.payload.get("value")
        choice = _CHOICES.get((message.kind, value)) if isinstance(value, str) else None
        if choice is None:
            raise BadRecord("carc does not know this move")
        return [choice]

    def _read_pass(self, message: Message) -> list[str]:
        return ["pass"]

    def _read_place_tile(self, message: Message) -> list[str]:
        rotation = message.payload.get("rotation")
        if rotation not in ("R0", "R90", "R180", "R270"):
            raise BadRecord("'rotation' is not one of R0, R90, R180, R270")
        x, y = position_in(message.payload.get("position"))
        tile = message.text("tileId")
        laid = self.translation.lay(tile, x, y, int(rotation[1:]))
        return ["abbey", laid] if tile == ABBEY else [laid]

    def _read_deploy_meeple(self, message: Message) -> list[str]:
        kind = self._own_figure(message.text("meepleId"))
        return [self.translation.deploy(kind, *message.pointer())]

    def _read_return_meeple(self, message: Message) -> list[str]:
        owner, kind = read_figure(message.figure())
        place = self.translation.place(*message.pointer())
        source = message.text("source")
        if source not in TAKEN_OF_ANYBODY:
            self.owner = owner
        return [self.translation.take_back(source, place, kind, owner)]

    def _read_capture_follower(self, message: Message) -> list[str]:
        owner, kind = read_figure(message.figure())
        place = self.translation.place(*message.pointer())
        return [self.translation.of_owner("capture", place, kind, owner)]

    def _read_move_neutral_figure(self, message: Message) -> list[str]:
        name = message.text("figureId").partition(".")[0]
        target = message.payload.get("to")
        if name in ("mage", "witch"):
            if target is None:
                return [f"leave:{name}"]
            place = self.translation.place(*message.pointer("to"))
            return [self.translation.move_wizard(name, place)]
        if name == "dragon":
            return [self.translation.on_cell("dragon", *position_in(target))]
        if name == "fairy":
            kind = self._own_figure(message.figure("to"))
            place = self.translation.place(*message.pointer("to"))
            return [self.translation.figure("fairy", place, kind)]
        if name == "count":
            return [self.translation.count(self.translation.place(*message.pointer("to")))]
        raise BadRecord(f"carc does not know the figure {brief(name)}")

    def _read_place_token(self, message: Message) -> list[str]:
        token = message.payload.get("token")
        if isinstance(token, list):  # in some versions, a class and a name
            token = token[-1] if token else None
        match token:
            case "GOLD":
                return [
                    self.translation.on_cell("gold", *position_in(message.payload.get("pointer")))
                ]
            case "TOWER_PIECE":
                return [self.translation.tower(*message.pointer()[:2])]
            case "BRIDGE":
                x, y, _, location = message.pointer()
                return [self.translation.bridge(x, y, location)]
            case "FERRY":
                x, y, _, location = message.pointer()
                return [self.translation.ferry(x, y, location)]
            case "CASTLE":
                return [self.translation.castle(self.translation.place(*message.pointer()))]
            case "TUNNEL_A" | "TUNNEL_B" | "TUNNEL_C":
                place = self.translation.place(*message.pointer())
                return [self.translation.tunnel(token, place)]
            case "LB_SHED" | "LB_HOUSE" | "LB_TOWER":
                return [self.translation.building(token)]
        raise BadRecord(f"carc does not know the token {brief(token)}")

    def _read_score_acrobats(self, message: Message) -> list[str]:
        return [self.translation.pyramid(self.translation.place(*message.pointer()))]

    def _read_pay_ransom(self, message: Message) -> list[str]:
        kind = self._own_figure(message.text("meepleId"))
        for jailer in range(self.rules.owners):
            text = f"ransom:{kind},{COLOURS[jailer]}"
            if self._is_legal(text):
                return [text]
        raise BadRecord(f"player {self.owner} has no {kind} to buy free")

    def _read_exchange_follower(self, message: Message) -> list[str]:
        return [f"exchange:{self._own_figure(message.text('meepleId'))}"]

    def _read_bazaar_bid(self, message: Message) -> list[str]:
        price = message.whole("price")
        if self.state.step.name == "bid":
            return [f"bid:{price}"]
        at = message.whole("supplyIndex")
        if not 0 <= at < len(self.offers):
            raise BadRecord(f"there is no tile {at} at the bazaar")
        return [f"auction:{self.offers[at]},{price}"]

    # -- chance ----------------------------------------------------------------------------------

    def _chance(self, tile: str | None) -> None:
        """Let chance act until a player decides; `tile` is their name of the one laid next."""
        drawn = []
        while not self.state.is_terminal and self.state.current_player == CHANCE:
            if self.state.step.name != "draw":
                self._do(self._outcome())
                continue
            drawn.append(self._draw(None if tile is None else self.translation.tile(tile)))
        if drawn and self.state.step.name == "auction":
            self.offers = drawn

    def _draw(self, laid: str | None) -> str:
        """Draw the next tile; returns which it was."""
        drawn = self.deck.next_tile(self.state, self.translation.names)
        if drawn is None or not self._is_legal(f"draw:{drawn}"):
            self.deck.is_known = False
            drawn = laid
        if drawn != laid and laid is not None and not self._is_set_aside(drawn):
            self.deck.is_known = False
            drawn = laid
        if drawn is None:
            raise BadRecord("the file does not say which tile was drawn")
        self._do(f"draw:{drawn}")
        return drawn

    def _is_set_aside(self, tile: str | None) -> bool:
        """Return True if a tile fits nowhere, or is drawn for something else than to be laid."""
        after = self.state.copy()
        after.apply(after.check(self.rules.parse(f"draw:{tile}")))
        return after.current_player == CHANCE

    def _outcome(self) -> str:
        """Return what chance does now besides drawing a tile."""
        possible = ways(self.state)
        if self.deck.numbers is None:
            raise BadRecord(
                "the file does not say what chance did; saved games of JCloisterZone 5.7 and later"
                " do"
            )
        return possible[self.deck.numbers.below(len(possible))]

    def _finish(self) -> None:
        """Let chance act after the last move, as far as that is known."""
        state = self.state
        while not state.is_terminal and state.current_player == CHANCE:
            if state.step.name != "draw":
                if self.deck.numbers is None:
                    return
                self._do(self._outcome())
                continue
            drawn = self.deck.next_tile(state, self.translation.names)
            if drawn is None or not self._is_legal(f"draw:{drawn}"):
                return
            self._do(f"draw:{drawn}")
