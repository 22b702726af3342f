"""The builder of Traders & Builders: `base+builders` (TRD-01, TRD-02, TRD-05)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from carc import Action, Expansion, ExpansionState, FollowerKind, Rules, State
from carc.base.game.choices import Choices, Listed
from carc.base.tiles.tile import TileSet

TILES = Path(__file__).with_name("data") / "traders_and_builders.txt"


class Site(ExpansionState):
    """Whether the tile just laid brings another turn, and whether this turn was brought so."""

    def __init__(self) -> None:
        self.due = False
        self.extra = False


class Builders(Expansion[Site]):
    """A builder stands beside a follower of its owner; who extends that has another turn."""

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        return [*kinds, FollowerKind("builder", power=0, supply=1, on=())]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        return [*sets, read(TILES)]

    def bind(self, rules: Rules) -> None:
        self.rules = rules
        self.builder = rules.follower_number("builder")

    def setup(self, state: State) -> ExpansionState:
        return Site()

    def claims(self, state: State, player: int) -> Choices:
        builders: list[Action] = []
        for index, segment in enumerate(state.board.segments_of(state.board.last_tile)):
            if state.board.kind_of(segment) in ("city", "road") and not state.board.has_follower(
                segment
            ):
                for owner in self.rules.colours[player]:
                    theirs = self._own(state, state.board.feature_of(segment), owner)
                    if state.board.supply_of(owner, self.builder) and theirs[0]:
                        builders.append(self.rules.claim(index, self.builder, owner))
        return Listed(builders)

    def tile_placed(self, state: State, tile: int) -> None:
        if state.has_begun:
            site = self.state_of(state)
            features = {
                state.board.feature_of(segment) for segment in state.board.segments_of(tile)
            }
            colours = self.rules.colours[state.active_player]
            site.due = any(self._own(state, f, owner)[1] for f in features for owner in colours)

    def next_player(self, state: State, player: int, following: int) -> int:
        site = self.state_of(state)
        site.extra = site.due and not site.extra
        site.due = False
        return player if site.extra else following

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """The builder goes home with its owner's last follower there."""
        if follower != self.builder:
            followers, builders = self._own(state, state.board.feature_of(segment), owner)
            if len(followers) == 1 and builders:
                state.take_follower(builders[0])

    def _own(self, state: State, feature: int, owner: int) -> tuple[list[int], list[int]]:
        """An owner's followers and builders on a feature, by segment."""
        mine = [
            s for s in state.board.occupied_segments_of(feature) if state.board.owner_at(s) == owner
        ]
        builders = [s for s in mine if state.board.follower_at(s) == self.builder]
        return [s for s in mine if s not in builders], builders
