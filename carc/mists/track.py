"""The scoring track: one common score, in level 6 a marker for each of several colours."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, cast

from carc.base.game.actions import Action
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.mists.actions import Markers, OfColour, of_colour
from carc.mists.mists_state import NO_MARKER, MistsState
from carc.mists.step import TeamStep, take_out

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.mists.game import Mists


def score(mists: Mists, state: State, owners: list[int], points: int, name: str) -> None:
    """These points for each of these colours, as the journal's items tell; colours without a marker wait for the choice
    of one, unless the game is won before (COOP-18, COOP-22, LVL6-02)."""
    team = mists.state_of(state)
    journal = state.journal
    items = [] if journal is None else journal.items
    homeless = 0
    for owner in owners:
        if mists.level.markers:
            if team.markers[owner] == NO_MARKER:
                homeless += 1
                continue
            team.markers[owner] += points
        if journal is not None:
            journal.items = items
            journal.close(owner, points, name)
    _advance(mists, state, points * len(owners))
    if points and not team.rule:
        for _ in range(homeless):
            team.owed.append(points)
            state.push(mists.marking, state.active_player)


def _advance(mists: Mists, state: State, points: int) -> None:
    """The common score grows, or is what every marker has reached; every owner's entry holds it (COOP-03, COOP-22, LVL6-03)."""
    team = mists.state_of(state)
    reached = state.scores[0] + points
    if mists.level.markers:
        reached = -1
        for marker in team.markers:
            if marker != NO_MARKER and (reached < 0 or marker < reached):
                reached = marker
    for owner in range(len(state.scores)):
        state.scores[owner] = reached
    if reached >= mists.level.goal:
        team.end(state, True, "COOP-22")


class MarkerStep(TeamStep):
    """3a: which marker moves for a colour that has none (LVL6-02)."""

    def choices(self, state: State, player: int) -> Choices:
        found: list[Action] = []
        markers = self.team(state).markers
        for owner in range(len(markers)):
            if markers[owner] != NO_MARKER:
                found.append(of_colour("marker", owner))
        return Listed(found)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        points = self.team(state).owed.pop(0)
        journal = state.journal
        if journal is not None:
            journal.items = [f"for a colour without a marker {points}x1"]
            journal.total = points
        score(self.mists, state, [cast(OfColour, action).owner], points, "marker")


class MarkersStep(TeamStep):
    """Level 6, before the first turn: which three colours have a marker (LVL6-01)."""

    def choices(self, state: State, player: int) -> Choices:
        if self.team(state).marked:
            return NO_CHOICES
        return Listed([Markers(three) for three in combinations(range(state.rules.owners), 3)])

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if action is not None:
            give_markers(state, self.team(state), cast(Markers, action).owners)


def give_markers(state: State, team: MistsState, owners: tuple[int, ...]) -> None:
    """Put markers of these colours at the track's start, from 3 players on out of their own followers (LVL6-01)."""
    for owner in owners:
        team.markers[owner] = 0
        if state.rules.players >= 3:
            take_out(state, team, owner, 0)
