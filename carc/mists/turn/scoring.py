"""Part 3a of the turn: completed features are scored, for points or against ghosts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from carc.base.turn.actions import Action, OnCell, on_cell, segment_choices
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.scoring import majority, send_home, value
from carc.mists.actions import POINTS
from carc.mists.mists_state import GONE
from carc.mists.team_game import TeamStep, chosen_follower
from carc.mists.turn.hounds import HOUNDS
from carc.mists.turn.scoring_track import score
from carc.mists.turn.taking import tiles_with_ghosts

if TYPE_CHECKING:
    from carc.base.game.state import State


class ScoringStep(TeamStep):
    """3a: completed features with followers are scored in any order (COOP-16, COOP-20)."""

    def choices(self, state: State, player: int) -> Choices:
        """Return the features still to be scored, each by its first follower."""
        if len(state.board.completed) < 2:
            return NO_CHOICES
        pending = [f for f in state.board.completed if state.board.is_claimed(f)]
        if len(pending) < 2:
            return NO_CHOICES
        named: list[int] = []
        for segment in state.board.in_order(state.board.occupied_segments()):
            feature = state.board.feature_of(segment)
            if feature in pending:
                pending.remove(feature)  # named once, by its first follower
                named.append(segment)
        return Listed(segment_choices(state.board, "score", named))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Score the chosen feature, or the only one there is; then come back for the rest."""
        feature = -1
        if action is not None:
            feature = state.board.feature_of(chosen_follower(state, action))
        else:
            for completed in state.board.completed:
                if state.board.is_claimed(completed):
                    feature = completed
        if feature < 0:
            state.board.completed.clear()
            return
        self.state_of(state).scoring = feature
        state.push(self, player)
        if self.mists.hounds_at_once:
            state.push(self.mists.hounds, player)
        state.push(self.mists.settling, player)
        state.push(self.mists.reward, player)


class RewardStep(TeamStep):
    """3a: a scoring brings points, or takes ghosts off one tile (COOP-16)."""

    def choices(self, state: State, player: int) -> Choices:
        """Return points or the tiles with ghosts; without ghosts there is no choice."""
        own = self.state_of(state)
        if not own.ghosts:
            return NO_CHOICES
        return Listed([POINTS, *[on_cell("ghosts", c) for c in tiles_with_ghosts(own, state)]])

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Score the points, or let ghosts be taken."""
        own = self.state_of(state)
        if action is None or action == POINTS:
            self._score_points(state, own.scoring)
        else:
            own.taking = cast(OnCell, action).cell
            state.push(self.mists.taking, player)

    def _score_points(self, state: State, feature: int) -> None:
        """Score the feature's value for each colour that scores it (COOP-18)."""
        journal = state.journal
        if journal is not None:
            journal.open()
        points = value(state, feature, False)
        owners = majority(state, feature)
        if self.mists.every_colour:
            occupied = state.board.occupied_segments_of(feature)
            owners = sorted({state.board.owner_at(segment) for segment in occupied})
        score(self.mists, state, owners, points, state.board.kind_of(feature))


class SettleStep(TeamStep):
    """3a: after a scoring followers go home, and hounds are scored and leave (COOP-20, LVL3-05)."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Send the followers home and score the hounds."""
        own = self.state_of(state)
        feature = own.scoring
        scored: list[tuple[int, int]] = []
        for hound in range(len(own.hounds)):
            segment = own.hounds[hound]
            if segment >= 0 and state.board.feature_of(segment) == feature:
                own.hounds[hound] = GONE
                scored.append((hound, state.board.owner_at(segment)))
        send_home(state, feature)
        own.scoring = -1
        for hound, owner in scored:
            if not own.rule:  # not won by the first of two
                self._score_hound(state, hound, owner)

    def _score_hound(self, state: State, hound: int, owner: int) -> None:
        """Score 1 point for each ghost on the board (LVL3-05, LVL6-04)."""
        points = self.state_of(state).ghosts_on_board()
        journal = state.journal
        if journal is not None:
            journal.open()
            journal.item(f"{HOUNDS[hound]}, ghosts", points, 1)
        score(self.mists, state, [owner], points, HOUNDS[hound])
