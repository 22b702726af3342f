"""The moves of a match and their lines in a record. Compiled: tournaments write millions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from json.encoder import encode_basestring_ascii
from typing import Any, Final

from carc.base.turn.scoring import Scored
from carc.base.turn.steps import CHANCE

_CACHE_SIZE: Final = 1 << 14


class Move:
    """One action of a match: who decided, the action in notation, and what was scored by it."""

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

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (self.player, self.action, self.scored)

    def __repr__(self) -> str:
        return f"Move({self.player}, {self.action!r}, {self.scored!r})"


_PLAYER_TEXT: Final = [str(player) for player in range(CHANCE, 9)]


class MoveLog:
    """The moves of a match, stored flat. `Move` objects are made on demand only."""

    def __init__(self, moves: Sequence[Move] = ()) -> None:
        self.words: Final[list[str]] = []
        """Player and action of each move, alternating."""
        self.scored: Final[dict[int, tuple[Scored, ...]]] = {}
        """What was scored, by the index of the move."""
        for move in moves:
            self.add(move.player, move.action, move.scored)

    def __reduce__(self) -> tuple[Any, ...]:
        return MoveLog, ([self.move(index) for index in range(len(self))],)

    def add(self, player: int, action: str, scored: tuple[Scored, ...]) -> None:
        """Append a move."""
        if scored:
            self.scored[len(self.words) // 2] = scored
        self.words.append(_PLAYER_TEXT[player + 1] if CHANCE <= player <= 8 else str(player))
        self.words.append(action)

    def __len__(self) -> int:
        return len(self.words) // 2

    def move(self, index: int) -> Move:
        """Return the move at an index."""
        return Move(
            int(self.words[2 * index]), self.words[2 * index + 1], self.scored.get(index, ())
        )


# The same few thousand texts occur in all matches.
_quoted: Final[dict[str, str]] = {}
_lines: Final[dict[int, dict[str, str]]] = {}
_plain: Final[set[str]] = set()


def quote_json(text: str) -> str:
    """Return a text as a JSON string. Results are cached: use it for texts that recur."""
    quoted = _quoted.get(text)
    if quoted is None:
        if len(_quoted) >= _CACHE_SIZE:
            _quoted.clear()
        quoted = _quoted[text] = json.dumps(text)
    return quoted


def _line(player: int, action: str) -> str:
    """Return the line of a move that scores nothing."""
    of_player = _lines.setdefault(player, {})
    line = of_player.get(action)
    if line is None:
        if len(of_player) >= _CACHE_SIZE:
            of_player.clear()
        line = of_player[action] = f'{{"player": {player}, "action": {quote_json(action)}}}'
    return line


def move_lines(moves: Sequence[Move]) -> list[str]:
    """Return one record line for each move: the text of `json.dumps` at a fraction of its cost."""
    lines: list[str] = []
    for move in moves:
        line = _line(move.player, move.action)
        if move.scored:
            line = f'{line[:-1]}, "scored": {scorings_json(move.scored)}}}'
        lines.append(line)
    return lines


def compact_move_lines(log: MoveLog) -> list[str]:
    """Return all moves in one record line.

    The compact form separates words by spaces. If an action contains a space, or if there are no
    moves, the result has one line for each move as in `move_lines`.
    """
    text = " ".join(log.words)
    if text and _are_plain(log.words[1::2]):
        quoted = f'"{text}"'
    elif text.count(" ") == len(log.words) - 1:
        quoted = encode_basestring_ascii(text)
    else:
        return move_lines([log.move(index) for index in range(len(log))])
    scorings = [f'"{index}": {scorings_json(scored)}' for index, scored in log.scored.items()]
    return [f'{{"moves": {quoted}, "scored": {{{", ".join(scorings)}}}}}']


def _are_plain(words: list[str]) -> bool:
    """Return True if no word has a space or needs escaping in JSON.

    Known words are remembered: a lookup takes a fifth of the time of a check.
    """
    if _plain.issuperset(words):
        return True
    if len(_plain) >= _CACHE_SIZE:
        _plain.clear()
    for word in set(words) - _plain:
        if " " in word or encode_basestring_ascii(word) != f'"{word}"':
            return False
        _plain.add(word)
    return True


def scorings_json(scored: Sequence[Scored]) -> str:
    """Return scorings as a JSON list."""
    parts = [
        f'{{"owner": {s.owner}, "points": {s.points}, "text": {quote_json(s.text)}}}'
        for s in scored
    ]
    return f"[{', '.join(parts)}]"
