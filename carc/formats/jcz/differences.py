"""Where JCloisterZone scores or allows something else, as far as a game shows it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from carc.base.cells import AROUND
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import ROAD
from carc.base.turn.scoring import Scored
from carc.classics.bridges import Bridges
from carc.classics.bridges.fiefs import fief
from carc.classics.dragon import Dragon
from carc.classics.gold import Gold
from carc.classics.king import King
from carc.classics.labyrinth import Labyrinth
from carc.classics.monasteries import Monasteries
from carc.classics.watchtowers import Watchtowers
from carc.errors import BadRules

LOOKS_AWAY: Final = "looks away from points of fairy, ringmaster, king or robber before Carcassonne"
_SENT_HOME: Final = ("dragon:", "festival:")  # by these a figure leaves without being scored


# With points of these alone a player counts as one without any before Carcassonne.
_BESIDE: Final = ("fairy", "ringmaster", "church", "king", "robber")
# Points that are made before or after the scoring of a turn.
_APART: Final = ("sheep", "ransom", "acrobats", "abbot", "wind rose", "big top", "bazaar")


class Differences:
    """Notices, action by action, where they would go on otherwise."""

    def __init__(self, rules: Rules) -> None:
        self._playing: Final = {each.name for each in rules.expansions}
        towers = [each for each in rules.expansions if isinstance(each, Watchtowers)]
        self._dragons: Final = [each for each in rules.expansions if isinstance(each, Dragon)]
        self._beds: Final = [each for each in rules.expansions if isinstance(each, Monasteries)]
        self._labyrinths: Final = [each for each in rules.expansions if isinstance(each, Labyrinth)]
        self._watch: Final = towers[0] if towers else None
        self._on_watch: dict[tuple[int, int, int], int] = {}
        self._ingots: Final = _Ingots(rules)
        self._robber: Final = _Robber(rules)
        self._builders: set[int] = set()  # their segments

    def after(self, state: State, text: str, scorings: Sequence[Scored]) -> Iterator[str]:
        """Return what they do otherwise than an action did, as what `JCloisterZone` does."""
        texts = " ".join(each.text for each in scorings)
        if "count" in self._playing and "watched cities" in texts and _is_watched(state):
            yield "counts Carcassonne as no city around a watchtower"
        built = text.startswith(("place:", "bridge:"))
        if built and {"bridges", "russian"} <= self._playing and _is_robber_under_bridge(state):
            yield "lets the robber look along a bridge over his tile, and not along his road"
        if self._ingots.are_near_castle(state):
            yield "takes ingots from all tiles near a castle"
        if self._robber.goes_elsewhere(state, text):
            yield "counts no road that a ferry joins to an open one as the longest"
        if text == "abbey" and not state.tiles_left and "fairy" in texts:
            yield "gives no point of the fairy for an abbey at the end"
        if "traders" in self._playing:
            yield from self._about_builders(state, text, texts)
        if self._watch is not None:
            before, self._on_watch = self._on_watch, _builders_on_watch(state, self._watch)
            left = [(at[2], seen) for at, seen in before.items() if at not in self._on_watch]
            sees = any(seen or self._watch.seen(state, tile) for tile, seen in left)
            if sees and scorings and not text.startswith(_SENT_HOME):
                yield "scores a watchtower for builders, too"
        castles = " ".join(each.text for each in scorings if each.text.startswith("castle by"))
        if "buildings" in castles:
            yield "adds no buildings to a castle"
        if "mage" in castles or "witch" in castles:
            yield "lets neither mage nor witch change the points of a castle"
        at_end = [each.text for each in scorings if each.final]
        if at_end and self._has_guests(state, at_end):
            yield "gives who lies in a monastery no points for fairy or ringmaster"

    def entering(self, scorings: Sequence[Scored], player: int) -> tuple[bool, bool]:
        """Return whether who laid the tile may enter Carcassonne after a scoring: here, and there.

        They look at the points of features alone.
        """
        if "count" not in self._playing:
            return False, False
        scored = [each for each in scorings if each.points > 0 and not each.final]
        scored = [each for each in scored if not each.text.startswith(_APART)]
        owners = {each.owner for each in scored if not _is_of_turn(each)}
        of_features = {each.owner for each in scored if not each.text.startswith(_BESIDE)}
        here, there = (bool(some) and player not in some for some in (owners, of_features))
        return here, there

    def _has_guests(self, state: State, texts: Sequence[str]) -> bool:
        """Return whether fairy or ringmaster brought points at the end with a lying follower's."""
        lying = [
            (segment, *who)
            for beds in self._beds
            for segment in beds.state_of(state).lying
            for who in beds.state_of(state).those(state.board, segment, lie=True)
        ]
        names = [state.rules.follower_kinds[kind].name for _, _, kind in lying]
        is_beside = any(each.state_of(state).companion in lying for each in self._dragons)
        shows = any(text.startswith("ringmaster") for text in texts)
        return is_beside or ("ringmaster" in names and shows)

    def _about_builders(self, state: State, text: str, texts: str) -> Iterator[str]:
        """Return what they do otherwise with those that have left their roads."""
        gone = self._builders - (now := _builders(state))
        self._builders = now
        if text.startswith("ferry:") and _is_on_ferry(state, text, gone):
            yield "leaves a builder without a follower on the road of a ferry"
        roads = [state.board.feature_of(segment) for segment in gone]
        leads = any(each.leads_to(state, road) for each in self._labyrinths for road in roads)
        if leads and "labyrinth" in texts:
            yield "counts a builder on the road of a labyrinth, too"


class _Ingots:
    """The ingots that a castle takes there, and not here."""

    def __init__(self, rules: Rules) -> None:
        self._bridges: Final = [each for each in rules.expansions if isinstance(each, Bridges)]
        self._gold: Final = [each for each in rules.expansions if isinstance(each, Gold)]
        self._castles: dict[int, set[int]] = {}  # those that may score: the cells beside them
        self._cells: set[int] = set()  # with ingots

    def are_near_castle(self, state: State) -> bool:
        """Return whether a castle has scored since, beside which ingots lay."""
        before, ingots = self._castles, self._cells
        board = state.board
        for bridges, gold in zip(self._bridges, self._gold, strict=False):
            self._castles = {
                one: {*fief(board, one)}
                - {board.cell_under(segment) for segment in board.members(one)}
                for one in bridges.state_of(state).standing
            }
            self._cells = {*gold.state_of(state).lying}
        return any(before[one] & ingots for one in before.keys() - self._castles.keys())


class _Robber:
    """Who holds the robber baron there: roads that are completed now count alone."""

    def __init__(self, rules: Rules) -> None:
        playing = {each.name for each in rules.expansions}
        kings = [each for each in rules.expansions if isinstance(each, King)]
        self._kings: Final = kings if "ferries" in playing else []
        self._roads: set[tuple[int, int]] = set()  # those completed before: tiles, segment
        self._player = 0  # whose turn it is
        self._holder = -1
        self._is_elsewhere = False

    def goes_elsewhere(self, state: State, text: str) -> bool:
        """Return whether another has it there from now on, if an action ends a turn."""
        if text.startswith("place:"):
            self._player = state.active_player
        was, is_over = self._is_elsewhere, state.step.name in ("draw", "abbey", "place")
        for king in self._kings if is_over or state.is_terminal else ():
            before, self._roads = self._roads, _completed_roads(state)
            new, old = self._roads - before, self._roads & before
            if max(new, default=(0,))[0] > max(old, default=(0,))[0]:
                self._holder = state.rules.colours[self._player][0]
            self._is_elsewhere = self._holder != king.state_of(state).holder[ROAD]
        return self._is_elsewhere and not was


def _completed_roads(state: State) -> set[tuple[int, int]]:
    board = state.board
    segments = range(board.segment_count)
    roads = {board.feature_of(one) for one in segments if board.is_kind(one, ROAD)}
    return {(board.tiles_of(one), one) for one in roads if not board.is_open(one)}


def _is_of_turn(scored: Scored) -> bool:
    """Return whether it is the fairy's point at the beginning of a turn, when nobody enters."""
    return scored.text.startswith("fairy") and "x1 " in scored.text


def _is_watched(state: State) -> bool:
    """Return whether a tile of Carcassonne is around a watchtower that counts cities."""
    tiles, index = state.rules.catalogue.tiles, state.rules.catalogue.index
    laid = state.to_dict("tiles")["tiles"]
    cells = [(one["x"], one["y"], tiles[index[one["kind"]]]) for one in laid]
    towers = [(x, y) for x, y, tile in cells if str(tile.symbol("watchtower")).endswith("/city")]
    city = [(x, y) for x, y, tile in cells if tile.name.startswith("CO")]
    return any(abs(x - a) <= 1 and abs(y - b) <= 1 for x, y in towers for a, b in city)


def _is_robber_under_bridge(state: State) -> bool:
    """Return whether a bridge has been built over the tile of Solovei the robber."""
    tiles, index = state.rules.catalogue.tiles, state.rules.catalogue.index
    laid = [tiles[index[one["kind"]]] for one in state.to_dict("tiles")["tiles"]]
    return any("+" in tile.name and "razboynik" in [s.kind for s in tile.segments] for tile in laid)


def _builders(state: State) -> set[int]:
    """Return the segments of roads with figures that are no followers."""
    board, kinds = state.board, state.rules.follower_kinds
    return {
        segment
        for segment, _, kind in board.all_followers()
        if board.kind_of(segment) == "road" and not kinds[kind].is_follower
    }


def _is_on_ferry(state: State, text: str, segments: Iterable[int]) -> bool:
    """Return whether one of these is on the road that a ferry joins that was just moved."""
    board = state.board
    x, y, index = (int(word) for word in text.partition(":")[2].split(",")[:3])
    road = board.feature_of(board.segment_at(x, y, index))
    return road in [board.feature_of(segment) for segment in segments]


def is_surrounded(state: State, segment: int) -> bool:
    """Return whether tiles lie all around that of a segment."""
    board = state.board
    return board.count_neighbours(board.cell_under(segment)) == len(AROUND)


def _builders_on_watch(state: State, watch: Watchtowers) -> dict[tuple[int, int, int], int]:
    """Return the figures of cities and roads that are no followers, and what a watchtower sees.

    A figure is its owner, kind and tile, which has a watchtower.
    """
    board, kinds = state.board, state.rules.follower_kinds
    return {
        (owner, kind, tile): watch.seen(state, tile)
        for segment, owner, kind in board.all_followers()
        for tile in [board.tile_under(segment)]
        if board.kind_of(segment) in ("city", "road") and not kinds[kind].is_follower
        if watch.watched[board.kind_of_tile(tile)][1]
    }


def check_rose(state: State) -> None:
    """Raise `BadRules` unless a rose lies on the table before a tile that names a quarter.

    Their engine stops there otherwise.
    """
    kind = state.rules.catalogue.tiles[state.tile_in_hand]
    named = kind.symbol("wind_rose")
    pieces = state.to_dict("pieces")["pieces"] if named else []
    roses = [piece for piece in pieces if piece["kind"] == "wind rose"]
    if named not in (None, "NWSE") and not roses:
        raise BadRules(
            f"JCloisterZone has a wind rose on the table before {kind.name};"
            " play windroses(start=rose)"
        )
