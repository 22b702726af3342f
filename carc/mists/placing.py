"""1: a tile is drawn and laid, the mist is checked, the dead are buried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from carc.base.board.arrays import NOTHING
from carc.base.cells import AROUND, SIDES
from carc.base.game.actions import Action, segment_choices
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.base.game.steps import DrawStep
from carc.mists.actions import OfColour, of_colour
from carc.mists.mists_state import GONE, NOBODY
from carc.mists.step import TeamStep, chosen_follower, out_of_tiles, take_out

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.mists.game import Mists


class DrawFromPile(DrawStep):
    """1a: a tile from the active pile (LVL3-01); none left: lost (COOP-22, LVL3-02)."""

    def __init__(self, mists: Mists) -> None:
        super().__init__()
        self.mists: Final = mists

    def choices(self, state: State, player: int) -> Choices:
        if self.mists.state_of(state).left == 0:
            return NO_CHOICES
        return super().choices(state, player)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if action is None:
            out_of_tiles(self.mists, state)
            return
        team = self.mists.state_of(state)
        team.left -= 1
        super().apply(state, player, action)


class CheckMistStep(TeamStep):
    """1b: ghosts leave the banks the tile finished (COOP-11); cemeteries it closed call for a burial (1c)."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        team = self.team(state)
        if team.expanded and (team.ghosts or team.bound):
            tile = state.board.last_tile
            for index, _ in self.mists.symbols[state.board.kind_of_tile(tile)]:
                bank = state.board.feature_of(state.board.segment_of(tile, index))
                if not state.board.is_open(bank):
                    for segment in [s for s in team.ghosts if state.board.feature_of(s) == bank]:
                        team.clear(segment)
                    for segment in [s for s in team.bound if state.board.feature_of(s) == bank]:
                        team.stock += team.bound.pop(segment)
        close_cemeteries(self.mists, state, player)


def close_cemeteries(mists: Mists, state: State, player: int) -> None:
    """Cemeteries closed by tiles on their 4 sides, haunted ones by 8 (LVL2-02, LVL5-01), await a burial each."""
    team = mists.state_of(state)
    if not team.cemeteries:
        return
    for segment in team.cemeteries:
        cell = state.board.cell_under(segment)
        closed = True
        for step in AROUND if mists.haunted else SIDES:
            if state.board.tile_on_cell(cell + step) == NOTHING:
                closed = False
                break
        if closed:
            team.closing.append(segment)
            state.push(mists.burial, player)
    if team.closing:
        team.cemeteries = [s for s in team.cemeteries if s not in team.closing]


class BuryStep(TeamStep):
    """1c: a follower from the board, or else from the player's supply, is buried; the cemetery's ghosts leave (LVL2-02, LVL2-03)."""

    def _able(self, state: State, player: int) -> list[int]:
        """The player's colours with a follower in the supply."""
        return [owner for owner in state.rules.colours[player] if _in_supply(state, owner) >= 0]

    def choices(self, state: State, player: int) -> Choices:
        found: list[Action] = []
        if state.board.occupied_segments():
            found = segment_choices(
                state.board, "bury", state.board.in_order(state.board.occupied_segments())
            )
        else:
            for owner in self._able(state, player):
                found.append(of_colour("bury", owner))
        return Listed(found) if len(found) > 1 else NO_CHOICES

    def apply(self, state: State, player: int, action: Action | None) -> None:
        team = self.team(state)
        cemetery = team.closing.pop(0)
        owner = NOBODY
        if state.board.occupied_segments():
            segment = chosen_follower(state, action)
            owner = state.board.owner_at(segment)
            follower = state.board.follower_at(segment)
            for hound in range(len(team.hounds)):
                if team.hounds[hound] == segment:
                    team.hounds[hound] = GONE  # LVL3-06
            state.take_follower(segment)
            take_out(state, team, owner, follower)
        else:
            if action is not None:
                owner = cast(OfColour, action).owner
            else:
                for only in self._able(state, player):
                    owner = only
            if owner != NOBODY:
                take_out(state, team, owner, _in_supply(state, owner))
        team.buried[cemetery] = owner
        team.clear(cemetery)


def _in_supply(state: State, owner: int) -> int:
    """The first kind of follower that an owner has in the supply; -1: none."""
    for follower in range(len(state.rules.follower_kinds)):
        if state.board.supply_of(owner, follower):
            return follower
    return -1
