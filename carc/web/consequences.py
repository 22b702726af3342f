"""What an action brought about beside what it says: figures that left, pieces that came."""

from collections.abc import Iterator, Mapping
from typing import Any

from carc.base.game.rules import COLOURS

NEEDED = ("features", "pieces")
"""What of a position must be known, before the action and after it."""

_Data = Mapping[str, Any]


def consequences(before: _Data, after: _Data, words: str) -> Iterator[str]:
    """Yield in words what happened that neither the action nor what it scored tells.

    Args:
        before: The position before the action.
        after: The position after it.
        words: The action in words; it tells what happens at the places that it names.
    """
    stay = {_figure(follower) for _, follower in _followers(after)}
    complete = {
        tuple(segment)
        for feature in after["features"]
        if feature["complete"]
        for segment in feature["segments"]
    }
    for kind, follower in _followers(before):
        figure = _figure(follower)
        owner, name, x, y, segment = figure
        # From a complete feature all go home, as everybody knows.
        if figure in stay or (x, y, segment) in complete:
            continue
        figure_name = "follower" if name == "meeple" else name
        at = f"the {kind} at ({x}, {y})"
        if f"{figure_name} on {at}" not in words and f"from {at}" not in words:
            yield f"a {COLOURS[owner]} {figure_name} leaves {at}"
    known = [_piece(piece) for piece in before["pieces"]]
    for piece in after["pieces"]:
        place = f"({piece['x']}, {piece['y']})"
        if _piece(piece) not in known and place not in words:
            count = f", now {piece['count']}" if piece["count"] > 1 else ""
            yield f"{piece['kind'].replace('_', ' ')} at {place}{count}"


def _followers(data: _Data) -> Iterator[tuple[str, _Data]]:
    """Yield each follower with the kind of its feature."""
    for feature in data["features"]:
        for follower in feature["followers"]:
            yield feature["kind"].replace("_", " "), follower


def _figure(follower: _Data) -> tuple[int, str, int, int, int]:
    return (
        follower["owner"],
        follower["kind"],
        follower["x"],
        follower["y"],
        follower["segment"],
    )


def _piece(piece: _Data) -> tuple[object, ...]:
    return tuple(piece.get(name) for name in ("kind", "x", "y", "segment", "to", "owner", "count"))
