"""The form of a saved game of JCloisterZone, read from a file that may be anybody's."""

import math
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

import attrs

from carc.bounded import checked_name, parse_plainly
from carc.errors import BadRecord

MOST_MOVES = 10_000
MOST_PLAYERS = 9
NEWEST = 5  # of the versions whose files have this form
NOTE = "carc"  # what we note: the spec among the annotations, after which token a ransom is paid
_LONGEST_NAME = 100
_LONGEST_WORD = 200  # of all other texts
_LARGEST = 10**6  # of whole numbers
_VERSION = re.compile(r"(\d{1,3})\.\d{1,3}(\.\S{0,20})?")


@attrs.frozen
class Message:
    """One move: what kind it is, and what it says.

    Attributes:
        number: Its place in the file, from 1.
        kind: Its type, such as `PLACE_TILE`.
        payload: Its contents.
        player: Who makes it; None if the file does not say.
    """

    number: int
    kind: str
    payload: Mapping[str, Any]
    player: int | None = None

    def text(self, key: str) -> str:
        """Return a text of the contents."""
        return text_in(self.payload, key)

    def whole(self, key: str) -> int:
        """Return a whole number of the contents."""
        return _whole(self.payload.get(key), key)

    def pointer(self, key: str = "pointer") -> tuple[int, int, str, str]:
        """Return a place of the contents: x, y, kind of feature, location."""
        pointer = self.payload.get(key)
        if isinstance(pointer, dict) and "featurePointer" in pointer:
            pointer = pointer["featurePointer"]
        if not isinstance(pointer, dict):
            raise BadRecord(f"{key!r} is no place on the board")
        x, y = position_in(pointer.get("position"))
        feature = text_in(pointer, "feature") if pointer.get("feature") else ""
        return x, y, feature, text_in(pointer, "location")

    def figure(self, key: str = "pointer") -> str:
        """Return the id of the figure to which a pointer points."""
        pointer = self.payload.get(key)
        if not isinstance(pointer, dict):
            raise BadRecord(f"{key!r} does not point to a figure")
        return text_in(pointer, "meepleId")

    @property
    def random(self) -> float | None:
        """The random number that it carries, if any."""
        return random_in(self.payload, "random")


@attrs.frozen
class SavedGame:
    """A saved game.

    Attributes:
        players: Their names, by seat.
        setup: What is played: `sets`, `elements`, `rules`, `start`.
        random: The first random number; None in files of old versions.
        draw_order: Their names of the tiles that are drawn first, if the file names them.
        tiles: How many tiles are drawn until the game ends; None: all.
        spec: The spec of the game that carc exported as this file; "" if another program wrote it.
        messages: The moves.
    """

    players: tuple[str, ...]
    setup: Mapping[str, Any]
    random: float | None
    draw_order: tuple[str, ...]
    tiles: int | None
    spec: str
    messages: tuple[Message, ...]


def read_saved_game(text: str) -> SavedGame:
    """Return the game in a file; raise `BadRecord`, with the reason, if the text is none."""
    try:
        data = parse_plainly(text)
    except ValueError as error:
        raise BadRecord(f"no saved game of JCloisterZone: {error}") from None
    if not isinstance(data, dict) or "setup" not in data:
        raise BadRecord("no saved game of JCloisterZone: it has no 'setup'")
    _check_version(data.get("appVersion"))
    if "replay" not in data or "players" not in data:
        raise BadRecord("only the setup of a game is saved here: there are no players and no moves")
    return SavedGame(
        players=_players(data["players"]),
        setup=object_in(data, "setup"),
        random=random_in(data, "initialRandom"),
        draw_order=_draw_order(data.get("gameAnnotations")),
        tiles=_tiles(data.get("gameAnnotations")),
        spec=_spec(data.get("gameAnnotations")),
        messages=tuple(_messages(data["replay"], len(data["players"]))),
    )


def _check_version(version: object) -> None:
    """Check which version of JCloisterZone wrote a file."""
    match = _VERSION.fullmatch(version) if isinstance(version, str) else None
    if match is None:
        raise BadRecord("'appVersion' does not say which version of JCloisterZone saved the game")
    if int(match[1]) != NEWEST:
        raise BadRecord(
            f"the game was saved by JCloisterZone {version}; carc reads the files of {NEWEST}.x"
        )


def _players(data: object) -> tuple[str, ...]:
    if not isinstance(data, list) or not 0 < len(data) <= MOST_PLAYERS:
        raise BadRecord(f"'players' is not a list of 1 to {MOST_PLAYERS} players")
    names = [player.get("name") if isinstance(player, dict) else None for player in data]
    for name in names:
        if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME:
            raise BadRecord(f"the name of a player is not a text of up to {_LONGEST_NAME} letters")
        if any(unicodedata.category(letter) in ("Cc", "Zl", "Zp") for letter in name):
            raise BadRecord(f"the name of a player, {brief(name)}, has a control character")
        try:
            checked_name(name)
        except ValueError as error:
            raise BadRecord(str(error)) from None
    slots = [player["slot"] for player in data if player.get("slot") is not None]
    for slot in slots:
        if type(slot) is not int or not 0 <= slot < MOST_PLAYERS:
            raise BadRecord(f"a player's 'slot' is {brief(slot)}, not 0 to {MOST_PLAYERS - 1}")
        if slots.count(slot) > 1:
            raise BadRecord(f"{slots.count(slot)} players have the slot {slot}")
    return tuple(map(str, names))


def _draw_order(annotations: object) -> tuple[str, ...]:
    """Return the tiles to be drawn first; test scenarios name them, older ones deeper down."""
    for key in ("tilePack", "params", "drawOrder"):
        if isinstance(annotations, dict) and key in annotations:
            annotations = annotations[key]
    if not isinstance(annotations, list):
        return ()
    if not all(isinstance(name, str) for name in annotations):
        raise BadRecord("'drawOrder' is not a list of tiles")
    return tuple(name for name in annotations if not name.startswith("#"))


def _tiles(annotations: object) -> int | None:
    """Return after how many tiles the game ends; None: after all."""
    value = annotations.get("endTurn") if isinstance(annotations, dict) else None
    if value is None:
        return None
    number = _whole(value, "endTurn")
    if not 0 < number <= MOST_MOVES:
        raise BadRecord(f"'endTurn' is {brief(value)}, not 1 to {MOST_MOVES}")
    return number


def _spec(annotations: object) -> str:
    spec = annotations.get(NOTE) if isinstance(annotations, dict) else None
    return spec if isinstance(spec, str) else ""


def _messages(data: object, players: int) -> list[Message]:
    if not isinstance(data, list) or len(data) > MOST_MOVES:
        raise BadRecord(f"'replay' is not a list of up to {MOST_MOVES} moves")
    messages: list[Message] = []
    for number, message in enumerate(data, start=1):
        if not isinstance(message, dict):
            raise BadRecord(f"move {number} is not a JSON object")
        try:
            kind = text_in(message, "type")
            payload = object_in(message, "payload")
            player = _seat(message.get("player"), players)
        except BadRecord as error:
            raise BadRecord(f"move {number}: {error}") from None
        if kind == "UNDO":
            messages = messages[:-1]
        else:
            messages.append(Message(number, kind, payload, player))
    return messages


def _seat(player: object, players: int) -> int | None:
    """Return who makes a move; None if the file does not say."""
    if player is None:
        return None
    if type(player) is not int or not 0 <= player < players:
        raise BadRecord(f"'player' is {brief(player)}, not 0 to {players - 1}")
    return player


def object_in(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return an object inside another one, empty if it is missing, or raise `BadRecord`."""
    value = data.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadRecord(f"{key!r} is not a JSON object")
    return value


def text_in(data: Mapping[str, Any], key: str) -> str:
    """Return a text inside an object; raise `BadRecord` if it is missing, or something else."""
    value = data.get(key)
    if not isinstance(value, str):
        raise BadRecord(f"{key!r} is missing or not a text")
    if len(value) > _LONGEST_WORD:
        raise BadRecord(f"{key!r} is a text of {len(value)} letters")
    return value


def position_in(data: object) -> tuple[int, int]:
    """Return a position, a list of two numbers or an object, or raise `BadRecord`."""
    if isinstance(data, dict):
        data = data.get("position", [data.get("x"), data.get("y")])
    if not isinstance(data, list) or len(data) != 2:
        raise BadRecord("a position is not two whole numbers")
    return _whole(data[0], "x"), _whole(data[1], "y")


def _whole(value: object, name: str) -> int:
    """Return a whole number, which other programs may write as 1.0."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is not int:
        raise BadRecord(f"{name!r} is not a whole number")
    if abs(value) > _LARGEST:
        raise BadRecord(f"{name!r} is too large a number")
    return value


def random_in(data: Mapping[str, Any], key: str) -> float | None:
    """Return a random number from 0 to 1 inside an object; None if there is none.

    Raises `BadRecord` for something else.
    """
    value = data.get(key)
    if value is None:
        return None
    if type(value) not in (int, float) or not math.isfinite(value) or not 0 <= value < 1:
        raise BadRecord(f"{key!r} is not a number from 0 to 1")
    return float(value)


def brief(value: object) -> str:
    """Return a value of a file for a message, shortened."""
    text = "a huge number" if isinstance(value, int) and abs(value) > _LARGEST else repr(value)
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}..."
