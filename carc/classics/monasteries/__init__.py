"""German Monasteries: `base+monasteries` (MON-01)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from carc.base.expansions.expansion import VALUED
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.tiles.tile import TileSet
from carc.base.turn.choices import Choices
from carc.base.turn.steps import ScoreStep, Step, index_of
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.monasteries.beds import Beds, BedsScoreStep, row_and_column
from carc.classics.monasteries.monasteries_state import MonasteriesState
from carc.classics.tile_symbols import Marked

OTHERS: Final = ("A", "B")  # tiles of the base game with a monastery


class Monasteries(CompetitiveExpansion[MonasteriesState]):
    """In a German monastery a follower may lie, until the end, and score for row and column.

    Option `others`: whether the base game's monasteries are in play, too (MON-01).
    """

    VERSION = 4
    TILES = Path(__file__).with_name("monasteries.txt")
    ORDER = {"feature_points": VALUED}
    ONLY_FOR = dict.fromkeys(
        ("claims", "power", "feature_points", "feature_scored"), ("monastery",)
    )
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
        """MON-01: in the scoring who lies stays."""
        at = index_of(steps, ScoreStep)
        return [*steps[:at], BedsScoreStep(self), *steps[at + 1 :]]

    def bind(self, rules: Rules) -> None:
        """Look up the German monasteries and make the actions."""
        self.german = Marked(rules, "special")
        self.beds = Beds(self, rules)
        self.rest_step = self.beds.rest_step
        self.simple_actions = self.beds.actions

    def setup(self, state: State) -> ExpansionState:
        """Start with nobody lying."""
        return MonasteriesState({})

    def claims(self, state: State, player: int) -> Choices:
        """MON-01: a follower may lie down in a free German monastery."""
        return self.beds.claims(state, player)

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """MON-01: who comes to a German monastery by wagon, flight or portal may lie down.

        A claim says itself whether the follower lies. Who joins from Carcassonne stands.
        """
        board = state.board
        last = board.tile_under(segment) == board.last_tile
        claimed = last and state.step.name in ("claim", "phantom")
        if claimed or not self.german.has(board, segment):
            return
        if board.is_open(segment) and state.step.name != "last join":
            self.state_of(state).arrived = segment
            state.push(self.rest_step, owner)

    def tile_placed(self, state: State, tile: int) -> None:
        """MON-01: where all lie, nothing is scored before the end."""
        board = state.board
        if not board.completed:
            return
        own = self.state_of(state)
        for segment in own.lying:
            if segment in board.completed and not own.those(board, segment, lie=False):
                board.reopen(segment)

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Note who lies there no more; of two alike, who came first leaves.

        With nobody but those who lie a monastery is not complete.
        """
        board, own = state.board, self.state_of(state)
        if segment not in own.lying:
            return
        here, standing = board.followers_at(segment), own.those(board, segment, lie=False)
        lay = own.leave(segment, here.index((owner, follower)))
        if not lay and len(standing) == 1 and segment in board.completed:
            board.reopen(segment)

    def power(self, state: State, feature: int, powers: list[int]) -> list[int]:
        """MON-01: beside who stands, those who lie do not count."""
        own = self.state_of(state)
        standing = own.those(state.board, feature, lie=False) if feature in own.lying else []
        if standing:
            powers = [0] * len(powers)
        for owner, kind in standing:
            powers[owner] += state.rules.follower_kinds[kind].power
        return powers

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """MON-01: at the end, 1 for the tile and 1 for each in its row and column, to a gap."""
        own = self.state_of(state)
        if feature not in own.lying or own.those(state.board, feature, lie=False):
            return points
        worth = row_and_column(state.board, state.board.cell_under(feature))
        more = worth - points
        state.note("row and column", abs(more), 1 if more > 0 else -1)
        return worth

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """MON-01: at the end those who lie beside who stands score for themselves."""
        if feature in self.state_of(state).lying:
            self.beds.score_lying(state, feature)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add a bed to the pieces for each follower who lies."""
        own = self.state_of(state)
        for segment in own.lying:
            for owner, _ in own.those(state.board, segment, lie=True):
                data["pieces"].append(piece(state, "bed", segment=segment, owner=owner))
        return data
