"""What the estimates of `win_estimator` and of the bot `careful` have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carc.base.tiles.tile import CITY

if TYPE_CHECKING:
    from carc.base.evaluation.frontier import Frontier
    from carc.base.game.state import State


def completed_points(state: State, feature: int) -> float:
    """Return what a city or road of this size scores if it is complete."""
    board = state.board
    points = float(board.tiles_of(feature))
    if board.is_kind(feature, CITY):
        points = 2.0 * (points + float(board.mark(feature, state.rules.coat_of_arms)))
    return points


def bank_gap_count(state: State, frontier: Frontier, bank: int) -> int:
    """Return how many free cells banks continue to, counted for each bank.

    Args:
        state: The position.
        frontier: Its frontier.
        bank: The kind of segment that banks are.
    """
    board, features = state.board, frontier.feature
    count = 0
    for gap in range(frontier.count):
        if board.is_kind(features[gap], bank):
            count += 1
    return count
