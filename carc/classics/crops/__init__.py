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
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.tiles.tile import TileSet
from carc.base.turn.actions import Action
from carc.base.turn.choices import NO_CHOICES, Choices, WithPass
from carc.base.turn.steps import Step
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.figure_choices import FigureVerb, PutVerb, TakeVerb, claiming_kinds
from carc.classics.steps import CallbackStep, SimpleAction, after_scoring, note_forced

FILES: Final = {"1": "crop_circles.txt", "2": "crop_circles2.txt"}


class CropCircleStep(Step):
    """CRC-01: a player may add a follower on a feature of the circle's kind, or must take one back.

    If only one can be taken back, there is nothing to decide.
    """

    def __init__(self, crops: Crops, verb: FigureVerb, may_pass: bool) -> None:
        """Make the step; `may_pass`: followers are added, not taken back."""
        super().__init__("crops follow")
        self.crops: Final = crops
        self.verb: Final = verb
        self.may_pass: Final = may_pass

    def choices(self, state: State, player: int) -> Choices:
        """Return the followers that may be added, or those of which one must come back."""
        figures = self._figures(state, player)
        if self.may_pass:
            return WithPass(figures, self.verb) if figures.count else NO_CHOICES
        return self.verb.among(figures) if figures.count > 1 else NO_CHOICES

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Perform the choice, or take back the only follower there is."""
        if action is None and not self.may_pass:
            for only in self.verb.among(self._figures(state, player)).actions(state):
                note_forced(state, player, only.text)
                only.perform(state, player)
        elif action is not None:
            action.perform(state, player)

    def _figures(self, state: State, player: int) -> Candidates:
        board = state.board
        circle = self.crops.circle_kind[board.kind_of_tile(board.last_tile)]
        standing = followers_of_on(board, player, self.crops.claiming_kinds, circle, Candidates())
        return self._addable(state, player, standing, circle) if self.may_pass else standing

    def _addable(self, state: State, player: int, standing: Candidates, circle: int) -> Candidates:
        """Return the followers that may join those who stand on features of the circle's kind."""
        board = state.board
        addable = Candidates()
        able = kinds_in_supply(board, player) & state.rules.components.claimers_by_kind[circle]
        if not able:
            return addable
        last: i64 = -1
        for entry in standing.in_order():
            segment = segment_in(entry)
            if segment != last and state.allows_figures(board.tile_under(segment)):
                for kind in range(len(state.rules.follower_kinds)):
                    if able >> kind & 1:
                        addable.add(with_kind(entry, kind))
            last = segment
        return addable


class Crops(CompetitiveExpansion):
    """A crop circle lets all players add a follower beside an own one, or take one back.

    Option `sets`: both, or one of them.
    """

    ONLY_FOR = {"tile_placed": ("crop_circle",)}

    def options(self) -> Mapping[str, Sequence[str]]:
        """CRC-01: which of the two sets is played."""
        return {"sets": ("both", "1", "2")}

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """Add the chosen sets."""
        chosen = self.chosen["sets"]
        files = [file for name, file in FILES.items() if chosen in ("both", name)]
        return [*sets, *(read(Path(__file__).with_name(file)) for file in files)]

    def bind(self, rules: Rules) -> None:
        """Look up the circles on the tiles and make the actions."""
        self.decision = CallbackStep("crops", self._list_decisions)
        self.claiming_kinds = claiming_kinds(rules)
        self.steps = [
            CropCircleStep(self, PutVerb(rules, "add"), may_pass=True),
            CropCircleStep(self, TakeVerb(rules, "take"), may_pass=False),
        ]
        self._offer_figures([step.verb for step in self.steps])
        self.simple_actions = [
            SimpleAction(rules, f"crops:{step.verb.verb}", partial(self._decide, step))
            for step in self.steps
        ]
        catalogue = rules.catalogue
        symbols = [tile.symbol("crop_circle") for tile in catalogue.tiles]
        # By kind of tile, the kind of feature that its circle names; -1: it has none.
        self.circle_kind = [
            kind if kind >= 0 and catalogue.kinds[kind].claimable else -1
            for kind in [catalogue.kind_of.get(symbol or "", -1) for symbol in symbols]
        ]
        self.decided_before = rules.turn[after_scoring(rules.turn)]

    def tile_placed(self, state: State, tile: int) -> None:
        """CRC-01: the decision comes after scoring, when scored followers are home again."""
        if self.circle_kind[state.board.kind_of_tile(tile)] >= 0:
            state.schedule(self.decision, state.active_player, self.decided_before)

    def _list_decisions(self, state: State, player: int) -> list[Action]:
        return self.simple_actions if state.board.occupied_segments() else []

    def _decide(self, step: CropCircleStep, state: State, player: int) -> None:
        """Let all players follow: the left neighbour first, the active player last."""
        n = state.rules.players
        for turns in range(n):
            state.push(step, (player - turns) % n)
