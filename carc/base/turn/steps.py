"""Steps: the parts of a turn, each the actions one player may take now and their effect.

The turn of the base game is draw, place, claim, score, end (BASE-03 to BASE-15). Expansions insert
steps, replace them, or push steps on the agenda when they are due, for any player and for chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from carc.base.board.figures import unclaimed_on_last_tile
from carc.base.turn.actions import PASS, Action, Claim, in_order
from carc.base.turn.bag import any_left, drawable, held_back
from carc.base.turn.choices import (
    NO_CHOICES,
    NO_CLAIMS,
    Choices,
    Claims,
    Joined,
    Listed,
    Placements,
    base_claims,
)
from carc.base.turn.scoring import score_completed, score_rest

if TYPE_CHECKING:
    from carc.base.game.state import State

CHANCE: Final = -1
TERMINAL: Final = -4


@mypyc_attr(allow_interpreted_subclasses=True)
class Step:
    """A part of a turn. Steps hold no play state.

    A step of chance, in a turn (`by_chance`) or pushed for the player `CHANCE`, says with `weights`
    how likely its actions are.

    Attributes:
        name: The name of its decision in `State.to_dict()`.
        by_chance: Whether chance decides in it.
        in_scoring: Whether it belongs to the scoring of a turn.
    """

    def __init__(self, name: str, by_chance: bool = False, in_scoring: bool = False) -> None:
        self.name: Final = name
        self.by_chance: Final = by_chance
        self.in_scoring: Final = in_scoring

    def choices(self, state: State, player: int) -> Choices:
        """Return what the player may do now, in order; `NO_CHOICES` if there is nothing to decide.

        `Listed(actions)` makes them of a list. Changes nothing.
        """
        return NO_CHOICES

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        """Return how likely each action of chance is, in proportion; 0: it cannot happen now.

        Default: all are equally likely.
        """
        return [1] * len(actions)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Perform the action; it is None if there was nothing to decide.

        The step is off the agenda already. Default: the action's own effect.
        """
        if action is not None:
            action.perform(state, player)


def next_step(state: State) -> Step:
    """Return the step that waits on top of the agenda; without any, the last one there was."""
    return state._agenda.step if state._agenda is not None else state.step


def note_forced(state: State, player: int, text: str) -> None:
    """Enter into the journal what a player did without being asked."""
    if state.journal is not None:
        state.journal.forced.append((player, text))


def index_of(steps: Sequence[Step], kind: type[Step]) -> int:
    """Return where the first step of a class stands in a turn, for `Expansion.turn`.

    Raises:
        ValueError: The turn has no such step.
    """
    for at, step in enumerate(steps):
        if isinstance(step, kind):
            return at
    raise ValueError(f"the turn has no {kind.__name__}; it has {[type(s).__name__ for s in steps]}")


@mypyc_attr(allow_interpreted_subclasses=True)
class DrawStep(Step):
    """Chance draws a tile (BASE-03, BASE-20); with an empty bag the game ends (BASE-15)."""

    def __init__(self) -> None:
        super().__init__("draw", by_chance=True)

    def choices(self, state: State, player: int) -> Choices:
        # All kinds, always the same list; `weights` tells which of them can come.
        if state.tiles_left == 0 or state.tile_in_hand >= 0:
            return NO_CHOICES
        rules = state.rules
        if len(rules.hooks.held_back):
            held = held_back(state)
            state._held_back = held
            if held is not rules.catalogue.no_kinds and not any_left(state, held):
                return NO_CHOICES
        return rules._every_draw

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        return drawable(state)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if action is not None:
            action.perform(state, player)
        elif state.tile_in_hand < 0:  # else the player has one from elsewhere
            finish(state)


def finish(state: State) -> None:
    """End the last turn: what waits is dropped, final scoring comes."""
    state._agenda = state.rules._endings[state.active_player]


def may_come(state: State, actions: list[Action], index: int) -> bool:
    """Return True if chance may do an action now, of all it may ever do at this step."""
    if type(state.step) is DrawStep and len(state.rules.hooks.held_back) == 0:
        return state.bag[index] > 0  # all kinds, by number
    return state.step.weights(state, actions)[index] != 0


def allowed_placements(state: State, kind: i64, placements: Choices) -> Choices:
    """Return those of the placements of a tile that all expansions allow."""
    for expansion in state.rules._restrict_placements[kind]:
        placements = expansion.placements(state, kind, placements)
    return placements


def placements_of(state: State, kind: i64) -> Choices:
    """Return where a tile of a kind may be laid now, by its edges and by all expansions."""
    return allowed_placements(state, kind, Placements(state.board, kind))


@mypyc_attr(allow_interpreted_subclasses=True)
class PlaceStep(Step):
    """The active player lays the tile (BASE-03); one that fits nowhere is discarded (BASE-04)."""

    def __init__(self) -> None:
        super().__init__("place")

    def choices(self, state: State, player: int) -> Choices:
        return placements_of(state, state.tile_in_hand)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if action is None:
            state._discard()
            state.push(self, player)
            state.push(state.rules._draw_step, CHANCE)
        else:
            action.perform(state, player)


@mypyc_attr(allow_interpreted_subclasses=True)
class ClaimStep(Step):
    """The active player may put a follower on the tile just laid (BASE-05, BASE-06)."""

    def __init__(self) -> None:
        super().__init__("claim")

    def choices(self, state: State, player: int) -> Choices:
        rules = state.rules
        board = state.board
        free = unclaimed_on_last_tile(board)
        tile_kind = board._oriented_kind[board.last_tile] >> 2
        may_enter = len(rules._allows_figures[tile_kind]) == 0 or state.allows_figures(
            board.last_tile
        )
        base = base_claims(state, player, free) if free and may_enter else i64(0)
        adding = rules._add_claims[tile_kind]
        restricting = rules._restrict_claims[tile_kind]
        if len(adding) == 0 and len(restricting) == 0:
            return Claims(player, free, base, NO_CLAIMS, NO_CHOICES) if base else NO_CHOICES
        added = NO_CLAIMS
        more = NO_CHOICES
        for expansion in adding:
            choices = expansion.claims(state, player)
            if choices.count == 0:
                continue
            if isinstance(choices, Listed):
                claims = [one for one in choices.listed if isinstance(one, Claim)]
                if claims:
                    added = in_order(added + claims)
                    choices = Listed([one for one in choices.listed if not isinstance(one, Claim)])
            if choices.count:
                more = Joined(more, choices) if more.count else choices
        every = Claims(player, free, base, added if may_enter else NO_CLAIMS, more)
        if len(restricting) == 0:
            return every
        actions = [action for action in every.actions(state) if action is not PASS]
        for expansion in restricting:
            actions = expansion.restrict_claims(state, player, actions)
        if not may_enter:
            actions = [action for action in actions if not isinstance(action, Claim)]
        return Listed(actions).or_pass()


@mypyc_attr(allow_interpreted_subclasses=True)
class ScoreStep(Step):
    """Completed features are scored and their followers go home (BASE-07 to BASE-13)."""

    def __init__(self, name: str = "score") -> None:
        super().__init__(name, in_scoring=True)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if state.board.completed:
            score_completed(state)


@mypyc_attr(allow_interpreted_subclasses=True)
class EndStep(Step):
    """The turn ends; the next player's begins."""

    def __init__(self) -> None:
        super().__init__("end")

    def apply(self, state: State, player: int, action: Action | None) -> None:
        rules = state.rules
        following = (player + 1) % rules.players
        for expansion in rules.hooks.next_player:
            following = expansion.next_player(state, player, following)
        state._begin_turn(following)


class FinalScoreStep(Step):
    """Final scoring of what stands on the board (BASE-16, BASE-17)."""

    def __init__(self) -> None:
        super().__init__("final")

    def apply(self, state: State, player: int, action: Action | None) -> None:
        score_rest(state)
