"""The Crop Circles, I and II: `base+crops` (CRC-01)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.actions import Action
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.steps import Step, note_forced
from carc.base.turn.verbs import FigureVerb, PutVerb, TakeVerb
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.steps import CallbackStep, SimpleAction, after_scoring


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
            return figures.or_pass()
        return figures if figures.count > 1 else NO_CHOICES

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Perform the choice, or take back the only follower there is."""
        if action is None and not self.may_pass:
            for only in self._figures(state, player).actions(state):
                note_forced(state, player, only.text)
                only.perform(state, player)
        elif action is not None:
            action.perform(state, player)

    def _figures(self, state: State, player: int) -> Choices:
        """Return who stands on features of the circle's kind, or who may join them there."""
        board, followers = state.board, state.rules.followers
        circle = self.crops.circle_kind[board.kind_of_tile(board.last_tile)]
        if not self.may_pass:
            return self.verb.among(board.figures_of_on(player, followers, circle))
        tiles = range(board.tile_count if len(state.rules.hooks.allows_figures) else 0)
        closed = [tile for tile in tiles if not state.allows_figures(tile)]
        return self.verb.among(board.places_beside(player, followers, circle, closed))


class Crops(CompetitiveExpansion):
    """A crop circle lets all players add a follower beside an own one, or take one back.

    Option `sets`: both, or one of them.
    """

    SETS = {
        "1": Path(__file__).with_name("crop_circles.txt"),
        "2": Path(__file__).with_name("crop_circles2.txt"),
    }
    ONLY_FOR = {"tile_placed": ("crop_circle",)}

    def bind(self, rules: Rules) -> None:
        """Look up the circles on the tiles and make the actions."""
        self.decision = CallbackStep("crops", self._list_decisions)
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
