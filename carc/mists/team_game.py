"""`TeamGame`: what the steps and estimates of the team's game know of it; `TeamStep`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from carc.base.expansions.expansion import Expansion
from carc.base.turn.actions import Action, chosen_segment
from carc.base.turn.steps import Step
from carc.expansion_ghosts.mist import Mist
from carc.mists.levels import LEVELS, Level
from carc.mists.mists_state import MistsState

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


class TeamGame(Expansion[MistsState]):
    """The level, the tables made of it, and the steps that are pushed on the agenda when due.

    `Mists` is the game itself: it makes these steps, and the turn.
    """

    burial: Step
    extra_ghost: Step
    reward: Step
    taking: Step
    settling: Step
    hounds: Step
    marking: Step
    sniffing: Step
    next_pile: Step

    @property
    def level(self) -> Level:
        """The level played."""
        return LEVELS[self.argument]

    @property
    def hounds_at_once(self) -> bool:
        """Whether a hound comes as soon as its milestone is reached (LVL3-03)."""
        return self.chosen["hounds"] == "at_once"

    def bind(self, rules: Rules) -> None:
        """Look up the tiles and the level."""
        piles = self.level.piles
        catalogue = rules.catalogue
        self.mist: Mist = Mist(rules)
        # What play needs of the level again and again.
        self.haunted: bool = self.level.haunted
        self.milestones: tuple[int, ...] = self.level.milestones
        self.every_colour: bool = self.chosen["joint_scoring"] == "every_colour"
        self.start_tiles: int = len(catalogue.start)
        tiles = sum(catalogue.copies)
        self.pile_sizes: list[int] = [(tiles + piles - 1 - i) // piles for i in range(piles)]
        # By kind of tile: its mist segments with their ghost symbols; its cemetery's index, or -1.
        self.symbols: list[list[tuple[int, int]]] = [
            [
                (i, dict(segment.marks).get("ghosts", 0))
                for i, segment in enumerate(tile.segments)
                if segment.kind == "mist"
            ]
            for tile in catalogue.tiles
        ]
        self.cemetery_of: list[int] = [
            next((i for i, s in enumerate(tile.segments) if s.kind == "cemetery"), -1)
            for tile in catalogue.tiles
        ]


class TeamStep(Step):
    """A step of the team's turn; the active player decides."""

    def __init__(self, mists: TeamGame, name: str) -> None:
        """Make the step."""
        super().__init__(name)
        self.mists: Final = mists

    def state_of(self, state: State) -> MistsState:
        """Return what the game keeps in a position."""
        return self.mists.state_of(state)


def chosen_follower(state: State, action: Action | None) -> int:
    """Return the segment of the chosen follower, or of the only one there is."""
    if action is None:
        for segment in state.board.occupied_segments():
            return segment
    return chosen_segment(state.board, cast(Action, action))


def take_out(state: State, own: MistsState, owner: int, follower: int) -> None:
    """Take a follower out of its owner's supply for the rest of the game."""
    state.board.add_supply(owner, follower, -1)
    own.out[follower] += 1


def out_of_tiles(mists: TeamGame, state: State) -> None:
    """End the game: a tile is needed and the active pile is empty (COOP-22, LVL3-02)."""
    mists.state_of(state).end(state, False, "LVL3-02" if mists.milestones else "COOP-22")
