"""German Monasteries: `base+monasteries` (MON-01)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from carc.base.board.board import Board
from carc.base.board.links import complete_again
from carc.base.cells import beyond
from carc.base.expansions.expansion import VALUED
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.tiles.tile import MONASTERY, TileSet
from carc.base.turn.actions import Action
from carc.base.turn.choices import Choices
from carc.base.turn.steps import ScoreStep, Step, index_of
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.monasteries.beds import Beds
from carc.classics.monasteries.monasteries_state import MonasteriesState
from carc.classics.steps import CallbackStep
from carc.classics.tile_symbols import Marked

OTHERS: Final = ("A", "B")  # tiles of the base game with a monastery


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
        for segment in board.complete_among(self.german.tiles, MONASTERY):
            board.keep_open(segment)

    def bind(self, rules: Rules) -> None:
        """Look up the German monasteries and make the actions."""
        self.german = Marked(rules, "special")
        self.beds = Beds(self, rules)
        self.rest_step = self.beds.rest_step
        self.simple_actions = self.beds.actions

    def setup(self, state: State) -> ExpansionState:
        """Start with nobody lying."""
        return MonasteriesState([])

    def claims(self, state: State, player: int) -> Choices:
        """MON-01: a follower may lie down in a free German monastery."""
        return self.beds.claims(state, player)

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
            data["pieces"].append(piece(state, "bed", segment=segment))
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
