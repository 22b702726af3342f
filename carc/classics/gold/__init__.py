"""The Goldmines: `base+gold` (GLD-01 to GLD-03)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from carc.base.cells import AROUND
from carc.base.game.actions import Action
from carc.base.game.expansion import ExpansionState
from carc.base.game.rules import Rules
from carc.base.game.scoring import majority
from carc.base.game.state import State
from carc.base.game.steps import ScoreStep, Step, index_of
from carc.base.game.to_dict import piece
from carc.base.tiles.tile import CITY, ROAD
from carc.classics.competitive_expansion import AdjacentCellStep, CallbackStep, CompetitiveExpansion

EACH: Final = (1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4)  # by how many ingots, 10 or more (GLD-03)


class GoldState(ExpansionState):
    """Gold on the table by cell, gold that owners hold, and who may take from which cell once all is scored."""

    REFERS: ClassVar[Mapping[str, str]] = {
        "lying": "laid:count",
        "claimed": "laid:owner",
        "held": "count",
    }

    def __init__(self, held: list[int]) -> None:
        self.held = held
        self.lying: dict[int, int] = {}
        self.claimed: dict[int, frozenset[int]] = {}

    def copy(self) -> GoldState:
        new = GoldState(self.held.copy())
        new.lying, new.claimed = self.lying.copy(), self.claimed.copy()
        return new


class Second(AdjacentCellStep):
    """Where the second ingot goes: on a neighbour of the mine's tile."""

    def __init__(self, gold: Gold) -> None:
        super().__init__("gold", AROUND)
        self.gold: Final = gold

    def go(self, state: State, player: int, cell: int) -> None:
        if cell >= 0:
            _add(self.gold.state_of(state), cell)


class Gold(CompetitiveExpansion[GoldState]):
    """GoldState lie on tiles; who has the majority on a completed feature takes those on it."""

    TILES = Path(__file__).with_name("goldmines.txt")
    ONLY_FOR = {"tile_placed": ("goldmine",)}
    ON_CELLS = ("gold",)

    def bind(self, rules: Rules) -> None:
        self.second = Second(self)

    def turn(self, steps: list[Step]) -> list[Step]:
        after = index_of(steps, ScoreStep) + 1
        return [*steps[:after], CallbackStep("hand out", None, self._hand_out), *steps[after:]]

    def setup(self, state: State) -> ExpansionState:
        return GoldState([0] * state.rules.owners)

    def tile_placed(self, state: State, tile: int) -> None:
        """GLD-01: an ingot on the mine's tile, another on a neighbour of the player's choice."""
        _add(self.state_of(state), state.board.cell_of(tile))
        state.push(self.second, state.active_player)

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        ingots = self.state_of(state)
        if not final and ingots.lying:
            for cell in _cells(state, feature):
                if cell in ingots.lying:
                    takers = ingots.claimed.get(cell, frozenset()).union(majority(state, feature))
                    ingots.claimed[cell] = takers

    def _hand_out(self, state: State, player: int, action: Action | None) -> None:
        """GLD-02: one by one from the active player on, each from the tile that most may take from."""
        ingots = self.state_of(state)
        if not ingots.claimed:
            return
        cells = [cell for cell, takers in ingots.claimed.items() if takers]
        cells.sort(key=lambda cell: (-len(ingots.claimed[cell]), cell))
        owner = state.rules.colours[player][0]
        while any(cell in ingots.lying for cell in cells):
            for cell in cells:
                if cell in ingots.lying and owner in ingots.claimed[cell]:
                    ingots.held[owner] += 1
                    ingots.lying[cell] -= 1
                    if not ingots.lying[cell]:
                        del ingots.lying[cell]
                    break
            owner = (owner + 1) % state.rules.owners
        ingots.claimed.clear()

    def game_ended(self, state: State) -> None:
        for owner, n in enumerate(self.state_of(state).held):
            if n:
                state.award(owner, "gold", n, _each(n))

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """What is held will count a little more than now; of what lies on an open feature, half for who leads there."""
        ingots = self.state_of(state)
        found = [points + n * _each(n + 1) for points, n in zip(expected, ingots.held, strict=True)]
        for feature in state.board.occupied_features() if ingots.lying else ():
            n = sum(ingots.lying.get(cell, 0) for cell in _cells(state, feature))
            for owner in majority(state, feature) if n and state.board.is_open(feature) else ():
                found[owner] += 0.5 * n * _each(ingots.held[owner] + n)
        return found

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        ingots = self.state_of(state)
        data["pieces"] += [piece(state, "gold", cell, count=n) for cell, n in ingots.lying.items()]
        return {**data, "gold": ingots.held.copy()}


def _each(n: int) -> int:
    return EACH[min(n, 10)]


def _add(ingots: GoldState, cell: int) -> None:
    ingots.lying[cell] = ingots.lying.get(cell, 0) + 1


def _cells(state: State, feature: int) -> set[int]:
    """The cells whose ingots go with a feature (GLD-02): its tiles', of what neighbours complete all nine; none of a field."""
    if state.board.is_kind(feature, CITY) or state.board.is_kind(feature, ROAD):
        return {state.board.cell_under(segment) for segment in state.board.members(feature)}
    surrounded = state.board.segment_kind(feature).completed_by == "neighbours"
    here = state.board.cell_under(feature)
    return {here, *[here + step for step in AROUND]} if surrounded else set()
