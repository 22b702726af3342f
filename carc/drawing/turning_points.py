"""What an analysis found to have changed a match most: the tiles drawn, and the moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from carc.base.game.rules import COLOURS
from carc.drawing.history import MatchHistory

if TYPE_CHECKING:
    from carc.analysis.results import GameAnalysis, MoveAnalysis

_MOST = 5  # of each
_LEAST_POINTS = 1.0


def costly(analysis: GameAnalysis) -> list[MoveAnalysis]:
    """Return the moves that lost much, in their order: each player's, and the game's costliest."""
    some = [move for name in dict.fromkeys(analysis.seats) for move in analysis.costly(name)]
    known = {move.number: move for move in [*some, *_costliest(analysis)]}
    return [known[number] for number in sorted(known)]


def draws(history: MatchHistory, analysis: GameAnalysis) -> dict[int, str]:
    """Return what to say of the luckiest and unluckiest draws, by the position after them."""
    return {
        move.first_action: f"{'Lucky' if move.luck.margin > 0 else 'Unlucky'} for"
        f" {_name(history, move)}: {_change(move.luck.margin, move.luck.chance)}"
        for move in _luckiest(analysis)
    }


def as_html(history: MatchHistory, analysis: GameAnalysis) -> str:
    """Return the lists of both, the largest first."""
    tiles = (
        (move.first_action, move, move.luck.margin, move.luck.chance)
        for move in _luckiest(analysis)
    )
    moves = (
        (move.last_action, move, -move.points_lost, -move.chance_lost)
        for move in _costliest(analysis)
    )
    return (
        '<details class="carc-why"><summary>Turning points</summary>'
        f"<p>Tiles</p><ul>{_items(history, tiles)}</ul>"
        f"<p>Moves</p><ul>{_items(history, moves)}</ul></details>"
    )


def _luckiest(analysis: GameAnalysis) -> list[MoveAnalysis]:
    some = [move for move in analysis.moves if abs(move.luck.margin) >= _LEAST_POINTS]
    return sorted(some, key=lambda move: -abs(move.luck.margin))[:_MOST]


def _costliest(analysis: GameAnalysis) -> list[MoveAnalysis]:
    some = [move for move in analysis.moves if move.points_lost >= _LEAST_POINTS]
    return sorted(some, key=lambda move: -move.points_lost)[:_MOST]


def _items(history: MatchHistory, changes: Iterable[tuple[int, MoveAnalysis, float, float]]) -> str:
    return "".join(
        f"<li>{_name(history, move)} {_change(points, chance)} "
        f'<button type="button" data-to="{at}">move {at}</button></li>'
        for at, move, points, chance in changes
    )


def _name(history: MatchHistory, move: MoveAnalysis) -> str:
    return COLOURS[history.rules.colours[move.player][0]]


def _change(points: float, chance: float) -> str:
    """Return a change of the expected margin and of the chance to win, in words."""
    percent = round(100 * chance)
    return f"{points:+.1f} points" + (f", chance to win {percent:+} %" if percent else "")
