"""Where JCloisterZone asks a player and carc does not, or the other way round."""

from typing import Final

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.classics.abbey import TILE
from carc.classics.count import Count
from carc.classics.traders import Traders
from carc.errors import BadRules
from carc.formats.jcz.differences import LOOKS_AWAY
from carc.formats.jcz.joins import AskedJoins
from carc.formats.jcz.places import QUARTERS_AT, segment_in
from carc.formats.jcz.wagons import AskedWagons

# What they do not ask for in a step, if nothing else can be done.
NOT_ALONE: Final = {"claim": ("ransom:",), "phantom": ("top:", "acrobat:")}


class Asking:
    """Whom they ask in the turn under way.

    They ask each player once for a castle, and nobody after one who declines. They send no abbot
    to Carcassonne.
    """

    def __init__(self, rules: Rules) -> None:
        self._playing: Final = {each.name for each in rules.expansions}
        self._asked: set[int] = set()  # for a castle
        self._is_over = False  # one has declined
        self.wagons: Final = AskedWagons(rules)
        self.joins: Final = AskedJoins(rules)
        self._count: Final = [each for each in rules.expansions if isinstance(each, Count)]
        self.lets_enter = False  # who laid the tile, after the scoring, into Carcassonne

    def begin_turn(self) -> None:
        """Begin with whom is asked."""
        self._asked.clear()
        self.wagons.lost.clear()
        self.joins.declined.clear()
        self._is_over = self.lets_enter = False

    def is_asked(self, state: State, step: str, text: str, player: int) -> bool:
        """Return whether they ask for a decision, too.

        Args:
            state: The position in which it is made.
            step: The step.
            text: What is chosen.
            player: By whom.

        Raises:
            BadRules: They do not ask, and it is not to pass.
        """
        match step:
            case "castle":
                is_asked = self._asks_for_castle(state, player, text)
                allowed = "does not let this city become a castle"
            case "escape":
                is_asked = not escapes_later(state)
                allowed = (
                    "lets nobody escape before a double turn is over; play siege(escapes=turn)"
                )
            case "enter":
                is_asked = any(not each.endswith(",abbot") for each in _others(state))
                is_asked = is_asked and self.lets_enter and not text.endswith(",abbot")
                allowed = "lets no abbot enter Carcassonne" if self.lets_enter else LOOKS_AWAY
                self.lets_enter = False
            case "claim":
                is_asked = text != "pass" or bool(acts(state))
                is_asked &= not _is_builders_branch(state, text)
                allowed = "lets nobody claim a branch of a labyrinth on which a builder is"
            case "phantom":
                ways = [each for each in _others(state) if not each.startswith(NOT_ALONE[step])]
                is_asked = bool(ways) and not text.startswith("acrobat:")
                allowed = "does not ask for a phantom there"
            case "join":
                ways = joinable(state)
                is_asked = text in ways or (text == "pass" and bool(ways))
                if text == "pass" and ways:
                    self.joins.declined.add(player)
                allowed = "lets nobody join a road that a token completed elsewhere"
            case "wagon":
                is_asked, allowed = self.wagons.asks(state, text, player)
            case _:
                is_asked, allowed = True, ""
        if not is_asked and text != "pass":
            raise BadRules(f"JCloisterZone {allowed}")
        return is_asked

    def asks_more(self, state: State, text: str, player: int) -> bool:
        """Return whether they ask what to do next, and we do not.

        It is whom a tower captures, as somebody in Carcassonne is in reach, or whether a wagon is
        put into a hut.

        Args:
            state: The position after an action.
            text: The action.
            player: Who chose it.
        """
        if "count" in self._playing and text.startswith("tower:"):
            return self._asks_to_capture(state, text)
        if "abbey" in self._playing and text.startswith("place:"):
            return self._asks_for_hut(state, player)
        return False

    def _asks_to_capture(self, state: State, text: str) -> bool:
        """Return whether a tower reaches Carcassonne alone, where somebody is."""
        if state.step.name == "capture":
            return False
        x, y = (int(word) for word in text.partition(":")[2].split(",")[:2])
        away = abs(x - QUARTERS_AT[0]) + abs(y - QUARTERS_AT[1])
        data = state.to_dict("residents", "pieces")
        in_line = x == QUARTERS_AT[0] or y == QUARTERS_AT[1]
        heights = [
            piece["count"]
            for piece in data["pieces"]
            if piece["kind"] == "tower" and (piece["x"], piece["y"]) == (x, y)
        ]
        return bool(in_line and data["residents"] and heights and away <= heights[0])

    def asks_to_enter(self, state: State, player: int) -> bool:
        """Return whether they ask a player to enter Carcassonne whom we did not ask."""
        lets_enter, self.lets_enter = self.lets_enter, False
        return lets_enter and any(
            not str(action).endswith(",abbot")
            for count in self._count
            for action in count.city.vacancies(state, player).actions(state)
        )

    def _asks_for_hut(self, state: State, player: int) -> bool:
        """Return whether a player who can do nothing here has a wagon and laid a hut."""
        board = state.board
        here = [board.kind_of(one) for one in board.segments_of(board.last_tile)]
        wagon = state.rules.follower_number("wagon")
        is_free = "yaga_hut" in here and state.step.name != "claim"
        return is_free and board.supply_of(player, wagon) > 0

    def _asks_for_castle(self, state: State, player: int, text: str) -> bool:
        """Return whether they ask for a castle, and may have the one chosen; note the choice."""
        places = [each.partition(":")[2] for each in _others(state)]
        is_asked = not self._is_over and player not in self._asked
        if not is_asked or not any(_is_base(state, place) for place in places):
            return False
        self._asked.add(player)
        self._is_over = text == "pass"
        return text == "pass" or _is_base(state, text.partition(":")[2])


def _is_builders_branch(state: State, text: str) -> bool:
    """Return whether a part of a claimed road is claimed, on which somebody's builder is."""
    verb, _, rest = text.partition(":")
    words = rest.split(",")
    board, kinds = state.board, state.rules.follower_kinds
    if verb == "claim" and kinds[state.rules.follower_number(words[1])].is_follower:
        road = board.feature_of(board.segment_of(board.last_tile, int(words[0])))
    elif verb == "portal":
        road = board.feature_of(board.segment_at(*map(int, words[:3])))
    else:
        return False
    here = board.followers_of(road)
    idle = [kind for _, _, kind in here if not kinds[kind].is_follower]
    return board.kind_of(road) == "road" and len(idle) not in (0, len(here))


def escapes_later(state: State) -> bool:
    """Return whether a double turn goes on, after which alone they ask for an escape."""
    expansions = state.rules.expansions
    return any(isinstance(each, Traders) and each.goes_on(state) for each in expansions)


def acts(state: State) -> list[str]:
    """Return the choices of a claim that they offer in it, too."""
    return [each for each in _others(state) if not each.startswith("ransom:")]


def joinable(state: State) -> list[str]:
    """Return the ways from Carcassonne to what is scored: no road away from the last tile."""
    board = state.board
    here = {board.feature_of(segment) for segment in board.segments_of(board.last_tile)}
    is_abbey = state.rules.tile_names[board.kind_of_tile(board.last_tile)] == TILE
    return [
        each
        for each in _others(state)
        for at in [segment_in(state, each)]
        if board.kind_of(at) != "road" or board.feature_of(at) in here or is_abbey
    ]


def _others(state: State) -> list[str]:
    """Return the choices but for passing."""
    return [str(action) for action in state.legal_actions() if str(action) != "pass"]


def _is_base(state: State, place: str) -> bool:
    """Return whether a small city may be a castle there: with one follower."""
    board = state.board
    x, y, index = map(int, place.split(","))
    feature = board.feature_of(board.segment_at(x, y, index))
    kinds = state.rules.follower_kinds
    return sum(kinds[kind].is_follower for _, _, kind in board.followers_of(feature)) == 1
