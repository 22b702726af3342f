"""Choices of a figure on the table, or of a place for one: `VERB:X,Y,SEGMENT,KIND`.

`,COLOUR` follows where the figure may be anybody's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from carc.base.board.candidates import Candidates, cell_in, group_in, kind_in, owner_in, segment_in
from carc.base.cells import REACH, cell_at, xy
from carc.base.game.actions import Action, ByCell, OnSegment, chosen_segment
from carc.base.game.choices import ActionMaker, CandidateChoices
from carc.base.game.rules import COLOURS

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

KIND_BITS: Final = 62
_CHOICE: Final = re.compile(
    r"([a-z]+):(-?\d{1,3}),(-?\d{1,3}),(\d{1,2}),([a-z][a-z0-9_-]*)(?:,([a-z]+))?"
)

EVERY_KIND: Final[i64] = (1 << KIND_BITS) - 1  # of follower, a bit each


def claiming_kinds(rules: Rules) -> int:
    """Return the kinds of follower that count in majorities, a bit each: no builder, pig, ..."""
    return sum([1 << i for i, kind in enumerate(rules.follower_kinds) if kind.power > 0])


class OnFigure(OnSegment):
    """A choice of a figure of this kind and owner on a segment of the tile on a cell."""

    def __init__(
        self, verb: FigureVerb, place: tuple[int, int], owner: int, follower: int, text: str
    ) -> None:
        super().__init__(verb.verb, place[0], place[1], verb.layer(owner, follower), text)
        self.rules: Final = verb.rules
        self.figure_verb: Final = verb
        self.owner: Final = owner  # -1: the player's own
        self.follower: Final = follower

    def perform(self, state: State, player: int) -> None:
        owner = self.owner if self.owner >= 0 else player
        segment = chosen_segment(state.board, self)
        self.figure_verb.do(state, segment, owner, self.follower)


class FigureVerb(ActionMaker):
    """The choices of one verb, each made once.

    Attributes:
        verb: The word in the notation.
        anybodys: Whether the owner is part of the choice; if not it is the player.
        layers: How many choices of one segment there are.
    """

    def __init__(self, rules: Rules, verb: str, anybodys: bool = False) -> None:
        self.rules: Final = rules
        self.verb: Final = verb
        self.anybodys: Final = anybodys
        self.kinds: list[str] = [kind.name for kind in rules.follower_kinds]
        self.colours: list[str] = list(COLOURS[: rules.owners])
        self.layers: i64 = len(self.kinds) * (len(self.colours) if anybodys else 1)
        segments = max([len(tile.segments) for tile in rules.catalogue.tiles])
        self.made: Final[ByCell[OnFigure]] = ByCell(segments * self.layers)

    def do(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Perform a choice."""

    def layer(self, owner: i64, follower: i64) -> i64:
        """Return which of the choices of a segment it is."""
        return owner * len(self.kinds) + follower if self.anybodys else follower

    def at(self, state: State, entry: i64) -> Action:
        """Return the choice of a candidate: an owner's figure on a segment, or a place for it."""
        segment = segment_in(entry)
        board = state.board
        index = segment - i64(board.segment_of(board.tile_under(segment), 0))
        return self._make(cell_in(entry), index, owner_in(entry), kind_in(entry))

    def _make(self, cell: i64, index: i64, owner: i64, follower: i64) -> Action:
        number = index * self.layers + self.layer(owner, follower)
        action = self.made.find(cell, number)
        if action is None:
            x, y = xy(cell)
            text = f"{self.verb}:{x},{y},{index},{self.kinds[follower]}"
            if self.anybodys:
                text = f"{text},{self.colours[owner]}"
            named = owner if self.anybodys else -1
            action = OnFigure(self, (cell, index), named, follower, text)
            self.made.keep(cell, number, action)
        return action

    def among(self, candidates: Candidates) -> CandidateChoices:
        """Return the choices of these candidates."""
        return CandidateChoices(candidates, self)

    def parse(self, text: str) -> Action | None:
        """Return the choice that `text` denotes; None if it is none of this verb's."""
        match = _CHOICE.fullmatch(text)
        if match is None or match[1] != self.verb or match[5] not in self.kinds:
            return None
        x, y = int(match[2]), int(match[3])
        if max(abs(x), abs(y)) > REACH or (match[6] is not None) != self.anybodys:
            return None
        if self.anybodys and match[6] not in self.colours:
            return None
        owner = self.colours.index(match[6]) if self.anybodys else 0
        action = self._make(cell_at(x, y), int(match[4]), owner, self.kinds.index(match[5]))
        return action if action.text == text else None


class PutVerb(FigureVerb):
    """A choice of a place: a follower of the supply goes there."""

    def do(self, state: State, segment: int, owner: int, follower: int) -> None:
        state.put_follower(segment, owner, follower)


class TakeVerb(FigureVerb):
    """A choice of a figure: it goes home."""

    def do(self, state: State, segment: int, owner: int, follower: int) -> None:
        state.take_follower(segment, owner, follower)


class ByGroup(ActionMaker):
    """Choices of several verbs at one decision: the group of a candidate is the verb's number."""

    def __init__(self, verbs: list[FigureVerb]) -> None:
        self.verbs: Final = verbs

    def at(self, state: State, entry: i64) -> Action:
        return self.verbs[group_in(entry)].at(state, entry)
