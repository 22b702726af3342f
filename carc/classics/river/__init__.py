"""The River: `base+river` (RIV-01 to RIV-04)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs

from carc.base.expansions.expansion import Expansion
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.small_set import TileKinds
from carc.base.tiles.tile import SegmentKind, TileSet, start_in_bag, without_start
from carc.base.turn.actions import Place
from carc.base.turn.choices import Choices, Listed
from carc.classics.river.course import Course
from carc.classics.tile_set_expansion import TileSetExpansion
from carc.errors import BadRules

FOLDER: Final = Path(__file__).parent
PARTS: Final = {"one": ["river"], "two": ["river2"], "both": ["river", "river2"]}
ORDER: Final = ("fork", "", "lake")  # of the groups of tiles, as they are drawn


class River(TileSetExpansion):
    """Tiles with a river come first, from the spring to the lake.

    Options: `part`: The River, The River II or both; `bends`: whether a bend must only leave
    `room` for the next tile, or also `alternate` with the bend before it (RIV-03).
    """

    ONLY_FOR = {"placements": ("I",)}  # the letter of an edge with river

    def options(self) -> Mapping[str, Sequence[str]]:
        """RIV-02, RIV-03: which river, and how it may bend."""
        return {"part": tuple(PARTS), "bends": ("room", "alternate")}

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        """Refuse a game with a start of its own (RIV-01); only one set brings a spring (RIV-02)."""
        if others[0].name != "base":
            raise BadRules(f"river needs the start of base, and {others[0].name} has its own")
        self.rises_elsewhere: bool = any(other.chosen.get("spring") == "own" for other in others)
        return super().resolve_with(others)

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """RIV-04: a river divides fields; nobody claims it, and it scores nothing."""
        river = SegmentKind("river", "I", divides=True, claimable=False)
        return [*super().segment_kinds(kinds), river]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """Start with the spring; the base's start tile goes into the bag (RIV-01).

        Start tiles of other expansions stay in the box, but for a spring. With both rivers there is
        one spring, and one lake (RIV-02).
        """
        base, *others = sets
        rivers = [self._edition(read(FOLDER / f"{n}.txt")) for n in PARTS[self.chosen["part"]]]
        if len(rivers) > 1:
            rivers = [_without(rivers[0], "lake"), _without(rivers[1], "spring")]
        if self.rises_elsewhere:
            rivers = [_without(rivers[0], "spring"), *rivers[1:]]
        kept = [other if _has_spring(other) else without_start(other) for other in others]
        return [start_in_bag(base), *kept, *rivers]

    def bind(self, rules: Rules) -> None:
        """Look up the rivers on the tiles."""
        self.course = Course(rules, alternates=self.chosen["bends"] == "alternate")
        tiles = list(enumerate(rules.catalogue.tiles))
        stages = [
            [kind for kind, tile in tiles if "I" in tile.edges and tile.group == name]
            for name in ORDER
        ]
        self.stages = [stage for stage in stages if stage]
        self.last: list[int] = self.stages[-1] if self.stages else []
        # By stage: the kinds of tile that do not come then.
        self.others = [TileKinds([kind not in stage for kind, _ in tiles]) for stage in self.stages]

    def held_back(self, state: State, held: TileKinds) -> TileKinds:
        """RIV-02: the fork, the river's other tiles in any order, the lake, then the bag."""
        bag = state.bag
        if not any(bag[kind] for kind in self.last):
            return held  # the river has come to its end
        for stage, others in zip(self.stages, self.others, strict=True):
            if any(bag[kind] and kind not in held for kind in stage):
                return held | others
        return held

    def placements(self, state: State, kind: int, choices: Choices) -> Choices:
        """RIV-03: a river tile continues the river, leaves room for the next, makes no U-turn."""
        board, course = state.board, self.course
        return Listed(
            [
                one
                for one in choices.actions(state)
                if isinstance(one, Place) and course.continues(board, kind, one)
            ]
        )


def _has_spring(tile_set: TileSet) -> bool:
    return any(tile.group == "spring" for tile in tile_set.tiles)


def _without(tile_set: TileSet, group: str) -> TileSet:
    """Return a set without its tiles of a group, those of the start included."""
    tiles = tuple(tile for tile in tile_set.tiles if tile.group != group)
    start = tuple(laid for laid in tile_set.start if laid[0] in [tile.name for tile in tiles])
    return attrs.evolve(tile_set, tiles=tiles, start=start)
