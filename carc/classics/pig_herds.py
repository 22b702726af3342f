"""Herds of pigs printed on fields: The River II and Games Quarterly 11."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carc.base.turn.scoring import cities_of

if TYPE_CHECKING:
    from carc.base.game.state import State


def with_pig_herds(state: State, field: int, final: bool, herd: int, points: int) -> int:
    """Return the value of a field with herds (mark `herd`): 1 more a city, however many.

    They bring nothing where no follower stands: to barns (ABM-04).
    """
    board, kinds = state.board, state.rules.follower_kinds
    if not board.mark(field, herd):
        return points
    here = board.followers_of(field)
    if here and True not in [kinds[kind].is_follower for _, _, kind in here]:
        return points
    cities = len(cities_of(state, field)) if final else 0
    state.note("pig herd", cities, 1)
    return points + cities
