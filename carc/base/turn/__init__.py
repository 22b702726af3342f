"""A turn: its steps, the choices and actions of each, the agenda, the bag, scoring.

Called by: anybody.
Imports: tiles, board.
"""
