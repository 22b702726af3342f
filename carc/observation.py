"""Observations as numpy arrays, and actions as ints with a mask, over `carc.base.encoding` (`docs/learn.md`)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from carc.base.encoding import Encoding
from carc.base.rules import Rules
from carc.base.state import State


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
    state: State, player: int, into: Observation | None = None, of: Encoding | None = None
) -> Observation:
    """What a player sees of a state; written into these arrays if given. Nothing is hidden in this game: players differ in whose is whose."""
    of = of or encoding(state.rules)
    if into is None:
        into = empty(of)
    board: Any = of.board(state, player)  # a vec: its buffer is read without a copy
    numbers: Any = of.row(state, player)
    into["board"].reshape(-1)[:] = np.frombuffer(board, np.uint8)
    into["numbers"][:] = np.frombuffer(numbers, np.int64)
    return into


def mask(state: State, of: Encoding | None = None) -> NDArray[np.uint8]:
    """1 at the code of each legal action of the player to decide, of shape (actions,)."""
    held: Any = (of or encoding(state.rules)).mask(state)
    return np.frombuffer(held, np.uint8)
