"""Mists over Carcassonne: the co-operative game, levels 1 to 6 (MIST-*, COOP-*, LVL*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import Expansion
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.turn.actions import Action
from carc.base.turn.steps import ClaimStep, EndStep, PlaceStep, Step
from carc.errors import BadRules
from carc.expansion_ghosts import Ghosts
from carc.mists.actions import parse
from carc.mists.estimates.win_estimator import WinEstimator
from carc.mists.mists_state import NO_MARKER, WAITING, MistsState
from carc.mists.team_game import TeamGame
from carc.mists.turn.face_down import HideStep, spoil_castles
from carc.mists.turn.haunting import ClearClaimStep, ExtraGhostStep, GhostStep
from carc.mists.turn.hounds import HoundStep, NextPileStep, SniffStep
from carc.mists.turn.placing import BuryStep, CheckMistStep, PileDrawStep
from carc.mists.turn.scoring import RewardStep, ScoringStep, SettleStep
from carc.mists.turn.scoring_track import MarkersStep, MarkerStep, give_markers
from carc.mists.turn.taking import TakeStep
from carc.mists.view import describe


class Mists(TeamGame):
    """`mists:LEVEL`: a team of 1 to 5 against the mist.

    Options: `joint_scoring` (COOP-18), `level6_scoring` (LVL6-01), `hounds` (LVL3-03),
    `misty_roads` (MIST-07). `State.scores` holds the common score at every owner's index; in
    level 6 that is what every marker has reached, and `MistsState` holds the markers.
    """

    STANDALONE: ClassVar[bool] = True
    TEAM: ClassVar[bool] = True
    ONLY_FOR: ClassVar[Mapping[str, Sequence[str]]] = {"feature_points": ("castle",)}

    def __init__(self) -> None:
        super().__init__()
        self.burial = BuryStep(self, "bury")
        self.extra_ghost = ExtraGhostStep(self, "cemetery")
        self.reward = RewardStep(self, "reward")
        self.taking = TakeStep(self, "take")
        self.settling = SettleStep(self, "settle")
        self.hounds = HoundStep(self, "hound")
        self.marking = MarkerStep(self, "marker")
        self.sniffing = SniffStep(self, "sniff")
        self.next_pile = NextPileStep(self, "pile")

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        """Refuse a game with the competitive ghosts."""
        for other in others:
            if isinstance(other, Ghosts):
                raise BadRules(
                    f"mists and {other.name} cannot be played together: both are games of the same"
                    " tiles and ghosts, one for a team, the other for rivals"
                )
        return self

    def turn(self, steps: list[Step]) -> list[Step]:
        """Build the team's turn: parts 1 to 3 of the rulebook's summary."""
        turn: list[Step] = []
        if self.level.markers:
            turn.append(MarkersStep(self, "markers"))
        turn += [PileDrawStep(self), PlaceStep(), CheckMistStep(self, "check mist")]
        claiming = ClaimStep() if (self.chosen["misty_roads"] == "on") else ClearClaimStep()
        turn += [GhostStep(self, "ghosts"), claiming, ScoringStep(self, "score")]
        if self.level.milestones:
            turn.append(self.hounds)
        if self.level.haunted:
            turn.append(HideStep(self, "hide"))
        return [*turn, EndStep()]

    def bind(self, rules: Rules) -> None:
        """Look up the tiles and the level, and prepare the estimates."""
        super().bind(rules)
        self.win_estimator: WinEstimator = WinEstimator(self, rules)

    def parse(self, text: str) -> Action | None:
        """Return the team's decision that `text` denotes."""
        return parse(text)

    def setup(self, state: State) -> ExpansionState | None:
        """Start with the level's ghosts, piles, hounds and markers."""
        level = self.level
        own = MistsState()
        own.stock = level.ghosts
        own.left = self.pile_sizes[0]
        own.out = [0] * len(state.rules.follower_kinds)
        own.hounds = [WAITING] * len(level.milestones)
        owners = state.rules.owners
        own.markers = [NO_MARKER] * owners if level.markers else []
        if level.markers and (owners == 3 or self.chosen["level6_scoring"] == "every_colour"):
            give_markers(state, own, tuple(range(owners)))
        return own

    def tile_placed(self, state: State, tile: int) -> None:
        """Note cemeteries and joined mist; start tiles bring their ghosts (COOP-02)."""
        own = self.state_of(state)
        kind = state.board.kind_of_tile(tile)
        own.expanded = state.board.overlays_joined()
        if self.cemetery_of[kind] >= 0:
            own.cemeteries.append(state.board.segment_of(tile, self.cemetery_of[kind]))
            own.cemeteries.sort(key=state.board.cell_under)  # independent of the order of laying
        if tile < self.start_tiles:  # COOP-02
            for index, ghosts in self.symbols[kind]:
                own.put(state.board.segment_of(tile, index), ghosts)
        elif state.board.completed and state.board.face_down_cells():
            spoil_castles(self, state)

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """COOP-16: a castle scores 2 for each misty tile among its nine."""
        board = state.board
        tiles = board.count_tiles_around(board.cell_under(feature), self.mist.tiles)
        state.note("castle", tiles, 2)
        return points + 2 * tiles

    def results(self, state: State, results: list[int]) -> list[int]:
        """COOP-03: all are ranked alike, for they win or lose together."""
        return [state.scores[0]] * state.rules.players

    def returns(self, state: State, returns: list[float]) -> list[float]:
        """COOP-03: 1 for all if the game is won, else -1."""
        return [1.0 if self.state_of(state).won else -1.0] * state.rules.players

    def estimates(self) -> Estimates:
        return self.win_estimator

    def outcome(self, state: State, outcome: dict[str, Any]) -> dict[str, Any]:
        """COOP-22: won or lost, by which rule, the score and the tiles left."""
        own = self.state_of(state)
        left = own.left + sum(self.pile_sizes[own.pile + 1 :])
        return {
            **outcome,
            "won": own.won,
            "rule": own.rule,
            "score": state.scores[0],
            "goal": self.level.goal,
            "tiles_left": left,
        }

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add level, piles, ghosts, hounds, graves and markers."""
        return describe(self, state, data)
