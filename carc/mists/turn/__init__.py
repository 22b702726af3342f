"""The turn of the team, part by part: 1 a tile, 2 ghosts and followers, 3 scoring.

Called by: game, view, the expansions.
Imports: base.
"""
