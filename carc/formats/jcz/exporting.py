"""`export_game`: a match of ours becomes a saved game of JCloisterZone."""

import json
from collections.abc import Sequence
from typing import Any, Final

from carc.base.game.rules import COLOURS, Rules
from carc.base.game.state import State
from carc.base.turn.scoring import Journal
from carc.base.turn.steps import CHANCE
from carc.classics.hills import Hills
from carc.classics.traders import Traders
from carc.errors import BadRules, CarcError
from carc.formats.jcz.asking import Asking, acts, joinable
from carc.formats.jcz.auction import Auction
from carc.formats.jcz.chance import fitting_number, ways
from carc.formats.jcz.differences import Differences, check_rose
from carc.formats.jcz.message_writer import MessageWriter
from carc.formats.jcz.phantoms import PHANTOM, free_features, may_follow
from carc.formats.jcz.saved_game import NOTE
from carc.formats.jcz.setup import as_they_play, setup_of
from carc.formats.jcz.traps import ACTION, SECOND, Traps
from carc.match.match import Match, initial_state
from carc.match.referee import take_scorings

APP_VERSION: Final = "5.7.0"  # the oldest version that reads files of this form
RANSOM: Final = 3  # points
_CREATED: Final = "1970-01-01T00:00:00.000Z"
_ONE_ACTION: Final = ("capture", "exchange", "flight", "land")  # of which an action goes on
# Steps after the player has confirmed the turn, and what may be forced in them; `place` where the
# tile is not drawn.
_CONFIRMED: Final = (
    *("draw", "join", "tent", "wagon", "enter", "crops", "crops follow", "escape", "auction"),
    *("abbey", "last join", "add", "take"),
)
_NEVER_ASKED: Final = ("gold", "exchange", "sell")  # where only one thing can be done
_CONFIRMED_AGAIN: Final = ("wagon:", "add:", "take:")  # actions that they ask to confirm

Payload = dict[str, Any]


def export_game(match: Match, rules: Rules) -> str:
    """Return the text of a `.jcz` file with a match.

    Raises `BadRules` if they do not have these rules, or if the match began from a position.
    """
    if match.position:
        raise BadRules("a match that began from a position cannot be a game of JCloisterZone")
    theirs = as_they_play(rules)
    if theirs is not None and (line := parting_line(match, rules.start(), theirs.start())):
        raise BadRules(
            f"line {line} of the record: from here JCloisterZone goes on otherwise;"
            f" play {theirs.spec}"
        )
    return json.dumps(_Export(match, rules).run(), indent=2) + "\n"


def parting_line(match: Match, here: State, there: State) -> int:
    """Return the line of a record from which on other rules lead to other points; 0: none."""
    line = 0
    for number, text in enumerate(match.actions, start=2):
        for state in (here, there):
            try:
                state.apply(state.check(state.rules.parse(text)))
            except CarcError:
                return line or number
        if not line and here.scores != there.scores:
            line = number
    return line if here.scores != there.scores else 0


class _Export:
    """One match, played again and written down in their words."""

    def __init__(self, match: Match, rules: Rules) -> None:
        self.match: Final = match
        self.rules: Final = rules
        self.setup: Final = setup_of(rules)
        self.state: Final[State] = initial_state(match, rules)
        self.writer: Final = MessageWriter(rules, self.state)
        self.auction: Final = Auction(rules)
        self.asking: Final = Asking(rules)
        self.differences: Final = Differences(rules)
        self.state.journal = self.journal = Journal()  # says what was not asked for
        self.draw_order: Final[list[str]] = []
        self.messages: Final[list[Payload]] = []
        self.is_unconfirmed = False  # a tile was laid, and the turn is not confirmed
        self.turn_of = 0  # who laid it
        self.has_phantoms: Final = PHANTOM in [kind.name for kind in rules.follower_kinds]
        self.phantom: Final = rules.follower_number(PHANTOM) if self.has_phantoms else -1
        self.traders: Final = [each for each in rules.expansions if isinstance(each, Traders)]
        self.hills: Final = [each for each in rules.expansions if isinstance(each, Hills)]
        self.numbered_flocks: Final[set[int]] = set()  # whose shepherds' numbers mattered
        self.traps: Final = Traps(rules)
        self.held = 0  # followers of the player whom traps hold, as far as they are confirmed
        self.held_before = -1  # as many, before a wagon that is not the player's last
        self.is_trap_confirmed = False  # the last move confirms that a trap caught somebody
        self.has_place = False  # for a phantom, if it is at home after an action
        self.may_follow = False  # they ask for a phantom before anything else
        self.last_layer = -1  # who laid the last tile of the bag, when abbeys are asked for
        self.laid_at = 0  # which message that is
        self.points_before = 0  # of who laid it
        # What carries a random number, and what is drawn by it: of how many, and which.
        self.first: Final[Payload] = {}
        self.numbered: Final[list[tuple[Payload, list[tuple[int, int]]]]] = [(self.first, [])]

    def run(self) -> Payload:
        """Return the saved game."""
        for number, move in enumerate(self.match.moves, start=2):
            try:
                self._write(move.action)
            except CarcError as error:
                raise BadRules(f"line {number} of the record: {error}") from None
        if self.may_follow:
            self._pass_phantom("")
        if self.is_unconfirmed and self.state.is_terminal:
            self._confirm()
        self._follow_up("", -1)
        for payload, draws in self.numbered:
            payload["random"] = fitting_number(draws)
        names = enumerate(self.match.seats)
        return {
            "appVersion": APP_VERSION,
            "gameId": f"carc-{self.match.seed}",
            "name": "",
            "initialRandom": self.first["random"],
            "created": _CREATED,
            "clock": len(self.messages),
            "setup": self.setup,
            "players": [{"name": name, "slot": seat} for seat, name in names],
            "replay": [{**one, "clock": at} for at, one in enumerate(self.messages)],
            "gameAnnotations": {"drawOrder": self.draw_order, NOTE: self.rules.spec},
        }

    def _write(self, text: str) -> None:
        """Write down one action, and perform it."""
        state = self.state
        action = state.check(self.rules.parse(text))
        step, player = state.step.name, state.current_player
        if step == "rest":
            if text == "rest":
                self._lay_down()
            self.journal.forced.clear()
            state.apply(action)
            self._follow(text, step, player)
            return
        if self.may_follow and step not in _ONE_ACTION:
            self._pass_phantom(step)
        if self.is_unconfirmed and self._is_after_confirming(step):
            self._confirm()
        self._follow_up(step, player)
        if step in ("claim", "capture", "exchange") and self.has_phantoms:
            kept = self.has_place and step != "claim"
            self.has_place = kept or may_follow(state, text)
            at_home = state.to_dict("supplies")["supplies"][player][PHANTOM] > 0
        self.has_place &= step != "phantom"
        if text.startswith("place:"):
            check_rose(state)
            self.laid_at, self.points_before = len(self.messages), state.scores[player]
            self.asking.begin_turn()
        if player == CHANCE:
            self._note_chance(text, step)
        elif moves := self.auction.before(state, text, player):
            for move in moves:
                self._add(*move)
        elif self.asking.is_asked(state, step, text, player):
            self._check_end(step, text, player)
            if step == "flock":
                self._number_flocks(player)
            self._write_choice(text, step, player)
        self.journal.forced.clear()
        state.apply(action)
        if step in ("claim", "capture", "exchange") and self.has_place:
            self.may_follow = at_home or self._brings_phantom(text, player)
        if step == "flight" and self.writer.flying == PHANTOM:
            landed = any(done.startswith("land:") for _, done in self.journal.forced)
            self.may_follow = self.has_place and not landed and state.step.name != "land"
        if text.startswith("place:"):
            self.is_unconfirmed, self.turn_of = True, player
        self._follow(text, step, player)

    def _follow(self, text: str, step: str, player: int) -> None:
        """Write down what follows from an action: what they ask for, and what was forced."""
        state = self.state
        again = self._is_asked("join", player) and joinable(state)
        if text.startswith("join:") and step == "join" and not again:
            if self.asking.joins.asks(state, player):
                self._add("PASS", {}, player)
            else:
                self._add_commit(player)
        scored = take_scorings(self.journal) + take_scorings(self.journal, final=True)
        self.asking.wagons.follow(state, scored)
        before, self.held_before = self.held_before, -1
        if 0 <= before < self.traps.held(state, player):
            raise BadRules(
                "JCloisterZone lets no trap catch a wagon before the player's other one moves on"
            )
        for different in self.differences.after(state, text, scored):
            raise BadRules(f"JCloisterZone {different}")
        self.asking.lets_enter |= self.differences.entering(scored, self.turn_of)[1]
        if self.asking.asks_more(state, text, player):
            self._add("PASS", {}, player)
        forced = self.journal.forced
        later = [at for at, (_, done) in enumerate(forced) if done.partition(":")[0] not in ACTION]
        at = later[0] if later else len(forced)
        self._write_forced(forced[:at])
        self._spring(text, step)
        self._write_forced(forced[at:])
        sold = any(text == "sell" for _, text in self.journal.forced)
        for move in self.auction.after(state, step, text, forced=sold):
            self._add(*move)
        self.writer.figures.follow(state)

    def _spring(self, text: str, step: str) -> None:
        """Let them catch whom an action brought near a trap, before anybody decides again."""
        state, player = self.state, self.turn_of
        if text.startswith("place:"):
            self.held = self.traps.held(state, player)
        elif self.is_unconfirmed and step in (*ACTION, *SECOND):
            if state.step.name in ACTION or (step in SECOND and state.step.name in SECOND):
                return
            after = self.traps.sprung(state)
            held = self.traps.held(after, player)
            if text.startswith("free:"):
                self.held -= 1
            if held > self.held:
                self.held = held
                self._add_commit(player)
                self.is_trap_confirmed = True
                if step not in SECOND and self.has_phantoms and free_features(after):
                    self.may_follow |= state.board.supply_of(player, self.phantom) > 0

    def _is_asked(self, step: str, player: int) -> bool:
        """Return whether a player decides in a step now."""
        return self.state.step.name == step and self.state.current_player == player

    def _lay_down(self) -> None:
        """Put down that who came to a German monastery lies there."""
        deployed = [one["payload"] for one in self.messages if one["type"] == "DEPLOY_MEEPLE"]
        deployed[-1]["pointer"]["location"] = "AS_ABBOT"
        self.writer.figures.lying.add(deployed[-1]["meepleId"])

    def _write_forced(self, forced: Sequence[tuple[int, str]]) -> None:
        """Write down what we did not ask for, and they do."""
        for player, text in forced:
            verb = text.partition(":")[0]
            if self.is_unconfirmed and self._is_after_confirming(verb):
                self._confirm()
            if self._is_after_confirming(verb):
                self._follow_up(verb, player)
            if text == "rest":
                self._lay_down()
            elif verb not in _NEVER_ASKED:
                self._write_choice(text, "", player)

    def _is_after_confirming(self, step: str) -> bool:
        """Return True if a step comes after the player has confirmed the turn."""
        if step == "dragon":
            dragon = next(each for each in self.rules.expansions if each.name == "dragon")
            return dragon.chosen["moves"] == "after"
        return step in _CONFIRMED or step == "place"

    def _note_chance(self, text: str, step: str) -> None:
        """Keep in mind what chance does, so that their numbers lead to the same."""
        if step != "draw":
            possible = ways(self.state)
            self.numbered[-1][1].append((len(possible), possible.index(text)))
            return
        tile = text.partition(":")[2]
        self.draw_order.append(self.writer.tile(tile))
        if self.state.tile_in_hand < 0:
            self.auction.drawn.append(tile)

    def _write_choice(self, text: str, step: str, player: int) -> None:
        written = self.writer.write(text, player)
        if written is None:
            return
        kind, payload = written
        if kind == "PAY_RANSOM" and self._may_pay_before():
            # Who is bought free later in the turn cannot be put down in it there.
            since = [one["payload"].get("token", "") for one in self.messages[self.laid_at :]]
            for token in since:
                if token.startswith("TUNNEL"):
                    payload[NOTE] = token
            self.messages.insert(self.laid_at, _message(kind, payload, player))
            return
        self._add(kind, payload, player)
        if text.startswith(("fly:", "flock:")):
            self.numbered.append((payload, []))
        if text.startswith("wagon:") and not self.asking.wagons.is_last(self.state, player):
            self.held_before = self.traps.held(self.state, player)
        elif text.startswith(_CONFIRMED_AGAIN) or (text == "pass" and self._keeps_abbey(step)):
            self._add_commit(player)
        self.auction.drawn.clear()

    def _keeps_abbey(self, step: str) -> bool:
        """Return whether who keeps an abbey goes on with a turn, which they confirm."""
        state = self.state
        extra = any(traders.state_of(state).extra for traders in self.traders)
        return step == "abbey" and (state.tiles_left > 0 or extra)

    def _check_end(self, step: str, text: str, player: int) -> None:
        """Check that who placed the last tile does not keep an abbey: they ask again for ever."""
        if step == "abbey" and not self._keeps_abbey(step):
            self.last_layer = self.turn_of if self.last_layer < 0 else self.last_layer
            if text == "pass" and player == self.last_layer:
                raise BadRules(
                    "JCloisterZone never ends a game in which who placed the last tile keeps an"
                    " abbey that has a place"
                )

    def _follow_up(self, step: str, player: int) -> None:
        """Decline what they alone ask for after the turn is confirmed.

        It is to join a monastery in which somebody lies, to move a wagon on that lost to a shrine,
        and to enter Carcassonne after that.
        """
        if not self.is_unconfirmed:
            until = player if step == "join" else -1
            for other in self.asking.joins.asks_others(self.state, self.turn_of, until):
                self._add("PASS", {}, other)
        until = player if step == "wagon" else -1
        for loser in self.asking.wagons.asks_losers(self.state, self.turn_of, until):
            self._add("PASS", {}, loser)
        if step not in ("wagon", "enter") and self.asking.asks_to_enter(self.state, self.turn_of):
            self._add("PASS", {}, self.turn_of)

    def _number_flocks(self, player: int) -> None:
        """Number the shepherds of a player so that they ask about the same flock first.

        A number is changed in all moves, unless it mattered before.
        """
        (hills,) = self.hills
        at = hills.state_of(self.state).at
        kept = [at[which] for which in hills.tending.tended(self.state, player)]
        names = [self.writer.figures.standing(one, player, "shepherd")[0] for one in kept]
        if len(names) == 1:
            return
        if names != sorted(names):
            if player in self.numbered_flocks:
                raise BadRules("JCloisterZone asks about a player's two flocks the other way round")
            for message in self.messages:
                figure = message["payload"].get("meepleId")
                if figure in names:
                    message["payload"]["meepleId"] = names[1 - names.index(figure)]
            self.writer.figures.swap(kept[0], kept[1], player, "shepherd")
        self.numbered_flocks.add(player)

    def _pass_phantom(self, step: str) -> None:
        """Decline to put a phantom down, unless we ask for it, too."""
        self.may_follow = False
        if step != "phantom":
            self._add("PASS", {}, self.turn_of)

    def _brings_phantom(self, text: str, player: int) -> bool:
        """Return whether an action brings the player's phantom home."""
        done = [text, *(text for _, text in self.journal.forced)]
        own = (f",{PHANTOM}", f":{PHANTOM}", f",{PHANTOM},{COLOURS[player]}")
        verbs = ("festival:", "free:", "capture:", "exchange:")
        return any(each.startswith(verbs) and each.endswith(own) for each in done)

    def _may_pay_before(self) -> bool:
        """Return whether a ransom can be paid before the tile is laid.

        It comes first after it, or what they do with figures is over with a token.
        """
        since = [one["payload"] for one in self.messages[self.laid_at + 1 :]]
        first = all("figureId" in one or one.get("token") == "GOLD" for one in since)
        over = all("figureId" in one or "token" in one for one in since) and not acts(self.state)
        return (first or over) and self.points_before >= RANSOM

    def _confirm(self) -> None:
        self.is_unconfirmed = False
        if not self.is_trap_confirmed:
            self._add_commit(self.turn_of)

    def _add_commit(self, player: int) -> None:
        payload: Payload = {}
        self._add("COMMIT", payload, player)
        self.numbered.append((payload, []))

    def _add(self, kind: str, payload: Payload, player: int) -> None:
        self.messages.append(_message(kind, payload, player))
        self.is_trap_confirmed = False


def _message(kind: str, payload: Payload, player: int) -> Payload:
    return {"type": kind, "payload": payload, "player": player}
