"""Puzzles: positions in which one turn is better than all others.

Called by: commands, web.
Imports: analysis, base, bots, drawing, match.
"""

from carc.puzzles.finding import find_puzzles
from carc.puzzles.puzzle import Puzzle, Rival, parse_puzzles, shipped_puzzles

__all__ = ["Puzzle", "Rival", "find_puzzles", "parse_puzzles", "shipped_puzzles"]
