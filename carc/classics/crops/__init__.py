"""The Crop Circles, I and II: `base+crops` (CRC-01)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from carc.base.actions import PASS, Action
from carc.base.expansion import Slice
from carc.base.rules import Rules
from carc.base.state import State
from carc.base.steps import EndStep
from carc.base.tiles import TileSet
from carc.classics.figures import Verb, claimers
from carc.classics.rivals import Moment, Rivalry, Word

FILES = {"1": "crop_circles.txt", "2": "crop_circles2.txt"}


class Call(Slice):
    """What the active player called for: figures more, or figures less."""

    def __init__(self) -> None:
        self.more = False

    def copy(self) -> Call:
        new = Call()
        new.more = self.more
        return new


class Crops(Rivalry):
    """A crop circle of city, road or field: each may add a follower beside an own figure there, or each must take one back.

    Option `sets`: both, or one of them.
    """

    def options(self) -> Mapping[str, Sequence[str]]:
        return {"sets": ("both", "1", "2")}

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        chosen = self.chosen["sets"]
        files = [file for name, file in FILES.items() if chosen in ("both", name)]
        return [*sets, *(read(Path(__file__).with_name(file)) for file in files)]

    def bind(self, rules: Rules) -> None:
        self.calling = Moment("crops", self._calls)
        self.follow = Moment("crops follow", self._choices, self._do)
        self.words = [
            Word("crops:add", partial(self._call, True)),
            Word("crops:take", partial(self._call, False)),
        ]
        self.claimers = claimers(rules)
        self.add = Verb(rules, "add", State.put_follower)
        self.take = Verb(rules, "take", State.take_follower)
        self.verbs = [self.add, self.take]
        shown = [tile.symbol("crop_circle") for tile in rules.catalogue.tiles]
        self.sorts = [rules.catalogue.kind_of.get(sort or "", -1) for sort in shown]
        self.end = next(step for step in rules.turn if isinstance(step, EndStep))

    def setup(self, state: State) -> Slice:
        return Call()

    def tile_placed(self, state: State, tile: int) -> None:
        """After scoring: who was scored is at home."""
        if self.sorts[state.kind_of_tile(tile)] >= 0:
            state.schedule(self.calling, state.active, self.end)

    def _calls(self, state: State, player: int) -> list[Action]:
        return self.words if state.followers else []

    def _call(self, more: bool, state: State, player: int) -> None:
        """The left neighbour follows first, the active player last."""
        self.slice_of(state).more = more
        n = state.rules.players
        for turns in range(n):
            state.push(self.follow, (player - turns) % n)

    def _all(self, state: State, player: int) -> list[Action]:
        """What the player may do, or must: then a single choice is none."""
        owner = state.rules.colours[player][0]
        sort = self.sorts[state.kind_of_tile(state.last)]
        mine = [on for on in state.figures_of(owner, self.claimers) if state.is_kind(on[0], sort)]
        if not self.slice_of(state).more:
            return [self.take.at(state, segment, owner, kind) for segment, kind in mine]
        kinds = [
            kind
            for kind in range(len(state.rules.follower_kinds))
            if state.supply_of(owner, kind) and state.rules.takers[sort] >> kind & 1
        ]
        found: list[Action] = [
            self.add.at(state, segment, owner, kind)
            for segment in dict.fromkeys([segment for segment, _ in mine])
            if state.admits(state.tile_under(segment))
            for kind in kinds
        ]
        return [*found, PASS] if found else []

    def _choices(self, state: State, player: int) -> list[Action]:
        found = self._all(state, player)
        return found if len(found) > 1 else []

    def _do(self, state: State, player: int, action: Action | None) -> None:
        for only in self._all(state, player) if action is None else [action]:
            only.perform(state, player)
