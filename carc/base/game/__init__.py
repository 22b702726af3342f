"""A game: the rules bound, its states, chance, random play, how it ends.

Called by: anybody.
Imports: tiles, board, turn, position, expansions.
"""
