"""Windmills: `base+windmills`. They turn as the wind blows; the README has the rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from carc import CHANCE, Action, Expansion, ExpansionState, FollowerKind, Rules, State, Step
from carc.base.position.state_data import piece
from carc.base.position.state_fields import Count, Segment
from carc.base.tiles.tile import SegmentKind, TileSet
from carc.base.turn.choices import Choices, Listed

TILES = Path(__file__).with_name("data") / "windmills.txt"
COMPLETE, INCOMPLETE = 4, 1  # points for each point of wind
LIKELIHOOD = {1: 1, 2: 2, 3: 1}  # how likely each strength of the wind is


class Wind(ExpansionState):
    """How strong the wind is at each windmill, by its segment."""

    strength: dict[Segment, Count]

    def __init__(self) -> None:
        self.strength = {}


class Blow(Action):
    """The wind at the windmill just placed: `wind:1` to `wind:3`."""

    def __init__(self, windmills: Windmills, strength: int) -> None:
        super().__init__(f"wind:{strength}")
        self.windmills, self.strength = windmills, strength

    def perform(self, state: State, player: int) -> None:
        """Remember how strong the wind is."""
        mill = self.windmills.mill_on(state, state.board.last_tile)
        self.windmills.state_of(state).strength[mill] = self.strength


class WindStep(Step):
    """Chance decides how strong the wind is."""

    def __init__(self, windmills: Windmills) -> None:
        super().__init__("wind", by_chance=True)
        self.blows: list[Action] = [Blow(windmills, strength) for strength in LIKELIHOOD]

    def choices(self, state: State, player: int) -> Choices:
        """Return the strengths of the wind."""
        return Listed(self.blows)

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        """Return how likely each of them is."""
        return list(LIKELIHOOD.values())


class Windmills(Expansion[Wind]):
    """Windmills score by the wind; a miller stands on windmills only."""

    HELPERS = ("mill_on",)

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """Add the windmill: it reaches no edge, and its neighbours complete it."""
        return [*kinds, SegmentKind("windmill", completed_by="neighbours")]

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """Add the miller."""
        return [*kinds, FollowerKind("miller", supply=1, on=("windmill",))]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """Shuffle in the tiles."""
        return [*sets, read(TILES)]

    def bind(self, rules: Rules) -> None:
        """Make the step of chance once."""
        self.step = WindStep(self)

    def parse(self, text: str) -> Action | None:
        """Return the wind that a text denotes."""
        return next((blow for blow in self.step.blows if blow.text == text), None)

    def setup(self, state: State) -> ExpansionState:
        """Return a game without wind."""
        return Wind()

    def tile_placed(self, state: State, tile: int) -> None:
        """Let the wind blow at a new windmill, before anybody may claim it."""
        if self.mill_on(state, tile) >= 0:
            state.push(self.step, CHANCE)

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """Count the wind."""
        if state.board.kind_of(feature) != "windmill":
            return points
        wind = self.state_of(state).strength.get(feature, 0)
        each = INCOMPLETE if final else COMPLETE
        state.note("wind", wind, each)
        return points + wind * each

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Show the wind at each windmill."""
        for mill, wind in self.state_of(state).strength.items():
            cell = state.board.cell_under(mill)
            data["pieces"].append(piece(state, "wind", cell, mill, count=wind))
        return data

    def mill_on(self, state: State, tile: int) -> int:
        """Return the segment of the windmill on a tile; -1 if it shows none."""
        segments = state.board.segments_of(tile)
        return next((s for s in segments if state.board.kind_of(s) == "windmill"), -1)
