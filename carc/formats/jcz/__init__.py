"""Saved games of JCloisterZone, the open-source Carcassonne program: files that end in `.jcz`.

Only the form of the files and the names in them are shared with that program.

Called by: commands, formats.
Imports: base, match, the expansions.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from carc.formats.imported import Imported
from carc.formats.jcz.exporting import export_game
from carc.formats.jcz.importing import import_game

__all__ = ["ENDINGS", "NAME", "export_game", "import_game", "import_games", "recognises"]

NAME: Final = "saved games of JCloisterZone"
ENDINGS: Final = (".jcz",)


def recognises(text: str) -> bool:
    """Return whether a text is a saved game, however damaged: an object with a setup."""
    return '"setup"' in text


def import_games(text: str, source: str = "file", tiles: Sequence[Path] = ()) -> list[Imported]:
    """Return the one game in the text of a `.jcz` file, with tile files of the user."""
    return [import_game(text, source, tiles)]
