"""`Completion`: how likely features are to be completed. For bots only."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING, Final, final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.cells import beyond
from carc.base.game.refusals import same_rules
from carc.base.tiles.catalogue import DEMAND_BITS, DEMANDS, ONE_SIDE, TERRAIN_BITS
from carc.base.tiles.tile import ROAD

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


@final
class Completion:
    """The chances that the features of a position are completed.

    Call `look` for each position, then ask about its features. Keep one object for many positions:
    it remembers which tiles fit where.

    Attributes:
        by_edges: By kind of segment: 1 if closed edges complete it (a city, a road), else 0.
        never: By kind of segment: 1 if it is never completed (a field), else 0.
        log_draws: log(1 + the draws that each player has left).
    """

    def __init__(self, rules: Rules, weights: dict[str, float]) -> None:
        """Prepare for the positions of some rules."""
        w = weights
        catalogue = rules.catalogue
        self.rules: Final = rules
        self._city: Final = (w["city"], w["city_draws"], w["city_gaps"], w["city_fits"])
        self._road: Final = (w["road"], w["road_draws"], w["road_gaps"], w["road_fits"])
        self._around: Final = (w["around"], w["around_draws"], w["around_missing"])
        kinds = catalogue.kinds
        self.by_edges: Final = vec[i64]([int(kind.completed_by == "edges") for kind in kinds])
        self.never: Final = vec[i64]([int(kind.completed_by == "never") for kind in kinds])
        # The last bag and its number; the kinds of tile in it and their copies.
        self._bag: list[int] = []
        self._bags: i64 = 0
        self._kinds: vec[i64] = vec[i64]()
        self._copies: vec[i64] = vec[i64]()
        # By what a free cell demands: how many tiles of the bag fit, and for which bag it is known.
        self._fitting: Final = vec[i64]([0] * (1 << DEMAND_BITS))
        self._fitting_of: Final = vec[i64]([0] * (1 << DEMAND_BITS))
        # By feature: the free cells it needs, the tiles that fit the rarest of them and the last
        # cell noted; in which position these were noted; its chance, and for which position it is
        # known.
        n = catalogue.most_segments
        self._position: i64 = 0
        self._gaps: Final = vec[i64]([0] * n)
        self._rarest: Final = vec[i64]([0] * n)
        self._last_cell: Final = vec[i64]([0] * n)
        self._noted_in: Final = vec[i64]([0] * n)
        self._chances: Final = vec[float]([0.0] * n)
        self._known_in: Final = vec[i64]([0] * n)
        self._logs: Final = vec[float]([0.0] + [log(n) for n in range(1, 1 + catalogue.most_tiles)])
        self.log_draws: float = 0.0

    def look(self, state: State) -> None:
        """Look at a position: which free cells do cities and roads need?

        Raises:
            CarcError: The state has other rules.
        """
        if state.rules is not self.rules:
            same_rules(state.rules, self.rules)
        if state.bag != self._bag:
            self._bag = state.bag.copy()
            kinds = [kind for kind, copies in enumerate(self._bag) if copies]
            self._kinds = vec[i64](kinds)
            self._copies = vec[i64]([self._bag[kind] for kind in kinds])
            self._bags += 1
        self.log_draws = log(1.0 + float(state.tiles_left) / self.rules.players)
        self._position += 1
        catalogue = self.rules.catalogue
        main, also = catalogue.main, catalogue.also
        by_edges, shared = self.by_edges, catalogue.shared
        board = state.board
        oriented_kind, first = board._oriented_kind, board._first_segment
        features, segment_kinds = board._feature, board._kind
        for entry in board._frontier:
            for side in range(4):
                if not entry >> TERRAIN_BITS * side & ONE_SIDE:
                    continue  # no tile there
                tile = board.tile_on_cell(beyond(entry >> DEMAND_BITS, side))
                at = oriented_kind[tile] * 4 + (side ^ 2)
                if main[at] >= 0 and by_edges[segment_kinds[first[tile] + main[at]]]:
                    self._note(features[first[tile] + main[at]], entry)
                if shared and also[at] >= 0 and by_edges[segment_kinds[first[tile] + also[at]]]:
                    self._note(features[first[tile] + also[at]], entry)

    def _note(self, feature: i64, entry: i64) -> None:
        """Note that a feature needs a free cell, given as an entry of the board's frontier."""
        cell = entry >> DEMAND_BITS
        if self._noted_in[feature] != self._position:
            self._noted_in[feature] = self._position
            self._gaps[feature] = 1
            self._rarest[feature] = self._count_fitting(entry & DEMANDS)
            self._last_cell[feature] = cell
        elif self._last_cell[feature] != cell:
            self._last_cell[feature] = cell
            self._gaps[feature] += 1
            fitting = self._count_fitting(entry & DEMANDS)
            self._rarest[feature] = min(self._rarest[feature], fitting)

    def _count_fitting(self, demand: i64) -> i64:
        """Count the tiles of the bag that fit a free cell with this demand."""
        if self._fitting_of[demand] == self._bags:
            return self._fitting[demand]
        catalogue = self.rules.catalogue
        rotations, starts = catalogue.rotations, catalogue.rotations_at
        kinds, copies = self._kinds, self._copies
        count: i64 = 0
        for at in range(len(kinds)):
            fits: int = rotations[starts[kinds[at]] | demand]
            if fits:
                count += copies[at]
        self._fitting_of[demand] = self._bags
        self._fitting[demand] = count
        return count

    def chance(self, state: State, feature: i64) -> float:
        """Return the chance that a feature is completed, so that its followers come home."""
        kind = state.board._kind[feature]
        if self.by_edges[kind]:
            return self.chance_by_edges(state, feature)
        if self.never[kind]:
            return 0.0
        missing = state.board.free_around(feature)
        if not missing:
            return 1.0
        constant, by_draws, by_missing = self._around
        log_odds = constant + by_draws * self.log_draws + by_missing * float(missing)
        return 1.0 / (1.0 + exp(-log_odds))

    def chance_by_edges(self, state: State, feature: i64) -> float:
        """Return the chance that a city, a road or the like is completed."""
        if self._known_in[feature] == self._position:
            return self._chances[feature]
        chance = 1.0
        if state.board._open[feature]:
            fitting = self.rarest(state, feature)
            chance = 0.0
            if fitting:
                weights = self._road if state.board._kind[feature] == ROAD else self._city
                log_odds = weights[0] + weights[1] * self.log_draws
                log_odds += weights[2] * float(self.gaps(state, feature))
                log_odds += weights[3] * self._logs[fitting]
                chance = 1.0 / (1.0 + exp(-log_odds))
        self._known_in[feature] = self._position
        self._chances[feature] = chance
        return chance

    def gaps(self, state: State, feature: i64) -> i64:
        """Return how many free cells a feature needs; if it can reach none, its open edges."""
        if self._noted_in[feature] == self._position:
            return self._gaps[feature]
        return state.board._open[feature]

    def rarest(self, state: State, feature: i64) -> i64:
        """Return how many tiles of the bag fit the rarest of these cells."""
        if self._noted_in[feature] == self._position:
            return self._rarest[feature]
        return state.tiles_left
