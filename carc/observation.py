"""Observations as numpy arrays, and actions as ints with a mask, over `carc.base.encoding` (`docs/learn.md`)."""

from __future__ import annotations

from functools import lru_cache
from operator import index
from typing import Any, SupportsIndex, TypedDict

from carc.base.encoding import Encoding
from carc.base.rules import Rules
from carc.base.state import State
from carc.errors import CarcError

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError:
    raise CarcError("carc.observation needs numpy: pip install 'carc[arrays]'") from None


class Observation(TypedDict):
    """What a player sees: `board`, uint8 of shape (planes, size, size), and `numbers`, int32 of shape (numbers,)."""

    board: NDArray[np.uint8]
    numbers: NDArray[np.int32]


@lru_cache(maxsize=64)
def encoding(rules: Rules, size: int = 0) -> Encoding:
    """The encoding of these rules with a window of this size (0: one that random games stay in), made once."""
    return Encoding(rules, size)


def empty(of: Encoding) -> Observation:
    """Arrays to be written into."""
    return {
        "board": np.zeros((len(of.planes), of.size, of.size), np.uint8),
        "numbers": np.zeros(len(of.numbers), np.int32),
    }


def observation(
    state: State, player: SupportsIndex, into: Observation | None = None, of: Encoding | None = None
) -> Observation:
    """What a player sees of a state (-1, chance: as player 0 does); written into these arrays if given. Nothing is hidden in this game: players differ in whose is whose.

    Raises `CarcError` for arrays of another shape, for a player there is not, for an encoding of other rules.
    """
    of = of or encoding(state.rules)
    # Vecs, whose buffers are read without a copy.
    seat = index(player)
    held: Any = of.board(state, seat)
    row: Any = of.row(state, seat)
    board = np.frombuffer(held, np.uint8).reshape(-1, of.size, of.size)
    numbers = np.frombuffer(row, np.int64)
    if into is None:
        return {"board": board.copy(), "numbers": numbers.astype(np.int32)}
    check_shapes(into, board.shape, numbers.shape)
    into["board"][...] = board
    into["numbers"][...] = numbers
    return into


def check_shapes(into: Observation, board: tuple[int, ...], numbers: tuple[int, ...]) -> None:
    """Raises `CarcError` if arrays to be written into are of other shapes than these."""
    shapes = into["board"].shape, into["numbers"].shape
    if shapes != (board, numbers):
        raise CarcError(f"the arrays given are of shapes {shapes}; wanted are {(board, numbers)}")


def mask(state: State, of: Encoding | None = None) -> NDArray[np.uint8]:
    """1 at the code of each legal action of the player to decide, of shape (actions,)."""
    held: Any = (of or encoding(state.rules)).mask(state)
    return np.frombuffer(held, np.uint8).copy()
