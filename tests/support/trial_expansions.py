"""Two expansions that exist for the tests: one that changes nothing, one that uses every hook.

Neither touches `carc/base`. `Carnival` is a small game of its own making:

- 2 FAIR tiles; a fair is complete with 8 neighbours and is worth 5 points. A fair is never laid
  north of row 0.
- Each player has a juggler, who counts as two (in cities as three), and 6 meeples. Only a juggler
  may stand on a fair.
- A road is worth 1 point more. Whoever has a juggler on a scored feature gets 1 point less for it.
- After a FAIR is laid, the player to the left takes 1 point (`treat:1`) or leaves it (`treat:0`).
- Two FAIRs never come one after the other. Who lays one in column 3 has another turn.
- Nobody is put on a tile in column 5. A juggler in the supply is expected to cost those 2 points.
- No score exceeds 30. A juggler still in the supply at the end costs 2 points.
- The lowest score wins; what is at stake is half of a usual game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import attrs

from carc import Action, Claim, Expansion, ExpansionState, FollowerKind, Place, Rules, State, Step
from carc.base.expansions.estimates import Estimates
from carc.base.small_set import TileKinds
from carc.base.tiles.tile import SegmentKind, TileSet
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.scoring import add_points

CARNIVAL_TILES = Path(__file__).with_name("carnival.txt")
MOST = 30


class InertEstimates(Estimates):
    """Overrides all that may be estimated, and changes nothing."""

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        return list(expected)

    def descriptors(self, state: State) -> list[list[float]]:
        return [[] for _ in range(state.rules.owners)]

    def win_chances(self, state: State, chances: list[float]) -> list[float]:
        return list(chances)


class Inert(Expansion):
    """Overrides every hook that is called in play, and changes nothing."""

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        return list(sets)

    def turn(self, steps: list[Step]) -> list[Step]:
        return list(steps)

    def tile_placed(self, state: State, tile: int) -> None:
        assert state.board.tile_count > tile

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        assert state.board.followers_at(segment)[-1] == (owner, follower)

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        assert (owner, follower) in state.board.followers_at(segment)

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        assert state.board.occupied_segments_of(feature) or not (
            final or state.board.is_open(feature)
        )

    def game_ended(self, state: State) -> None:
        assert state.tiles_left == 0

    def held_back(self, state: State, held: TileKinds) -> TileKinds:
        return held

    def placements(self, state: State, kind: int, choices: Choices) -> Choices:
        return Listed(choices.actions(state))

    def claims(self, state: State, player: int) -> Choices:
        return NO_CHOICES

    def restrict_claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        return list(actions)

    def allows_figures(self, state: State, tile: int) -> bool:
        return True

    def next_player(self, state: State, player: int, following: int) -> int:
        return following

    def power(self, state: State, feature: int, powers: list[int]) -> list[int]:
        return list(powers)

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        return points

    def player_points(
        self, state: State, feature: int, owner: int, final: bool, points: int
    ) -> int:
        return points

    def estimates(self) -> Estimates:
        return InertEstimates()

    def score(self, state: State, owner: int, score: int) -> int:
        return score

    def results(self, state: State, results: list[int]) -> list[int]:
        return list(results)

    def returns(self, state: State, returns: list[float]) -> list[float]:
        return list(returns)

    def outcome(self, state: State, outcome: dict[str, Any]) -> dict[str, Any]:
        return dict(outcome)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        return dict(data)


class Treat(Action):
    """Take a point at the fair, or leave it: `treat:1`, `treat:0`."""

    def __init__(self, points: int) -> None:
        super().__init__(f"treat:{points}")
        self.points = points


TREATS = [Treat(0), Treat(1)]


class Invite(Step):
    """If the tile just laid is a FAIR, the player to the left is treated."""

    def __init__(self, treat: TreatStep) -> None:
        super().__init__("invite")
        self.treat = treat

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if state.board.tile_data(state.board.last_tile).name == "FAIR":
            state.push(self.treat, (player + 1) % state.rules.players)


class TreatStep(Step):
    """Another player's decision in the middle of a turn."""

    def __init__(self) -> None:
        super().__init__("treat")

    def choices(self, state: State, player: int) -> Choices:
        return Listed(list(TREATS))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        assert isinstance(action, Treat)
        add_points(state, state.rules.colours[player][0], action.points)


class Tally(ExpansionState):
    """What the carnival remembers."""

    def __init__(self) -> None:
        self.fairs = 0
        self.came = 0
        self.went = 0
        self.unclaimed = 0
        self.scored: list[str] = []

    def copy(self) -> Tally:
        new = Tally()
        new.fairs, new.came, new.went = self.fairs, self.came, self.went
        new.unclaimed = self.unclaimed
        new.scored = self.scored.copy()
        return new


class Forecast(Estimates):
    """What a carnival may bring."""

    DESCRIPTORS: ClassVar = {"jugglers": (-1.0, -1.0, -1.0, -3.0)}

    def __init__(self, carnival: Carnival) -> None:
        self.carnival = carnival

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        return [
            points - 2 * state.board.supply_of(owner, self.carnival.juggler)
            for owner, points in enumerate(expected)
        ]

    def descriptors(self, state: State) -> list[list[float]]:
        supply = state.board.supply_of
        return [
            [float(supply(owner, self.carnival.juggler))] for owner in range(state.rules.owners)
        ]

    def win_chances(self, state: State, chances: list[float]) -> list[float]:
        return [1.0 - chance for chance in chances]


class Carnival(Expansion):
    """Uses every hook; the module's docstring has its rules."""

    HELPERS = ("tally",)
    ONLY_FOR: ClassVar = {
        **dict.fromkeys(("placements", "tile_placed", "restrict_claims"), ("fair",)),
        "power": ("city",),
        "feature_points": ("fair", "road"),
    }

    def tally(self, state: State) -> Tally:
        piece = state.expansion_states[self._slot]
        assert isinstance(piece, Tally)
        return piece

    # What the rules are made of.

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        return self

    def arguments(self) -> Sequence[str]:
        return ("small", "large")

    def options(self) -> Mapping[str, Sequence[str]]:
        return {"farmers": ("on", "off")}

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        farming = self.chosen.get("farmers", "on") == "on"
        known = [attrs.evolve(k, claimable=farming) if k.name == "field" else k for k in kinds]
        return [*known, SegmentKind("fair", completed_by="neighbours")]

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        juggler = FollowerKind("juggler", power=2, supply=1)
        return [FollowerKind("meeple", 1, 6), juggler, *kinds[1:]]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        return [*sets, read(CARNIVAL_TILES)]

    def player_range(self, low: int, high: int) -> tuple[int, int]:
        return low, 3 if self.argument == "small" else high

    def colours(self, colours: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        if self.argument != "large":
            return colours
        return [(2 * player, 2 * player + 1) for player in range(len(colours))]

    def turn(self, steps: list[Step]) -> list[Step]:
        at = [step.name for step in steps].index("claim")
        return [*steps[:at], Invite(TreatStep()), *steps[at:]]

    def bind(self, rules: Rules) -> None:
        self.fair = rules.catalogue.index["FAIR"]
        self.juggler = rules.follower_number("juggler")

    def parse(self, text: str) -> Action | None:
        return next((treat for treat in TREATS if treat.text == text), None)

    def contradictions(self, tiles: TileSet) -> list[str] | None:
        if tiles.name != "carnival":
            return None
        return [f"{tile.name} is no fair" for tile in tiles.tiles if tile.name != "FAIR"]

    # Events.

    def setup(self, state: State) -> ExpansionState | None:
        return Tally()

    def tile_placed(self, state: State, tile: int) -> None:
        assert state.board.kind_of_tile(tile) == self.fair
        self.tally(state).fairs += 1

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        self.tally(state).came += 1

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        self.tally(state).went += 1

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        if not state.board.is_claimed(feature):
            self.tally(state).unclaimed += 1
            return
        name = state.board.kind_of(feature)
        self.tally(state).scored.append(f"{name} at the end" if final else name)

    def game_ended(self, state: State) -> None:
        for owner in range(state.rules.owners):
            if state.board.supply_of(owner, self.juggler):
                state.award(owner, "juggler at home", 1, -2)

    # Folds.

    def placements(self, state: State, kind: int, choices: Choices) -> Choices:
        assert kind == self.fair
        actions = choices.actions(state)
        return Listed([a for a in actions if isinstance(a, Place) and a.y >= 0])

    def restrict_claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        assert state.board.kind_of_tile(state.board.last_tile) == self.fair
        return [
            a
            for a in actions
            if not isinstance(a, Claim) or a.segment != 0 or a.follower == self.juggler
        ]

    def held_back(self, state: State, held: TileKinds) -> TileKinds:
        fair = state.board.kind_of_tile(state.board.last_tile) == self.fair
        fairs = TileKinds([kind == self.fair for kind in range(len(state.bag))])
        return held | fairs if fair else held

    def next_player(self, state: State, player: int, following: int) -> int:
        x, _, _ = state.board.place_of(state.board.segment_of(state.board.last_tile, 0))
        fair = state.board.kind_of_tile(state.board.last_tile) == self.fair
        return player if fair and x == 3 else following

    def allows_figures(self, state: State, tile: int) -> bool:
        x, _, _ = state.board.place_of(state.board.segment_of(tile, 0))
        return x != 5

    def claims(self, state: State, player: int) -> Choices:
        return NO_CHOICES

    def estimates(self) -> Estimates:
        return Forecast(self)

    def power(self, state: State, feature: int, powers: list[int]) -> list[int]:
        return [power + self._jugglers(state, feature, owner) for owner, power in enumerate(powers)]

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        if state.board.kind_of(feature) == "fair":
            state.note("fair", 1, 5)
            return points + 5
        state.note("parade", 1, 1)
        return points + 1

    def player_points(
        self, state: State, feature: int, owner: int, final: bool, points: int
    ) -> int:
        jugglers = self._jugglers(state, feature, owner)
        state.note("juggler", jugglers, -1)
        return points - jugglers

    def score(self, state: State, owner: int, score: int) -> int:
        return min(score, MOST)

    def results(self, state: State, results: list[int]) -> list[int]:
        return [-sum(state.scores[c] for c in colours) for colours in state.rules.colours]

    def returns(self, state: State, returns: list[float]) -> list[float]:
        return [value / 2 for value in returns]

    def outcome(self, state: State, outcome: dict[str, Any]) -> dict[str, Any]:
        return {**outcome, "fairs": self.tally(state).fairs}

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        tally = self.tally(state)
        told = {"fairs": tally.fairs, "came": tally.came, "went": tally.went}
        told["unclaimed"] = tally.unclaimed
        return {**data, "carnival": {**told, "scored": list(tally.scored)}}

    def _jugglers(self, state: State, feature: int, owner: int) -> int:
        return sum(
            state.board.owner_at(s) == owner and state.board.follower_at(s) == self.juggler
            for s in state.board.occupied_segments_of(feature)
        )
