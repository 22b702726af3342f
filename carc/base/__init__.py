"""The core: tiles, board, the turn, positions, expansions, the game. It names no expansion.

Called by: anybody.
Imports: nothing.
"""
