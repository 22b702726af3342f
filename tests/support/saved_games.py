"""Saved games of JCloisterZone, written by hand for tests: what is played, then the moves."""

import json
from typing import Any

from carc import Match, Rules
from carc.formats.jcz.chance import tiles_in_order
from carc.formats.jcz.tiles import TileNames

Move = dict[str, Any]

NAMES = ("Ann", "Bob", "Cat")
BASE: dict[str, object] = {"small-follower": 7, "farmers": True}
INNS: dict[str, object] = {"big-follower": 1, "cathedral": True, "inn": True}
HILLS: dict[str, object] = {"shepherd": 1, "hill": True, "vineyard": True}


def move(kind: str, /, **payload: Any) -> Move:
    """A move of any kind."""
    return {"type": kind, "payload": payload}


def lay(tile: str, x: int, y: int, degrees: int = 0) -> Move:
    """A tile is laid."""
    return move("PLACE_TILE", tileId=tile, position=[x, y], rotation=f"R{degrees}")


def deploy(figure: str, x: int, y: int, feature: str, location: str) -> Move:
    """A figure is put on the board."""
    return move("DEPLOY_MEEPLE", meepleId=figure, pointer=pointer(x, y, feature, location))


def pointer(x: int, y: int, feature: str, location: str) -> dict[str, Any]:
    """A place; files of old versions leave out the kind of feature."""
    place: dict[str, Any] = {"position": [x, y], "location": location}
    return {**place, "feature": feature} if feature else place


def skip() -> list[Move]:
    """The rest of a turn in which nothing else is done."""
    return [move("PASS"), commit()]


def commit(number: float = 0.0) -> Move:
    """The turn is confirmed."""
    return move("COMMIT", random=number)


def saved(
    *moves: Move | list[Move],
    sets: list[str] | None = None,
    elements: dict[str, object] | None = None,
    rules: dict[str, object] | None = None,
    players: int = 2,
    order: list[str] | None = None,
    number: float | None = 0.0,
    **more: Any,
) -> dict[str, Any]:
    """A saved game. `order`: the tiles drawn; by default those laid."""
    replay = [one for each in moves for one in (each if isinstance(each, list) else [each])]
    laid = [one["payload"]["tileId"] for one in replay if one["type"] == "PLACE_TILE"]
    drawn = [tile for tile in laid if tile != "AM/A"]
    random = {} if number is None else {"initialRandom": number}
    return {
        "appVersion": "5.7.0",
        "gameId": "1",
        **random,
        "setup": {
            "sets": dict.fromkeys(["basic:1", *(sets or [])], 1),
            "elements": {**BASE, **(elements or {})},
            "rules": rules or {},
            "start": [{"tile": "BA/RCr", "x": 0, "y": 0, "rotation": 0}],
        },
        "players": [{"name": name, "slot": at} for at, name in enumerate(NAMES[:players])],
        "replay": replay,
        "gameAnnotations": {"drawOrder": drawn if order is None else order},
        **more,
    }


def text_of(game: dict[str, Any]) -> str:
    """The text of its file."""
    return json.dumps(game)


def drawn_by_numbers(game: dict[str, Any], match: Match, rules: Rules) -> dict[str, Any]:
    """An exported game as their client saves it: numbers, not an order, say what is drawn.

    Every tile is laid, and chance does nothing else that a confirmed turn's number decides.
    """
    state, names = rules.start(), TileNames(rules)
    order: list[float] = []
    for action in match.actions:
        if action.startswith("draw:"):
            tiles = tiles_in_order(state, names)
            order.append((tiles.index(action.removeprefix("draw:")) + 0.5) / len(tiles))
        state.apply(state.check(rules.parse(action)))
    numbers = iter(order)
    carrier = game
    for message in game["replay"]:
        if message["type"] == "PLACE_TILE":
            carrier["initialRandom" if carrier is game else "random"] = next(numbers)
        elif message["type"] == "COMMIT":
            carrier = message["payload"]
    assert next(numbers, None) is None
    return {key: value for key, value in game.items() if key != "gameAnnotations"}
