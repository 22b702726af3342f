"""Choices of a figure on the table, or of a place for one: `VERB:X,Y,SEGMENT,KIND`, and `,COLOUR` where it may be anybody's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from carc.base.board.candidates import Ranks, cell_in, segment_in
from carc.base.board.layout import KINDS, OWNER_AT, WHO
from carc.base.cells import REACH, cell_at, xy
from carc.base.game.actions import Action, ByCell, OnSegment
from carc.base.game.rules import COLOURS

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

KIND_BITS: Final = 62
_CHOICE: Final = re.compile(
    r"([a-z]+):(-?\d{1,3}),(-?\d{1,3}),(\d{1,2}),([a-z][a-z0-9_-]*)(?:,([a-z]+))?"
)


EVERY: Final[i64] = (1 << KIND_BITS) - 1  # kind of follower, a bit each


def claimers(rules: Rules) -> int:
    """The kinds of follower that claim something, a bit each; builders, pigs and shepherds do not."""
    return sum([1 << i for i, kind in enumerate(rules.follower_kinds) if kind.power > 0])


class OnFigure(OnSegment):
    """A choice of a figure of this kind and owner at a place: the segment of this index on the tile on a cell."""

    def __init__(
        self, among: Verb, place: tuple[int, int], owner: int, follower: int, text: str
    ) -> None:
        super().__init__(among.verb, place[0], place[1], among.layer(owner, follower), text)
        self.rules: Final = among.rules
        self.among: Final = among
        self.owner: Final = owner  # -1: the player's own
        self.follower: Final = follower

    def perform(self, state: State, player: int) -> None:
        owner = self.owner if self.owner >= 0 else player
        self.among.do(state, state.chosen(self), owner, self.follower)


class Verb:
    """The choices of one verb, each made once.

    `anybodys`: whether the owner is said; if not it is the player.
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
        """What a choice does."""

    def layer(self, owner: i64, follower: i64) -> i64:
        """Which of the choices of a segment it is."""
        return owner * len(self.kinds) + follower if self.anybodys else follower

    def at(self, state: State, rank: i64) -> Action:
        """The choice of a rank (`carc.base.board.candidates`): an owner's figure of a kind on a segment, or a place for it."""
        segment = segment_in(rank)
        index = segment - i64(state.segment_of(state.tile_under(segment), 0))
        return self._make(cell_in(rank), index, (rank & WHO) >> OWNER_AT, rank & KINDS)

    def _make(self, cell: i64, index: i64, owner: i64, follower: i64) -> Action:
        number = index * self.layers + self.layer(owner, follower)
        found = self.made.find(cell, number)
        if found is None:
            x, y = xy(cell)
            text = f"{self.verb}:{x},{y},{index},{self.kinds[follower]}"
            if self.anybodys:
                text = f"{text},{self.colours[owner]}"
            named = owner if self.anybodys else -1
            found = OnFigure(self, (cell, index), named, follower, text)
            self.made.keep(cell, number, found)
        return found

    def all(self, state: State, ranks: Ranks) -> list[Action]:
        """The choices of these ranks, in order."""
        return [self.at(state, rank) for rank in ranks.in_order()]

    def parse(self, text: str) -> Action | None:
        """The choice that `text` denotes; None if it is none of this verb's."""
        match = _CHOICE.fullmatch(text)
        if match is None or match[1] != self.verb or match[5] not in self.kinds:
            return None
        x, y = int(match[2]), int(match[3])
        if max(abs(x), abs(y)) > REACH or (match[6] is not None) != self.anybodys:
            return None
        if self.anybodys and match[6] not in self.colours:
            return None
        owner = self.colours.index(match[6]) if self.anybodys else 0
        found = self._make(cell_at(x, y), int(match[4]), owner, self.kinds.index(match[5]))
        return found if found.text == text else None


class Put(Verb):
    """Of a place: a follower of the supply goes there."""

    def do(self, state: State, segment: int, owner: int, follower: int) -> None:
        state.put_follower(segment, owner, follower)


class Take(Verb):
    """Of a figure: it goes home."""

    def do(self, state: State, segment: int, owner: int, follower: int) -> None:
        state.take_follower(segment, owner, follower)
