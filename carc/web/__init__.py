"""The web application of `carc serve`: tournaments to see, tables to play at. Needs `carc[web]`.

Called by: commands.
Imports: analysis, arena, base, bots, drawing, formats, match, puzzles, tournaments.
"""
