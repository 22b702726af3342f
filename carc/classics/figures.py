"""Choices of a figure on the table, or of a place for one: `VERB:X,Y,SEGMENT,KIND`, and `,COLOUR` where it may be anybody's."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from carc.base.actions import Action, OnSegment
from carc.base.cells import REACH, cell_at, xy
from carc.base.figures import NOBODY
from carc.base.rules import COLOURS

if TYPE_CHECKING:
    from carc.base.rules import Rules
    from carc.base.state import State

KIND_BITS: Final = 62
INDEX_BITS: Final = 7  # of a segment on its tile
WHO_BITS: Final = 12  # half for the owner, half for the kind
_CHOICE: Final = re.compile(
    r"([a-z]+):(-?\d{1,3}),(-?\d{1,3}),(\d{1,2}),([a-z][a-z0-9_-]*)(?:,([a-z]+))?"
)


EVERY: Final = (1 << KIND_BITS) - 1  # kind of follower, a bit each


def claimers(rules: Rules) -> int:
    """The kinds of follower that claim something, a bit each; builders, pigs and shepherds do not."""
    return sum([1 << i for i, kind in enumerate(rules.follower_kinds) if kind.power > 0])


class OnFigure(OnSegment):
    """A choice of a figure of this kind and owner at a place: the segment of this index on the tile on a cell."""

    def __init__(
        self, among: Verb, place: tuple[int, int], owner: int, follower: int, text: str
    ) -> None:
        layer = max(owner, 0) * len(among.kinds) + follower
        super().__init__(among.verb, place[0], place[1], layer, text)
        self.rules: Final = among.rules
        self.among: Final = among
        self.owner: Final = owner  # -1: the player's own
        self.follower: Final = follower

    def perform(self, state: State, player: int) -> None:
        owner = self.owner if self.owner >= 0 else state.rules.colours[player][0]
        self.among.effect(state, state.chosen(self), owner, self.follower)


class Verb:
    """The choices of one verb, each made once. `effect`: what a choice does with segment, owner and kind.

    `anybodys`: whether the owner is said; if not it is the player.
    """

    def __init__(
        self,
        rules: Rules,
        verb: str,
        effect: Callable[[State, int, int, int], None],
        anybodys: bool = False,
    ) -> None:
        self.rules: Final = rules
        self.verb: Final = verb
        self.effect: Final = effect
        self.anybodys: Final = anybodys
        self.kinds: list[str] = [kind.name for kind in rules.follower_kinds]
        self.colours: list[str] = list(COLOURS[: rules.owners])
        self.layers: Final = len(self.kinds) * (len(self.colours) if anybodys else 1)
        self.made: dict[int, OnFigure] = {}

    def at(self, state: State, segment: int, owner: int, follower: int) -> Action:
        """The choice of an owner's figure of a kind on a segment."""
        tile = state.tile_under(segment)
        return self._make(state.cell_of(tile), segment - state.segment_of(tile, 0), owner, follower)

    def _make(self, cell: i64, index: i64, owner: i64, follower: i64) -> Action:
        who = owner << WHO_BITS // 2 | follower if self.anybodys else follower
        key: int = (cell << INDEX_BITS | index) << WHO_BITS | who
        found = self.made.get(key)
        if found is None:
            x, y = xy(cell)
            text = f"{self.verb}:{x},{y},{index},{self.kinds[follower]}"
            if self.anybodys:
                text = f"{text},{self.colours[owner]}"
            named = owner if self.anybodys else -1
            found = OnFigure(self, (cell, index), named, follower, text)
            self.made[key] = found
        return found

    def own(self, state: State, owner: int, kinds: int = EVERY) -> list[Action]:
        """The choices among an owner's figures on the table, of some kinds (a bit each), by y, x, segment and kind."""
        return [
            self.at(state, segment, owner, k)
            for segment, k in state.figures_of(owner, kinds, NOBODY)
        ]

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
