"""3a: what is complete is scored, for points or against ghosts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from carc.base.game.actions import Action, OnCell, on_cell, segment_choices
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.base.game.scoring import majority, send_home, value
from carc.mists.actions import POINTS, Take, take
from carc.mists.hounds import HOUNDS
from carc.mists.mists_state import GONE
from carc.mists.step import TeamStep, chosen_follower
from carc.mists.track import score

if TYPE_CHECKING:
    from carc.base.game.state import State

MOST_TAKEN: Final = 3  # ghosts taken off one tile at a time (COOP-16, LVL3-03)


class ScoringStep(TeamStep):
    """3a: each completed feature with a follower is scored, in the active player's order (COOP-16, COOP-20)."""

    def choices(self, state: State, player: int) -> Choices:
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
        feature = -1
        if action is not None:
            feature = state.board.feature_of(chosen_follower(state, action))
        else:
            for one in state.board.completed:
                if state.board.is_claimed(one):
                    feature = one
        if feature < 0:
            state.board.completed.clear()
            return
        self.team(state).scoring = feature
        state.push(self, player)
        if self.mists.hounds_at_once:
            state.push(self.mists.hounds, player)
        state.push(self.mists.settling, player)
        state.push(self.mists.reward, player)


class RewardStep(TeamStep):
    """3a: the points, or ghosts off one tile (COOP-16). Without ghosts on the board there is no choice."""

    def choices(self, state: State, player: int) -> Choices:
        team = self.team(state)
        if not team.ghosts:
            return NO_CHOICES
        found: list[Action] = [POINTS]
        for cell in team.haunted_cells(state):
            found.append(on_cell("ghosts", cell))
        return Listed(found)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        team = self.team(state)
        if action is None or action == POINTS:
            self._score_points(state, team.scoring)
        else:
            team.taking = cast(OnCell, action).cell
            state.push(self.mists.taking, player)

    def _score_points(self, state: State, feature: int) -> None:
        """The feature's value for each colour that scores it (COOP-18)."""
        journal = state.journal
        if journal is not None:
            journal.open()
        points = value(state, feature, False)
        owners = majority(state, feature)
        if self.mists.every_colour:
            present: list[int] = []
            for segment in state.board.occupied_segments_of(feature):
                owner = state.board.owner_at(segment)
                if owner not in present:
                    present.append(owner)
            owners = sorted(present)
        score(self.mists, state, owners, points, state.board.kind_of(feature))


class TakeStep(TeamStep):
    """How many of a tile's ghosts go back to the stock: 1 to 3, from which of its segments (COOP-16, LVL3-03)."""

    def choices(self, state: State, player: int) -> Choices:
        team = self.team(state)
        splits: list[tuple[int, ...]] = [()]
        for segment in team.haunted_segments(state, team.taking):
            longer: list[tuple[int, ...]] = []
            for split in splits:
                room = MOST_TAKEN - sum(split)
                for n in range(min(room, team.ghosts[segment]) + 1):
                    longer.append((*split, n))
            splits = longer
        found: list[Action] = []
        for split in splits:
            if sum(split):
                found.append(take(split))
        return Listed(found) if len(found) > 1 else NO_CHOICES

    def apply(self, state: State, player: int, action: Action | None) -> None:
        team = self.team(state)
        segments = team.haunted_segments(state, team.taking)
        team.taking = -1
        if action is None:
            team.take(segments[0], 1)
            return
        counts = cast(Take, action).counts
        for i in range(len(segments)):
            team.take(segments[i], counts[i])


class SettleStep(TeamStep):
    """3a: the scored feature's followers go home, its hounds are scored and leave (COOP-20, LVL3-05, LVL6-04)."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        team = self.team(state)
        feature = team.scoring
        scored: list[tuple[int, int]] = []
        for hound in range(len(team.hounds)):
            segment = team.hounds[hound]
            if segment >= 0 and state.board.feature_of(segment) == feature:
                team.hounds[hound] = GONE
                scored.append((hound, state.board.owner_at(segment)))
        send_home(state, feature)
        team.scoring = -1
        for hound, owner in scored:
            if not team.rule:  # not won by the first of two
                self._score_hound(state, hound, owner)

    def _score_hound(self, state: State, hound: int, owner: int) -> None:
        """1 point for each ghost on the board (LVL3-05)."""
        points = self.team(state).ghosts_on_board()
        journal = state.journal
        if journal is not None:
            journal.open()
            journal.item(f"{HOUNDS[hound]}, ghosts", points, 1)
        score(self.mists, state, [owner], points, HOUNDS[hound])
