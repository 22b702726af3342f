"""The Crop Circles, I and II: `base+crops` (CRC-01)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from mypy_extensions import i64

from carc.base.board.candidates import (
    Candidates,
    followers_of_on,
    kinds_in_supply,
    segment_in,
    with_kind,
)
from carc.base.game.actions import Action
from carc.base.game.choices import NO_CHOICES, Choices, WithPass
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.game.steps import EndStep, Step
from carc.base.tiles.tile import TileSet
from carc.classics.competitive_expansion import CallbackStep, CompetitiveExpansion, SimpleAction
from carc.classics.figure_choices import FigureVerb, PutVerb, TakeVerb, claiming_kinds

FILES: Final = {"1": "crop_circles.txt", "2": "crop_circles2.txt"}


class Follow(Step):
    """What a player does with own figures on the features called for: may add one, or must take one back. To take the only one is no choice."""

    def __init__(self, crops: Crops, verb: FigureVerb, may_pass: bool) -> None:
        super().__init__("crops follow")
        self.crops: Final = crops
        self.verb: Final = verb
        self.may_pass: Final = may_pass

    def choices(self, state: State, player: int) -> Choices:
        figures = self._figures(state, player)
        if self.may_pass:
            return WithPass(figures, self.verb) if figures.count else NO_CHOICES
        return self.verb.among(figures) if figures.count > 1 else NO_CHOICES

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if action is None and not self.may_pass:
            for only in self.verb.among(self._figures(state, player)).actions(state):
                only.perform(state, player)
        elif action is not None:
            action.perform(state, player)

    def _figures(self, state: State, player: int) -> Candidates:
        """Return the figures that the player may add, or must take back."""
        board = state.board
        called = self.crops.sorts[board.kind_of_tile(board.last_tile)]
        mine = followers_of_on(board, player, self.crops.claiming_kinds, called, Candidates())
        if not self.may_pass:
            return mine
        addable = Candidates()
        able = kinds_in_supply(board, player) & state.rules.components.claimers_by_kind[called]
        last: i64 = -1
        for entry in mine.in_order() if able else ():
            segment = segment_in(entry)
            if segment != last and state.allows_figures(board.tile_under(segment)):
                for kind in range(len(state.rules.follower_kinds)):
                    if able >> kind & 1:
                        addable.add(with_kind(entry, kind))
            last = segment
        return addable


class Crops(CompetitiveExpansion):
    """A crop circle of city, road or field: each may add a follower beside an own figure there, or each must take one back.

    Option `sets`: both, or one of them.
    """

    ONLY_FOR = {"tile_placed": ("crop_circle",)}

    def options(self) -> Mapping[str, Sequence[str]]:
        return {"sets": ("both", "1", "2")}

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        chosen = self.chosen["sets"]
        files = [file for name, file in FILES.items() if chosen in ("both", name)]
        return [*sets, *(read(Path(__file__).with_name(file)) for file in files)]

    def bind(self, rules: Rules) -> None:
        self.calling = CallbackStep("crops", self._calls)
        self.claiming_kinds = claiming_kinds(rules)
        self.steps = [
            Follow(self, PutVerb(rules, "add"), may_pass=True),
            Follow(self, TakeVerb(rules, "take"), may_pass=False),
        ]
        self.verbs = [step.verb for step in self.steps]
        self.segment_layers = max(verb.layers for verb in self.verbs)
        self.words = [
            SimpleAction(rules, f"crops:{step.verb.verb}", partial(self._call, step))
            for step in self.steps
        ]
        shown = [tile.symbol("crop_circle") for tile in rules.catalogue.tiles]
        self.sorts = [rules.catalogue.kind_of.get(sort or "", -1) for sort in shown]
        self.end = next(step for step in rules.turn if isinstance(step, EndStep))

    def tile_placed(self, state: State, tile: int) -> None:
        """After scoring: who was scored is at home."""
        state.schedule(self.calling, state.active_player, self.end)

    def _calls(self, state: State, player: int) -> list[Action]:
        return self.words if state.board.occupied_segments() else []

    def _call(self, step: Follow, state: State, player: int) -> None:
        """The left neighbour follows first, the active player last."""
        n = state.rules.players
        for turns in range(n):
            state.push(step, (player - turns) % n)
