"""The program `carc`: one module for each command or group of commands.

Called by: nobody.
Imports: analysis, arena, base, bots, drawing, formats, learn, match, puzzles, tilesets,
    tournaments, web.
"""

import carc.commands._interrupt  # noqa: F401 (for its effect, before anything that takes time)
