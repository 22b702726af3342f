"""Observations and action masks as numpy arrays (`docs/learn.md`)."""

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
    """What a player sees.

    Attributes:
        board: Planes, uint8 of shape (planes, size, size); `Encoding.plane_names` names them.
        numbers: Everything else, int32 of shape (numbers,); `Encoding.number_names` names them.
    """

    board: NDArray[np.uint8]
    numbers: NDArray[np.int32]


def encoding_for(rules: Rules | str, size: SupportsIndex = 0) -> Encoding:
    """Return the encoding of some rules; it is made once.

    Args:
        rules: The rules, or their spec.
        size: The width of the window in cells; 0: wide enough for random games.

    Raises:
        CarcError: The window is wider than any board of these rules.
    """
    coerced, width = Rules.coerce(rules), whole(size, "the size of a window")
    most = 2 * coerced.catalogue.most_tiles + 1
    if width > most:
        raise CarcError(f"a window for {coerced.spec} is at most {most} cells wide, not {width}")
    return _cached_encoding(coerced, width)


@lru_cache(maxsize=64)
def _cached_encoding(rules: Rules, size: int) -> Encoding:
    return Encoding(rules, size)


def empty_observation(encoding: Encoding) -> Observation:
    """Return arrays of zeros for `observation` to write into."""
    return {
        "board": np.zeros((len(encoding.plane_names), encoding.size, encoding.size), np.uint8),
        "numbers": np.zeros(len(encoding.number_names), np.int32),
    }


def observation(
    state: State,
    player: SupportsIndex,
    out: Observation | None = None,
    encoding: Encoding | None = None,
) -> Observation:
    """Return what a player sees of a state, in the order of owners from this player on.

    Args:
        state: The state.
        player: The player; -1 (chance) sees what all see, in the order of player 0.
        out: Arrays to write into, such as `empty_observation` returns.
        encoding: The encoding; by default that of the state's rules.

    Raises:
        CarcError: The arrays have another shape or type, there is no such player, or the encoding
            is of other rules.
    """
    encoding = encoding or encoding_for(state.rules)
    board, numbers = observed(state, whole(player, "a player"), encoding)
    if out is None:
        return {"board": board.copy(), "numbers": numbers.astype(np.int32)}
    check_arrays(out, board.shape, numbers.shape)
    out["board"][...] = board
    out["numbers"][...] = numbers
    return out


def observed(
    state: State, player: int, encoding: Encoding
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return board and numbers to copy from: read-only views of vectors of the compiled core.

    Raises:
        CarcError: There is no such player, or the encoding is of other rules.
    """
    planes_buffer: Any = encoding.board(state, player)
    numbers_buffer: Any = encoding.numbers(state, player)
    board = np.frombuffer(planes_buffer, np.uint8).reshape(-1, encoding.size, encoding.size)
    return board, np.frombuffer(numbers_buffer, np.int64)


def check_arrays(out: object, board: tuple[int, ...], numbers: tuple[int, ...]) -> None:
    """Check arrays that an observation is to be written into.

    Args:
        out: The arrays.
        board: The shape of the board.
        numbers: The shape of the numbers.

    Raises:
        CarcError: They have another shape, are read-only, or their type cannot hold the values.
    """
    for name, types, shape in (("board", BOARD_TYPES, board), ("numbers", NUMBER_TYPES, numbers)):
        array = out.get(name) if isinstance(out, dict) else out
        if isinstance(array, np.ndarray) and isinstance(out, dict):
            if array.shape == shape and array.dtype.char in types and array.flags.writeable:
                continue
            actual = f"{array.dtype} of shape {array.shape}"
            if not array.flags.writeable:
                actual = f"a read-only array, {actual}"
        else:
            actual = "missing" if array is None else f"a {type(array).__name__}"
        raise CarcError(
            "an observation is written into a dict as `empty_observation` returns it, with "
            f"{name!r} an array of {np.dtype(types[0])} of shape {shape}; it is {actual}"
        )


def _types_for(letter: str) -> str:
    """Return the types that hold all values of one, itself first, and all floats, as letters."""
    ints = [other for other in np.typecodes["AllInteger"] if np.can_cast(letter, other)]
    return "".join([letter, *ints, *np.typecodes["Float"]])


BOARD_TYPES = _types_for("B")
NUMBER_TYPES = _types_for("i")


def action_mask(state: State, encoding: Encoding | None = None) -> NDArray[np.uint8]:
    """Return 1 at the code of each legal action of the player to decide, of shape (actions,)."""
    buffer: Any = (encoding or encoding_for(state.rules)).action_mask(state)
    return np.frombuffer(buffer, np.uint8).copy()
