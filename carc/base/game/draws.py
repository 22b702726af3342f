"""Which tiles chance may draw now: those in the bag that no expansion holds back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.game import messages

if TYPE_CHECKING:
    from carc.base.game.state import State

UNRESTRICTED: Final[list[int]] = []


def drawable(state: State) -> list[int]:
    """Return how many tiles of each kind may be drawn now: the bag less what is held back.

    Raises:
        BadRules: An expansion lets come what the bag does not hold.
    """
    counts = state.bag
    for expansion in state.rules.hooks.draws:
        restricted = expansion.draws(state, counts)
        if restricted is not None:
            counts = restricted
            if not _holds(state.bag, counts):
                raise messages.bad_draws(state, expansion, counts)
    return counts if counts is not state.bag else counts.copy()


def restricted_draws(state: State) -> list[int]:
    """Return what may be drawn if an expansion holds tiles back, else `UNRESTRICTED`.

    Not validated. The state keeps the answer until the next draw.
    """
    counts = state.bag
    for expansion in state.rules.hooks.draws:
        restricted = expansion.draws(state, counts)
        if restricted is not None:
            counts = restricted
    restricted_now = UNRESTRICTED if counts is state.bag else counts
    state._restricted = restricted_now
    return restricted_now


def _holds(bag: list[int], counts: list[int]) -> bool:
    """Return True if the bag holds each kind of which some may come."""
    return len(counts) == len(bag) and all(
        n == 0 or (n > 0 and bag[kind] != 0) for kind, n in enumerate(counts)
    )
