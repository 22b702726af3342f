"""How good a position is: estimates for bots. Play does not use them.

Called by: _names, analysis, bots, the expansions.
Imports: tiles, board, turn, expansions, game.
"""
