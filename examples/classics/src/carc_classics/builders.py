"""The builder and its extra turns: `base+builders` (TRD-01, TRD-02, TRD-05)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from carc import Action, Expansion, FollowerKind, Rules, Slice, State
from carc.base.game.actions import in_order
from carc.base.tiles.tile import TileSet

TILES = Path(__file__).with_name("data") / "traders_and_builders.txt"


class Site(Slice):
    """Whether the tile just laid brings another turn, and whether this turn was brought so."""

    def __init__(self) -> None:
        self.due = False
        self.extra = False


class Builders(Expansion):
    """A builder joins its owner's follower on a road or city. Extending that gives another turn."""

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        return [*kinds, FollowerKind("builder", power=0, supply=1, on=())]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        return [*sets, read(TILES)]

    def bind(self, rules: Rules) -> None:
        self.rules = rules
        self.builder = rules.follower("builder")

    def setup(self, state: State) -> Slice:
        return Site()

    def claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        found = list(actions)
        for index, segment in enumerate(state.segments_of(state.last)):
            if state.kind_of(segment) in ("city", "road") and not state.has_follower(segment):
                for owner in self.rules.colours[player]:
                    theirs = self._own(state, state.feature_of(segment), owner)
                    if state.supply_of(owner, self.builder) and theirs[0]:
                        found.append(self.rules.claim(index, self.builder, owner))
        return in_order(found)

    def tile_placed(self, state: State, tile: int) -> None:
        if state.has_begun:
            site: Site = self.slice_of(state)
            features = {state.feature_of(segment) for segment in state.segments_of(tile)}
            colours = self.rules.colours[state.active]
            site.due = any(self._own(state, f, owner)[1] for f in features for owner in colours)

    def next_player(self, state: State, player: int, following: int) -> int:
        site: Site = self.slice_of(state)
        site.extra = site.due and not site.extra
        site.due = False
        return player if site.extra else following

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """The builder goes home with its owner's last follower there."""
        if follower != self.builder:
            followers, builders = self._own(state, state.feature_of(segment), owner)
            if len(followers) == 1 and builders:
                state.take_follower(builders[0])

    def _own(self, state: State, feature: int, owner: int) -> tuple[list[int], list[int]]:
        """An owner's followers and builders on a feature, by segment."""
        mine = [s for s in state.followers_on(feature) if state.owner_at(s) == owner]
        builders = [s for s in mine if state.follower_at(s) == self.builder]
        return [s for s in mine if s not in builders], builders
