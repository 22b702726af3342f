"""What `State.to_dict()` says, as the drawings read it: figures on segments, pieces, face-down tiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

Data = Mapping[str, Any]


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
    found += [Piece(**one) for one in data.get("pieces", ())]
    return found + _of_old(data)


FACE_DOWN = "face-down"


def _of_old(data: Data) -> list[Piece]:
    """The same of states that have no generic list of pieces yet."""
    if "pieces" in data:
        return []
    found = [Piece(FACE_DOWN, x, y) for x, y in data.get("hidden", ())]
    for key, kind in (("ghosts", "ghost"), ("circles", "bound ghost")):
        found += [
            Piece(kind, one["x"], one["y"], one["segment"], count=one["ghosts"])
            for one in data.get(key, ())
        ]
    for one in data.get("cemeteries", ()):
        if not one["open"]:
            found.append(Piece("grave", one["x"], one["y"], one["segment"], one["buried"]))
    for name, place in data.get("hounds", {}).items():
        if isinstance(place, Mapping):
            found.append(Piece("hound", place["x"], place["y"], place["segment"], text=name))
    cat = data.get("cat")
    if isinstance(cat, Mapping):
        found.append(Piece("cat", cat["x"], cat["y"], cat["segment"]))
    return found
