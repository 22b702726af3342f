"""The Crop Circles, I and II: `base+crops` (CRC-01)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from mypy_extensions import i64

from carc.base.board.candidates import Ranks, segment_in
from carc.base.board.layout import KINDS
from carc.base.game.actions import PASS, Action
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.game.steps import EndStep, Step
from carc.base.tiles.tile import Tile, TileSet
from carc.classics.figures import Put, Take, Verb, claimers
from carc.classics.rivals import Moment, Rivalry, Word

FILES: Final = {"1": "crop_circles.txt", "2": "crop_circles2.txt"}


class Follow(Step):
    """What a player does with own figures on the features called for: may add one, or must take one back. To take the only one is no choice."""

    def __init__(self, crops: Crops, verb: Verb, may_pass: bool) -> None:
        super().__init__("crops follow")
        self.crops: Final = crops
        self.verb: Final = verb
        self.may_pass: Final = may_pass

    def actions(self, state: State, player: int) -> list[Action]:
        found = self._choices(state, player)
        if found and self.may_pass:
            found.append(PASS)
        return found if len(found) > 1 else []

    def count(self, state: State, player: int) -> int:
        n = self._figures(state, player, state.counting(self)).n
        if n and self.may_pass:
            n += 1
        return n if n > 1 else 0

    def pick(self, state: State, player: int, index: int) -> Action:
        if index == state.count_actions() - 1 and self.may_pass:
            return PASS
        return self.verb.at(state, state.rank_at(index))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if action is not None:
            action.perform(state, player)
        elif not self.may_pass:
            for only in self._choices(state, player):
                only.perform(state, player)

    def _choices(self, state: State, player: int) -> list[Action]:
        return self.verb.all(state, self._figures(state, player, Ranks()))

    def _figures(self, state: State, player: int, found: Ranks) -> Ranks:
        """The figures that one may add, or must take back."""
        sort = self.crops.sorts[state.kind_of_tile(state.last)]
        if not self.may_pass:
            return state.ranks_on(player, self.crops.claimers, sort, found)
        able = state.able(player) & state.rules.takers[sort]
        mine = Ranks()
        if able:
            state.ranks_on(player, self.crops.claimers, sort, mine)
        last: i64 = -1
        for at in range(mine.n):
            rank = mine.room[at]
            segment = segment_in(rank)
            if segment != last and state.admits(state.tile_under(segment)):
                for kind in range(len(state.rules.follower_kinds)):
                    if able >> kind & 1:
                        found.add((rank & ~KINDS) | kind)
            last = segment
        return found


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
        self.claimers = claimers(rules)
        self.steps = [
            Follow(self, Put(rules, "add"), may_pass=True),
            Follow(self, Take(rules, "take"), may_pass=False),
        ]
        self.verbs = [step.verb for step in self.steps]
        self.words = [
            Word(rules, f"crops:{step.verb.verb}", partial(self._call, step)) for step in self.steps
        ]
        shown = [tile.symbol("crop_circle") for tile in rules.catalogue.tiles]
        self.sorts = [rules.catalogue.kind_of.get(sort or "", -1) for sort in shown]
        self.end = next(step for step in rules.turn if isinstance(step, EndStep))

    def heeds(self, tile: Tile) -> bool:
        return tile.symbol("crop_circle") is not None

    def tile_placed(self, state: State, tile: int) -> None:
        """After scoring: who was scored is at home."""
        state.schedule(self.calling, state.active, self.end)

    def _calls(self, state: State, player: int) -> list[Action]:
        return self.words if state.followers else []

    def _call(self, step: Follow, state: State, player: int) -> None:
        """The left neighbour follows first, the active player last."""
        n = state.rules.players
        for turns in range(n):
            state.push(step, (player - turns) % n)
