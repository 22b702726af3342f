"""Part 1 of the turn: a tile is drawn, the mist is checked, followers are buried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from carc.base.cells import around, at_sides
from carc.base.turn.actions import Action
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import DrawStep
from carc.mists.actions import OfColour, of_colour
from carc.mists.mists_state import GONE, NOBODY
from carc.mists.team_game import (
    TeamGame,
    TeamStep,
    chosen_follower,
    follower_choices,
    out_of_tiles,
    take_out,
)

if TYPE_CHECKING:
    from carc.base.game.state import State


class PileDrawStep(DrawStep):
    """1a: a tile of the active pile is drawn (LVL3-01)."""

    def __init__(self, mists: TeamGame) -> None:
        super().__init__()
        self.mists: Final = mists

    def choices(self, state: State, player: int) -> Choices:
        """Return the tiles, unless the pile is empty."""
        if self.mists.state_of(state).left == 0:
            return NO_CHOICES
        return super().choices(state, player)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Draw the tile; without one the game is lost (COOP-22, LVL3-02)."""
        if action is None:
            out_of_tiles(self.mists, state)
            return
        own = self.mists.state_of(state)
        own.left -= 1
        super().apply(state, player, action)


class CheckMistStep(TeamStep):
    """1b: ghosts leave the banks that the tile finished (COOP-11)."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Return the ghosts to the stock, then look for closed cemeteries (1c)."""
        own = self.state_of(state)
        if own.expanded and (own.ghosts or own.bound):
            tile = state.board.last_tile
            for index, _ in self.mists.symbols[state.board.kind_of_tile(tile)]:
                bank = state.board.feature_of(state.board.segment_of(tile, index))
                if not state.board.is_open(bank):
                    for segment in [s for s in own.ghosts if state.board.feature_of(s) == bank]:
                        own.clear(segment)
                    for segment in [s for s in own.bound if state.board.feature_of(s) == bank]:
                        own.stock += own.bound.pop(segment)
        close_cemeteries(self.mists, state, player)


def close_cemeteries(mists: TeamGame, state: State, player: int) -> None:
    """Schedule a burial for each closed cemetery.

    Tiles on 4 sides close it, on 8 if it is haunted (LVL2-02, LVL5-01).
    """
    own = mists.state_of(state)
    if not own.cemeteries:
        return
    for segment in own.cemeteries:
        cell = state.board.cell_under(segment)
        beside = around(cell) if mists.haunted else at_sides(cell)
        if not any(state.board.is_free(one) for one in beside):
            own.closing.append(segment)
            state.push(mists.burial, player)
    if own.closing:
        own.cemeteries = [s for s in own.cemeteries if s not in own.closing]


class BuryStep(TeamStep):
    """1c: a follower is buried in a closed cemetery, whose ghosts leave (LVL2-02)."""

    def _able(self, state: State, player: int) -> list[int]:
        """Return the player's colours with a follower in the supply."""
        return [owner for owner in state.rules.colours[player] if _in_supply(state, owner) >= 0]

    def choices(self, state: State, player: int) -> Choices:
        """Return the followers on the board, or else the colours in the supply (LVL2-03)."""
        actions: list[Action]
        if state.board.occupied_segments():
            actions = follower_choices(state, "bury")
        else:
            actions = [of_colour("bury", owner) for owner in self._able(state, player)]
        return Listed(actions) if len(actions) > 1 else NO_CHOICES

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Bury the chosen follower, or the only one there is."""
        own = self.state_of(state)
        cemetery = own.closing.pop(0)
        owner = NOBODY
        if state.board.occupied_segments():
            segment = chosen_follower(state, action)
            owner = state.board.owner_at(segment)
            follower = state.board.follower_at(segment)
            for hound in range(len(own.hounds)):
                if own.hounds[hound] == segment:
                    own.hounds[hound] = GONE  # LVL3-06
            state.take_follower(segment)
            take_out(state, own, owner, follower)
        else:
            if action is not None:
                owner = cast(OfColour, action).owner
            else:
                for only in self._able(state, player):
                    owner = only
            if owner != NOBODY:
                take_out(state, own, owner, _in_supply(state, owner))
        own.buried[cemetery] = owner
        own.clear(cemetery)


def _in_supply(state: State, owner: int) -> int:
    """Return the first kind of follower that an owner has in the supply; -1: none."""
    for follower in range(len(state.rules.follower_kinds)):
        if state.board.supply_of(owner, follower):
            return follower
    return -1
