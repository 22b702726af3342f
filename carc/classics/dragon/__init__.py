"""The Princess & the Dragon: `base+dragon` (DRG-01 to DRG-05)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from mypy_extensions import i64

from carc.base.actions import Action
from carc.base.cells import WIDTH
from carc.base.expansion import Slice
from carc.base.rules import Rules
from carc.base.scoring import FIELD, value
from carc.base.state import State
from carc.base.steps import DrawStep, ScoreStep, Step, index_of
from carc.classics.figures import Verb, claimers
from carc.classics.rivals import AmongCells, Moment, Rivalry, showing

NOWHERE = -1
MOVES = 6  # DRG-02
BY_PLACE = (-WIDTH, -1, 1, WIDTH)  # the ways from a cell, in the order of cells
GUEST, SCORED = 1, 3  # DRG-05: at the start of a turn, where the follower is scored


class Fable(Slice):
    """The cells of dragon and fairy, whom she is with (segment, owner, kind), cells of the dragon's move, whose turn began last."""

    REFERS: ClassVar[Mapping[str, str]] = {
        "dragon": "cell",
        "fairy": "cell",
        "beside": "segment,,",
        "visited": "cell",
    }

    def __init__(self) -> None:
        self.dragon = NOWHERE
        self.fairy = NOWHERE
        self.beside: tuple[int, int, int] | None = None
        self.visited: list[int] = []  # empty: the dragon rests
        self.began = NOWHERE

    def copy(self) -> Fable:
        new = Fable()
        new.dragon, new.fairy, new.beside = self.dragon, self.fairy, self.beside
        new.visited, new.began = self.visited.copy(), self.began
        return new


class Dragon(Rivalry):
    """A dragon that eats followers, a fairy that keeps it off, princesses who send knights home, magic portals.

    Options: `princess` (may/must): whether who adds a princess to a city with knights may send one home or must; `moves`
    (before/after): whether the dragon moves before scoring or after it.
    """

    TILES = Path(__file__).with_name("princess_and_dragon.txt")
    ON_CELLS = ("dragon",)

    def options(self) -> Mapping[str, Sequence[str]]:
        return {"princess": ("may", "must"), "moves": ("before", "after")}

    def turn(self, steps: list[Step]) -> list[Step]:
        """The fairy's point comes once a tile is drawn: without one the game ends and no turn starts."""
        drawn = index_of(steps, DrawStep) + 1
        return [*steps[:drawn], Moment("guest", None, self._visit), *steps[drawn:]]

    def bind(self, rules: Rules) -> None:
        self.moving = AmongCells("dragon", self._ways, self._go)
        at = index_of(rules.turn, ScoreStep) + (self.chosen["moves"] == "after")
        self.then = rules.turn[at]
        self.volcano = showing(rules, "volcano")
        self.fires = [kind for kind, fiery in enumerate(showing(rules, "dragon")) if fiery]
        self.portal = showing(rules, "portal")
        self.princesses = [
            [i for i, part in enumerate(tile.segments) if "princess" in dict(part.marks)]
            for tile in rules.catalogue.tiles
        ]
        self.claimers = claimers(rules)
        self.send = Verb(rules, "portal", State.put_follower)
        self.dismiss = Verb(rules, "princess", State.take_follower, anybodys=True)
        self.protect = Verb(rules, "fairy", self._protect)
        self.verbs = [self.send, self.dismiss, self.protect]

    def setup(self, state: State) -> Slice:
        return Fable()

    def holds_back(self, state: State) -> bool:
        fable: Fable = self.slice_of(state)
        return fable.dragon == NOWHERE

    def draws(self, state: State, counts: list[int]) -> list[int]:
        """DRG-01: no dragon tile before the first volcano, unless nothing else is left."""
        if sum(counts) > sum([counts[kind] for kind in self.fires]):
            for kind in self.fires:
                counts[kind] = 0
        return counts

    def tile_placed(self, state: State, tile: int) -> None:
        fable: Fable = self.slice_of(state)
        if self.volcano[state.kind_of_tile(tile)]:
            fable.dragon = state.cell_of(tile)
        elif fable.dragon != NOWHERE and state.kind_of_tile(tile) in self.fires:
            fable.visited = [fable.dragon]
            state.schedule(self.moving, state.active, self.then)

    def admits(self, state: State, tile: int, admitted: bool) -> bool:
        """DRG-01, DRG-04: nobody goes where the dragon is."""
        fable: Fable = self.slice_of(state)
        return admitted and state.cell_of(tile) != fable.dragon

    def claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        owner = state.rules.colours[player][0]
        kind = state.kind_of_tile(state.last)
        knights = self._knights(state, kind) if self.princesses[kind] else []
        if knights and self.chosen["princess"] == "must":
            return knights
        places = self._places(state, owner) if self.portal[kind] else []
        wards = [self.protect.at(state, s, owner, k) for s, k in self._wards(state, owner)]
        return [*actions, *places, *knights, *wards]

    def count_claims(self, state: State, player: int) -> int:
        kind = state.kind_of_tile(state.last)
        if self.portal[kind] or self.princesses[kind]:
            return -1
        owner = state.rules.colours[player][0]
        return state.count_figures_of(owner, self.claimers) - self._is_met(state, owner)

    def claim_at(self, state: State, player: int, index: int) -> Action:
        owner = state.rules.colours[player][0]
        segment, kind = self._wards(state, owner)[index]
        return self.protect.at(state, segment, owner, kind)

    def _places(self, state: State, owner: int) -> list[Action]:
        """DRG-04: free, incomplete places of all tiles but the last."""
        fable: Fable = self.slice_of(state)
        kinds = [k for k in range(len(state.rules.follower_kinds)) if state.supply_of(owner, k)]
        return [
            self.send.at(state, segment, owner, kind)
            for segment in state.in_order(state.free_places() if kinds else [])
            if state.cell_under(segment) != fable.dragon
            for kind in kinds
            if state.takes(segment, owner, kind)
        ]

    def _knights(self, state: State, kind: int) -> list[Action]:
        """DRG-03: the followers in the cities that the tile adds a princess to."""
        cities = {state.feature_of(state.segment_of(state.last, i)) for i in self.princesses[kind]}
        return [
            self.dismiss.at(state, segment, owner, follower)
            for segment in state.in_order(state.followers)
            if state.feature_of(segment) in cities
            for owner, follower in sorted(set(state.all_at(segment)))
            if self.claimers >> follower & 1
        ]

    def _wards(self, state: State, owner: int) -> list[tuple[int, int]]:
        """DRG-05: the player's followers (segment, kind) whom the fairy is not with yet."""
        found = state.figures_of(owner, self.claimers)
        fable: Fable = self.slice_of(state)
        if fable.beside is not None and self._is_met(state, owner):
            found.remove((fable.beside[0], fable.beside[2]))
        return found

    def _is_met(self, state: State, owner: int) -> bool:
        """Whether the fairy is with a follower of an owner's, and no other like him is beside him."""
        fable: Fable = self.slice_of(state)
        if fable.beside is None or fable.beside[1] != owner:
            return False
        return state.count_like(fable.beside[0], owner, fable.beside[2]) == 1

    def _protect(self, state: State, segment: int, owner: int, follower: int) -> None:
        fable: Fable = self.slice_of(state)
        fable.fairy = state.cell_under(segment)
        fable.beside = (segment, owner, follower)

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """DRG-05: the fairy stays where her follower was, and keeps the dragon off still."""
        fable: Fable = self.slice_of(state)
        met = fable.beside is not None and fable.beside == (segment, owner, follower)
        if met and state.count_like(segment, owner, follower) == 1:
            fable.beside = None

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """DRG-05; what at the end counts for nothing, with an inn or a cathedral, is not scored."""
        beside = self.slice_of(state).beside
        if beside is None or state.feature_of(beside[0]) != feature:
            return
        if not final or state.is_kind(feature, FIELD) or value(state, feature, final):
            state.award(beside[1], "fairy", 1, SCORED)

    def _visit(self, state: State, player: int, action: Action | None) -> None:
        """DRG-05: a point at the start of a turn for who has the fairy; a turn more in a row is no other turn."""
        fable: Fable = self.slice_of(state)
        owner = -1 if fable.beside is None else fable.beside[1]
        if fable.began != player and owner in state.rules.colours[player]:
            state.award(owner, "fairy", 1, GUEST)
        fable.began = player

    # -- the dragon's move (DRG-02) -----------------------------------------------------------------------------------

    def _ways(self, state: State) -> list[int]:
        """The cells that it may go to now."""
        fable: Fable = self.slice_of(state)
        if not fable.visited or len(fable.visited) > MOVES:
            return []
        found: list[int] = []
        for step in BY_PLACE:
            cell: i64 = fable.dragon + step
            if cell != fable.fairy and state.tile_on_cell(cell) >= 0:
                for been in fable.visited:
                    if been == cell:
                        break
                else:
                    found.append(cell)
        return found

    def _go(self, state: State, player: int, cell: int) -> None:
        """To one tile, whose followers go home; then the next player moves it on."""
        fable: Fable = self.slice_of(state)
        if cell < 0:
            fable.visited.clear()
            return
        fable.dragon = cell
        fable.visited.append(cell)
        for segment in state.segments_of(state.tile_on_cell(cell)):
            while state.has_follower(segment):
                state.take_follower(segment)
        state.push(self.moving, (player + 1) % state.rules.players)

    # -- views --------------------------------------------------------------------------------------------------------

    def outlook(self, state: State, expected: list[float]) -> list[float]:
        """The fairy's company: some turns' points, and those of the scoring."""
        beside = self.slice_of(state).beside
        found = list(expected)
        if beside is not None:
            turns = min(3.0, state.left / state.rules.players)
            found[beside[1]] += GUEST * turns + 0.5 * SCORED
        return found

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        fable: Fable = self.slice_of(state)
        if fable.dragon != NOWHERE:
            data["pieces"].append(state.piece("dragon", fable.dragon))
        if fable.fairy != NOWHERE:
            segment, owner, _ = fable.beside or (-1, -1, -1)
            data["pieces"].append(state.piece("fairy", fable.fairy, segment, owner=owner))
        return data
