"""Ghosts, Castles & Cemeteries: the competitive expansion (MIST-*, GCC-*)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, final

from carc.base.board.candidates import Candidates
from carc.base.board.game_components import FollowerKind
from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import LESSENED, VALUED, Expansion
from carc.base.position.expansion_state import ExpansionState
from carc.base.small_set import SmallSet
from carc.base.tiles.tile import SegmentKind, TileSet, without_start
from carc.base.turn.actions import Action, parse_choice
from carc.base.turn.steps import ScoreStep, Step
from carc.expansion_ghosts.estimates import GhostsEstimates
from carc.expansion_ghosts.ghosts_state import MEEPLE, SCARED_AT, GhostsState
from carc.expansion_ghosts.mist import TILES, Mist, mist_kinds, standing
from carc.expansion_ghosts.steps import HauntStep, OrderStep

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

GHOSTS: Final = 15  # GCC-04
GUARDS_AT_START: Final = 2  # GCC-03
GUARD_STOCK: Final = 3
MEEPLES: Final = SmallSet([MEEPLE])


@final
class Ghosts(Expansion[GhostsState]):
    """`base+ghosts`: ghosts on meeples, guards, castles, cemeteries, fields cut by mist.

    Options (GCC-05): `ghosts`, `castles`, `cemeteries`, `guards` (on/off) and `tiles` (all/base:
    without the 60 tiles and the large start tile).

    Attributes:
        haunting_folds: What other expansions make of step 2a. Each gets the state, the tile laid
            and the steps it leads to so far, in order, and returns them with its own.
    """

    HELPERS: ClassVar[tuple[str, ...]] = ("candidates", "haunt")

    def __init__(self) -> None:
        """Make the expansion."""
        super().__init__()
        self.haunting_folds: list[Callable[[State, int, list[Step]], list[Step]]] = []

    def contradictions(self, tiles: TileSet) -> list[str] | None:
        """Return what contradicts the known mist tiles."""
        from carc.expansion_ghosts.known import check_mists  # noqa: PLC0415 (not for play)

        return check_mists(tiles) if tiles.name == "mists" else None

    def options(self) -> Mapping[str, Sequence[str]]:
        """GCC-05: each part can be switched off."""
        switch = ("on", "off")
        return {
            "ghosts": switch,
            "castles": switch,
            "cemeteries": switch,
            "guards": switch,
            "tiles": ("all", "base"),
        }

    ORDER: ClassVar[Mapping[str, int]] = {"feature_points": VALUED, "player_points": LESSENED}
    ONLY_FOR: ClassVar[Mapping[str, Sequence[str]]] = {
        "feature_points": ("castle",),
        "feature_scored": ("cemetery",),
    }

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """Add mist, castles and cemeteries (MIST-01, GCC-14, GCC-15)."""
        return kinds + mist_kinds(self.chosen["castles"] == "on", self.chosen["cemeteries"] == "on")

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """GCC-03: 5 meeples and 2 guards."""
        if self.chosen["guards"] != "on":
            return kinds
        meeple = kinds[0]
        fewer = FollowerKind(meeple.name, meeple.power, meeple.supply - GUARDS_AT_START)
        return [fewer, *kinds[1:], FollowerKind("guard", 1, GUARDS_AT_START)]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        """GCC-01, GCC-02: add the mist tiles; the large start tile replaces the base's."""
        if self.chosen["tiles"] == "base":
            return sets
        return [*(without_start(tile_set) for tile_set in sets), read(TILES)]

    def bind(self, rules: Rules) -> None:
        """Look up the tiles and make the steps."""
        self.mist: Mist = Mist(rules)
        # The colours of each player, and those of the others.
        everybody = range(rules.owners)
        self.own = [SmallSet(colours) for colours in rules.colours]
        self.others = [SmallSet([o for o in everybody if o not in own]) for own in rules.colours]
        self.haunting: bool = self.chosen["ghosts"] == "on"
        self.guard: int = rules.follower_number("guard") if self.chosen["guards"] == "on" else -1
        self.haunt_other: Step = HauntStep(self, False)
        self.haunt_own: Step = HauntStep(self, True)
        self.order_step: Step = OrderStep("order")
        self.score_step: Step = next(s for s in rules.turn if isinstance(s, ScoreStep))

    def parse(self, text: str) -> Action | None:
        """Return the choice `haunt` that `text` denotes."""
        return parse_choice(text, ("haunt",))

    # -- play -------------------------------------------------------------------------------------

    def setup(self, state: State) -> ExpansionState | None:
        """GCC-03, GCC-04: start with full stocks."""
        stock = GHOSTS if self.chosen["ghosts"] == "on" else 0
        guards = GUARD_STOCK if self.chosen["guards"] == "on" else 0
        return GhostsState(stock, [guards] * state.rules.owners, {})

    def tile_placed(self, state: State, tile: int) -> None:
        """GCC-07 to GCC-09: joined or torn mist brings ghosts; completed features are ordered."""
        if not self.haunting or not state.has_begun:
            return
        if len(state.board.completed) > 1:
            state.schedule(self.order_step, state.active_player, self.score_step)
        joined, torn = state.board.overlays_joined(), state.board.overlays_torn()
        if not (joined or torn or self.haunting_folds):
            return
        steps: list[Step] = []
        if joined:
            steps.append(self.haunt_other)
        if torn:
            steps.append(self.haunt_own)
        for fold in self.haunting_folds:
            steps = fold(state, tile, steps)
        for step in reversed(steps):
            state.push(step, state.active_player)

    def candidates(self, state: State, player: int, own: bool) -> Candidates:
        """Return the meeples that may get a ghost: opponents' (GCC-07) or own (GCC-08).

        Never guards (GCC-11). Where several stand on one segment, the first who came may (GCC-12).
        """
        whose = self.own if own else self.others
        return state.board.first_figures(MEEPLES, whose[player])

    def haunt(self, state: State, segment: int) -> None:
        """Put a ghost with the meeple on a segment; the third scares it off (GCC-12)."""
        own = self.state_of(state)
        own.stock -= 1
        n = own.ghosts.get(segment, 0) + 1
        own.ghosts[segment] = n
        if n == SCARED_AT:
            state.take_follower(segment)

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """GCC-12, GCC-18: ghosts of a meeple that leaves the board go to the stock."""
        own = self.state_of(state)
        if own.ghosts and follower == MEEPLE and state.board.owner_at(segment) == owner:
            own.stock += own.ghosts.pop(segment, 0)

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """GCC-19, GCC-22: castles; at the end their own tile counts whatever it shows."""
        cell = state.board.cell_under(feature)
        tiles = self.mist.misty_around(state, cell)
        tiles += 1 if final else self.mist.is_misty(state, cell)
        each = 1 if final else 2
        state.note("castle", tiles, each)
        return points + each * tiles

    def player_points(
        self, state: State, feature: int, owner: int, final: bool, points: int
    ) -> int:
        """GCC-16: each ghost with the owner's meeples on a scored feature costs 2 points."""
        haunted = self.state_of(state).ghosts
        if final or not haunted or not state.board.power(feature, owner):
            return points
        n = 0
        for segment, ghosts in haunted.items():
            if (
                state.board.feature_of(segment) == feature
                and state.board.owner_at(segment) == owner
            ):
                n += ghosts
        if n:
            state.note("ghosts", n, -2)
        return points - 2 * n

    def score(self, state: State, owner: int, score: int) -> int:
        """GCC-17: no score drops below 0."""
        return max(score, 0)

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """GCC-20: the keeper of a completed cemetery brings a guard from the guard stock."""
        if final or self.guard < 0:
            return
        own = self.state_of(state)
        for _, owner, _ in state.board.followers_of(feature):
            if own.guards[owner]:
                own.guards[owner] -= 1
                state.board.add_supply(owner, self.guard, 1)

    def game_ended(self, state: State) -> None:
        """GCC-21: each ghost with an own meeple still on the board costs 1 point."""
        haunted = [0] * state.rules.owners
        for segment, ghosts in self.state_of(state).ghosts.items():
            haunted[state.board.owner_at(segment)] += ghosts
        for owner, n in enumerate(haunted):
            if n:
                state.award(owner, "ghosts", n, -1)

    def estimates(self) -> Estimates:
        """Return what ghosts cost."""
        return GhostsEstimates(self, self.chosen["ghosts"] == "on")

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the ghosts to the pieces; the stocks of ghosts and guards."""
        own = self.state_of(state)
        data["pieces"] += standing(state, "ghost", own.ghosts)
        if self.guard >= 0:
            out = data["out_of_play"]
            out["guard"] = out.get("guard", 0) + sum(own.guards)
        return {**data, "ghost_stock": own.stock, "guard_stock": own.guards.copy()}
