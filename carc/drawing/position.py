"""What `State.to_dict()` says, as the drawings read it: figures on segments, pieces, face-down tiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

Data = Mapping[str, Any]
FACE_DOWN = "face-down"


@attrs.frozen
class Piece:
    """Something that lies on a segment, or on a cell where `segment` is None; a follower if it `follows`."""

    kind: str
    x: int
    y: int
    segment: int | None = None
    owner: int | None = None
    count: int = 1
    text: str = ""
    follows: bool = False


def pieces(data: Data) -> list[Piece]:
    """Everything that lies on the table besides tiles: followers first."""
    found = [
        Piece(one["kind"], one["x"], one["y"], one["segment"], one["owner"], follows=True)
        for feature in data["features"]
        for one in feature["followers"]
    ]
    return found + [Piece(**one) for one in data.get("pieces", ())]
