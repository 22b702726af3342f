"""`TeamGame`: what the steps and estimates of the team's game know of it; `TeamStep`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs

from carc.base.board.game_components import FollowerKind
from carc.base.expansions.expansion import Expansion
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import SegmentKind, TileSet
from carc.base.turn.actions import Action, chosen_segment, segment_choices
from carc.base.turn.steps import Step
from carc.expansion_ghosts.mist import TILES, Mist, mist_kinds
from carc.mists.levels import LEVELS, Level
from carc.mists.mists_state import MistsState

BUILDINGS: Final = frozenset(("castle", "cemetery"))


class TeamGame(Expansion[MistsState]):
    """The level, the tables made of it, and the steps that are pushed on the agenda when due.

    `Mists` is the game itself: it makes these steps, and the turn.
    """

    burial: Step
    extra_ghost: Step
    reward: Step
    taking: Step
    settling: Step
    hounds: Step
    marking: Step
    sniffing: Step
    next_pile: Step

    @property
    def level(self) -> Level:
        """The level played."""
        return LEVELS[self.argument]

    def arguments(self) -> Sequence[str]:
        """Return the levels."""
        return tuple(LEVELS)

    def options(self) -> Mapping[str, Sequence[str]]:
        """Return what may be played differently."""
        return {
            "joint_scoring": ("majority", "every_colour"),
            "level6_scoring": ("three_colours", "every_colour"),
            "hounds": ("at_once", "after_scoring"),
            "misty_roads": ("on", "off"),
        }

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """COOP-03: no follower on a field; castles and cemeteries, and mist."""
        kinds = [attrs.evolve(k, claimable=False) if k.name == "field" else k for k in kinds]
        return kinds + mist_kinds(castles=True, cemeteries=False)

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """COOP-01: 3 followers of each colour for 1 and 2 players, else 5."""
        return [FollowerKind(kinds[0].name, 1, 3 if self.players < 3 else 5), *kinds[1:]]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """COOP-02: the mist tiles replace the base's; level 1 has no castles and cemeteries."""
        mists = read(TILES)
        if not self.level.buildings:
            plain = [
                tile
                for tile in mists.tiles
                if BUILDINGS.isdisjoint([part.kind for part in tile.segments])
            ]
            mists = attrs.evolve(mists, tiles=tuple(plain))
        return [mists, *sets[1:]]

    def player_range(self, low: int, high: int) -> tuple[int, int]:
        """COOP-01: 1 to 5 players."""
        return 1, 5

    def colours(self, colours: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """COOP-01: four colours for one player, two each for two."""
        more: dict[int, list[tuple[int, ...]]] = {1: [(0, 1, 2, 3)], 2: [(0, 1), (2, 3)]}
        return more.get(len(colours), colours)

    def bind(self, rules: Rules) -> None:
        """Look up the tiles and the level."""
        piles = self.level.piles
        catalogue = rules.catalogue
        self.mist: Mist = Mist(rules)
        # What play needs of the level again and again.
        self.haunted: bool = self.level.haunted
        self.milestones: tuple[int, ...] = self.level.milestones
        self.hounds_at_once: bool = self.chosen["hounds"] == "at_once"
        self.every_colour: bool = self.chosen["joint_scoring"] == "every_colour"
        self.start_tiles: int = len(catalogue.start)
        tiles = sum(catalogue.copies)
        self.pile_sizes: list[int] = [(tiles + piles - 1 - i) // piles for i in range(piles)]
        # By kind of tile: its mist segments with their ghost symbols; its cemetery's index, or -1.
        self.symbols: list[list[tuple[int, int]]] = [
            [
                (i, dict(segment.marks).get("ghosts", 0))
                for i, segment in enumerate(tile.segments)
                if segment.kind == "mist"
            ]
            for tile in catalogue.tiles
        ]
        self.cemetery_of: list[int] = [
            next((i for i, s in enumerate(tile.segments) if s.kind == "cemetery"), -1)
            for tile in catalogue.tiles
        ]


class TeamStep(Step):
    """A step of the team's turn; the active player decides."""

    def __init__(self, mists: TeamGame, name: str) -> None:
        super().__init__(name)
        self.mists: Final = mists

    def state_of(self, state: State) -> MistsState:
        """Return what the game keeps in a position."""
        return self.mists.state_of(state)


def follower_choices(state: State, verb: str) -> list[Action]:
    """Return the choices of a follower on the board, one for each segment."""
    return segment_choices(state.board, verb, state.board.in_order(state.board.occupied_segments()))


def chosen_follower(state: State, action: Action | None) -> int:
    """Return the segment of the chosen follower, or of the only one there is."""
    if action is None:
        return state.board.occupied_segments()[0]
    return chosen_segment(state.board, action)


def take_out(state: State, own: MistsState, owner: int, follower: int) -> None:
    """Take a follower out of its owner's supply for the rest of the game."""
    state.board.add_supply(owner, follower, -1)
    own.out[follower] += 1


def out_of_tiles(mists: TeamGame, state: State) -> None:
    """End the game: a tile is needed and the active pile is empty (COOP-22, LVL3-02)."""
    mists.state_of(state).end(state, False, "LVL3-02" if mists.milestones else "COOP-22")
