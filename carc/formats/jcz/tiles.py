"""The kinds of tile by the names that JCloisterZone has for them."""

from functools import cache
from pathlib import Path

from carc.base.game.rules import Rules
from carc.errors import BadRecord
from carc.formats.jcz.saved_game import brief

# Tiles of the base game that lie otherwise there before they are turned: by how many quarter turns.
_TURNED = {"U": 1, "G": 1, "I": 3}
ABBEY = "AM/A"
SYMBOL = "jcz"  # in tile files of users: their name of the tile


@cache
def _pairs() -> list[tuple[str, str]]:
    """Return our name and theirs of every kind of tile."""
    lines = Path(__file__).with_name("tile_ids.txt").read_text(encoding="utf-8").splitlines()
    words = [line.split() for line in lines if not line.startswith("#")]
    return [(ours, theirs) for ours, theirs in words]


class TileNames:
    """The names of the kinds of tile under some rules, in both programs."""

    def __init__(self, rules: Rules) -> None:
        known = rules.catalogue.index
        self._spec = rules.spec
        named = [(tile.name, tile.symbol(SYMBOL)) for tile in rules.catalogue.tiles]
        own = [(ours, theirs) for ours, theirs in named if theirs and ours == _printed(ours)]
        pairs = [*_pairs(), *own]
        self._ours = {theirs: ours for ours, theirs in pairs if ours in known}
        self._theirs = {ours: theirs for ours, theirs in pairs if ours in known}

    def named(self, theirs: str) -> str:
        """Return our name of their kind of tile; `BadRecord` if these rules lack it."""
        ours = self._ours.get(theirs)
        if ours is None:
            raise BadRecord(f"{self._spec} has no tile {brief(theirs)}")
        return ours

    def theirs(self, ours: str) -> str | None:
        """Return their name of our kind of tile; None if they have no such kind."""
        return self._theirs.get(_printed(ours))

    @staticmethod
    def turns(ours: str) -> int:
        """Return by how many quarter turns a tile of theirs lies otherwise than ours."""
        return _TURNED.get(_printed(ours).partition("-")[0], 0)


def _printed(name: str) -> str:
    """Return the kind of tile without the bridge that was built on it."""
    return name.partition("+")[0]
