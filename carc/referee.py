"""The loop of a match: who is asked, what is done, what is noted. Compiled, for tournaments play millions."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from carc.base.actions import PASS, Action
from carc.base.deal import Deal
from carc.base.scoring import Journal
from carc.base.state import State
from carc.base.steps import CHANCE, TERMINAL

_MOST_TEXTS: Final = 1 << 14


class Scored:
    """Points an owner (a colour) scored at once; `text` says what for: `city 2x2 = 4`."""

    def __init__(self, owner: int, points: int, text: str) -> None:
        self.owner: Final = owner
        self.points: Final = points
        self.text: Final = text

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Scored)
            and self.owner == other.owner
            and self.points == other.points
            and self.text == other.text
        )

    def __hash__(self) -> int:
        return hash((self.owner, self.points, self.text))

    def __repr__(self) -> str:
        return f"Scored({self.owner}, {self.points}, {self.text!r})"


class Move:
    """One action of a match: the player who decided, what (in notation), and what it made owners score."""

    def __init__(self, player: int, action: str, scored: tuple[Scored, ...] = ()) -> None:
        self.player: Final = player
        self.action: Final = action
        self.scored: Final = scored

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Move)
            and self.player == other.player
            and self.action == other.action
            and self.scored == other.scored
        )

    def __hash__(self) -> int:
        return hash((self.player, self.action, self.scored))

    def __repr__(self) -> str:
        return f"Move({self.player}, {self.action!r}, {self.scored!r})"


def referee(
    state: State,
    deal: Deal,
    bots: Sequence[Any],
    book: Callable[[int, int, Exception], None],
    watch: Callable[[Move], None] | None,
) -> list[Move]:
    """Play a state, which has a journal, to its end; what was done.

    `book` is told of a seat whose bot raised or did what is not legal, of the index of the action, and of the error; from
    then on the seat is played for. `watch` is told every move.
    """
    moves: list[Move] = []
    at_fault: set[int] = set()
    journal = state.journal
    assert journal is not None
    while state.current_player != TERMINAL:
        player = state.current_player
        if player == CHANCE:
            action = state.check(deal.choose(state))
        elif player in at_fault:
            action = stand_in(state)
        else:
            try:
                action = state.check(bots[player].choose(state.copy()))
            except Exception as error:  # noqa: BLE001 (a bot may raise anything)
                book(player, len(moves), error)
                at_fault.add(player)
                action = stand_in(state)
        state.apply(action)
        scored = scored_by(journal) if journal.scorings else ()
        move = Move(player, action.text, scored)
        moves.append(move)
        if watch is not None:
            watch(move)
    return moves


def stand_in(state: State) -> Action:
    """The fixed rule a seat at fault plays by: pass, or else the first legal action."""
    legal = state.legal_actions()
    return PASS if legal[-1] is PASS else legal[0]


def scored_by(journal: Journal, final: bool = False) -> tuple[Scored, ...]:
    """Take what was scored since the last call, in a turn or in final scoring."""
    found = [Scored(s.owner, s.points, s.text) for s in journal.scorings if s.final == final]
    if found:
        journal.scorings = [s for s in journal.scorings if s.final != final]
    return tuple(found)


_quoted: Final[dict[str, str]] = {}  # the same few thousand texts in all matches


def _quote(text: str) -> str:
    found = _quoted.get(text)
    if found is None:
        if len(_quoted) >= _MOST_TEXTS:
            _quoted.clear()
        found = _quoted[text] = json.dumps(text)
    return found


def move_lines(moves: Sequence[Move]) -> list[str]:
    """Moves as lines of a record: as `json.dumps` would write them, at a tenth of the time."""
    lines: list[str] = []
    for move in moves:
        line = f'{{"player": {move.player}, "action": {_quote(move.action)}'
        if move.scored:
            scored = ", ".join(
                [
                    f'{{"owner": {s.owner}, "points": {s.points}, "text": {_quote(s.text)}}}'
                    for s in move.scored
                ]
            )
            line = f'{line}, "scored": [{scored}]'
        lines.append(line + "}")
    return lines
