"""The team's decisions as actions, with their notation (`docs/levels.md`).

Choices of a follower or a cell are the base game's `OnSegment` and `OnCell`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from carc.base.game.rules import COLOURS
from carc.base.turn.actions import Action, parse_choice

# On a follower: score its feature next (COOP-16), bury it (LVL2-03), put the hound with it
# (LVL3-03).
ON_FOLLOWER: Final = ("score", "bury", "hound")
# On a cell: take ghosts off the tile (COOP-16, LVL3-03), give its open cemetery the extra ghost
# (LVL2-04), lay the face-down tile there (LVL5-03).
ON_CELL: Final = ("ghosts", "cemetery", "hide")
# Of a colour: bury a follower from its supply (LVL2-03), move its marker for a colour that has none
# (LVL6-02).
OF_COLOUR: Final = ("bury", "marker")


class OfColour(Action):
    """The choice of a colour: `VERB:COLOUR`."""

    def __init__(self, verb: str, owner: int) -> None:
        super().__init__(f"{verb}:{COLOURS[owner]}")
        self.verb: Final = verb
        self.owner: Final = owner


class Markers(Action):
    """The choice of the colours with a marker (LVL6-01): `markers:COLOUR,COLOUR,COLOUR`."""

    def __init__(self, owners: tuple[int, ...]) -> None:
        super().__init__("markers:" + ",".join([COLOURS[owner] for owner in owners]))
        self.owners: Final = owners


class Take(Action):
    """How many ghosts leave a tile: `take:N`, or from each of several segments: `take:N+N`."""

    def __init__(self, counts: tuple[int, ...]) -> None:
        """Make the action; `counts`: the ghosts from each segment."""
        super().__init__("take:" + "+".join([str(n) for n in counts]))
        self.counts: Final = counts


POINTS: Final = Action("points")  # score the feature's points (COOP-16)

# Every action is made once.
_of_colour: Final[dict[str, list[OfColour]]] = {
    verb: [OfColour(verb, owner) for owner in range(len(COLOURS))] for verb in OF_COLOUR
}


def of_colour(verb: str, owner: int) -> OfColour:
    """Return the choice of a colour: `bury:COLOUR` or `marker:COLOUR`."""
    return _of_colour[verb][owner]


@cache
def take(counts: tuple[int, ...]) -> Take:
    """Return the action that takes so many ghosts from each segment."""
    return Take(counts)


_COLOURS: Final = re.compile(r"([a-z]+):([a-z]+(?:,[a-z]+)*)")
_TAKE: Final = re.compile(r"take:([0-3](?:\+[0-3]){0,4})")


def parse(text: str) -> Action | None:
    """Return the team's decision that `text` denotes; None if it is none of them."""
    if text == POINTS.text:
        return POINTS
    action = parse_choice(text, ON_FOLLOWER, ON_CELL)
    if action is None:
        action = _parse(text)
    return action if action is not None and action.text == text else None


def _parse(text: str) -> Action | None:
    match = _TAKE.fullmatch(text)
    if match is not None:
        return take(tuple([int(n) for n in match[1].split("+")]))
    match = _COLOURS.fullmatch(text)
    if match is None or any(colour not in COLOURS for colour in match[2].split(",")):
        return None
    owners = tuple([COLOURS.index(colour) for colour in match[2].split(",")])
    if match[1] == "markers":
        return Markers(owners)
    return of_colour(match[1], owners[0]) if match[1] in OF_COLOUR else None
