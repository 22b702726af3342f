"""`TurnFeatures`: what describes a turn to `people`, as numbers. Compiled (`build_tools`)."""

from __future__ import annotations

from math import hypot, log
from typing import TYPE_CHECKING, Final

from carc.base.cells import beyond, xy
from carc.base.evaluation.descriptors import DESCRIPTORS, phase
from carc.base.evaluation.learned import LearnedEvaluation
from carc.base.evaluation.learned_weights import shipped_weights
from carc.base.turn.actions import Claim, Place
from carc.base.turn.steps import TERMINAL

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.bots.lookahead import ActionValues, Lookahead

_FAR: Final = 9.0  # tiles farther away are as far
_KINDS: Final = ("city", "road")
_OWNERS: Final = ("own", "rival", "shared")
_TWO: Final = _OWNERS[:2]
_PLACES: Final = (
    *(f"last_{how}" for how in ("beside", "corner", "near", "far")),
    "around",
    "sides",
    *(f"extends_{kind}_{owner}" for kind in _KINDS for owner in _TWO),
    *(f"closes_{kind}_{owner}" for kind in _KINDS for owner in _TWO),
    *(f"one_edge_{kind}_{owner}" for kind in _KINDS for owner in _TWO),
    "joins_own_city",
    "joins_own_field",
    "begins_field",
    "dead_gaps",
    *(f"gap_{kind}_{owner}" for kind in _KINDS for owner in _OWNERS),
    *(f"narrows_{kind}_{owner}" for kind in _KINDS for owner in _TWO),
    *(f"{what}_monastery_{owner}" for what in ("narrows", "dead") for owner in _TWO),
)
_CLAIMS: Final = (
    "claim_city_closed",
    "claim_city_edges",
    "claim_city_early",
    "claim_road_closed",
    "claim_monastery_late",
    "claim_field_early",
    "returns",
    "rival_scores",
    "leaves_city",
)
_OWN: Final = (
    "city_chance",
    "city_gaps",
    "road_gaps",
    "around_incomplete",
    "field_cities",
    "field_open_cities",
    "field_gaps",
    "field_few_gaps",
    "followers",
    "trailing",
    "join_unclaimed",
    "threat",
)
_RIVAL: Final = ("city_chance", "field_cities")
# The features of a placement, then those of the turn's end.
NAMES: Final = (
    *_PLACES,
    *_CLAIMS,
    "points",
    *(f"own_{name}" for name in _OWN),
    *(f"rival_{name}" for name in _RIVAL),
)
_OWN_AT: Final = [DESCRIPTORS.index(name) for name in _OWN]
_RIVAL_AT: Final = [DESCRIPTORS.index(name) for name in _RIVAL]
_EARLY, _LATE = 2 / 3, 2 / 7  # of the tiles are still to come: more than that, and less
_DECISIONS: Final = 4  # that may come between a placement and the claim


class Turn:
    """The rest of a turn: its first action, the claim if one follows, its features (`NAMES`)."""

    def __init__(self, action: Action, claim: Action | None, row: list[float]) -> None:
        self.action: Final = action
        self.claim: Final = claim
        self.row: Final = row

    def weighted(self, weights: list[float]) -> float:
        """Return the sum of the features, each times its weight."""
        return sum([weight * each for weight, each in zip(weights, self.row, strict=True)])


class TurnFeatures:
    """What describes the turns of a position. Call `look` for each position, then ask.

    A turn is described by where the tile lies beside what was there, by the gaps that it narrows,
    by the claim, and by the position at its end: some descriptors of `LearnedEvaluation` for the
    player and, as a mean, for the rivals. What expansions describe counts in `points` alone, the
    lead that the evaluation expects.
    """

    def __init__(self, rules: Rules, lookahead: Lookahead) -> None:
        """Prepare for rules with rivals; the lookahead decides from a placement to the claim."""
        self.rules: Final = rules
        self.lookahead: Final = lookahead
        self._evaluation: Final = LearnedEvaluation(rules, shipped_weights(rules.players))
        self._by_tiles: Final[dict[int, list[float]]] = {}  # the weights by the tiles left
        self._owners: Final = [colours[0] for colours in rules.colours]
        self._nowhere: Final = [0.0] * len(_PLACES)
        self._player: int = 0
        self._owner: int = 0
        self._fitting: dict[int, int] = {}  # by what a cell demands: the tiles that fit

    def look(self, state: State) -> None:
        """Look at a position in which a player decides."""
        self._player = state.current_player
        self._owner = self._owners[self._player]
        self._fitting = {}

    def turns(self, state: State, action: Action) -> list[Turn]:
        """Return the turns that begin with an action, a placement or what is legal in its stead.

        There is one for each claim that may follow. The position was looked at.
        """
        after = state.copy()
        after.apply(action)
        if state.step.name == "claim":
            return [Turn(action, action, self._nowhere + self._end(state, action, after))]
        place = self._place(state, after) if isinstance(action, Place) else self._nowhere
        for _ in range(_DECISIONS):
            if after.current_player != self._player or after.step.name in ("place", "claim"):
                break
            self._apply_best(after)
        if after.current_player != self._player or after.step.name != "claim":
            return [Turn(action, None, place + self._end(state, None, after))]
        turns: list[Turn] = []
        for claim in after.legal_actions():
            end = after.copy()
            end.apply(claim)
            turns.append(Turn(action, claim, place + self._end(state, claim, end)))
        return turns

    def _apply_best(self, state: State) -> None:
        """Do what the lookahead values most."""
        best: ActionValues | None = None
        for each in self.lookahead.action_values(state):
            if best is None or each.values[self._player] > best.values[self._player]:
                best = each
        assert best is not None
        state.apply(best.action)

    # -- where the tile lies ----------------------------------------------------------------------

    def _place(self, before: State, after: State) -> list[float]:
        """Return the features of a placement, in the order of `_PLACES`."""
        board = before.board
        cell = after.board.cell_of(after.board.last_tile)
        x, y = xy(cell)
        around = [board.tile_at(x + i, y + j) for j in (-1, 0, 1) for i in (-1, 0, 1)]
        row = self._distance(board, x, y)
        row.append(float(sum([tile >= 0 for tile in around])))
        row.append(float(sum([tile >= 0 for tile in around[1::2]])))
        row.extend(self._joined(board, after.board, cell))
        row.extend(self._gaps(before, after.board, cell))
        return row

    def _distance(self, board: Board, x: int, y: int) -> list[float]:
        """Return whether the last tile shares an edge or a corner, is near, and how far it is."""
        if board.last_tile < 0:
            return [0.0, 0.0, 0.0, _FAR]
        tile_x, tile_y = xy(board.cell_of(board.last_tile))
        across, down = abs(x - tile_x), abs(y - tile_y)
        return [
            float(across + down == 1),
            float(across == 1 and down == 1),
            float(max(across, down) == 2),
            min(hypot(across, down), _FAR),
        ]

    def _joined(self, board: Board, laid: Board, cell: int) -> list[float]:
        """Return which features the tile extends, closes, joins and begins."""
        size = len(_KINDS) * len(_TWO)
        extends, closes, one_edge = [0.0] * size, [0.0] * size, [0.0] * size
        parts: dict[int, set[int]] = {}  # by feature now: those it was
        for side in range(4):
            tile = board.tile_on_cell(beyond(cell, side))
            if tile < 0:
                continue
            there = board.segment_at_side(tile, side ^ 2)
            here = laid.segment_at_side(laid.last_tile, side)
            if there >= 0 and here >= 0:
                old = parts.setdefault(laid.feature_of(here), set())
                old.add(board.feature_of(there))
        joins = {"city": 0.0, "field": 0.0}
        begins = 0.0
        for feature in laid.features_of(laid.last_tile):
            kind = laid.kind_of(feature)
            if feature not in parts:
                begins += float(kind == "field")
                continue
            owners = [self._who(board, part) for part in parts[feature]]
            if kind in joins:
                joins[kind] += float(owners.count(0) > 1)
            if kind not in _KINDS:
                continue
            at = _KINDS.index(kind) * len(_TWO)
            for owner in owners:
                if 0 <= owner < len(_TWO):
                    extends[at + owner] += 1.0
                    one_edge[at + owner] += float(laid.open_edges(feature) == 1)
            owner = self._who(laid, feature)
            if 0 <= owner < len(_TWO) and not laid.is_open(feature):
                closes[at + owner] += 1.0
        return [*extends, *closes, *one_edge, joins["city"], joins["field"], begins]

    def _who(self, board: Board, feature: int) -> int:
        """Return whose a feature is, as an index of `_OWNERS`; -1 if it is nobody's."""
        own = board.power(feature, self._owner)
        rival = max([board.power(feature, owner) for owner in self._owners if owner != self._owner])
        if own == rival:
            return _OWNERS.index("shared") if own else -1
        return 0 if own > rival else 1

    def _gaps(self, before: State, board: Board, cell: int) -> list[float]:
        """Return how the tile narrows the free cells beside it, and what others wait for there."""
        dead = 0.0
        beside = [0.0] * (len(_KINDS) * len(_OWNERS))
        narrows = [0.0] * (len(_KINDS) * len(_TWO))
        around, stuck = [0.0] * len(_TWO), [0.0] * len(_TWO)
        for side in range(4):
            gap = beyond(cell, side)
            demanded = before.board.demand_of(gap)
            if not demanded:  # the cell was not beside a tile, or is not free
                continue
            fitting = self._count_fitting(before, board.demand_of(gap))
            narrowed = log(1 + self._count_fitting(before, demanded)) - log(1 + fitting)
            dead += float(fitting == 0)
            for at, owner in self._facing(board, gap):
                beside[at * len(_OWNERS) + owner] += 1.0
                if owner < len(_TWO):
                    narrows[at * len(_TWO) + owner] += narrowed
            for owner in self._monasteries(before.board, gap):
                around[owner] += narrowed
                stuck[owner] += float(fitting == 0)
        return [dead, *beside, *narrows, *around, *stuck]

    def _facing(self, board: Board, gap: int) -> set[tuple[int, int]]:
        """Return kind and owner of claimed cities and roads of older tiles that end at a gap."""
        found: set[tuple[int, int]] = set()
        for side in range(4):
            tile = board.tile_on_cell(beyond(gap, side))
            if tile < 0 or tile == board.last_tile:
                continue
            segment = board.segment_at_side(tile, side ^ 2)
            if segment < 0 or board.kind_of(segment) not in _KINDS:
                continue
            owner = self._who(board, board.feature_of(segment))
            if owner >= 0:
                found.add((_KINDS.index(board.kind_of(segment)), owner))
        return found

    def _monasteries(self, board: Board, gap: int) -> list[int]:
        """Return whose the monasteries around a gap are, as indices of `_TWO`."""
        found: list[int] = []
        x, y = xy(gap)
        for j in (-1, 0, 1):
            for i in (-1, 0, 1):
                tile = board.tile_at(x + i, y + j)
                if tile < 0:
                    continue
                for segment, owner, _ in board.followers_on_tile(tile):
                    if board.kind_of(segment) == "monastery":
                        found.append(0 if owner == self._owner else 1)
        return found

    def _count_fitting(self, state: State, demand: int) -> int:
        """Count the tiles of the bag that fit a free cell with this demand."""
        if demand not in self._fitting:
            fits = state.rules.catalogue.rotations_for
            self._fitting[demand] = sum(
                [copies for kind, copies in enumerate(state.bag) if copies and fits(kind, demand)]
            )
        return self._fitting[demand]

    # -- how the turn ends ------------------------------------------------------------------------

    def _end(self, before: State, claim: Action | None, end: State) -> list[float]:
        """Return the features of the position at the end of a turn, and of the claim."""
        own, rivals = self._owner, [owner for owner in self._owners if owner != self._owner]
        row = self._claim(before, claim, end)
        row.append(float(max([end.scores[rival] - before.scores[rival] for rival in rivals])))
        row.append(self._left(end.board))
        sums, sure = self._described(end)
        weights = self._weights(end)
        points = [
            fixed + sum([weight * each for weight, each in zip(weights, described, strict=True)])
            for described, fixed in zip(sums, sure, strict=True)
        ]
        share = 1.0 / len(rivals)
        row.append(points[own] - share * sum([points[rival] for rival in rivals]))
        row.extend([sums[own][at] for at in _OWN_AT])
        row.extend([share * sum([sums[rival][at] for rival in rivals]) for at in _RIVAL_AT])
        return row

    def _described(self, end: State) -> tuple[list[list[float]], list[float]]:
        """Return the descriptors of each owner, and the points without a weight."""
        if end.current_player == TERMINAL:
            nothing = [0.0] * len(self._evaluation.weights)
            return [nothing for _ in end.scores], [float(score) for score in end.scores]
        return self._evaluation.descriptors(end)

    def _weights(self, end: State) -> list[float]:
        """Return the weights of the evaluation in a position."""
        if end.tiles_left not in self._by_tiles:
            shares = phase(end.tiles_left / self.rules.players)
            self._by_tiles[end.tiles_left] = [
                sum([share * weight for share, weight in zip(shares, by_knot, strict=True)])
                for by_knot in self._evaluation.weights.values()
            ]
        return self._by_tiles[end.tiles_left]

    def _claim(self, before: State, claim: Action | None, end: State) -> list[float]:
        """Return what was claimed, and how many followers came home."""
        row = [0.0] * 6
        board = end.board
        returned = float(board.supply_of(self._owner) - before.board.supply_of(self._owner))
        if isinstance(claim, Claim):
            returned += 1.0
            left = before.tiles_left / (before.tiles_left + before.board.tile_count)
            feature = board.feature_of(board.segment_of(board.last_tile, claim.segment))
            kind = board.kind_of(feature)
            if kind == "city":
                row[0] = float(not board.is_open(feature))
                row[1] = float(board.open_edges(feature))
                row[2] = float(left > _EARLY)
            elif kind == "road":
                row[3] = float(not board.is_open(feature))
            elif kind == "monastery":
                row[4] = float(left < _LATE)
            elif kind == "field":
                row[5] = float(left > _EARLY)
        row.append(returned)
        return row

    def _left(self, board: Board) -> float:
        """Return how many open cities of the tile are left for others to claim."""
        count = 0.0
        for feature in board.features_of(board.last_tile):
            if board.kind_of(feature) == "city" and board.is_open(feature):
                count += float(not board.is_claimed(feature))
        return count
