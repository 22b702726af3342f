"""Ghosts, Castles & Cemeteries: the competitive expansion (rules MIST-*, GCC-*)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board.candidates import segment_in
from carc.base.board.layout import KINDS, OWNER_AT, SEGMENT_AT, WHO
from carc.base.game.actions import Action, parse_choice
from carc.base.game.expansion import LESSENED, VALUED, Expansion, FollowerKind, Slice
from carc.base.game.scoring import leaders, points_for
from carc.base.game.steps import ScoreStep, Step
from carc.base.tiles.tile import SegmentKind, TileSet, without_start
from carc.expansion_ghosts.mist import EXPANDED, TILES, TORN, Mist, mist_kinds, standing

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

GHOSTS: Final = 15  # GCC-04
SCARED_AT: Final = 3  # GCC-12
SCARES: Final = (0.03, 0.06, 0.2, 0.2)  # a guess: how likely a meeple with so many is scared off
GUARDS_AT_START: Final = 2  # GCC-03
GUARD_STOCK: Final = 3
MEEPLE: Final = 0  # index among the kinds of follower


class GhostSlice(Slice):
    """Ghosts and guards of one position. `ghosts`: segment with a haunted meeple -> how many."""

    REFERS: ClassVar[Mapping[str, str]] = {
        "ghosts": "segment:count",
        "stock": "count",
        "guards": "count",
    }

    def __init__(self, stock: int, guards: list[int], ghosts: dict[int, int]) -> None:
        self.ghosts: dict[int, int] = ghosts
        self.stock: int = stock
        self.guards: list[int] = guards  # guard stock by owner

    def copy(self) -> GhostSlice:
        return GhostSlice(self.stock, self.guards.copy(), self.ghosts.copy())

    def holds(self, state: State) -> bool:
        return all(state.follower_at(segment) == MEEPLE for segment in self.ghosts)


class Ghosts(Expansion):
    """`base+ghosts`: ghosts on meeples, guards, castles, cemeteries, fields cut by mist.

    Options (GCC-05) `ghosts`, `castles`, `cemeteries`, `guards` (on/off) and `tiles` (all/base: without the 60 tiles
    and the large start tile).
    """

    HELPERS: ClassVar[tuple[str, ...]] = ("candidates", "haunt", "haunted")

    def __init__(self) -> None:
        super().__init__()
        # What expansions beside this one make of step 2a: each is told the tile laid and the steps it leads to so
        # far, in order, and returns them with its own.
        self.haunting_folds: list[Callable[[State, int, list[Step]], list[Step]]] = []

    def contradictions(self, tiles: TileSet) -> list[str] | None:
        from carc.expansion_ghosts.known import check_mists  # noqa: PLC0415 (not for play)

        return check_mists(tiles) if tiles.name == "mists" else None

    def options(self) -> Mapping[str, Sequence[str]]:
        switch = ("on", "off")
        return {
            "ghosts": switch,
            "castles": switch,
            "cemeteries": switch,
            "guards": switch,
            "tiles": ("all", "base"),
        }

    STAGE: ClassVar[int] = VALUED
    SHARE: ClassVar[int] = LESSENED

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        return kinds + mist_kinds(self.on("castles"), self.on("cemeteries"))

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        if not self.on("guards"):
            return kinds
        meeple = kinds[0]
        fewer = FollowerKind(meeple.name, meeple.power, meeple.supply - GUARDS_AT_START)
        return [fewer, *kinds[1:], FollowerKind("guard", 1, GUARDS_AT_START)]

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        if self.chosen["tiles"] == "base":
            return sets
        return [*(without_start(one) for one in sets), read(TILES)]

    def bind(self, rules: Rules) -> None:
        self.mist: Mist = Mist(rules)
        self.haunting: bool = self.on("ghosts")
        self.guard: int = rules.follower("guard") if self.on("guards") else -1
        self.haunt_other: Step = HauntStep(self, False)
        self.haunt_own: Step = HauntStep(self, True)
        self.ordering: Step = OrderStep("order")
        self.score_step: Step = next(s for s in rules.turn if isinstance(s, ScoreStep))

    def parse(self, text: str) -> Action | None:
        return parse_choice(text, ("haunt",))

    def slice_of(self, state: State) -> GhostSlice:
        """This expansion's part of a state."""
        return cast(GhostSlice, state.slices[self.slot])

    # -- play -------------------------------------------------------------------------------------------------------

    def setup(self, state: State) -> Slice | None:
        stock = GHOSTS if self.on("ghosts") else 0
        guards = GUARD_STOCK if self.on("guards") else 0
        return GhostSlice(stock, [guards] * state.rules.owners, {})

    def tile_placed(self, state: State, tile: int) -> None:
        if not self.haunting or not state.has_begun:
            return
        if len(state.completed) > 1:
            state.schedule(self.ordering, state.active, self.score_step)
        did = state.overlays_met()
        if not did and not self.haunting_folds:
            return
        steps: list[Step] = []
        if did & EXPANDED:
            steps.append(self.haunt_other)
        if did & TORN:
            steps.append(self.haunt_own)
        for fold in self.haunting_folds:
            steps = fold(state, tile, steps)
        for step in reversed(steps):
            state.push(step, state.active)

    def candidates(self, state: State, player: int, own: bool) -> list[int]:
        """The meeples that may get a ghost, by y, x, segment: opponents' (GCC-07) or own (GCC-08); never guards (GCC-11).

        Where several stand on one segment, the first who came there may (GCC-12).
        """
        return state.led_by(MEEPLE, self.haunted(state, player, own))

    def haunted(self, state: State, player: int, own: bool) -> int:
        """Whose meeples may get a ghost: a bit for each owner."""
        mine = state.rules.commands[player]
        return mine if own else ~mine

    def haunt(self, state: State, segment: int) -> None:
        """A ghost from the stock joins the meeple on a segment; the third scares it off (GCC-12)."""
        pieces = self.slice_of(state)
        pieces.stock -= 1
        n = pieces.ghosts.get(segment, 0) + 1
        pieces.ghosts[segment] = n
        if n == SCARED_AT:
            state.take_follower(segment)

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """GCC-12, GCC-18: ghosts of a meeple that leaves the board go to the stock."""
        pieces = self.slice_of(state)
        if pieces.ghosts and follower == MEEPLE and state.owner_at(segment) == owner:
            pieces.stock += pieces.ghosts.pop(segment, 0)

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """GCC-19, GCC-22: castles; at the end their own tile counts whatever it shows."""
        if not state.is_kind(feature, self.mist.castle):
            return points
        cell = state.cell_under(feature)
        tiles = self.mist.misty_around(state, cell)
        tiles += 1 if final else self.mist.is_misty(state, cell)
        each = 1 if final else 2
        state.note("castle", tiles, each)
        return points + each * tiles

    def player_points(
        self, state: State, feature: int, owner: int, final: bool, points: int
    ) -> int:
        """GCC-16: 2 points less for each ghost with the owner's meeples on a scored feature."""
        haunted = self.slice_of(state).ghosts
        if final or not haunted or not state.power_of(feature, owner):
            return points
        n = 0
        for segment, ghosts in haunted.items():
            if state.feature_of(segment) == feature and state.owner_at(segment) == owner:
                n += ghosts
        if n:
            state.note("ghosts", n, -2)
        return points - 2 * n

    def score(self, state: State, owner: int, score: int) -> int:
        """GCC-17: no score drops below 0."""
        return max(score, 0)

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """GCC-20: the keeper of a completed cemetery brings a guard from the guard stock."""
        if final or self.guard < 0 or not state.is_kind(feature, self.mist.cemetery):
            return
        pieces = self.slice_of(state)
        for segment in state.followers_on(feature):
            for owner, _ in state.all_at(segment):
                if pieces.guards[owner]:
                    pieces.guards[owner] -= 1
                    state.add_supply(owner, self.guard, 1)

    def game_ended(self, state: State) -> None:
        """GCC-21: each ghost with an own meeple still on the board costs 1 point."""
        haunted = [0] * state.rules.owners
        for segment, ghosts in self.slice_of(state).ghosts.items():
            haunted[state.owner_at(segment)] += ghosts
        for owner, n in enumerate(haunted):
            if n:
                state.award(owner, "ghosts", n, -1)

    def outlook(self, state: State, expected: list[float]) -> list[float]:
        """What ghosts cost: a point each, and of a meeple what it would score, by how soon they may scare it off; never a guard."""
        if not self.haunting:
            return expected
        ghosts = self.slice_of(state).ghosts
        early = state.left / (state.left + 12)
        firsts = state.firsts()
        # By feature and owner, the fewest ghosts on a meeple; -1 where a guard stands.
        where = vec[i64](capacity=len(firsts))
        safest = vec[i64](capacity=len(firsts))
        for rank in firsts:
            segment = segment_in(rank)
            owner = (rank & WHO) >> OWNER_AT
            here: i64 = ghosts.get(segment, 0) if ghosts else 0
            if here:
                expected[owner] -= float(here)
            key = i64(state.feature_of(segment)) << SEGMENT_AT | owner << OWNER_AT
            at: i64 = 0
            while at < len(where) and where[at] != key:
                at += 1
            if at == len(where):
                where = append(where, key)
                safest = append(safest, SCARED_AT)
            safest[at] = min(safest[at], here if rank & KINDS == MEEPLE else -1)
        for at in range(len(where)):
            feature = segment_in(where[at])
            owner = (where[at] & WHO) >> OWNER_AT
            most = safest[at]
            if most >= 0 and leaders(state, feature) >> owner & 1:
                points = points_for(state, feature, owner, True)
                expected[owner] -= SCARES[most] * early * points
        return expected

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        pieces = self.slice_of(state)
        data["pieces"] += standing(state, "ghost", pieces.ghosts)
        if self.guard >= 0:
            data["out_of_play"]["guard"] = sum(pieces.guards)
        return {**data, "ghost_stock": pieces.stock, "guard_stock": pieces.guards.copy()}


class HauntStep(Step):
    """Step 2a: a ghost for an opponent's meeple (GCC-07), then one for an own (GCC-08, GCC-09); put on the agenda as due."""

    def __init__(self, ghosts: Ghosts, own: bool) -> None:
        super().__init__("haunt own" if own else "haunt")
        self.ghosts: Final = ghosts
        self.own: Final = own

    def actions(self, state: State, player: int) -> list[Action]:
        """The candidates, where there is a choice; one candidate or none leaves nothing to decide (GCC-10)."""
        if self.ghosts.slice_of(state).stock == 0:
            return []
        found = self.ghosts.candidates(state, player, self.own)
        return state.choices("haunt", found) if len(found) > 1 else []

    def count(self, state: State, player: int) -> int:
        if self.ghosts.slice_of(state).stock == 0:
            return 0
        whose = self.ghosts.haunted(state, player, self.own)
        found = state.ranks_led_by(MEEPLE, whose, state.counting(self))
        return found.n if found.n > 1 else 0

    def pick(self, state: State, player: int, index: int) -> Action:
        return state.choice("haunt", segment_in(state.rank_at(index)))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if action is not None:
            self.ghosts.haunt(state, state.chosen(action))
        elif self.ghosts.slice_of(state).stock:
            found = self.ghosts.candidates(state, player, self.own)
            if found:
                self.ghosts.haunt(state, found[0])


class OrderStep(Step):
    """Step 3: what the tile completed is scored in the order of the followers on it, by y, x (GCC-17)."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        found: list[int] = []
        for segment in state.in_order(state.followers):
            feature = state.feature_of(segment)
            if feature in state.completed and feature not in found:
                found.append(feature)
        for feature in state.completed:
            if feature not in found:
                found.append(feature)
        state.completed = found
