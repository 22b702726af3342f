"""Small cities become castles (BRC-02)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from carc.base.board.links import change_kind
from carc.base.tiles.tile import CITY
from carc.base.turn.actions import PASS, chosen_segment, segment_choices
from carc.base.turn.choices import Choices, Listed
from carc.base.turn.steps import Step
from carc.classics.bridges.tiles import parts_a_corner
from carc.classics.steps import turn_order

if TYPE_CHECKING:
    from carc.base.board.board import Board
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.base.turn.actions import Action
    from carc.classics.bridges import Bridges

# Cities at one edge that are printed larger than a semicircle, though no corner shows it: by tile,
# the segments, as JCloisterZone's tiles have them.
LARGER: Final = {"AM03": (0,), "HS01": (0,), "HS07": (0, 1), "PD10": (0,)}


class Castles:
    """Which cities may become castles."""

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
            held = len(members) == 2 and self._holds(state, player, feature)
            if held and all(self._is_cap(state, segment) for segment in members):
                found += [s for s in members if board.tile_under(s) == board.last_tile]
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


class CastleStep(Step):
    """BRC-02: the owner of a small city that was completed may make it a castle."""

    def __init__(self, bridges: Bridges) -> None:
        super().__init__("castle")
        self.bridges: Final = bridges

    def choices(self, state: State, player: int) -> Choices:
        """Return the player's small cities, each by its segment on the last tile."""
        cities = self.bridges.castles.small_cities(state, player)
        return Listed(segment_choices(state.board, "castle", cities)).or_pass()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Found the castle, and ask again."""
        if action is not None and action is not PASS:
            self.bridges.castles.found(state, player, chosen_segment(state.board, action))
            state.push(self, player)


class CastlesStep(Step):
    """BRC-02: all players are asked, beginning with the active one."""

    def __init__(self, bridges: Bridges) -> None:
        super().__init__("castles", in_scoring=True)
        self.bridges: Final = bridges
        self.castle_step: Final = CastleStep(bridges)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Ask each owner of a small city."""
        castles, completed = self.bridges.castles, state.board.completed
        if not completed or not any(castles.is_small(state.board, each) for each in completed):
            return
        for other in reversed(turn_order(state, player)):
            if castles.small_cities(state, other):
                state.push(self.castle_step, other)
