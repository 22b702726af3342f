"""Turns of a player: the placement of a tile and all that follows it up to the next draw."""

import re
from collections.abc import Sequence
from typing import Any, Final

from carc.analysis.engines import is_same_turn
from carc.base.game.state import State
from carc.base.tiles.tile import Tile
from carc.base.turn.scoring import Journal
from carc.match.bot import Bot
from carc.match.match import Match

_PLACE: Final = re.compile(r"place:(-?\d+,-?\d+),([0-3])")
_ON_TILE: Final = re.compile(r"([a-z]+):(\d+),([a-z].*)")  # on a segment of the tile placed last


def after_turn(state: State, turn: Sequence[str], journal: Journal | None = None) -> State:
    """Return the position after actions.

    Args:
        state: The position before them.
        turn: The actions.
        journal: Where to note what they score.

    Raises:
        CarcError: One of them is not legal.
    """
    after = state.copy()
    after.journal = journal
    for text in turn:
        after.apply(after.check(after.rules.parse(text)))
    return after


def is_complete(after: State, player: int) -> bool:
    """Return whether the turn of a player is over after some of its actions."""
    return not is_same_turn(after, player)


def turn_of(bot: Bot, state: State) -> tuple[str, ...]:
    """Return the turn that a bot plays from the drawing of a tile on, or raise `CarcError`."""
    after = state.copy()
    player = state.current_player
    turn: list[str] = []
    while not turn or not is_complete(after, player):
        action = after.check(bot.choose(after.copy()))
        turn.append(str(action))
        after.apply(action)
    return tuple(turn)


def turn_played(match: Match, number: int) -> tuple[str, ...]:
    """Return the turn that was played in a match, from the move of this number on."""
    player = match.moves[number].player
    turn: list[str] = []
    for move in match.moves[number:]:
        if move.player != player or (turn and move.action.startswith("place:")):
            break
        turn.append(move.action)
    return tuple(turn)


def look_of(state: State, turn: Sequence[str]) -> tuple[object, ...]:
    """Return what a turn looks like on the table; turns that look the same are the same in play.

    A tile that looks the same after half a turn may be placed either way; then its segments have
    changed places. The actions are legal after the state.
    """
    tile = state.rules.catalogue.tiles[state.tile_in_hand]
    rotation = 0
    looks: list[object] = []
    for text in turn:
        if place := _PLACE.fullmatch(text):
            rotation = int(place[2])
            looks.append((place[1], _tile_look(tile, rotation)))
        elif on_tile := _ON_TILE.fullmatch(text):
            looks.append((on_tile[1], _segment_look(tile, int(on_tile[2]), rotation), on_tile[3]))
        else:
            looks.append(text)
    return tuple(looks)


def _tile_look(tile: Tile, rotation: int) -> object:
    if any(value for _, value in tile.symbols):  # it may be where a symbol points to
        return rotation
    looks = (_segment_look(tile, index, rotation) for index in range(len(tile.segments)))
    return tuple(sorted(looks))


def _segment_look(tile: Tile, index: int, rotation: int) -> tuple[Any, ...]:
    segment = tile.segments[index]
    edges = sorted((edge + rotation) % 4 for edge in (*segment.edges, *segment.shares))
    halves = sorted((half + 2 * rotation) % 8 for half in segment.halves)
    return segment.kind, tuple(edges), tuple(halves), segment.marks
