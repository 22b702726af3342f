"""Verbs: what is chosen of what the board offers, such as `VERB:X,Y,SEGMENT,KIND`, and its effect.

`,COLOUR` follows where a figure may be anybody's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64, mypyc_attr

from carc.base.board.candidates import cell_in, kind_in, owner_in, segment_in
from carc.base.cells import REACH, cell_at, xy
from carc.base.turn.actions import Action, ByCell, OnSegment, chosen_segment, on_segment
from carc.base.turn.choices import Verb

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

_CHOICE: Final = re.compile(
    r"([a-z]+):(-?\d{1,3}),(-?\d{1,3}),(\d{1,2}),([a-z][a-z0-9_-]*)(?:,([a-z]+))?"
)


@final
class SegmentVerb(Verb):
    """The choices `VERB:X,Y,SEGMENT`, whose effect the step knows.

    With several words the kind of a candidate is the number of its word.
    """

    def __init__(self, *words: str) -> None:
        self.words: Final = list(words)

    def at(self, state: State, entry: i64) -> Action:
        """Return the choice of a candidate."""
        segment = segment_in(entry)
        board = state.board
        index = segment - i64(board.segment_of(board.tile_under(segment), 0))
        number = kind_in(entry)
        return on_segment(self.words[number], cell_in(entry), index, number)


class OnFigure(OnSegment):
    """A choice of a figure of some kind and owner on a segment."""

    def __init__(
        self, verb: FigureVerb, place: tuple[int, int], owner: int, follower: int, text: str
    ) -> None:
        """Make the choice.

        Args:
            verb: Its verb.
            place: The cell of the segment's tile, and the segment's index in the tile's data.
            owner: The owner of the figure; -1: the player who chooses.
            follower: The kind of figure.
            text: Its notation.
        """
        super().__init__(verb.verb, place[0], place[1], verb.layer(owner, follower), text)
        self.rules: Final = verb.rules
        self.figure_verb: Final = verb
        self.owner: Final = owner
        self.follower: Final = follower

    def perform(self, state: State, player: int) -> None:
        """Do what the verb does with the figure."""
        owner = self.owner if self.owner >= 0 else player
        segment = chosen_segment(state.board, self)
        self.figure_verb.perform(state, segment, owner, self.follower)


@mypyc_attr(allow_interpreted_subclasses=True)
class FigureVerb(Verb):
    """The choices of one verb, each made once.

    Attributes:
        verb: The word in the notation.
        any_owner: Whether the owner is part of the choice; if not, it is the player.
        kinds: The words for the kinds of figure.
        layers: How many choices of one segment there are.
    """

    def __init__(
        self, rules: Rules, verb: str, any_owner: bool = False, kinds: Sequence[str] = ()
    ) -> None:
        """Make the verb, without any choices yet.

        Args:
            rules: The rules.
            verb: The word in the notation.
            any_owner: Whether the owner is part of the choice.
            kinds: What is chosen, by number; default: the kinds of follower.
        """
        self.rules: Final = rules
        self.verb: Final = verb
        self.any_owner: Final = any_owner
        self.kinds: list[str] = list(kinds) or [kind.name for kind in rules.follower_kinds]
        self.colours: list[str] = rules.colour_names
        self.layers: i64 = len(self.kinds) * (len(self.colours) if any_owner else 1)
        segments = max([len(tile.segments) for tile in rules.catalogue.tiles])
        self._actions: Final[ByCell[OnFigure]] = ByCell(segments * self.layers)

    def perform(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Perform a choice."""

    def layer(self, owner: i64, follower: i64) -> i64:
        """Return the number of a choice among those of its segment."""
        return owner * len(self.kinds) + follower if self.any_owner else follower

    def at(self, state: State, entry: i64) -> Action:
        """Return the choice of a candidate: an owner's figure on a segment, or a place for it."""
        segment = segment_in(entry)
        board = state.board
        index = segment - i64(board.segment_of(board.tile_under(segment), 0))
        return self._action(cell_in(entry), index, owner_in(entry), kind_in(entry))

    def _action(self, cell: i64, index: i64, owner: i64, follower: i64) -> Action:
        number = index * self.layers + self.layer(owner, follower)
        action = self._actions.find(cell, number)
        if action is None:
            x, y = xy(cell)
            text = f"{self.verb}:{x},{y},{index},{self.kinds[follower]}"
            if self.any_owner:
                text = f"{text},{self.colours[owner]}"
            named = owner if self.any_owner else -1
            action = OnFigure(self, (cell, index), named, follower, text)
            self._actions.keep(cell, number, action)
        return action

    def parse(self, text: str) -> Action | None:
        """Return the choice that `text` denotes; None if it is none of this verb's."""
        match = _CHOICE.fullmatch(text)
        if match is None or match[1] != self.verb or match[5] not in self.kinds:
            return None
        x, y = int(match[2]), int(match[3])
        if max(abs(x), abs(y)) > REACH or (match[6] is not None) != self.any_owner:
            return None
        if self.any_owner and match[6] not in self.colours:
            return None
        owner = self.colours.index(match[6]) if self.any_owner else 0
        action = self._action(cell_at(x, y), int(match[4]), owner, self.kinds.index(match[5]))
        return action if action.text == text else None


@final
class PutVerb(FigureVerb):
    """The choice of a place, to which a follower of the supply goes."""

    def perform(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Put the follower there."""
        state.put_follower(segment, owner, follower)


@final
class TakeVerb(FigureVerb):
    """The choice of a figure, which goes home."""

    def perform(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Return the figure to its supply."""
        state.take_follower(segment, owner, follower)


class CallbackVerb(FigureVerb):
    """A verb whose effect is an expansion's function of state, segment, owner and kind."""

    def __init__(
        self,
        rules: Rules,
        verb: str,
        effect: Callable[[State, int, int, int], None],
        any_owner: bool = False,
        kinds: Sequence[str] = (),
    ) -> None:
        super().__init__(rules, verb, any_owner, kinds)
        self.effect: Final = effect

    def perform(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Call the effect."""
        self.effect(state, segment, owner, follower)
