"""`Exchanges`: where tiles fit if they, or tiles beside them, are exchanged for others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr, u8

from carc.base.tiles.catalogue import (
    DEMANDS,
    ROTATIONS,
    Catalogue,
    demand_in,
    demanding_cell,
    terrain_of,
    with_terrain,
)
from carc.base.turn.actions import Place
from carc.base.turn.choices import NO_CHOICES, Choices, PlacementsAt, fit, fit_cell, fit_rotations

SIDES_AT: Final = 4  # where the sides begin in what `_gain` returns
UNKNOWN: Final = 255  # no gain: with all rotations no side has more

if TYPE_CHECKING:
    from carc.base.game.state import State


@mypyc_attr(allow_interpreted_subclasses=True)
class Exchanges:
    """Where tiles fit by an exchange: of the tile itself, or of one beside it.

    A tile itself is exchanged for another kind. One beside it is exchanged so that the edge between
    them shows another letter: `beside` says for which kind.
    """

    def __init__(
        self, catalogue: Catalogue, instead: list[list[int]], before: str, after: str
    ) -> None:
        """Look up the tiles.

        Args:
            catalogue: The tiles.
            instead: By kind of tile, the kinds for which it may be exchanged.
            before: The letter of an edge where a tile beside may be exchanged.
            after: The letter that the edge shows then.
        """
        letters = catalogue.letters
        self._instead: Final = instead
        self._before: Final[i64] = letters.index(before) + 1 if before in letters else -1
        self._after: Final[i64] = letters.index(after) + 1 if after in letters else -1
        self._has_after: Final = [after in tile.edges for tile in catalogue.tiles]
        # What `_gain` returned, with the index `_gains_at[kind] | demand`. Tiles with equal edges
        # that may be exchanged for tiles with equal edges share a part.
        parts: dict[tuple[str, ...], int] = {}
        starts: list[int] = []
        for kind, tile in enumerate(catalogue.tiles):
            edges = (tile.edges, *[catalogue.tiles[other].edges for other in instead[kind]])
            starts.append(parts.setdefault(edges, len(parts)) * (DEMANDS + 1))
        self._gains_at: Final = vec[i64](starts)
        self._gains: Final = vec[u8]([UNKNOWN] * (len(parts) * (DEMANDS + 1)))

    def beside(self, state: State, cell: int, side: int) -> int:
        """Return for which kind the tile beyond a side of a cell may be exchanged; -1: none."""
        raise NotImplementedError

    def placements(self, state: State, kind: i64) -> Choices:
        """Return where a tile of a kind fits as it is or by an exchange.

        `NO_CHOICES`: no exchange can help it, wherever it goes.
        """
        if not self._instead[kind] and not self._has_after[kind]:
            return NO_CHOICES
        catalogue = state.rules.catalogue
        demands = state.board.demands()
        table, start = catalogue.rotations, catalogue.rotations_at[kind]
        gains, first = self._gains, self._gains_at[kind]
        fits = vec[i64]([0] * len(demands))
        at: i64 = 0
        for entry in demands:
            demand = demand_in(entry)
            rotations = i64(table[start | demand]) & ROTATIONS
            gain = i64(gains[first | demand])
            if gain:
                rotations |= self._rotations_gained(state, kind, entry, gain)
            # Written always and kept if a rotation fits, as in `Placements.fits`.
            fits[at] = fit(demanding_cell(entry), rotations)
            at += -rotations >> 63 & 1
        return PlacementsAt(fits)

    def any_fits_as_it_is(self, state: State, kind: i64, places: Choices) -> bool:
        """Return True if a tile fits at one of these places without an exchange."""
        board, catalogue = state.board, state.rules.catalogue
        if isinstance(places, PlacementsAt):
            for entry in places.fits:
                without = catalogue.rotations_for(kind, board.demand_of(fit_cell(entry)))
                if without & fit_rotations(entry):
                    return True
            return False
        for action in places.actions(state):
            if isinstance(action, Place):
                without = catalogue.rotations_for(kind, board.demand_of(action.cell))
                if without >> i64(action.rotation) & 1:
                    return True
        return False

    def needed_for(self, state: State, cell: i64, rotation: i64) -> tuple[int, int]:
        """Return the exchange that a placement of the tile in the hand needs: side and new kind.

        The tile itself comes first: its side is -1. Without any need the kind is -1.
        """
        kind: i64 = state.tile_in_hand
        demand = state.board.demand_of(cell)
        catalogue = state.rules.catalogue
        if catalogue.rotations_for(kind, demand) >> rotation & 1:
            return -1, -1
        for other in self._instead[kind]:
            if catalogue.rotations_for(other, demand) >> rotation & 1:
                return -1, other
        for side in range(4):
            if self._rotations_by(catalogue, kind, demand, side) >> rotation & 1:
                exchanged = self.beside(state, cell, side)
                if exchanged >= 0:
                    return int(side), exchanged
        return -1, -1

    def _rotations_by(self, catalogue: Catalogue, kind: i64, demand: i64, side: i64) -> i64:
        """Return the rotations in which a tile fits by an exchange beyond a side, a bit each."""
        if not self._has_after[kind] or terrain_of(demand, side) != self._before:
            return 0
        return catalogue.rotations_for(kind, with_terrain(demand, side, self._after))

    def _gain(self, catalogue: Catalogue, kind: i64, demand: i64) -> i64:
        """Return what exchanges gain for a tile where this is demanded, whatever lies there.

        As bits: the rotations in which it fits by an exchange of its own, above them the sides
        beyond which one would let it fit in yet others.
        """
        at = self._gains_at[kind] | demand
        known = i64(self._gains[at])
        if known != UNKNOWN:
            return known
        without = catalogue.rotations_for(kind, demand)
        gain: i64 = 0
        for other in self._instead[kind]:
            gain |= catalogue.rotations_for(other, demand) & ~without
        for side in range(4):
            if self._rotations_by(catalogue, kind, demand, side) & ~(without | gain & ROTATIONS):
                gain |= 1 << SIDES_AT + side
        self._gains[at] = u8(gain)
        return gain

    def _rotations_gained(self, state: State, kind: i64, entry: i64, gain: i64) -> i64:
        """Return the rotations in which a tile fits by an exchange where this is demanded, as bits.

        `gain`: what `_gain` returns for it, or UNKNOWN.
        """
        catalogue = state.rules.catalogue
        cell, demand = demanding_cell(entry), demand_in(entry)
        if gain == UNKNOWN:
            gain = self._gain(catalogue, kind, demand)
        rotations = gain & ROTATIONS
        gain >>= SIDES_AT
        side: i64 = 0
        while gain:
            if gain & 1 and self.beside(state, cell, side) >= 0:
                rotations |= self._rotations_by(catalogue, kind, demand, side)
            gain >>= 1
            side += 1
        return rotations
