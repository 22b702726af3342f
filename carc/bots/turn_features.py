"""`TurnFeatures`: what describes a turn to `people`, as numbers. Compiled (`build_tools`)."""

from __future__ import annotations

from math import hypot, log
from typing import TYPE_CHECKING, Final

from carc.base.cells import beyond, xy
from carc.base.evaluation.descriptors import DESCRIPTORS, phase
from carc.base.evaluation.learned import LearnedEvaluation
from carc.base.evaluation.learned_weights import shipped_weights
from carc.base.game.actions import Claim, Place
from carc.base.game.steps import TERMINAL

if TYPE_CHECKING:
    from carc.base.game.actions import Action
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.bots.lookahead import ActionValues, Lookahead

_FAR: Final = 9.0  # tiles farther away are as far
_KINDS: Final = ("city", "road", "field")
_CLAIMED: Final = ("city", "road", "monastery", "field")
_OWNERS: Final = ("free", "own", "rival", "shared")
_PLACES: Final = (
    *(f"last_{how}" for how in ("beside", "corner", "near", "far")),
    *(f"mine_{how}" for how in ("beside", "corner", "near", "far")),
    "neighbours_2",
    "neighbours_3",
    "neighbours_4",
    "around",
    "from_start",
    *(f"extends_{kind}_{owner}" for kind in _KINDS for owner in _OWNERS),
    *(f"joins_{kind}" for kind in _KINDS),
    *(f"new_{kind}" for kind in _KINDS),
    "beside_own_monastery",
    "beside_rival_monastery",
    "gaps",
    "gaps_unfillable",
    "gaps_rare",
    "gaps_fitting",
)
_CLAIMS: Final = (
    *(f"claim_{kind}" for kind in _CLAIMED),
    *(f"claim_{kind}_last_{left}" for kind in _CLAIMED for left in (1, 2)),
    "claim_returns",
    "scores",
    "rival_scores",
    "leaves_city",
    "leaves_city_tiles",
    "leaves_road",
)
# The features of a placement, then those of the turn's end.
NAMES: Final = (
    *_PLACES,
    *_CLAIMS,
    "points",
    *(f"own_{name}" for name in DESCRIPTORS),
    *(f"rival_{name}" for name in DESCRIPTORS),
)
_DECISIONS: Final = 4  # that may come between a placement and the claim


class Turn:
    """The rest of a turn: its first action, the claim if one follows, its features (`NAMES`)."""

    def __init__(self, action: Action, claim: Action | None, row: list[float]) -> None:
        """Note them."""
        self.action: Final = action
        self.claim: Final = claim
        self.row: Final = row

    def weighted(self, weights: list[float]) -> float:
        """Return the sum of the features, each times its weight."""
        return sum([weight * each for weight, each in zip(weights, self.row, strict=True)])


class TurnFeatures:
    """What describes the turns of a position. Call `look` for each position, then ask.

    A turn is described by where the tile lies beside what was there, by the claim, and by the
    position at its end: the descriptors of `LearnedEvaluation` for the player and, as a mean, for
    the rivals. What expansions describe counts in `points` alone, the lead that the evaluation
    expects.
    """

    def __init__(self, rules: Rules, lookahead: Lookahead) -> None:
        """Prepare for the positions of some rules that have rivals.

        Args:
            rules: The rules.
            lookahead: Decides what comes between a placement and the claim.
        """
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
        """Return the turns that begin with an action: one for each claim that may follow.

        Args:
            state: The position, which was looked at.
            action: A placement, a claim, or what is legal in its stead.
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
        """Return the features of a placement."""
        board = before.board
        cell = after.board.cell_of(after.board.last_tile)
        x, y = xy(cell)
        mine = board.last_tile - before.rules.players + 1
        row = self._distance(before, board.last_tile, x, y)
        row.extend(self._distance(before, mine, x, y))
        sides = board.count_neighbours(cell)
        row.extend([float(sides >= 2), float(sides >= 3), float(sides >= 4)])
        around = [board.tile_at(x + i, y + j) for j in (-1, 0, 1) for i in (-1, 0, 1)]
        row.append(float(sum([tile >= 0 for tile in around])))
        row.append(hypot(x, y))
        row.extend(self._joined(before, after, cell))
        row.extend(self._monasteries(before, around))
        row.extend(self._gaps(after, cell))
        return row

    def _distance(self, state: State, tile: int, x: int, y: int) -> list[float]:
        """Return whether a tile shares an edge or a corner with (x, y), is near, how far it is."""
        if tile < 0:
            return [0.0, 0.0, 0.0, _FAR]
        tile_x, tile_y = xy(state.board.cell_of(tile))
        across, down = abs(x - tile_x), abs(y - tile_y)
        return [
            float(across + down == 1),
            float(across == 1 and down == 1),
            float(max(across, down) == 2),
            min(hypot(across, down), _FAR),
        ]

    def _joined(self, before: State, after: State, cell: int) -> list[float]:
        """Return which features the tile extends, joins and begins."""
        extends = [0.0] * (len(_KINDS) * len(_OWNERS))
        joins, new = [0.0] * len(_KINDS), [0.0] * len(_KINDS)
        board, laid = before.board, after.board
        old: dict[int, set[int]] = {}  # by feature now: those it was
        seen: set[int] = set()
        for side in range(4):
            tile = board.tile_on_cell(beyond(cell, side))
            if tile < 0:
                continue
            there = board.segment_at_side(tile, side ^ 2)
            here = laid.segment_at_side(laid.last_tile, side)
            if there < 0 or here < 0:
                continue
            feature = board.feature_of(there)
            old.setdefault(laid.feature_of(here), set()).add(feature)
            kind = board.kind_of(feature)
            if feature not in seen and kind in _KINDS:
                seen.add(feature)
                at = _KINDS.index(kind) * len(_OWNERS)
                extends[at + self._who(before, feature)] += 1.0
        for feature in laid.features_of(laid.last_tile):
            kind = laid.kind_of(feature)
            if kind in _KINDS:
                at = _KINDS.index(kind)
                parts = len(old.get(feature, ()))
                joins[at] += float(max(parts - 1, 0))
                new[at] += float(parts == 0)
        return [*extends, *joins, *new]

    def _who(self, state: State, feature: int) -> int:
        """Return whose a feature is, as an index of `_OWNERS`."""
        own = state.board.power(feature, self._owner)
        rival = max(
            [state.board.power(feature, owner) for owner in self._owners if owner != self._owner]
        )
        if own == rival:
            return 3 if own else 0
        return 1 if own > rival else 2

    def _monasteries(self, before: State, around: list[int]) -> list[float]:
        """Return how many own and rival monasteries are on the tiles around."""
        own = rival = 0.0
        for tile in around:
            if tile < 0:
                continue
            for segment, owner, _ in before.board.followers_on_tile(tile):
                if before.board.kind_of(segment) == "monastery":
                    if owner == self._owner:
                        own += 1.0
                    else:
                        rival += 1.0
        return [own, rival]

    def _gaps(self, after: State, cell: int) -> list[float]:
        """Return how the tile narrows the free cells beside it that have another neighbour."""
        count = unfillable = rare = fitting = 0.0
        board = after.board
        for side in range(4):
            gap = beyond(cell, side)
            if not board.is_free(gap) or board.count_neighbours(gap) < 2:
                continue
            tiles = self._count_fitting(after, board.demand_of(gap))
            count += 1.0
            unfillable += float(tiles == 0)
            rare += float(0 < tiles <= 3)
            fitting += log(1.0 + tiles)
        return [count, unfillable, rare, fitting]

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
        gained = [now - was for now, was in zip(end.scores, before.scores, strict=True)]
        row.append(float(gained[own] > 0))
        row.append(float(max([gained[rival] for rival in rivals]) > 0))
        row.extend(self._left(end))
        sums, sure = self._described(end)
        weights = self._weights(end)
        points = [
            fixed + sum([weight * each for weight, each in zip(weights, described, strict=True)])
            for described, fixed in zip(sums, sure, strict=True)
        ]
        share = 1.0 / len(rivals)
        row.append(points[own] - share * sum([points[rival] for rival in rivals]))
        row.extend(sums[own][: len(DESCRIPTORS)])
        for at in range(len(DESCRIPTORS)):
            row.append(share * sum([sums[rival][at] for rival in rivals]))
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
        """Return what was claimed, and with how many followers left."""
        kinds, last = [0.0] * len(_CLAIMED), [0.0] * (2 * len(_CLAIMED))
        supply = before.board.supply_of(self._owner)
        returns = 0.0
        if isinstance(claim, Claim):
            board = end.board
            kind = board.kind_of(board.segment_of(board.last_tile, claim.segment))
            if kind in _CLAIMED:
                at = _CLAIMED.index(kind)
                kinds[at] = 1.0
                last[2 * at] = float(supply <= 1)
                last[2 * at + 1] = float(supply <= 2)
            returns = float(end.board.supply_of(self._owner) >= supply)
        return [*kinds, *last, returns]

    def _left(self, end: State) -> list[float]:
        """Return what the tile leaves for others to claim."""
        city = tiles = road = 0.0
        board = end.board
        for feature in board.features_of(board.last_tile):
            if board.is_claimed(feature) or not board.is_open(feature):
                continue
            kind = board.kind_of(feature)
            if kind == "city":
                city += 1.0
                tiles += float(board.tiles_of(feature))
            elif kind == "road":
                road += 1.0
        return [city, tiles, road]
