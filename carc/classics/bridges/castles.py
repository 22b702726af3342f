"""Castles: small cities that score what the best feature near them scores (BRC-02)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from carc.base.board.links import change_kind
from carc.base.cells import beyond
from carc.base.tiles.tile import CITY
from carc.base.turn.scoring import (
    majority,
    score_share,
    send_home,
    tell_scored,
    value,
    with_expansions,
)
from carc.classics.bridges.tiles import parts_a_corner

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.classics.bridges import Bridges

# Cities at one edge that are printed larger than a semicircle, though no corner shows it: by tile,
# the segments, as JCloisterZone's tiles have them.
LARGER: Final = {"AM03": (0,), "HS01": (0,), "HS07": (0, 1), "PD10": (0,)}


class Castles:
    """Founding and scoring castles."""

    def __init__(self, bridges: Bridges, rules: Rules) -> None:
        self.bridges: Final = bridges
        # By kind of tile: the semicircles. They are at one edge and reach no corner.
        self._caps: Final = [
            [
                at
                for at, part in enumerate(tile.segments)
                if len(part.edges) == 1 and not part.shares and not parts_a_corner(tile)
                if at not in LARGER.get(re.split("[+-]", tile.name)[0], ())
            ]
            for tile in rules.catalogue.tiles
        ]

    def is_small(self, board: Board, feature: int) -> bool:
        """Return True for a city of two tiles."""
        return board.is_kind(feature, CITY) and board.tiles_of(feature) == 2

    def small_cities(self, state: State, player: int) -> list[int]:
        """Return the small cities just completed that a player may make castles (BRC-02)."""
        board = state.board
        found: list[int] = []
        if not board.completed or not self.bridges.state_of(state).castles[player]:
            return found
        for feature in board.completed:
            if not self.is_small(board, feature):
                continue
            members = board.members(feature)
            if len(members) == 2 and self._holds(state, player, feature):
                last = [s for s in members if board.tile_under(s) == board.last_tile]
                if all(self._is_cap(state, segment) for segment in members):
                    found.append(last[0] if last else members[0])
        return board.in_order(found) if found else found

    def _holds(self, state: State, player: int, feature: int) -> bool:
        """Return True if a player alone has the majority, or the only followers, as a mayor."""
        owners = state.owners_of(feature)
        if owners:
            return owners == [player]
        board, kinds = state.board, state.rules.follower_kinds
        here = board.followers_of(feature)
        followers = [owner for _, owner, kind in here if kinds[kind].is_follower]
        return bool(followers) and set(followers) == {player}

    def _is_cap(self, state: State, segment: int) -> bool:
        """Return True for a semicircle: a city at one edge that reaches no corner beyond."""
        board = state.board
        tile = board.tile_under(segment)
        index = segment - board.segment_of(tile, 0)
        return index in self._caps[board.kind_of_tile(tile)]

    def found(self, state: State, player: int, segment: int) -> None:
        """Make a city a castle; whoever is not its owner's follower goes home."""
        board = state.board
        own = self.bridges.state_of(state)
        feature = board.feature_of(segment)
        for at in board.occupied_segments_of(feature):
            for owner, kind in board.followers_at(at):
                if owner != player or not state.rules.follower_kinds[kind].is_follower:
                    state.take_follower(at, owner, kind)
        board.completed.remove(feature)
        change_kind(board, feature, self.bridges.castle_kind)
        own.castles[player] -= 1
        own.new.append(feature)

    def note(self, state: State, feature: int) -> None:
        """Note what the castles near a completed feature score."""
        own = self.bridges.state_of(state)
        cells = self._cells(state, feature)
        for castle in own.standing:
            if not cells.isdisjoint(self.fief(state, castle)):
                points = value(state, feature, False)
                if points > own.best.get(castle, (-1, 0))[0]:
                    own.best[castle] = (points, feature)

    def score_all(self, state: State) -> None:
        """Score the castles near what was completed, and those near such castles."""
        own = self.bridges.state_of(state)
        if not own.best and not own.new:
            return
        waiting = list(own.best)
        while waiting:
            one = waiting.pop()
            cells = self._cells(state, one)
            for castle in own.standing:
                if castle == one or cells.isdisjoint(self.fief(state, castle)):
                    continue
                if own.best[one][0] > own.best.get(castle, (-1, 0))[0]:
                    own.best[castle] = own.best[one]
                    waiting.append(castle)
        for castle, (points, feature) in own.best.items():
            self._score_castle(state, castle, points, feature)
        own.best.clear()
        own.standing += own.new
        own.new.clear()

    def _score_castle(self, state: State, castle: int, points: int, feature: int) -> None:
        """Score a castle as a feature that was completed, whatever other expansions add."""
        board = state.board
        own = self.bridges.state_of(state)
        own.standing.remove(castle)
        own.ruins.append(castle)
        stronghold = board.feature_of(castle)
        if state.journal is not None:
            state.journal.open()
        state.note(f"castle by {board.kind_of(feature)}", 1, points)
        points = with_expansions(state, stronghold, False, points)
        for owner in majority(state, stronghold):
            score_share(state, stronghold, owner, False, points)
        tell_scored(state, stronghold, False)
        send_home(state, stronghold)

    def _cells(self, state: State, feature: int) -> set[int]:
        """Return the cells of a feature's segments: a monastery has one."""
        return {state.board.cell_under(segment) for segment in state.board.members(feature)}

    def fief(self, state: State, castle: int) -> list[int]:
        """Return the cells of a castle and those beside its two long sides."""
        cells = [state.board.cell_under(segment) for segment in state.board.members(castle)]
        lies_west_east = cells[1] in (beyond(cells[0], 1), beyond(cells[0], 3))
        sides = (0, 2) if lies_west_east else (1, 3)
        return cells + [beyond(cell, side) for cell in cells for side in sides]
