"""Hills & Sheep: `base+hills` (HIL-01 to HIL-03)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from carc.base.board.components import FollowerKind
from carc.base.cells import AROUND
from carc.base.game.actions import Action
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.base.game.expansion import ExpansionState
from carc.base.game.rules import Rules
from carc.base.game.schema import within
from carc.base.game.state import State
from carc.base.game.steps import CHANCE, ClaimStep, Step, index_of
from carc.base.game.to_dict import piece
from carc.base.tiles.tile import FIELD, MONASTERY
from carc.classics.competitive_expansion import (
    CallbackStep,
    ChanceStep,
    CompetitiveExpansion,
    SimpleAction,
    showing,
)

TOKENS: Final = (2, 4, 5, 5, 2)  # wolves, then one sheep to four (HIL-02)
WOLF: Final = 0
VINEYARD: Final = 3  # points (HIL-03)
WEIGHT: Final = 1000  # of a follower, where one on a hill weighs 1 (HIL-01)


class HillsState(ExpansionState):
    """The tokens in the bag, by what they show; by owner, where the shepherd is (a segment, -1: at home) and its tokens."""

    REFERS: ClassVar[Mapping[str, str]] = {"at": "segment", "bag": "count"}

    def __init__(self, owners: int) -> None:
        self.bag = list(TOKENS)
        self.at: list[int] = [-1] * owners
        self.with_shepherd: list[tuple[int, ...]] = [()] * owners

    def copy(self) -> HillsState:
        new = HillsState(0)
        new.bag, new.at = self.bag.copy(), self.at.copy()
        new.with_shepherd = self.with_shepherd.copy()
        return new

    def is_valid(self, state: State) -> bool:
        kind = state.rules.follower_number("shepherd")
        there = [
            on < 0 or state.board.count_followers(on, owner, kind)
            for owner, on in enumerate(self.at)
        ]
        drawn = all(within(some, 0, len(TOKENS) - 1) for some in self.with_shepherd)
        return len(there) == state.rules.owners and all(there) and drawn


class Tending(Step):
    """What a player does with a flock whose field the tile just laid extends."""

    def __init__(self, hills: Hills) -> None:
        super().__init__("flock")
        self.hills: Final = hills

    def choices(self, state: State, player: int) -> Choices:
        return Listed(self.hills.may_tend(state, player))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        self.hills.tend(state, player, action)


class Hills(CompetitiveExpansion[HillsState]):
    """Shepherds with flocks, hills that break ties, vineyards beside monasteries.

    Option `ties`: broken by `one` follower on a hill or more, or by the `most` on hills.
    """

    HELPERS = ("may_tend", "tend")
    ONLY_FOR = {"tile_placed": ("hill",)}
    TILES = Path(__file__).with_name("hills_and_sheep.txt")

    def options(self) -> Mapping[str, Sequence[str]]:
        return {"ties": ("one", "most")}

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        return [*kinds, FollowerKind("shepherd", power=0, supply=1, on=())]

    def turn(self, steps: list[Step]) -> list[Step]:
        after = index_of(steps, ClaimStep) + 1
        return [*steps[:after], Tending(self), *steps[after:]]

    def bind(self, rules: Rules) -> None:
        self.shepherd = rules.follower_number("shepherd")
        self.hill = showing(rules, "hill")
        self.vineyard = showing(rules, "vineyard")
        self.closing = CallbackStep("pastures", None, self._close)
        grow, home = (
            SimpleAction(rules, "flock:grow", self._grow),
            SimpleAction(rules, "flock:home", self._home),
        )
        self.tending: list[Action] = [grow, home]
        kinds = range(len(TOKENS))
        tokens = [
            SimpleAction(rules, f"token:{n or 'wolf'}", partial(self._token, n)) for n in kinds
        ]
        self.draw_token = ChanceStep("token", tokens, lambda state: list(self.state_of(state).bag))
        self.words = [*self.tending, *tokens]

    def setup(self, state: State) -> ExpansionState:
        return HillsState(state.rules.owners)

    def tile_placed(self, state: State, tile: int) -> None:
        """HIL-01: a tile from the bag lies face down beneath a hill."""
        if state.tiles_left:
            state.set_aside()

    # -- shepherds (HIL-02) -----------------------------------------------------------------------

    def _pastures(self, state: State) -> dict[int, int]:
        """Owners whose shepherds are out -> the field."""
        flocks = self.state_of(state)
        return {owner: state.board.feature_of(s) for owner, s in enumerate(flocks.at) if s >= 0}

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        if follower == self.shepherd:
            self.state_of(state).at[owner] = segment

    def claims(self, state: State, player: int) -> Choices:
        """A shepherd goes on a field of the tile where none is."""
        if not state.board.supply_of(player, self.shepherd):
            return NO_CHOICES
        flocks = self.state_of(state)
        taken = [state.board.feature_of(at) for at in flocks.at if at >= 0]
        return Listed(
            [
                state.rules.claim(index, self.shepherd, player)
                for index, segment in enumerate(state.board.segments_of(state.board.last_tile))
                if state.board.is_kind(segment, FIELD)
                and state.board.feature_of(segment) not in taken
            ]
        )

    def may_tend(self, state: State, player: int) -> list[Action]:
        """The choice where the tile extends the field of the player's shepherd."""
        flocks = self.state_of(state)
        at = flocks.at[player]
        out = at >= 0 and state.board.tile_under(at) != state.board.last_tile
        return self.tending if out and state.board.extends(state.board.feature_of(at)) else []

    def tend(self, state: State, player: int, action: Action | None) -> None:
        """A shepherd just put down draws a token without a choice. What cannot grow any more comes home then."""
        flocks = self.state_of(state)
        if any(at >= 0 and not state.board.is_open(state.board.feature_of(at)) for at in flocks.at):
            state.push(self.closing, player)
        if action is not None:
            action.perform(state, player)
        else:
            at = flocks.at[player]
            if at >= 0 and state.board.tile_under(at) == state.board.last_tile:
                self._grow(state, player)

    def _grow(self, state: State, player: int) -> None:
        state.push(self.draw_token, CHANCE)

    def _home(self, state: State, player: int) -> None:
        self._score(state, self._pastures(state)[player])

    def _token(self, sheep: int, state: State, player: int) -> None:
        """Chance drew a token for the active player's shepherd."""
        flocks = self.state_of(state)
        owner = state.active_player
        if sheep == WOLF:
            self._drive(state, self._pastures(state)[owner])
        else:
            flocks.bag[sheep] -= 1
            flocks.with_shepherd[owner] += (sheep,)

    def _drive(self, state: State, field: int) -> list[int]:
        """All shepherds of a field go home; their owners."""
        owners = [owner for owner, on in self._pastures(state).items() if on == field]
        for owner in owners:
            state.take_follower(self.state_of(state).at[owner], owner, self.shepherd)
        return owners

    def _score(self, state: State, field: int) -> None:
        """Each shepherd of a field scores all the sheep on it."""
        sheep = self._sheep(state)[field]
        for owner in self._drive(state, field):
            state.award(owner, "sheep", sheep, 1)

    def _sheep(self, state: State) -> dict[int, int]:
        """Field -> the sheep on it."""
        found: dict[int, int] = {}
        for owner, field in self._pastures(state).items():
            found[field] = found.get(field, 0) + sum(self.state_of(state).with_shepherd[owner])
        return found

    def _close(self, state: State, player: int, action: Action | None) -> None:
        """The flocks of fields that cannot grow any more go home."""
        for field in dict.fromkeys(self._pastures(state).values()):
            if not state.board.is_open(field):
                self._score(state, field)

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """The tokens of a shepherd who goes home go back into the bag."""
        if follower == self.shepherd:
            flocks = self.state_of(state)
            for sheep in flocks.with_shepherd[owner]:
                flocks.bag[sheep] += 1
            flocks.with_shepherd[owner] = ()
            flocks.at[owner] = -1

    def power(self, state: State, feature: int, powers: list[int]) -> list[int]:
        """HIL-01: of those level, who has a follower on a hill of the feature."""
        best = max(powers)
        if best == 0 or powers.count(best) < 2:
            return powers
        weighed = [WEIGHT * power for power in powers]
        for segment in state.board.occupied_segments_of(feature):
            if self.hill[state.board.kind_of_tile(state.board.tile_under(segment))]:
                for owner, kind in state.board.followers_at(segment):
                    first = weighed[owner] == WEIGHT * best
                    counts = powers[owner] == best and state.rules.follower_kinds[kind].power
                    weighed[owner] += bool(counts) and (first or self.chosen["ties"] == "most")
        return weighed

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """HIL-03: vineyards beside a completed monastery."""
        if final or not state.board.is_kind(feature, MONASTERY):
            return points
        tiles = [
            state.board.tile_on_cell(state.board.cell_under(feature) + step) for step in AROUND
        ]
        vineyards = sum(
            tile >= 0 and self.vineyard[state.board.kind_of_tile(tile)] for tile in tiles
        )
        state.note("vineyard", vineyards, VINEYARD)
        return points + VINEYARD * vineyards

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """A flock goes home with one of the next tiles, if no wolf comes first."""
        sheep = self._sheep(state)
        likely = state.tiles_left / (state.tiles_left + 6)
        for owner, field in self._pastures(state).items():
            expected[owner] += likely * sheep[field]
        return expected

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        flocks = self.state_of(state)
        for owner, mine in enumerate(flocks.with_shepherd):
            if mine:
                at = flocks.at[owner]
                text = " ".join(str(token) for token in mine)
                sheep = piece(
                    state, "sheep", state.board.cell_under(at), at, count=sum(mine), text=text
                )
                data["pieces"].append(sheep)
        return {**data, "sheep_bag": list(flocks.bag)}
