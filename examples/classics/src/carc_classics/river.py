"""The River: `base+little_river`.

Twelve tiles with a river come first, from the spring to the lake (RIV-01 to RIV-04).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from carc import Action, Expansion, ExpansionState, Place, Rules, State
from carc.base.tiles.tile import SegmentKind, TileSet, start_in_bag, without_start
from carc.errors import BadRules

TILES = Path(__file__).with_name("data") / "river.txt"
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # to the cell beyond each side
STRAIGHT = 2  # sides between where a river enters a tile and leaves it


class Course(ExpansionState):
    """Which way the river bent last: 1 or 3 sides on; 0 before its first bend."""

    def __init__(self) -> None:
        self.bend = 0


class River(Expansion[Course]):
    """A river parts fields, nobody claims it, and it scores nothing."""

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        if others[0].name != "base":
            raise BadRules(
                f"little_river needs the start of base, and {others[0].name} has its own"
            )
        return self

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        return [*kinds, SegmentKind("river", "I", divides=True, claimable=False)]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """The base's start tile goes into the bag, others' start tiles into the box (RIV-01)."""
        base, *others = sets
        return [start_in_bag(base), *(without_start(one) for one in others), read(TILES)]

    def bind(self, rules: Rules) -> None:
        self.tiles = rules.catalogue.tiles
        self.wet = ["I" in tile.edges for tile in self.tiles]
        self.lake = next(kind for kind, tile in enumerate(self.tiles) if tile.group == "lake")

    def setup(self, state: State) -> ExpansionState:
        return Course()

    def draws(self, state: State, counts: list[int]) -> list[int]:
        """River tiles in any order, then the lake, then the bag (RIV-02)."""
        river = [n if self.wet[kind] else 0 for kind, n in enumerate(counts)]
        if sum(river) > river[self.lake]:
            river[self.lake] = 0
        return river if sum(river) else counts

    def placements(self, state: State, kind: int, actions: list[Action]) -> list[Action]:
        """A river tile continues the river and does not turn back (RIV-03)."""
        if not self.wet[kind]:
            return actions
        return [a for a in actions if isinstance(a, Place) and self._continues(state, kind, a)]

    def _continues(self, state: State, kind: int, place: Place) -> bool:
        wet = self._sides(kind, place.rotation)
        met = [
            s for s in wet if state.board.tile_at(place.x + STEPS[s][0], place.y + STEPS[s][1]) >= 0
        ]
        bends = {(side - met[0]) % 4 for side in wet if side not in met} if met else set()
        course = self.state_of(state)
        return bool(met) and course.bend not in bends

    def tile_placed(self, state: State, tile: int) -> None:
        wet = self._sides(state.board.kind_of_tile(tile), state.board.rotation_of(tile))
        met = [side for side in wet if state.board.neighbour(tile, side) >= 0]
        for side in wet:
            if met and side not in met and (side - met[0]) % 4 != STRAIGHT:
                course = self.state_of(state)
                course.bend = (side - met[0]) % 4

    def _sides(self, kind: int, rotation: int) -> list[int]:
        """The sides at which a tile so turned has river."""
        edges = self.tiles[kind].edges
        return [side for side in range(4) if edges[(side - rotation) % 4] == "I"]
