"""The key of a position: 16 bytes, equal for equal positions and in every process."""

from __future__ import annotations

from array import array
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from carc.base.board.place_order import followers_by_place, lowest_place_number, place_number
from carc.base.position.expansion_state import ordered_state_data
from carc.base.position.state_data import forgets
from carc.base.position.text import compact_json

if TYPE_CHECKING:
    from carc.base.game.state import State

KEY_BYTES: Final = 16
# Between parts of different lengths, so that no two positions are the same list of numbers.
END: Final = -1
NEVER_COMPLETE: Final = -2
OVERRIDE: Final = -3


def key(state: State) -> bytes:
    """Return the key, worked out anew at each call."""
    numbers: list[int] = []
    _add_table(state, numbers)
    _add_counts(state, numbers)
    steps = state.rules._steps
    for step, player in state.agenda:
        numbers.append(steps.number(step) * 64 + player)
    _add_features(state, numbers)
    data = array("q", numbers).tobytes()
    if state.expansion_states:
        data += compact_json(ordered_state_data(state)).encode()
    return blake2b(data, digest_size=KEY_BYTES, key=state.rules.digest).digest()


def _add_table(state: State, numbers: list[int]) -> None:
    """Add the tiles and followers."""
    board = state.board
    for tile in board._tiles_in_place():
        numbers.append(board._cell[tile] * 4096 + board._oriented_kind[tile])
    numbers.append(END)
    numbers.extend(board.face_down_cells())
    numbers.append(END)
    for segment, owner, kind in followers_by_place(board):
        numbers.append(place_number(board, segment))
        numbers.append(owner * 4096 + kind)
    numbers.append(END)


def _add_counts(state: State, numbers: list[int]) -> None:
    """Add supplies, scores, the bag and whose turn it is."""
    numbers.extend(state.board._supply)
    numbers.extend(state.scores)
    numbers.extend(state.bag)
    numbers.extend(
        (state.tiles_left, state.tile_in_hand, state.active_player, state.current_player)
    )
    numbers.extend(sorted(state.discarded))
    numbers.append(END)


def _add_features(state: State, numbers: list[int]) -> None:
    """Add what the last tile did, if it matters, and what expansions did to features."""
    board = state.board
    if not forgets(state):
        numbers.append(END)
        numbers.append(board.cell_of(board.last_tile) if board.last_tile >= 0 else -1)
        numbers.append(board._overlays_met)
        for feature in board.completed:
            numbers.append(lowest_place_number(board, feature))
    for what, first, second in board._edge_overrides:
        numbers.extend((OVERRIDE - what, place_number(board, first), place_number(board, second)))
    if board._never_complete:
        numbers.append(NEVER_COMPLETE)
        lowest = [lowest_place_number(board, feature) for feature in board._never_complete]
        numbers.extend(sorted(lowest))
