"""German Monasteries: `base+monasteries` (MON-01)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

import attrs

from carc.base.board.board import Board
from carc.base.board.links import complete_again
from carc.base.cells import beyond
from carc.base.expansions.expansion import VALUED
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.position.state_fields import Segment
from carc.base.tiles.tile import TileSet
from carc.base.turn.actions import PASS, Action
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import ScoreStep, Step, index_of
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.steps import CallbackStep, PutAction, SimpleAction
from carc.classics.tile_symbols import Marked

OTHERS: Final = ("A", "B")  # tiles of the base game with a monastery
NEIGHBOURS: Final = 8  # of a monastery that is complete


class MonasteriesState(ExpansionState):
    """Where followers lie.

    Attributes:
        lying: The monasteries in which a follower lies as an abbot.
        arrived: The monastery to which a follower came who may lie down; -1: none.
    """

    FIELDS: ClassVar[Mapping[str, object]] = {"lying": list[Segment], "arrived": Segment}

    def __init__(self, lying: list[int], arrived: int = -1) -> None:
        """Lay them there."""
        self.lying = lying
        self.arrived = arrived

    def copy(self) -> MonasteriesState:
        """Return an independent copy."""
        return MonasteriesState(self.lying.copy(), self.arrived)


class Monasteries(CompetitiveExpansion[MonasteriesState]):
    """In a German monastery a follower may lie, until the end, and score for row and column.

    Option `others`: whether the base game's monasteries are in play, too (MON-01).
    """

    VERSION = 2
    TILES = Path(__file__).with_name("monasteries.txt")
    ORDER = {"feature_points": VALUED}
    ONLY_FOR = {"claims": ("monastery",)}
    _ADDED_OPTIONS = {"others": "on"}

    def options(self) -> Mapping[str, Sequence[str]]:
        """MON-01: the base game's monasteries."""
        return {"others": ("on", "off")}

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """MON-01: the base game's monasteries may stay in the box."""
        if self.chosen["others"] == "off":
            kept = tuple(tile for tile in sets[0].tiles if tile.name not in OTHERS)
            sets = [attrs.evolve(sets[0], tiles=kept), *sets[1:]]
        return super().tile_sets(sets, read)

    def turn(self, steps: list[Step]) -> list[Step]:
        """MON-01: after the scoring, who would lie down may come to what is surrounded."""
        after = index_of(steps, ScoreStep) + 1
        reopen = CallbackStep("beds", None, self._reopen, in_scoring=True)
        return [*steps[:after], reopen, *steps[after:]]

    def _reopen(self, state: State, player: int, action: Action | None) -> None:
        """Open the German monasteries that are complete: a follower may lie down there."""
        board = state.board
        for segment in self.german.on(board):
            if not board.is_open(segment):
                board.keep_open(segment)

    def bind(self, rules: Rules) -> None:
        """Look up the German monasteries and make the actions."""
        self.german = Marked(rules, "special")
        kinds = range(len(rules.follower_kinds))
        segments = range(max([len(tile.segments) for tile in rules.catalogue.tiles]))
        self.lie_actions = [
            [
                PutAction(rules, f"lie:{index},{rules.follower_kinds[kind].name}", effect, kind)
                for kind in kinds
                for effect in [partial(self._lie, index, kind)]
            ]
            for index in segments
        ]
        self.rest = SimpleAction(rules, "rest", self._rest)
        self.rest_step = CallbackStep("rest", self._list_postures, self._settle, is_forced=True)
        lying = [action for some in self.lie_actions for action in some]
        self.simple_actions = [*lying, self.rest]

    def setup(self, state: State) -> ExpansionState:
        """Start with nobody lying."""
        return MonasteriesState([])

    def claims(self, state: State, player: int) -> Choices:
        """MON-01: a follower may lie down in a free German monastery."""
        board = state.board
        german = self.german.by_kind[board.kind_of_tile(board.last_tile)]
        if not german or not state.allows_figures(board.last_tile):
            return NO_CHOICES
        claims: list[Action] = []
        for index, segment in enumerate(board.segments_of(board.last_tile)):
            if index in german and not board.is_claimed(board.feature_of(segment)):
                claims += [
                    action
                    for kind, action in enumerate(self.lie_actions[index])
                    if board.claim_allowed(segment, kind) and board.supply_of(player, kind)
                ]
        return Listed(claims)

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """MON-01: who comes to a free German monastery by wagon, flight or portal may lie down.

        A claim says itself whether the follower lies. One that is surrounded takes no monk.
        """
        board = state.board
        tile = board.tile_under(segment)
        index = segment - board.segment_of(tile, 0)
        claimed = tile == board.last_tile and state.step.name in ("claim", "phantom")
        if claimed or index not in self.german.by_kind[board.kind_of_tile(tile)]:
            return
        if len(board.followers_at(segment)) == 1 and board.is_open(board.feature_of(segment)):
            self.state_of(state).arrived = segment
            state.push(self.rest_step, owner)

    def _list_postures(self, state: State, player: int) -> list[Action]:
        cell = state.board.cell_under(self.state_of(state).arrived)
        is_surrounded = state.board.count_neighbours(cell) == NEIGHBOURS
        return [self.rest] if is_surrounded else [self.rest, PASS]

    def _rest(self, state: State, player: int) -> None:
        self.state_of(state).lying.append(self.state_of(state).arrived)

    def _settle(self, state: State, player: int, action: Action | None) -> None:
        if action is not None:
            action.perform(state, player)
        self.state_of(state).arrived = -1

    def _lie(self, index: int, kind: int, state: State, player: int) -> None:
        segment = state.board.segment_of(state.board.last_tile, index)
        self.state_of(state).lying.append(segment)
        state.put_follower(segment, player, kind)
        if segment in state.board.completed:
            state.board.reopen(segment)

    def tile_placed(self, state: State, tile: int) -> None:
        """MON-01: where a follower lies, nothing is scored before the end."""
        for segment in self.state_of(state).lying:
            if segment in state.board.completed:
                state.board.reopen(segment)

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Note that nobody lies there any more: a monastery that is surrounded is complete.

        Who came first lies there, even if others have flown to it.
        """
        board, lying = state.board, self.state_of(state).lying
        if (
            segment in lying
            and board.first_follower_at(segment) == (owner, follower)
            and board.count_followers(segment, owner, follower) == 1
        ):
            lying.remove(segment)
            complete_again(board, segment)

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """MON-01: at the end, 1 for the tile and 1 for each in its row and column, to a gap."""
        if feature not in self.state_of(state).lying:
            return points
        worth = _row_and_column(state.board, state.board.cell_under(feature))
        more = worth - points
        state.note("row and column", abs(more), 1 if more > 0 else -1)
        return worth

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add a bed to the pieces wherever a follower lies."""
        for segment in self.state_of(state).lying:
            data["pieces"].append(piece(state, "bed", state.board.cell_under(segment), segment))
        return data


def _row_and_column(board: Board, cell: int) -> int:
    """Return how many tiles lie in line with a cell, its own included, without a gap."""
    count = 1
    for side in range(4):
        at = beyond(cell, side)
        while not board.is_free(at):
            count += 1
            at = beyond(at, side)
    return count
