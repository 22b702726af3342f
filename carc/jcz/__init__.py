"""Saved games of JCloisterZone, the open-source Carcassonne program: files that end in `.jcz`.

Only the form of the files and the names in them are shared with that program.
"""

from carc.jcz.exporting import export_game
from carc.jcz.importing import Imported, import_game

__all__ = ["Imported", "export_game", "import_game"]
