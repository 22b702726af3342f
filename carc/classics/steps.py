"""Steps and actions that the competitive expansions are built from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from carc.base.turn.actions import Action
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import Step, note_forced

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


def turn_order(state: State, first: int) -> list[int]:
    """Return all players in the order of their turns, from `first` on."""
    players = state.rules.players
    return [(first + ahead) % players for ahead in range(players)]


def before_scoring(steps: Sequence[Step]) -> int:
    """Return where the steps of the scoring begin in a turn."""
    return min([at for at, step in enumerate(steps) if step.in_scoring])


def after_scoring(steps: Sequence[Step]) -> int:
    """Return where the steps after the scoring begin in a turn."""
    return max([at for at, step in enumerate(steps) if step.in_scoring]) + 1


def ends_turn(state: State, player: int, following: int) -> bool:
    """Return whether a turn ends when this player lays the next tile (MEE-01).

    For one player alone each tile is a turn.
    """
    return following != player or state.rules.players == 1


def pass_over(state: State) -> None:
    """Drop the rest of the turn but its last step, from which the next turn begins."""
    state.end()
    state.push(state.rules.turn[-1], state.active_player)


class SimpleAction(Action):
    """An action without parameters, whose effect is a function of the state and the player."""

    def __init__(self, rules: Rules, text: str, effect: Callable[[State, int], None]) -> None:
        super().__init__(text)
        self.rules: Final = rules
        self.effect: Final = effect

    def perform(self, state: State, player: int) -> None:
        """Call the effect."""
        self.effect(state, player)


class PutAction(SimpleAction):
    """A simple action that puts a follower of a kind on the board."""

    def __init__(
        self, rules: Rules, text: str, effect: Callable[[State, int], None], follower: int
    ) -> None:
        super().__init__(rules, text, effect)
        self.follower: Final = follower


class CallbackStep(Step):
    """A step made of an expansion's functions."""

    def __init__(
        self,
        name: str,
        list_actions: Callable[[State, int], list[Action]] | None,
        effect: Callable[[State, int, Action | None], None] | None = None,
        *,
        is_forced: bool = False,
        in_scoring: bool = False,
        if_completed: bool = False,
    ) -> None:
        """Make the step.

        Args:
            name: The name of its decision.
            list_actions: Lists what the player may do; None: there is never anything to decide.
            effect: What is done then. It gets None for the action if there was nothing to decide.
                Default: the action's own effect.
            is_forced: Whether a single action is done without a decision.
            in_scoring: Whether the step belongs to the scoring of a turn.
            if_completed: Whether nothing is done unless the tile completed a feature.
        """
        super().__init__(name, in_scoring=in_scoring)
        self.if_completed: Final = if_completed
        self.is_forced: Final = is_forced
        self.list_actions: Final = list_actions
        self.effect: Final = effect

    def choices(self, state: State, player: int) -> Choices:
        """Return the actions that the function lists."""
        if self.list_actions is None:
            return NO_CHOICES
        listed = self.list_actions(state, player)
        return NO_CHOICES if self.is_forced and len(listed) == 1 else Listed(listed)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Call the effect, or else perform the action."""
        if self.if_completed and not state.board.completed:
            return
        if action is None and self.is_forced and self.list_actions is not None:
            action = self.list_actions(state, player)[0]
            note_forced(state, player, action.text)
        if self.effect is not None:
            self.effect(state, player, action)
        elif action is not None:
            action.perform(state, player)


class ChanceStep(Step):
    """A step in which chance takes one of some actions."""

    def __init__(
        self,
        name: str,
        actions: Sequence[Action],
        count_ways: Callable[[State], list[int]] | None = None,
    ) -> None:
        """Make the step.

        Args:
            name: The name of its decision.
            actions: What may happen.
            count_ways: How likely each action is, in proportion. Default: all are equally likely.
        """
        super().__init__(name, by_chance=True)
        self.all_actions: Final = list(actions)
        self.count_ways: Final = count_ways

    def choices(self, state: State, player: int) -> Choices:
        """Return all actions."""
        return Listed(self.all_actions)

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        """Return how likely each action is."""
        return [1] * len(actions) if self.count_ways is None else self.count_ways(state)
