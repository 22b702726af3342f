"""Features as a person who is about to claim one wants to see them: size, points, cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from carc.base.game.queries import points_if_completed
from carc.base.game.scoring import value
from carc.base.game.state import State
from carc.web.palette import Palette

Place = tuple[int, int, int]
"""Column and row of a tile, and a segment of it."""


@attrs.frozen
class FeatureView:
    """A feature in words.

    Attributes:
        kind: The kind, such as `city`.
        words: Its size, what it is worth, and who is on it.
        cells: The cells of its tiles.
        is_complete: Whether it is complete.
        is_claimed: Whether followers are on it.
    """

    kind: str
    words: str
    cells: tuple[tuple[int, int], ...]
    is_complete: bool
    is_claimed: bool


def feature_views(
    state: State, features: list[dict[str, Any]], cell: tuple[int, int], palette: Palette
) -> Mapping[Place, FeatureView]:
    """Return the features of the tile on a cell, by the segments of that tile.

    Args:
        state: The position.
        features: `State.to_dict("features")` of it.
        cell: Column and row of the tile.
        palette: The colours of the table.
    """
    return {
        (x, y, index): _view(state, feature, (x, y, index), palette)
        for feature in features
        for x, y, index in feature["segments"]
        if (x, y) == cell
    }


def _view(state: State, data: dict[str, Any], place: Place, palette: Palette) -> FeatureView:
    count = len(data["tiles"])
    words = f"{data['kind']}, {count} tile{'s' if count != 1 else ''}, {_worth(state, data, place)}"
    owners = sorted({follower["owner"] for follower in data["followers"]})
    if owners:
        words += f", claimed by {' and '.join(palette.names[owner] for owner in owners)}"
    return FeatureView(
        kind=data["kind"],
        words=words,
        cells=tuple((x, y) for x, y in data["tiles"]),
        is_complete=data["complete"],
        is_claimed=bool(owners),
    )


def _worth(state: State, data: dict[str, Any], place: Place) -> str:
    feature = state.board.feature_of(state.board.segment_at(*place))
    number = points_if_completed(state, feature)
    when = "completed" if data["complete"] else "when completed"
    if not number:
        number, when = value(state, feature, True), "at the end"
    return f"{number} point{'s' if number != 1 else ''} {when}"
