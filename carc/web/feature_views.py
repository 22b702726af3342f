"""Features as a person who is about to claim one wants to see them: size, points, cells."""

from collections.abc import Mapping
from typing import Any

import attrs

from carc.base.game.bot_queries import points_if_completed
from carc.base.game.state import State
from carc.base.tiles.tile import MONASTERY
from carc.base.turn.scoring import value
from carc.web.palette import Palette

Place = tuple[int, int, int]
"""Column and row of a tile, and a segment of it."""


@attrs.frozen
class FeatureView:
    """A feature in words: its size, what it is worth as it is, and who is on it."""

    kind: str
    words: str
    cells: tuple[tuple[int, int], ...]
    is_complete: bool
    is_claimed: bool
    points: int


def feature_views(
    state: State, features: list[dict[str, Any]], cell: tuple[int, int], palette: Palette
) -> Mapping[Place, FeatureView]:
    """Return the features of the tile on a cell, by the segments of that tile."""
    return {
        (x, y, index): _view(state, feature, (x, y, index), palette)
        for feature in features
        for x, y, index in feature["segments"]
        if (x, y) == cell
    }


def features_at(
    state: State, cell: tuple[int, int], palette: Palette
) -> Mapping[Place, FeatureView]:
    """Return the features of the tile on a cell; none if there is no tile."""
    return feature_views(state, state.to_dict("features")["features"], cell, palette)


def _view(state: State, data: dict[str, Any], place: Place, palette: Palette) -> FeatureView:
    feature = state.board.feature_of(state.board.segment_at(*place))
    kinds = state.rules.catalogue.kinds
    completed_by = next(kind.completed_by for kind in kinds if kind.name == data["kind"])
    count = len(data["tiles"])
    size = "" if completed_by == "neighbours" else f", {_count(count, 'tile')}"
    words = f"{data['kind']}{size}: {_worth(state, data, feature, completed_by)}"
    owners = sorted({follower["owner"] for follower in data["followers"]})
    if owners:
        words += f", claimed by {' and '.join(palette.names[owner] for owner in owners)}"
    return FeatureView(
        kind=data["kind"],
        words=words,
        cells=tuple((x, y) for x, y in data["tiles"]),
        is_complete=data["complete"],
        is_claimed=bool(owners),
        points=value(state, feature, final=True),
    )


def _worth(state: State, data: dict[str, Any], feature: int, completed_by: str) -> str:
    """Return what a feature scores now or, if it stays as it is, at the end; and completed."""
    completed = points_if_completed(state, feature)
    if data["complete"] and completed:
        return f"completed, {_count(completed, 'point')}"
    left = value(state, feature, True)
    if not completed:
        return f"{_count(left, 'point')} at the end of the game"
    # Open edges need more tiles; of neighbours, only a monastery counts those still to come.
    is_all = state.board.is_kind(feature, MONASTERY)
    least = "more than " if completed_by == "edges" else "" if is_all else "at least "
    return f"{_count(left, 'point')} as it is, {least}{completed} if completed"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"
