"""Which tiles chance may draw now: those in the bag that no expansion holds back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from carc.base.game.state import State


def held_back(state: State) -> int:
    """Return the kinds of tile that expansions hold back now, a bit each."""
    held = 0
    for expansion in state.rules.hooks.held_back:
        held = expansion.held_back(state, held)
    return held


def any_left(state: State, held: int) -> bool:
    """Return True if the bag holds tiles besides those held back (a bit for each kind)."""
    bag = state.bag
    return any(bag[kind] and not held >> int(kind) & 1 for kind in state.rules.catalogue.in_bag)


def drawable(state: State) -> list[int]:
    """Return how many tiles of each kind may be drawn now: the bag less what is held back."""
    held = held_back(state)
    return [0 if held >> kind & 1 else n for kind, n in enumerate(state.bag)]
