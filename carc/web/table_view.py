"""A position as a visitor of a table sees it."""

from collections.abc import Mapping
from typing import Any

import attrs

from carc.drawing import board_svg
from carc.web.feature_views import FeatureView, Place
from carc.web.turn_log import Turn


@attrs.frozen
class TableView:
    """A position as a visitor sees it: all of them see the same, unless the rules hide something.

    Attributes:
        version: The version of the table.
        moved: The version in which the position came about.
        data: `State.to_dict()` without the features, which are in the scene.
        scene: The board.
        legal: The legal actions in notation, if a person decides.
        awaited: The seat that decides (`InteractiveMatch.awaited`).
        thinking: The name of the bot that thinks, if one does.
        turns: The last turns, newest first.
        features: The features of the tile placed last, if a person decides.
    """

    version: int
    moved: int
    data: Mapping[str, Any]
    scene: board_svg.Scene
    legal: tuple[str, ...]
    awaited: int | None
    thinking: str
    turns: tuple[Turn, ...]
    features: Mapping[Place, FeatureView]
