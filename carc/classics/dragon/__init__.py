"""The Princess & the Dragon: `base+dragon` (DRG-01 to DRG-05)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

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

NOWHERE: Final = -1
MOVES: Final = 6  # DRG-02
BY_PLACE: Final = (-WIDTH, -1, 1, WIDTH)  # the ways from a cell, in the order of cells
GUEST: Final = 1  # DRG-05: at the start of a turn
SCORED: Final = 3  # where her follower is scored


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
        self.fiery = showing(rules, "dragon")
        self.fires = [kind for kind, fiery in enumerate(self.fiery) if fiery]
        self.strict = self.chosen["princess"] == "must"
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
        if any(n and not self.fiery[kind] for kind, n in enumerate(counts)):
            for kind in self.fires:
                counts[kind] = 0
        return counts

    def tile_placed(self, state: State, tile: int) -> None:
        fable: Fable = self.slice_of(state)
        kind = state.kind_of_tile(tile)
        if self.volcano[kind]:
            fable.dragon = state.cell_of(tile)
        elif self.fiery[kind] and fable.dragon != NOWHERE:
            fable.visited = [fable.dragon]
            state.schedule(self.moving, state.active, self.then)

    def admits(self, state: State, tile: int, admitted: bool) -> bool:
        """DRG-01, DRG-04: nobody goes where the dragon is."""
        fable: Fable = self.slice_of(state)
        return admitted and state.cell_of(tile) != fable.dragon

    def claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        """Through a portal, of princesses, with the fairy."""
        mine = self._offers(state, state.rules.colours[player][0])
        found = [verb.at(state, segment, owner, kind) for verb, segment, owner, kind in mine]
        return found if self._must(state) else [*actions, *found]

    def count_claims(self, state: State, player: int) -> int:
        if self._must(state):
            return -1
        owner, kind = state.rules.colours[player][0], state.kind_of_tile(state.last)
        fable: Fable = self.slice_of(state)
        count: i64 = state.count_figures_of(owner, self.claimers, fable.beside)
        if self.portal[kind]:
            count += state.count_free_places(owner, fable.dragon)
        return count + len(self._knights(state, kind)) if self.princesses[kind] else count

    def claim_at(self, state: State, player: int, index: int) -> Action:
        owner, kind = state.rules.colours[player][0], state.kind_of_tile(state.last)
        if self.portal[kind] or self.princesses[kind]:
            verb, segment, owner, follower = self._offers(state, owner)[index]
            return verb.at(state, segment, owner, follower)
        fable: Fable = self.slice_of(state)
        ward = state.figure_of(owner, self.claimers, index, fable.beside)
        return self.protect.at(state, ward[0], owner, ward[1])

    def _must(self, state: State) -> bool:
        """Whether there is a knight who must go."""
        return self.strict and bool(self._knights(state, state.kind_of_tile(state.last)))

    def _offers(self, state: State, owner: int) -> list[tuple[Verb, int, int, int]]:
        """What the player may do with figures: verb, segment, owner and kind."""
        kind = state.kind_of_tile(state.last)
        fable: Fable = self.slice_of(state)
        found = [(self.dismiss, *knight) for knight in self._knights(state, kind)]
        if self.strict and found:
            return found
        if self.portal[kind]:  # DRG-04: free, incomplete places of all tiles but the last
            places = state.free_places(owner, fable.dragon)
            found = [(self.send, on[0], owner, on[1]) for on in places] + found
        for on in state.figures_of(owner, self.claimers, fable.beside):  # DRG-05
            found.append((self.protect, on[0], owner, on[1]))
        return found

    def _knights(self, state: State, kind: int) -> list[tuple[int, int, int]]:
        """DRG-03: the followers (segment, owner, kind) in the cities that the tile adds a princess to."""
        if not self.princesses[kind]:
            return []
        found: list[int] = []
        for index in self.princesses[kind]:
            found += state.followers_on(state.feature_of(state.segment_of(state.last, index)))
        return [
            (segment, owner, follower)
            for segment in state.in_order(dict.fromkeys(found))
            for owner, follower in sorted(set(state.all_at(segment)))
            if self.claimers >> follower & 1
        ]

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
        beside = fable.beside
        if fable.began != player and beside and beside[1] in state.rules.colours[player]:
            state.award(beside[1], "fairy", 1, GUEST)
        fable.began = player

    # -- the dragon's move (DRG-02) -----------------------------------------------------------------------------------

    def _ways(self, state: State) -> list[int]:
        """The cells that it may go to now."""
        fable: Fable = self.slice_of(state)
        visited = fable.visited
        found: list[int] = []
        if not visited or len(visited) > MOVES:
            return found
        for step in BY_PLACE:
            cell: i64 = fable.dragon + step
            been = any(one == cell for one in visited)
            if not been and cell != fable.fairy and state.tile_on_cell(cell) >= 0:
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
        for segment in state.stood_on(state.tile_on_cell(cell)):
            while state.has_follower(segment):
                state.take_follower(segment)
        state.push(self.moving, (player + 1) % state.rules.players)

    # -- views --------------------------------------------------------------------------------------------------------

    def outlook(self, state: State, expected: list[float]) -> list[float]:
        """The fairy's company: some turns' points, and those of the scoring."""
        beside = self.slice_of(state).beside
        if beside is not None:
            turns = min(3.0, state.left / state.rules.players)
            expected[beside[1]] += GUEST * turns + 0.5 * SCORED
        return expected

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        fable: Fable = self.slice_of(state)
        if fable.dragon != NOWHERE:
            data["pieces"].append(state.piece("dragon", fable.dragon))
        if fable.fairy != NOWHERE:
            segment, owner, _ = fable.beside or (-1, -1, -1)
            data["pieces"].append(state.piece("fairy", fable.fairy, segment, owner=owner))
        return data
