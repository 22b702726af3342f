"""The last turns of a match, one line each."""

import re
from collections.abc import Sequence

import attrs

from carc.base.turn.scoring import Scored
from carc.base.turn.steps import CHANCE
from carc.match.moves import Move

_MOST_TURNS = 24
_MOST_MOVES = 150  # in which they are looked for
_DRAW, _PASS = "draw:", "pass"
UNFIT = "draws a tile that fits nowhere, which is put aside"
"""A draw in words if the tile cannot be placed."""
_PLACE = re.compile(r"place:-?\d+,-?\d+,([0-3])")
_ROTATED = re.compile(r", rotated \d+ degrees$")


@attrs.frozen
class Turn:
    """What happened from one draw to the next.

    Attributes:
        number: The number of its first move, from 1.
        player: Who played; empty if only chance did.
        kind: The kind of tile that was drawn; empty if none was.
        rotation: How the tile was rotated, in quarter turns clockwise.
        phrases: What was done, as verb phrases.
        scored: What was scored.
    """

    number: int
    player: str
    kind: str
    rotation: int
    phrases: tuple[str, ...]
    scored: tuple[Scored, ...]


def recent_turns(
    moves: Sequence[Move], words: Sequence[str], titles: Sequence[str]
) -> tuple[Turn, ...]:
    """Return the last turns, newest first; of each move there are words, of each seat a title."""
    first = max(0, len(moves) - _MOST_MOVES)
    starts = [at for at in range(first, len(moves)) if _begins(moves, at)] or [first]
    ends = [*starts[1:], len(moves)]
    turns = []
    last = CHANCE
    for start, end in zip(starts, ends, strict=True):
        if end > start:
            turn = _turn(moves[start:end], words[start:end], titles, start + 1)
            mover = _mover(moves[start:end])
            if mover == last != CHANCE and len(titles) > 1:
                turn = attrs.evolve(turn, phrases=("has another turn", *turn.phrases))
            turns.append(turn)
            last = (
                mover if any(_PLACE.fullmatch(move.action) for move in moves[start:end]) else CHANCE
            )
    return tuple(turns[: -_MOST_TURNS - 1 : -1])


def _mover(moves: Sequence[Move]) -> int:
    """Return the player of the first move that is not of chance."""
    return next((move.player for move in moves if move.player != CHANCE), CHANCE)


def _begins(moves: Sequence[Move], at: int) -> bool:
    """Return True if a turn begins with a move: a draw after what somebody did."""
    draws = moves[at].action.startswith(_DRAW) and moves[at].player == CHANCE
    return at == 0 or (draws and moves[at - 1].player != CHANCE)


def _turn(moves: Sequence[Move], words: Sequence[str], titles: Sequence[str], number: int) -> Turn:
    kind, rotation = "", 0
    phrases = []
    player = speaker = _mover(moves)
    for move, phrase in zip(moves, words, strict=True):
        if match := _PLACE.fullmatch(move.action):
            rotation = int(match[1])
        if move.action.startswith(_DRAW):
            kind = move.action.removeprefix(_DRAW)
            phrases += [phrase] if phrase == UNFIT else []
        elif move.action != _PASS:
            is_other = move.player not in (speaker, CHANCE)  # the dragon is moved by all in turn
            speaker = move.player if is_other else speaker
            said = _ROTATED.sub("", phrase)
            phrases.append(f"{titles[speaker]} {said}" if is_other else said)
    if not phrases:
        phrases = [
            "passes" if player != CHANCE else "the tile to be placed now" if kind else words[-1]
        ]
    return Turn(
        number=number,
        player=titles[player] if player != CHANCE else "",
        kind=kind,
        rotation=rotation,
        phrases=tuple(phrases),
        scored=tuple(scored for move in moves for scored in move.scored),
    )
