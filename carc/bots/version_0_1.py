"""The names that `State` had in carc 0.1, for bots that were submitted to it.

A bot that uses one reads its new name in its log, once. `CHANGELOG.md` lists them.
"""

import sys
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any, Final

from carc.base.board.board import Board
from carc.base.game.bot_queries import changes, kinds_for, points_if_completed
from carc.base.game.outcome import results
from carc.base.game.playout import random_action
from carc.base.game.state import State

ATTRIBUTES: Final = {"active": "active_player", "left": "tiles_left", "hand": "tile_in_hand"}
OF_THE_BOARD: Final = {
    "tile_on": "tile_at",
    "beside": "neighbour",
    "neighbours": "count_neighbours",
    "tile": "tile_data",
    "features_laid": "all_features",
    "occupied": "occupied_features",
    "followers_on": "occupied_segments_of",
    "figures": "all_followers",
    "at_side": "segment_at_side",
    "face_down": "face_down_cells",
    "power_of": "power",
    "count_like": "count_followers",
    "first_at": "first_follower_at",
    "all_at": "followers_at",
    "standing": "segments_with",
    "takes": "claim_allowed",
    "last": "last_tile",
}
FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "random_action": random_action,
    "kinds_for": kinds_for,
    "points_closed": points_if_completed,
    "since": lambda state, before: changes(before, state),
    "results": results,
    "features": lambda state: state.to_dict("features")["features"],
}


def add_old_names() -> None:
    """Make `State` answer to the names of carc 0.1, in this process."""
    board = {name: name for name in dir(Board) if not name.startswith("_")} | OF_THE_BOARD
    for name, new in board.items():
        _add(name, f"board.{new}", attrgetter(f"board.{new}"))
    for name, new in ATTRIBUTES.items():
        _add(name, new, attrgetter(new))
    for name, function in FUNCTIONS.items():
        _add(name, f"in CHANGELOG.md, for {name}", partial(partial, function))


def _add(name: str, new: str, value: Callable[[State], Any]) -> None:
    if hasattr(State, name):
        return
    warned = False

    def look(state: State) -> Any:
        nonlocal warned
        if not warned:
            warned = True
            print(f"carc: State.{name} is an old name; the new one is {new}", file=sys.stderr)
        return value(state)

    setattr(State, name, property(look))
