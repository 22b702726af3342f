"""A game read from a form of another program."""

import attrs

from carc.base.game.state import State
from carc.match.match import Match


@attrs.frozen
class Imported:
    """A game read from a form of another program.

    Attributes:
        match: The game, as a match of ours.
        is_finished: Whether it was played to its end; otherwise the match has no result.
        end: The last position.
        remarks: What else is to be told of it, in sentences, such as other scores.
    """

    match: Match
    is_finished: bool
    end: State
    remarks: tuple[str, ...] = ()

    def to_text(self) -> str:
        """Return the record; without its last line if the game is not finished."""
        text = self.match.to_text()
        return text if self.is_finished else text[: text.rindex("\n", 0, -1) + 1]
