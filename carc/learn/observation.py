"""Observations as numpy arrays, and actions as ints with a mask, over `carc.learn.encoding` (`docs/learn.md`)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, SupportsIndex, TypedDict

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.validation import whole
from carc.errors import CarcError
from carc.learn.encoding import Encoding

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError:
    raise CarcError("carc.learn.observation needs numpy: pip install 'carc[arrays]'") from None


class Observation(TypedDict):
    """What a player sees: `board`, uint8 of shape (planes, size, size), and `numbers`, int32 of shape (numbers,)."""

    board: NDArray[np.uint8]
    numbers: NDArray[np.int32]


def encoding(rules: Rules | str, size: SupportsIndex = 0) -> Encoding:
    """The encoding of these rules with a window of this size (0: one that random games stay in), made once.

    Raises `CarcError` for a window that is wider than any table of these rules.
    """
    known, wide = Rules.coerce(rules), whole(size, "the size of a window")
    most = 2 * known.catalogue.most_tiles + 1
    if wide > most:
        raise CarcError(f"a window for {known.spec} is at most {most} cells wide, not {wide}")
    return _made(known, wide)


@lru_cache(maxsize=64)
def _made(rules: Rules, size: int) -> Encoding:
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

    Raises `CarcError` for arrays of another shape or kind, for a player there is not, for an encoding of other rules.
    """
    of = of or encoding(state.rules)
    # Vecs, whose buffers are read without a copy.
    seat = whole(player, "a player")
    held: Any = of.board(state, seat)
    row: Any = of.row(state, seat)
    board = np.frombuffer(held, np.uint8).reshape(-1, of.size, of.size)
    numbers = np.frombuffer(row, np.int64)
    if into is None:
        return {"board": board.copy(), "numbers": numbers.astype(np.int32)}
    check_arrays(into, board.shape, numbers.shape)
    into["board"][...] = board
    into["numbers"][...] = numbers
    return into


def check_arrays(into: object, board: tuple[int, ...], numbers: tuple[int, ...]) -> None:
    """Raises `CarcError` if what is to be written into is no arrays of these shapes, or of kinds that do not hold what is written."""
    for name, kinds, shape in (("board", OF_BYTES, board), ("numbers", OF_INTS, numbers)):
        held = into.get(name) if isinstance(into, dict) else into
        if isinstance(held, np.ndarray) and isinstance(into, dict):
            if held.shape == shape and held.dtype.char in kinds and held.flags.writeable:
                continue
            given = f"one of {held.dtype} of shape {held.shape}"
            if not held.flags.writeable:
                given += " that is read-only"
        else:
            given = "none" if held is None else f"a {type(held).__name__}"
        raise CarcError(
            f"what is written into is a dict as `empty` makes it, its {name} an array of {np.dtype(kinds[0])} of shape "
            f"{shape}; given is {given}"
        )


def _holding(kind: str) -> str:
    """The kinds of array that hold what one does, itself first, and any floats, by their letters."""
    whole_ones = [one for one in np.typecodes["AllInteger"] if np.can_cast(kind, one)]
    return "".join([kind, *whole_ones, *np.typecodes["Float"]])


OF_BYTES = _holding("B")
OF_INTS = _holding("i")


def mask(state: State, of: Encoding | None = None) -> NDArray[np.uint8]:
    """1 at the code of each legal action of the player to decide, of shape (actions,)."""
    held: Any = (of or encoding(state.rules)).mask(state)
    return np.frombuffer(held, np.uint8).copy()
