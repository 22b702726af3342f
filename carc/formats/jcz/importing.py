"""`import_game`: a saved game of JCloisterZone becomes a match of ours."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.scoring import Journal
from carc.base.turn.steps import CHANCE
from carc.errors import BadRecord, CarcError
from carc.formats.imported import Imported
from carc.formats.jcz.asking import NOT_ALONE, escapes_later
from carc.formats.jcz.beginning import first_position, with_tiles_to_draw
from carc.formats.jcz.chance import Deck, RandomNumbers, is_early, ways
from carc.formats.jcz.differences import LOOKS_AWAY, Differences
from carc.formats.jcz.joins import AskedJoins
from carc.formats.jcz.reading import Reader
from carc.formats.jcz.saved_game import NOTE, Message, SavedGame, brief, read_saved_game
from carc.formats.jcz.setup import as_they_play, setup_of, spec_of
from carc.formats.jcz.tiles import ABBEY, TileNames
from carc.formats.jcz.traps import Traps
from carc.formats.jcz.wagons import AskedWagons
from carc.match.match import Match, Result, make_result
from carc.match.moves import Move
from carc.match.record import GIVEN
from carc.match.referee import take_scorings

_UNFINISHED: Final = Result(scores=(), ranks=(), winners=(), returns=())
# They do not ask for this where no follower stands on a feature of the circle's kind.
_WITHOUT_EFFECT: Final = "crops:add"
_CIRCLE: Final = ("CIRCLE_REMOVE_OR_DEPLOY", "COMMIT")
# They do not ask an abbot to enter Carcassonne, who escapes in the middle of a double turn, nor a
# wagon to leave a castle.
_NOT_ALWAYS: Final = ("enter", "escape", "wagon")
# Decisions of ours that end with the turn there.
_CONFIRMED: Final = ("claim", "phantom", "tunnel", "castle")


def import_game(text: str, source: str = "file", tiles: Sequence[Path] = ()) -> Imported:
    """Return the game in the text of a `.jcz` file.

    Args:
        text: The text of the file.
        source: What error messages call it.
        tiles: Tile files in place of the sets of their names. A tile in them with the symbol `jcz`
            is the one of that name there.

    Raises:
        BadRecord: It is no saved game, or it plays what we do not have. The message says what.
    """
    try:
        saved = read_saved_game(text)
        rules = _rules_of(saved, tiles)
        theirs = as_they_play(rules, tiles)
        if theirs is None:
            return _imported(saved, rules)
        other = _imported(saved, theirs)
        return _alike(saved, rules, other) or other
    except CarcError as error:
        raise BadRecord(f"{source}: {error}") from None


def _rules_of(saved: SavedGame, tiles: Sequence[Path]) -> Rules:
    """Return the rules of a file's setup: those that carc noted in it, if these have this setup."""
    spec, players = spec_of(saved.setup, with_own_tiles=bool(tiles)), len(saved.players)
    with suppress(CarcError):
        noted = Rules.from_spec(saved.spec, players, tiles)
        if spec_of(setup_of(noted)) == spec:
            return noted
    return Rules.from_spec(spec, players, tiles)


def _alike(saved: SavedGame, rules: Rules, other: Imported) -> Imported | None:
    """Return a game played again by our defaults, if it goes as it went by their rules."""
    try:
        imported = _imported(saved, rules)
    except CarcError:
        return None
    return imported if imported.end.scores == other.end.scores else None


def _imported(saved: SavedGame, rules: Rules) -> Imported:
    """Return a game played again."""
    names = TileNames(rules)
    begun = first_position(saved.setup, rules)
    replay = Replay(saved, begun.copy(), [names.named(name) for name in saved.draw_order])
    replay.run()
    drawn = replay.drawn
    if saved.tiles is not None and len(drawn) >= saved.tiles:
        drawn = drawn[: saved.tiles]
        begun = with_tiles_to_draw(begun, drawn)
        replay = Replay(saved, begun.copy(), drawn)
        replay.run()
    over = replay.state.is_terminal
    match = Match(
        rules=rules.spec,
        rules_version=rules.version,
        players=rules.players,
        seats=saved.players,
        seed=0,
        moves=tuple(replay.moves),
        result=make_result(replay.state, (), replay.journal) if over else _UNFINISHED,
        position="" if begun == rules.start() else begun.to_text(),
        deal=GIVEN,
    )
    return Imported(match, over, replay.state, tuple(replay.remarks))


class Replay:
    """One saved game, played again by our rules.

    The file says who decided what. What only could be done we do before it is read; then it must
    say the same.
    """

    def __init__(self, saved: SavedGame, state: State, order: Iterable[str] = ()) -> None:
        """Begin a saved game from a position; `order` has our names of the first tiles drawn."""
        self.saved: Final = saved
        self.rules: Final = state.rules
        self.state: Final = state
        self.state.journal = self.journal = Journal()
        self.reader: Final = Reader(self.rules, state)
        self.names: Final = TileNames(self.rules)
        numbers = None if saved.random is None else RandomNumbers(saved.random)
        self.deck: Final = Deck(iter(order), numbers)
        self.moves: Final[list[Move]] = []
        self._ransom: Message | None = None  # still to be paid in this turn
        self._is_unconfirmed = False  # a tile was laid, and the turn is not confirmed
        self._turn_of = 0  # who laid it
        self._traps: Final = Traps(self.rules)
        self._differences: Final = Differences(self.rules)
        self._wagons: Final = AskedWagons(self.rules)
        self._joins: Final = AskedJoins(self.rules)
        self._number = 0  # of the move that is read
        self.remarks: Final[list[str]] = []

    @property
    def drawn(self) -> list[str]:
        """The tiles drawn."""
        actions = [move.action for move in self.moves]
        return [text.removeprefix("draw:") for text in actions if text.startswith("draw:")]

    def run(self) -> None:
        """Play all moves of the file."""
        for message in self.saved.messages:
            try:
                self._play(message)
            except CarcError as error:
                kind = brief(message.kind).strip("'")
                raise BadRecord(f"move {message.number} ({kind}): {error}") from None
        self._finish()

    # -- moves -----------------------------------------------------------------------------------

    def _play(self, message: Message) -> None:
        """Play one move of the file."""
        self._number = message.number
        if message.kind == "PLACE_TILE":
            self._is_unconfirmed = True
        if message.kind == "COMMIT":
            self._check_who_confirms(message.player)
            if not self._is_caught():
                self._is_unconfirmed = False
                self._confirm()
        elif message.kind == "PASS" and self._is_unconfirmed and self._is_over():
            pass  # they ask once more
        elif message.kind == "PASS" and self._declines_there(message):
            pass
        else:
            if not self._was_forced(message):
                self._act(message)
            if self.state.step.name == "rest":  # in a German monastery
                self._do("rest" if message.pointer()[3] == "AS_ABBOT" else "pass")
        self._take_number(message)
        while self.state.current_player == CHANCE and is_early(self.state):
            self._do(self._outcome())

    def _is_caught(self) -> bool:
        """Return whether a move only confirms that a trap catches somebody."""
        state, player = self.state, self.state.current_player
        held = self._traps.held(state, player)
        return self._traps.held(self._traps.sprung(state), player) > held

    def _is_over(self) -> bool:
        """Return whether nobody decides anything more in this turn."""
        return self.state.current_player == CHANCE and not is_early(self.state)

    def _declines_there(self, message: Message) -> bool:
        """Return whether a player declines what they alone ask for.

        It is to join who lies in a monastery, or to move a wagon on that lost to a shrine.
        """
        state, player = self.state, message.player
        if player is None:
            return False
        if not self._is_unconfirmed and self._joins.asks(state, player):
            return state.step.name != "join" or state.current_player != player
        return self._wagons.asks_loser(state, player)

    def _was_forced(self, message: Message) -> bool:
        """Return whether a move is what could only be done, and was done already."""
        forced = self.journal.forced
        try:
            texts = self.reader.read(message).texts if forced else ()
        except BadRecord:
            return False  # it may be a move after what chance does now
        for player, text in forced:
            if text in texts and message.player in (None, player):
                forced.remove((player, text))
                return True
        return False

    def _act(self, message: Message) -> None:
        """Make a player's decision."""
        if message.kind not in _CIRCLE and self._is_legal(_WITHOUT_EFFECT):
            self._do(_WITHOUT_EFFECT)
        self._chance(message)
        self._take_number(message)
        if message.kind != "PAY_RANSOM" and self._is_unasked_there():
            self._do("pass")
            self._chance(message)
        if message.kind == "PASS":
            if self.state.step.name == "claim":
                self._check_player(message.player, None)
            if self._is_unasked(message):
                return
        if message.kind == "PAY_RANSOM" and self.state.step.name in ("abbey", "place"):
            self._ransom = message  # we pay it when the tile lies
            return
        reading = self.reader.read(message)
        if message.kind == "PLACE_TILE" and self.state.step.name == "abbey":
            # The move that lays a tile says whether it is an abbey.
            self._do("abbey" if message.text("tileId") == ABBEY else "pass")
            self._chance(message)
        legal = {str(action) for action in self.state.legal_actions()}
        if self.state.step.name in _NOT_ALWAYS and legal.isdisjoint(reading.texts):
            self._do("pass")
            self._chance(message)
            legal = {str(action) for action in self.state.legal_actions()}
        text = next((text for text in reading.texts if text in legal), None)
        if text is None:
            if self.state.is_terminal:
                raise BadRecord("the game is over before this move")
            self.state.check(self.rules.parse(reading.texts[0]))  # says what is legal
            raise BadRecord("this cannot be done now")
        self._check_player(message.player, reading.owner)
        self.journal.forced.clear()
        self._do(text)
        self._pay_ransom(message)

    def _is_unasked_there(self) -> bool:
        """Return whether we ask for nothing but what they do not ask for alone."""
        alone = NOT_ALONE.get(self.state.step.name, ())
        texts = [str(action) for action in self.state.legal_actions()]
        return texts[-1:] == ["pass"] and all(text.startswith(alone) for text in texts[:-1])

    def _pay_ransom(self, last: Message) -> None:
        """Pay a ransom that the file has before the tile, as soon as we let the player do so.

        A file of ours may say after which token.
        """
        token = None if self._ransom is None else self._ransom.payload.get(NOTE)
        if self._ransom is not None and token in (None, last.payload.get("token")):
            (text,) = self.reader.read(self._ransom).texts
            if self._is_legal(text):
                self._ransom = None
                self._do(text)

    def _is_unasked(self, message: Message) -> bool:
        """Return whether a player passes whom we do not ask, as there is nothing to do."""
        decides = self.state.current_player
        return decides < 0 or message.player not in (None, decides) or not self._may_pass()

    def _check_player(self, player: int | None, owner: int | None) -> None:
        """Check that the file has the move made by who decides, and with an own figure."""
        decides = self.state.current_player
        if player not in (None, decides):
            raise BadRecord(f"player {decides} decides here, not {player}")
        if owner not in (None, decides):
            raise BadRecord(f"player {decides} decides here; the figure is of player {owner}")

    def _check_who_confirms(self, player: int | None) -> None:
        """Check that who laid the tile confirms the turn."""
        if self._is_unconfirmed and player not in (None, self._turn_of):
            raise BadRecord(f"player {self._turn_of} confirms here, not {player}")

    def _may_pass(self) -> bool:
        return self._is_legal("pass")

    def _is_legal(self, text: str) -> bool:
        return any(str(action) == text for action in self.state.legal_actions())

    def _do(self, text: str) -> None:
        player = self.state.current_player
        if text.startswith("place:"):
            self._wagons.lost.clear()
            self._joins.declined.clear()
        self.state.apply(self.state.check(self.rules.parse(text)))
        scorings = take_scorings(self.journal)
        self.moves.append(Move(player, text, scorings))
        final = tuple(each for each in self.journal.scorings if each.final)
        self._wagons.follow(self.state, scorings + final)
        for different in self._differences.after(self.state, text, scorings + final):
            self._remark(different)
        if text.startswith("place:"):
            self._turn_of = player
        here, there = self._differences.entering(scorings, self._turn_of)
        if here is not there:
            self._remark(LOOKS_AWAY)

    def _remark(self, different: str) -> None:
        remark = f"move {self._number}: JCloisterZone {different}"
        if remark not in self.remarks:
            self.remarks.append(remark)

    def _confirm(self) -> None:
        """End the turn: what we still offer in it, they do not."""
        while self.state.step.name in _CONFIRMED and self._may_pass():
            self._do("pass")

    def _take_number(self, message: Message) -> None:
        """From now on chance goes by the number of this move."""
        if message.random is not None:
            self.deck.numbers = RandomNumbers(message.random)

    # -- chance ----------------------------------------------------------------------------------

    def _chance(self, message: Message) -> None:
        """Let chance act until the player of a move decides."""
        tile = message.text("tileId") if message.kind == "PLACE_TILE" else None
        drawn = []
        while not self.state.is_terminal and self.state.current_player == CHANCE:
            if self.state.step.name != "draw":
                self._do(self._outcome())
                continue
            drawn.append(self._draw(None if tile is None else self.names.named(tile)))
        if drawn and self.state.step.name == "auction":
            self.reader.offers = drawn

    def _draw(self, laid: str | None) -> str:
        """Draw the next tile; returns which it was."""
        drawn = self.deck.next_tile(self.state, self.names)
        is_possible = drawn is not None and self._is_legal(f"draw:{drawn}")
        if is_possible and laid not in (None, drawn):
            is_possible = self._is_set_aside(drawn)
        if not is_possible:
            if self.deck.is_in_order and drawn is not None:
                what = f"'drawOrder' names {self.names.theirs(drawn)} here"
                if laid in (None, drawn):
                    raise BadRecord(f"{what}, which cannot be drawn now")
                raise BadRecord(f"{what}, but {self.names.theirs(str(laid))} is laid")
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
        if state.step.name == "escape" and escapes_later(state):
            self._do("pass")
        while not state.is_terminal and state.current_player == CHANCE:
            if state.step.name != "draw":
                if self.deck.numbers is None:
                    return
                self._do(self._outcome())
                continue
            drawn = self.deck.next_tile(state, self.names)
            if drawn is None or not self._is_legal(f"draw:{drawn}"):
                return
            self._do(f"draw:{drawn}")
