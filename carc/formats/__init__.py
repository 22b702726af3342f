"""Games in the forms of other programs.

Each form is a module or package here, listed in `FORMATS`. `import_games` tells them apart by
their content.

Called by: commands, web.
Imports: base, match, the expansions.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from carc.errors import BadRecord
from carc.formats import bga, carcassonnelab, jcz, records
from carc.formats.imported import Imported

__all__ = ["FORMATS", "Format", "Imported", "import_games"]


class Format(Protocol):
    """What the module of a form offers."""

    @property
    def NAME(self) -> str:  # noqa: N802 (a constant of the module)
        """What messages call such texts, as `saved games of JCloisterZone`."""

    @property
    def ENDINGS(self) -> tuple[str, ...]:  # noqa: N802
        """How the names of such files end, as `.jcz`."""

    def recognises(self, text: str) -> bool:
        """Return whether a text is of this form, however damaged."""

    def import_games(self, text: str, source: str = "file") -> list[Imported]:
        """Return the games in a text of this form.

        Raises:
            BadRecord: It is damaged, or it plays what carc does not have. The message says what.
        """


FORMATS: Final[tuple[Format, ...]] = (records, bga, carcassonnelab, jcz)


def import_games(text: str, source: str = "file", tiles: Sequence[Path] = ()) -> list[Imported]:
    """Return the games in a text of any form.

    Args:
        text: The text.
        source: What error messages call it.
        tiles: Tile files of the user, for a game of JCloisterZone.

    Raises:
        BadRecord: It is of no known form, it is damaged, or it plays what carc does not have.
    """
    text = text.removeprefix("\ufeff")  # a byte order mark
    if tiles:
        if not jcz.recognises(text):
            raise BadRecord(f"{source}: tile files are for {jcz.NAME}")
        return jcz.import_games(text, source, tiles)
    for form in FORMATS:
        if form.recognises(text):
            return form.import_games(text, source)
    known = ", ".join(form.NAME for form in FORMATS)
    raise BadRecord(f"{source}: carc does not know this form of games; it reads: {known}")
