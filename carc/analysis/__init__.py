"""Analysis: what a position is worth, and where a game was won and lost.

`analyse` judges a position, `analyse_game` a whole game; `compare_lines` says how far a line is
ahead of another. They search as `strong` does, or as `team-mcts` where all players win or lose
together. `docs/analyse-a-game.md` explains the numbers.

Called by: commands, drawing, puzzles, web.
Imports: base, bots, match.
"""

from carc.analysis.difference import Difference
from carc.analysis.game import analyse_game, analyse_last_move
from carc.analysis.position import analyse, compare_lines
from carc.analysis.reading import read_analysis
from carc.analysis.results import (
    BLUNDER,
    INACCURACY,
    MISTAKE,
    GameAnalysis,
    LineAnalysis,
    Luck,
    MoveAnalysis,
    PlayerAnalysis,
    PositionAnalysis,
)

__all__ = [
    "BLUNDER",
    "INACCURACY",
    "MISTAKE",
    "Difference",
    "GameAnalysis",
    "LineAnalysis",
    "Luck",
    "MoveAnalysis",
    "PlayerAnalysis",
    "PositionAnalysis",
    "analyse",
    "analyse_game",
    "analyse_last_move",
    "compare_lines",
    "read_analysis",
]
