"""The team's decisions as actions, with their notation (`docs/levels.md`)."""

from __future__ import annotations

import re
from typing import Final

from carc.base.actions import Action
from carc.base.cells import REACH, cell_at, xy
from carc.base.rules import COLOURS


class OnFollower(Action):
    """A choice of one follower on the board: `VERB:X,Y,SEGMENT`."""

    def __init__(self, verb: str, cell: int, index: int) -> None:
        x, y = xy(cell)
        super().__init__(f"{verb}:{x},{y},{index}")
        self.cell: Final = cell
        self.index: Final = index


class ScoreNext(OnFollower):
    """Score next the completed feature this follower stands on: `score:X,Y,SEGMENT`."""


class Bury(OnFollower):
    """Bury this follower (LVL2-03): `bury:X,Y,SEGMENT`."""


class SetHound(OnFollower):
    """Put the hound with this follower (LVL3-03): `hound:X,Y,SEGMENT`."""


class OnCell(Action):
    """A choice of a cell: `VERB:X,Y`."""

    def __init__(self, verb: str, cell: int) -> None:
        x, y = xy(cell)
        super().__init__(f"{verb}:{x},{y}")
        self.cell: Final = cell


class GhostsFrom(OnCell):
    """Take ghosts off this tile (COOP-16, LVL3-03): `ghosts:X,Y`."""


class ToCemetery(OnCell):
    """The extra ghost goes to this open cemetery (LVL2-04): `cemetery:X,Y`."""


class Hide(OnCell):
    """Lay the face-down tile here (LVL5-03): `hide:X,Y`."""


class OfColour(Action):
    """A choice of a colour, by its owner's number: `VERB:COLOUR`."""

    def __init__(self, verb: str, owner: int) -> None:
        super().__init__(f"{verb}:{COLOURS[owner]}")
        self.owner: Final = owner


class BurySupply(OfColour):
    """Bury a follower from this colour's supply, there being none on the board (LVL2-03): `bury:COLOUR`."""


class MoveMarker(OfColour):
    """This marker moves for a colour without one (LVL6-02): `marker:COLOUR`."""


class Markers(Action):
    """These colours have a marker (LVL6-01): `markers:COLOUR,COLOUR,COLOUR`."""

    def __init__(self, owners: tuple[int, ...]) -> None:
        super().__init__("markers:" + ",".join([COLOURS[owner] for owner in owners]))
        self.owners: Final = owners


class Take(Action):
    """How many ghosts leave the tile: `take:N`; where several of its segments hold ghosts, from each: `take:N+N`."""

    def __init__(self, counts: tuple[int, ...]) -> None:
        super().__init__("take:" + "+".join([str(n) for n in counts]))
        self.counts: Final = counts


class Points(Action):
    """Score the feature's points (COOP-16): `points`."""

    def __init__(self) -> None:
        super().__init__("points")


POINTS: Final = Points()

# Every action is made once.
_scores: Final[dict[int, ScoreNext]] = {}
_buries: Final[dict[int, Bury]] = {}
_hounds: Final[dict[int, SetHound]] = {}
_ghosts: Final[dict[int, GhostsFrom]] = {}
_cemeteries: Final[dict[int, ToCemetery]] = {}
_hides: Final[dict[int, Hide]] = {}
_takes: Final[dict[tuple[int, ...], Take]] = {}
_markers: Final[dict[tuple[int, ...], Markers]] = {}
BURY_SUPPLY: Final[list[BurySupply]] = [BurySupply("bury", owner) for owner in range(len(COLOURS))]
MOVE_MARKER: Final[list[MoveMarker]] = [
    MoveMarker("marker", owner) for owner in range(len(COLOURS))
]


def score_next(cell: int, index: int) -> ScoreNext:
    """`score:X,Y,SEGMENT`."""
    key = cell * 16 + index
    found = _scores.get(key)
    if found is None:
        found = ScoreNext("score", cell, index)
        _scores[key] = found
    return found


def bury(cell: int, index: int) -> Bury:
    """`bury:X,Y,SEGMENT`."""
    key = cell * 16 + index
    found = _buries.get(key)
    if found is None:
        found = Bury("bury", cell, index)
        _buries[key] = found
    return found


def set_hound(cell: int, index: int) -> SetHound:
    """`hound:X,Y,SEGMENT`."""
    key = cell * 16 + index
    found = _hounds.get(key)
    if found is None:
        found = SetHound("hound", cell, index)
        _hounds[key] = found
    return found


def ghosts_from(cell: int) -> GhostsFrom:
    """`ghosts:X,Y`."""
    found = _ghosts.get(cell)
    if found is None:
        found = GhostsFrom("ghosts", cell)
        _ghosts[cell] = found
    return found


def to_cemetery(cell: int) -> ToCemetery:
    """`cemetery:X,Y`."""
    found = _cemeteries.get(cell)
    if found is None:
        found = ToCemetery("cemetery", cell)
        _cemeteries[cell] = found
    return found


def hide(cell: int) -> Hide:
    """`hide:X,Y`."""
    found = _hides.get(cell)
    if found is None:
        found = Hide("hide", cell)
        _hides[cell] = found
    return found


def take(counts: tuple[int, ...]) -> Take:
    """`take:N` or `take:N+N`."""
    found = _takes.get(counts)
    if found is None:
        found = Take(counts)
        _takes[counts] = found
    return found


def markers(owners: tuple[int, ...]) -> Markers:
    """`markers:COLOUR,COLOUR,COLOUR`."""
    found = _markers.get(owners)
    if found is None:
        found = Markers(owners)
        _markers[owners] = found
    return found


_AT = re.compile(r"([a-z]+):(-?\d{1,3}),(-?\d{1,3})(?:,(\d{1,2}))?")
_OF = re.compile(r"([a-z]+):([a-z]+(?:,[a-z]+)*)")
_TAKE = re.compile(r"take:([0-3](?:\+[0-3]){0,4})")


def parsed(text: str) -> Action | None:
    """The team's decision that `text` denotes; None if it is none of them."""
    action = _parsed(text)
    return action if action is not None and action.text == text else None


def _parsed(text: str) -> Action | None:
    if text == "points":
        return POINTS
    match = _TAKE.fullmatch(text)
    if match is not None:
        return take(tuple([int(n) for n in match[1].split("+")]))
    match = _AT.fullmatch(text)
    if match is not None:
        return _parsed_at(match[1], int(match[2]), int(match[3]), match[4])
    match = _OF.fullmatch(text)
    if match is None:
        return None
    colours = match[2].split(",")
    if any(colour not in COLOURS for colour in colours):
        return None
    owners = [COLOURS.index(colour) for colour in colours]
    if match[1] == "markers":
        return markers(tuple(owners))
    if len(owners) > 1:
        return None
    if match[1] == "bury":
        return BURY_SUPPLY[owners[0]]
    return MOVE_MARKER[owners[0]] if match[1] == "marker" else None


def _parsed_at(verb: str, x: int, y: int, index: str | None) -> Action | None:
    if max(abs(x), abs(y)) > REACH:
        return None
    cell = cell_at(x, y)
    if index is None:
        if verb == "ghosts":
            return ghosts_from(cell)
        if verb == "cemetery":
            return to_cemetery(cell)
        return hide(cell) if verb == "hide" else None
    if int(index) >= 16:
        return None
    if verb == "score":
        return score_next(cell, int(index))
    if verb == "bury":
        return bury(cell, int(index))
    return set_hound(cell, int(index)) if verb == "hound" else None
