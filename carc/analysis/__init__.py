"""Analysis: what a position is worth, and where a game was won and lost.

`analyse` judges a position, `analyse_game` a whole game. Both search as `strong` does, or as
`team-mcts` where all players win or lose together. `docs/analyse-a-game.md` explains the numbers.
"""

from carc.analysis.game import analyse_game, analyse_last_move
from carc.analysis.position import analyse
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
    "GameAnalysis",
    "LineAnalysis",
    "Luck",
    "MoveAnalysis",
    "PlayerAnalysis",
    "PositionAnalysis",
    "analyse",
    "analyse_game",
    "analyse_last_move",
    "read_analysis",
]
