"""What an expansion may change: its hooks, the base game made with them, specs.

Called by: anybody.
Imports: tiles, board, turn, position.
"""
