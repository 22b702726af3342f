"""The scoring track: one common score, and in level 6 markers of several colours."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, cast

from carc.base.turn.actions import Action
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.mists.actions import Markers, OfColour, of_colour
from carc.mists.mists_state import NO_MARKER, MistsState
from carc.mists.team_game import TeamGame, TeamStep, take_out

if TYPE_CHECKING:
    from carc.base.game.state import State


def score(mists: TeamGame, state: State, owners: list[int], points: int, name: str) -> None:
    """Score points for each of some colours (COOP-18).

    For colours without a marker one must be chosen, unless the game is won before (LVL6-02).

    Args:
        mists: The game.
        state: The position.
        owners: The colours.
        points: The points of each, as itemised in the journal.
        name: What is scored.
    """
    own = mists.state_of(state)
    journal = state.journal
    items = [] if journal is None else journal.items
    unmarked = 0
    for owner in owners:
        if mists.level.markers:
            if own.markers[owner] == NO_MARKER:
                unmarked += 1
                continue
            own.markers[owner] += points
        if journal is not None:
            journal.items = items
            journal.close(owner, points, name)
    _advance(mists, state, points * len(owners))
    if points and not own.rule:
        for _ in range(unmarked):
            own.owed.append(points)
            state.push(mists.marking, state.active_player)


def _advance(mists: TeamGame, state: State, points: int) -> None:
    """Set the common score: what has been scored, or what every marker has reached (LVL6-03).

    At the goal the game is won (COOP-22). All owners have the same score (COOP-03).
    """
    own = mists.state_of(state)
    reached = state.scores[0] + points
    if mists.level.markers:
        reached = -1
        for marker in own.markers:
            if marker != NO_MARKER and (reached < 0 or marker < reached):
                reached = marker
    for owner in range(len(state.scores)):
        state.scores[owner] = reached
    if reached >= mists.level.goal:
        own.end(state, True, "COOP-22")


class MarkerStep(TeamStep):
    """3a: a marker moves for a colour that has none (LVL6-02)."""

    def choices(self, state: State, player: int) -> Choices:
        """Return the colours with a marker."""
        markers = enumerate(self.state_of(state).markers)
        return Listed([of_colour("marker", owner) for owner, at in markers if at != NO_MARKER])

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Score the points for the chosen colour."""
        points = self.state_of(state).owed.pop(0)
        journal = state.journal
        if journal is not None:
            journal.items = [f"for a colour without a marker {points}x1"]
            journal.total = points
        score(self.mists, state, [cast(OfColour, action).owner], points, "marker")


class MarkersStep(TeamStep):
    """Level 6, before the first turn: three colours get a marker (LVL6-01)."""

    def choices(self, state: State, player: int) -> Choices:
        """Return all choices of three colours, unless one was made."""
        if self.state_of(state).marked:
            return NO_CHOICES
        return Listed([Markers(three) for three in combinations(range(state.rules.owners), 3)])

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Give markers to the chosen colours."""
        if action is not None:
            give_markers(state, self.state_of(state), cast(Markers, action).owners)


def give_markers(state: State, own: MistsState, owners: tuple[int, ...]) -> None:
    """Put markers of these colours at the start of the track (LVL6-01).

    With 3 players and more they are followers of these colours.
    """
    for owner in owners:
        own.markers[owner] = 0
        if state.rules.players >= 3:
            take_out(state, own, owner, 0)
