"""Positions as text and as data: written, read, and made states again.

Called by: anybody.
Imports: tiles, board, turn.
"""
