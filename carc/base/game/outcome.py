"""How a game ended: what players are ranked by, their utilities, who won (BASE-19)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from carc.base.game.steps import TERMINAL

if TYPE_CHECKING:
    from carc.base.game.state import State


def results(state: State) -> list[int]:
    """What each player is ranked by."""
    found = [state.scores[colours[0]] for colours in state.rules.colours]
    for expansion in state.rules.hooks.results:
        found = expansion.results(state, found)
    return found


def ranking(results: Sequence[int], faults: Sequence[int]) -> tuple[int, ...]:
    """Ranks from results (higher is better), 0 best, equal tied; seats at fault last."""
    keys = [(seat in faults, -result) for seat, result in enumerate(results)]
    order = sorted(keys)
    return tuple([order.index(key) for key in keys])


def returns(state: State) -> list[float]:
    """Each player's utility; 0 before the end."""
    n = state.rules.players
    if state.current_player != TERMINAL:
        return [0.0] * n
    ranked = results(state)
    best = max(ranked)
    level = ranked.count(best)
    share = (n - level) / (level * (n - 1)) if n > 1 else 0.0
    found = [share if result == best else -1.0 / (n - 1) for result in ranked]
    for expansion in state.rules.hooks.returns:
        found = expansion.returns(state, found)
    return found


def winners(state: State) -> list[int]:
    """The players who won; none before the end or if all lost."""
    if state.current_player != TERMINAL:
        return []
    utilities = state.returns()
    best = max(utilities)
    return [p for p, utility in enumerate(utilities) if utility == best and utility >= 0.0]


def report(state: State) -> dict[str, Any]:
    """What expansions tell of how the game ended; empty before the end."""
    found: dict[str, Any] = {}
    if state.current_player == TERMINAL:
        for expansion in state.rules.hooks.outcome:
            found = expansion.outcome(state, found)
    return found
