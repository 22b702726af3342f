"""The colours that the players of a table have chosen.

The engine knows owners, and names them by their usual colours. At a table an owner may have another
colour: pictures and words are translated before they are shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from carc.base.game.rules import COLOURS
from carc.drawing import artwork
from carc.errors import CarcError

_WORDS = re.compile(rf"\b({'|'.join(COLOURS)})\b")


@attrs.frozen
class Palette:
    """The index of a colour for each owner."""

    colours: tuple[int, ...] = tuple(range(len(COLOURS)))

    @classmethod
    def of(cls, owners: Sequence[Sequence[int]], chosen: Sequence[int]) -> Palette:
        """Return the palette in which the first of each player's owners has the chosen colour.

        No index comes twice.
        """
        colours = dict(zip((some[0] for some in owners), chosen, strict=True))
        others = [owner for owner in range(len(COLOURS)) if owner not in colours]
        # An owner keeps its usual colour if nobody has chosen it.
        free = [colour for colour in range(len(COLOURS)) if colour not in chosen]
        for owner in sorted(others, key=lambda each: each not in free):
            colours[owner] = owner if owner in free else free[0]
            free.remove(colours[owner])
        return cls(tuple(colours[owner] for owner in range(len(COLOURS))))

    @property
    def names(self) -> list[str]:
        """The names of the colours by owner."""
        return [COLOURS[colour] for colour in self.colours]

    def figure(self, kind: str, owner: int) -> str:
        """Return the drawing of an upright follower."""
        return artwork.figure(kind, self.colours[owner], False)

    def words(self, text: str) -> str:
        """Return a text of the engine with the colours of this table."""
        return _WORDS.sub(lambda match: COLOURS[self.colours[COLOURS.index(match[1])]], text)


def choose_colours(wanted: Sequence[str]) -> list[int]:
    """Return the index of a colour for each player, by the name wanted; empty for any that is free.

    Raises `CarcError` if there is no such colour, or if two players want the same.
    """
    for number, name in enumerate(wanted):
        if name and name not in COLOURS:
            raise CarcError(f"there is no colour {name!r}; the colours are {', '.join(COLOURS)}")
        if name and name in wanted[:number]:
            free = ", ".join(colour for colour in COLOURS if colour not in wanted)
            raise CarcError(
                f"{name} is taken by player {wanted.index(name) + 1}; player {number + 1} may"
                f" choose {free}"
            )
    free_colours = [number for number, name in enumerate(COLOURS) if name not in wanted]
    chosen = []
    for number, name in enumerate(wanted):
        if name:
            chosen.append(COLOURS.index(name))
        else:
            usual = number if number in free_colours else free_colours[0]
            free_colours.remove(usual)
            chosen.append(usual)
    return chosen
