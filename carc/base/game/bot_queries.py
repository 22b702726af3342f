"""What bots ask of positions: what an action changed, what fits where, what may be scored."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, final

from mypy_extensions import i64

from carc.base.tiles.catalogue import DEMAND_BITS, DEMANDS
from carc.base.tiles.tile import MONASTERY
from carc.base.turn.scoring import value
from carc.errors import CarcError

if TYPE_CHECKING:
    from carc.base.game.state import State


@final
class Change:
    """What happened between two positions of one game.

    Attributes:
        tiles: The numbers of the tiles laid.
        features: The features these tiles are part of.
        came: The followers put on the table, each as segment, owner, kind.
        went: The followers taken from it.
        points: The points scored, by owner.
    """

    def __init__(
        self,
        tiles: list[int],
        features: list[int],
        came: list[tuple[int, int, int]],
        went: list[tuple[int, int, int]],
        points: list[int],
    ) -> None:
        self.tiles: Final = tiles
        self.features: Final = features
        self.came: Final = came
        self.went: Final = went
        self.points: Final = points

    def _values(self) -> tuple[Any, ...]:
        return self.tiles, self.features, self.came, self.went, self.points

    def __reduce__(self) -> tuple[Any, ...]:
        return Change, self._values()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Change) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"Change{self._values()}"


def changes(before: State, after: State) -> Change:
    """Return what happened from one position to a later one of the same game.

    Raises:
        CarcError: The positions have different rules.
    """
    if before.rules is not after.rules and before.rules != after.rules:
        raise CarcError(
            f"the positions are of {before.rules} and of {after.rules}, not of one game"
        )
    tiles = list(range(before.board.tile_count, after.board.tile_count))
    features: list[int] = []
    for tile in tiles:
        for feature in after.board.features_of(tile):
            if feature not in features:
                features.append(feature)
    stood = Counter(before.board.all_followers())
    stand = Counter(after.board.all_followers())
    return Change(
        tiles,
        features,
        list((stand - stood).elements()),
        list((stood - stand).elements()),
        [now - then for now, then in zip(after.scores, before.scores, strict=True)],
    )


def kinds_for(state: State, cell: int) -> dict[int, tuple[int, ...]]:
    """Return the kinds in the bag that fit on a free cell, each with its rotations."""
    kinds: dict[int, tuple[int, ...]] = {}
    at: i64 = cell
    for entry in state.board._frontier:
        if entry >> DEMAND_BITS == at:
            demands = entry & DEMANDS
            catalogue = state.rules.catalogue
            for kind, copies in enumerate(state.bag):
                if copies:
                    fits = catalogue.fits(kind, demands)
                    if fits:
                        kinds[kind] = fits
    return kinds


def points_if_completed(state: State, feature: int) -> int:
    """Return what a feature would score if it were completed on its tiles (BASE-07 to BASE-10).

    A monastery with all tiles around it; a feature that is never completed: 0. What expansions
    count by the tiles around it: with those that lie there now.
    """
    points = value(state, feature, False)
    if state.board.is_kind(feature, MONASTERY):
        points += state.board.free_around(feature)
    return points
