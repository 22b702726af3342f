"""Games told as turns: a tile is laid, and perhaps a follower put on it."""

from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.scoring import Journal
from carc.base.turn.steps import CHANCE
from carc.errors import BadRecord, CarcError
from carc.formats.imported import Imported
from carc.match.match import Match, Result, make_result
from carc.match.moves import Move
from carc.match.record import GIVEN
from carc.match.referee import take_scorings

_UNFINISHED: Final = Result(scores=(), ranks=(), winners=(), returns=())


@attrs.frozen
class Turn:
    """A turn, or a tile that was set aside because it fits nowhere; all in our numbers.

    Attributes:
        kind: Our kind of tile.
        x: Its column, counted from the start tile.
        y: Its row; down is positive.
        rotation: Its rotation, in quarter turns clockwise.
        segment: The segment of the tile that a follower is put on; None for no follower.
        seat: Who plays; None if it is not said.
        is_discard: Whether the tile was set aside. Then nothing else is said but the kind.
    """

    kind: str
    x: int = 0
    y: int = 0
    rotation: int = 0
    segment: int | None = None
    seat: int | None = None
    is_discard: bool = False


def play_turns(turns: Iterable[Turn], names: Sequence[str]) -> Imported:
    """Return the game of the base rules that these turns are.

    Raises `BadRecord`, which names a turn that is not legal, counted from 1 without tiles set
    aside.
    """
    game = _Game(names)
    for turn in turns:
        game.number += not turn.is_discard
        try:
            game.play(turn)
        except CarcError as error:
            what = "the tile set aside after turn" if turn.is_discard else "turn"
            raise BadRecord(f"{what} {game.number}: {error}") from None
    return game.imported()


class _Game:
    """A game under way."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names: Final = tuple(names)
        self.rules: Final = Rules.from_spec("base", len(names))
        self.state: Final[State] = self.rules.start()
        self.number = 0
        self._journal: Final = Journal()
        self.state.journal = self._journal
        self._moves: Final[list[Move]] = []

    def play(self, turn: Turn) -> None:
        """Play a turn."""
        kind, state = turn.kind, self.state
        if state.is_terminal:
            raise BadRecord("the game is over before it: no tile is left")
        if not self._do(f"draw:{kind}"):
            raise BadRecord(f"no tile {kind} is left")
        if turn.is_discard:
            if not state.is_terminal and state.current_player != CHANCE:
                raise BadRecord(f"tile {kind} was set aside, but it fits somewhere")
            return
        if state.is_terminal or state.current_player == CHANCE:
            raise BadRecord(f"tile {kind} fits nowhere")
        if turn.seat not in (None, state.current_player):
            raise BadRecord(
                f"{self.names[turn.seat or 0]} plays, but it is the turn of"
                f" {self.names[state.current_player]}"
            )
        if not self._do(f"place:{turn.x},{turn.y},{turn.rotation}"):
            raise BadRecord(f"tile {kind} does not fit at {turn.x},{turn.y} as it is turned")
        if turn.segment is not None:
            if not self._do(f"claim:{turn.segment},meeple"):
                raise BadRecord(f"no follower may be put on segment {turn.segment} of tile {kind}")
        else:
            self._do("pass")  # where nothing can be claimed, nobody is asked

    def _do(self, text: str) -> bool:
        """Do an action if it is legal; returns whether it is."""
        state = self.state
        action = next((each for each in state.legal_actions() if str(each) == text), None)
        if action is None:
            return False
        player = state.current_player
        state.apply(action)
        self._moves.append(Move(player, text, take_scorings(self._journal)))
        return True

    def imported(self) -> Imported:
        """Return the game."""
        over = self.state.is_terminal
        match = Match(
            rules=self.rules.spec,
            rules_version=self.rules.version,
            players=self.rules.players,
            seats=self.names,
            seed=0,
            moves=tuple(self._moves),
            result=make_result(self.state, (), self._journal) if over else _UNFINISHED,
            deal=GIVEN,
        )
        return Imported(match, over, self.state)
