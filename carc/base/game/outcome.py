"""How a game ended: what players are ranked by, their utilities, who won (BASE-19)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from carc.base.turn.steps import TERMINAL

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State


def is_team(rules: Rules) -> bool:
    """Return whether all players win or lose together."""
    return any(type(expansion).TEAM for expansion in rules.expansions)


def results(state: State) -> list[int]:
    """Return what each player is ranked by; higher is better. Base: the score (BASE-19)."""
    ranked = [state.scores[colours[0]] for colours in state.rules.colours]
    for expansion in state.rules.hooks.results:
        ranked = expansion.results(state, ranked)
    return ranked


def ranking(results: Sequence[int], faults: Sequence[int]) -> tuple[int, ...]:
    """Return ranks from results, 0 best, equal ones tied; seats at fault come last."""
    keys = [(seat in faults, -result) for seat, result in enumerate(results)]
    order = sorted(keys)
    return tuple([order.index(key) for key in keys])


def returns(state: State) -> list[float]:
    """Return each player's utility; 0 before the end."""
    n = state.rules.players
    if state.current_player != TERMINAL:
        return [0.0] * n
    ranked = results(state)
    best = max(ranked)
    level = ranked.count(best)
    share = (n - level) / (level * (n - 1)) if n > 1 else 0.0
    utilities = [share if result == best else -1.0 / (n - 1) for result in ranked]
    for expansion in state.rules.hooks.returns:
        utilities = expansion.returns(state, utilities)
    return utilities


def winners(state: State) -> list[int]:
    """Return the players who won; none before the end or if all lost."""
    if state.current_player != TERMINAL:
        return []
    utilities = state.returns()
    best = max(utilities)
    return [p for p, utility in enumerate(utilities) if utility == best and utility >= 0.0]


def report(state: State) -> dict[str, Any]:
    """Return what expansions report of how the game ended; empty before the end."""
    data: dict[str, Any] = {}
    if state.current_player == TERMINAL:
        for expansion in state.rules.hooks.outcome:
            data = expansion.outcome(state, data)
    return data
