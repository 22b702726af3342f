"""Herds of pigs printed on fields: The River II and Games Quarterly 11."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carc.base.game.scoring import cities_of

if TYPE_CHECKING:
    from carc.base.game.state import State


def with_pig_herds(state: State, field: int, final: bool, herd: int, points: int) -> int:
    """Return the value of a field with its herds: 1 more a city for each (mark `herd`)."""
    herds = state.board.mark(field, herd)
    if not herds:
        return points
    cities = len(cities_of(state, field)) if final else 0
    state.note("pig herd", cities, herds)
    return points + cities * herds
