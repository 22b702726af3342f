"""Logs of BoardGameArena: what its archive of a table gives, JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs

from carc.base.game.rules import Rules
from carc.bounded import checked_name, parse_json
from carc.errors import BadRecord, CarcError
from carc.formats.bga_tiles import (
    MOST_PLAYERS,
    kind_of_tile,
    kind_of_type,
    our_rotation,
    segment_at,
)
from carc.formats.imported import Imported
from carc.formats.turns import Turn, play_turns

__all__ = ["ENDINGS", "NAME", "import_games", "recognises"]

NAME: Final = "logs of BoardGameArena"
ENDINGS: Final = (".json",)
_LONGEST_NAME: Final = 100
_HUGE: Final = 10**9
_MOST_EVENTS: Final = 100_000


def recognises(text: str) -> bool:
    """Return whether a text is such a log, however damaged: it names events."""
    return '"playTile"' in text or '"gameStateChange"' in text


def import_games(text: str, source: str = "file") -> list[Imported]:
    """Return the one game in a log."""
    try:
        log = _Log(text)
        imported = play_turns(log.turns, log.names)
    except CarcError as error:
        raise BadRecord(f"{source}: {error}") from None
    return [attrs.evolve(imported, remarks=tuple(_remarks(log, imported)))]


def _remarks(log: _Log, imported: Imported) -> Iterator[str]:
    """Yield the difference between the scores in the log and ours."""
    stated = [log.scores.get(player) for player in log.players]
    if imported.is_finished and None not in stated and stated != imported.end.scores:
        ours = ", ".join(map(str, imported.end.scores))
        yield f"the log has the final scores {', '.join(map(str, stated))}; by carc's rules: {ours}"


class _Log:
    """What a log says."""

    def __init__(self, text: str) -> None:
        self.players: Final[list[str]] = []  # their ids, in the order in which they play
        self.scores: Final[dict[str, int]] = {}  # at the end, by id
        self.turns: Final[list[Turn]] = []
        self._rules: Final = Rules.cached("base", 2)
        self._names: Final[dict[str, str]] = {}
        self._seen: Final[set[str]] = set()  # the events that a log has for each channel
        self._tile = ""  # the number of the tile laid last
        for kind, data in _events(text, self._seen):
            self._read(kind, data)
        if not self.turns:
            raise BadRecord("no tile is laid in this log: is it one of Carcassonne?")
        for player in self._names:  # who never played is last
            if player not in self.players:
                self.players.append(player)
        if not 2 <= len(self.players) <= MOST_PLAYERS:
            raise BadRecord(
                f"{len(self.players)} players are in this log; a game has 2 to {MOST_PLAYERS}"
            )

    @property
    def names(self) -> list[str]:
        """The names of the players, in the order in which they play."""
        return [
            self._names.get(player) or f"player {seat}"
            for seat, player in enumerate(self.players, start=1)
        ]

    def _read(self, kind: str, data: Mapping[str, Any]) -> None:
        if kind == "playTile":
            self._lay(data)
        elif kind == "playPartisan":
            try:
                self._put_follower(data)
            except BadRecord as error:
                turns = sum(not turn.is_discard for turn in self.turns)
                raise BadRecord(f"turn {turns}: {error}") from None
        elif kind == "cantPlay":
            number = _whole(data, "tile_id")
            self.turns.append(Turn(kind_of_tile(number, self._rules), is_discard=True))
        elif kind == "gameStateChange":
            self._read_result(data)

    def _lay(self, data: Mapping[str, Any]) -> None:
        number = sum(not turn.is_discard for turn in self.turns) + 1
        try:
            player = self._player(data)
            if player not in self.players:
                self.players.append(player)
            rotation = _whole(data, "ori") - 1
            if not 0 <= rotation < 4:
                raise BadRecord(f"'ori' is {rotation + 1}, not 1 to 4")
            self._tile = str(data.get("id", ""))
            kind = kind_of_type(_whole(data, "type"))
            self.turns.append(
                Turn(
                    kind,
                    _whole(data, "x"),
                    _whole(data, "y"),
                    our_rotation(kind, rotation),
                    seat=self.players.index(player),
                )
            )
        except BadRecord as error:
            raise BadRecord(f"turn {number}: {error}") from None

    def _put_follower(self, data: Mapping[str, Any]) -> None:
        turn = self.turns[-1] if self.turns else None
        if turn is None or turn.is_discard or turn.segment is not None:
            raise BadRecord("a follower is put on no tile just laid")
        tile = str(data.get("id", self._tile))
        if tile != self._tile:
            raise BadRecord(f"a follower is put on tile {tile[:9]!r}, which was not laid just now")
        if "player_id" in data and self._player(data) != self.players[turn.seat or 0]:
            raise BadRecord("the follower is not of the player who laid the tile")
        if data.get("ptype", "normal") != "normal":
            raise BadRecord("this figure is none of the base game, which is all that carc imports")
        place = _whole(data, "pos")
        if place < 1:
            raise BadRecord(f"'pos' is {place}, not 1 or more")
        self.turns[-1] = attrs.evolve(turn, segment=segment_at(turn.kind, place))

    def _read_result(self, data: Mapping[str, Any]) -> None:
        """Read the scores at the end of the game, and names."""
        inner = data.get("args")
        result = inner.get("result") if isinstance(inner, dict) else None
        for line in result if isinstance(result, list) else ():
            if isinstance(line, dict):
                player = self._player({**line, "player_id": line.get("player", line.get("id"))})
                if line.get("score") is not None:
                    self.scores[player] = _whole(line, "score")

    def _player(self, data: Mapping[str, Any]) -> str:
        """Return the id of the player in an event, and note the name."""
        player = data.get("player_id")
        if type(player) not in (int, str) or not 0 < len(str(player)) <= _LONGEST_NAME:
            raise BadRecord("'player_id' is missing, or neither a number nor a text")
        name = data.get("player_name", data.get("name", ""))
        if not isinstance(name, str) or len(name) > _LONGEST_NAME:
            raise BadRecord(f"the name of a player is not a text of up to {_LONGEST_NAME} letters")
        try:
            self._names.setdefault(str(player), checked_name(name))
        except ValueError as error:
            raise BadRecord(str(error)) from None
        return str(player)


def _events(text: str, seen: set[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the kind and the arguments of each event, once."""
    try:
        data = parse_json(text)
    except ValueError as error:
        raise BadRecord(f"no log of BoardGameArena: {error}") from None
    for key in ("data", "data"):
        data = data.get(key, data.get("logs")) if isinstance(data, dict) else data
    if not isinstance(data, list):
        raise BadRecord("no log of BoardGameArena: it has no list of packets in 'data' or 'logs'")
    events = [
        event
        for packet in data
        if isinstance(packet, dict) and isinstance(packet.get("data"), list)
        for event in packet["data"]
        if isinstance(event, dict)
    ]
    if len(events) > _MOST_EVENTS:
        raise BadRecord(f"the log has {len(events)} events; at most {_MOST_EVENTS} are read")
    for event in events:
        kind, args, name = event.get("type"), event.get("args"), event.get("uid")
        if isinstance(name, str):
            if name in seen:
                continue
            seen.add(name)
        for each in args if isinstance(args, list) else [args]:
            if isinstance(kind, str) and isinstance(each, dict):
                yield kind, each


def _whole(data: Mapping[str, Any], key: str) -> int:
    """Return a whole number, which may be written as a text; `BadRecord` if it is none, or huge."""
    value = data.get(key)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and abs(value) < _HUGE:  # not `str`: that of a huge one takes long
        value = str(value)
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value):
        return int(value)
    raise BadRecord(f"{key!r} is missing or no whole number of up to nine digits")
