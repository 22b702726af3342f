"""Which tiles chance may draw now: those in the bag that no expansion holds back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.vecs import append, vec
from mypy_extensions import i64

if TYPE_CHECKING:
    from carc.base.game.state import State

WORD: Final = 60  # bits that fit in an i64


def held_back(state: State) -> int:
    """Return the kinds of tile that expansions hold back now, a bit each."""
    held = 0
    for expansion in state.rules.hooks.held_back:
        held = expansion.held_back(state, held)
    return held


def any_left(state: State, held: int) -> bool:
    """Return True if the bag holds tiles besides those held back (a bit for each kind)."""
    return len(free_kinds(state, held, 1)) > 0


def free_kinds(state: State, held: int, most: i64) -> vec[i64]:
    """Return the kinds of tile in the bag that are not held back, the first `most` of them."""
    bag = state.bag
    free = vec[i64]()
    word: i64 = 0  # the bits up to `end`: measured, long ints cost ten times as much
    end: i64 = 0
    for kind in state.rules.catalogue.in_bag:
        if len(free) == most:
            break
        while end <= kind:
            word = held >> int(end) & (1 << WORD) - 1
            end += WORD
        if not word >> (kind + WORD - end) & 1 and bag[kind]:
            free = append(free, kind)
    return free


def drawable(state: State) -> list[int]:
    """Return how many tiles of each kind may be drawn now: the bag less what is held back."""
    held = held_back(state)
    return [0 if held >> kind & 1 else n for kind, n in enumerate(state.bag)]
