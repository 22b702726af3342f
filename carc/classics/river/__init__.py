"""The River: `base+river`; the second by `river(part=two)`, both by `river(part=both)` (RIV-01 to RIV-04)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs
from mypy_extensions import i64

from carc.base.cells import SIDES, beyond
from carc.base.game.actions import Action, Place
from carc.base.game.expansion import Expansion
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import SegmentKind, TileSet, start_in_bag, without_start
from carc.classics.tile_set_expansion import TileSetExpansion
from carc.errors import BadRules

FOLDER: Final = Path(__file__).parent
PARTS: Final = {"one": ["river"], "two": ["river2"], "both": ["river", "river2"]}
ORDER: Final = ("fork", "", "lake")  # of the groups of tiles, as they are drawn
STRAIGHT: Final = 2  # sides between where a river enters a tile and where it leaves it


class River(TileSetExpansion):
    """Tiles with a river come first, from the spring to the lake. It parts fields, nobody claims it, it scores nothing."""

    ONLY_FOR = {"placements": ("I",)}  # the letter of an edge with river

    def options(self) -> Mapping[str, Sequence[str]]:
        return {"part": tuple(PARTS), "bends": ("room", "alternate")}

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        if others[0].name != "base":
            raise BadRules(f"river needs the start of base, and {others[0].name} has its own")
        return super().resolve_with(others)

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        river = SegmentKind("river", "I", divides=True, claimable=False)
        return [*super().segment_kinds(kinds), river]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """The base's start tile goes into the bag, others' into the box (RIV-01); of two springs and lakes one (RIV-02)."""
        base, *others = sets
        rivers = [self._edition(read(FOLDER / f"{n}.txt")) for n in PARTS[self.chosen["part"]]]
        if len(rivers) > 1:
            rivers = [_without(rivers[0], "lake"), _without(rivers[1], "spring")]
        return [start_in_bag(base), *(without_start(one) for one in others), *rivers]

    def bind(self, rules: Rules) -> None:
        edges = [tile.edges for tile in rules.catalogue.tiles]
        # By kind and rotation: the sides with river, a bit each.
        self.wet: list[int] = [
            sum([1 << side for side in range(4) if edges[kind][(side - rotation) % 4] == "I"])
            for kind in range(len(edges))
            for rotation in range(4)
        ]
        tiles = list(enumerate(rules.catalogue.tiles))
        stages = [
            [kind for kind, tile in tiles if "I" in tile.edges and tile.group == name]
            for name in ORDER
        ]
        self.stages = [stage for stage in stages if stage]
        self.last: list[int] = self.stages[-1] if self.stages else []
        self.alternate = self.chosen["bends"] == "alternate"

    def draws(self, state: State, counts: list[int]) -> list[int] | None:
        """The fork, the river's other tiles in any order, the lake, then the bag (RIV-02)."""
        bag = state.bag
        if not any(bag[kind] for kind in self.last):
            return None  # the river has come to its end
        for stage in self.stages:
            if any(counts[kind] for kind in stage):
                allowed = [0] * len(counts)
                for kind in stage:
                    allowed[kind] = counts[kind]
                return allowed
        return None

    def placements(self, state: State, kind: int, actions: list[Action]) -> list[Action]:
        """A river tile continues the river, leaves room for the next one, and does not turn back (RIV-03)."""
        return [a for a in actions if isinstance(a, Place) and self._continues(state, kind, a)]

    def _continues(self, state: State, kind: int, place: Place) -> bool:
        wet: i64 = self.wet[kind * 4 + place.rotation]
        cell: i64 = place.cell
        met: i64 = -1
        leaving: i64 = wet
        for side in range(4):
            if wet >> side & 1 and state.board.tile_on_cell(beyond(cell, side)) >= 0:
                met = side if met < 0 else met
                leaving -= 1 << side
        if met < 0:
            return False
        for side in range(4):
            if leaving >> side & 1:
                if not self._has_room(state, cell, side):
                    return False
                if self.alternate and self._turns_back(state, place.cell, met, side):
                    return False
        return True

    def _has_room(self, state: State, cell: i64, side: i64) -> bool:
        """Whether there is nothing around the cell that the river would run into."""
        next_to = beyond(cell, side)
        left = beyond(0, (side + 3) & 3)
        behind = beyond(next_to, side)
        for row in (next_to, behind):
            if (
                state.board.tile_on_cell(row + left) >= 0
                or state.board.tile_on_cell(row - left) >= 0
            ):
                return False
        return state.board.tile_on_cell(behind) < 0

    def _turns_back(self, state: State, cell: int, entered: int, left: int) -> bool:
        """Whether a tile would bend the river the way its last bend upstream did."""
        bend = (left - entered) % 4
        while bend != STRAIGHT:
            tile = state.board.tile_on_cell(cell + SIDES[entered])
            out, cell = entered ^ 2, state.board.cell_of(tile)
            before = [
                side
                for side in self._sides(
                    state.board.kind_of_tile(tile), state.board.rotation_of(tile)
                )
                if side != out and 0 <= state.board.neighbour(tile, side) < tile
            ]
            if not before:  # the spring
                return False
            entered = before[0]
            if (out - entered) % 4 != STRAIGHT:
                return (out - entered) % 4 == bend
        return False

    def _sides(self, kind: int, rotation: int) -> list[int]:
        """The sides at which a tile so turned has river."""
        wet = self.wet[kind * 4 + rotation]
        return [side for side in range(4) if wet >> side & 1]


def _without(one: TileSet, group: str) -> TileSet:
    """A set without its tiles of a group, at the start too."""
    tiles = tuple(tile for tile in one.tiles if tile.group != group)
    start = tuple(laid for laid in one.start if laid[0] in [tile.name for tile in tiles])
    return attrs.evolve(one, tiles=tiles, start=start)
