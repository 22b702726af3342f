"""A position as a visitor of a table sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from carc.drawing import board_svg
from carc.web.feature_views import FeatureView, Place
from carc.web.turn_log import Turn


@attrs.frozen
class TableView:
    """A position as a visitor sees it: all of them see the same, unless the rules hide something.

    It came about in the version `moved` of the table. The data are without the features, which are
    in the scene. Legal actions, in notation, and features of the tile placed last are there if a
    person decides. `awaited` is as in `InteractiveMatch`; `thinking` names the bot that thinks, if
    one does. The last turns are the newest first.
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
