"""The Princess & the Dragon: `base+dragon` (DRG-01 to DRG-05)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from carc.base.actions import Action, OnCell, on_cell
from carc.base.cells import SIDES
from carc.base.expansion import Slice
from carc.base.rules import Rules
from carc.base.scoring import FIELD, value
from carc.base.state import State
from carc.base.steps import DrawStep, ScoreStep, Step, index_of
from carc.classics.figures import Verb
from carc.classics.rivals import Moment, Rivalry, nothing, showing

NOWHERE = -1
MOVES = 6  # DRG-02
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
        at = index_of(steps, ScoreStep) + (self.chosen["moves"] == "after")
        self.guest = Moment("guest", nothing, self._visit)
        self.moving = Moment("dragon", self._choices, self._move)
        return [*steps[:drawn], self.guest, *steps[drawn:at], self.moving, *steps[at:]]

    def bind(self, rules: Rules) -> None:
        self.volcano = showing(rules, "volcano")
        self.fiery = showing(rules, "dragon")
        self.portal = showing(rules, "portal")
        self.princesses = [
            [i for i, part in enumerate(tile.segments) if "princess" in dict(part.marks)]
            for tile in rules.catalogue.tiles
        ]
        self.follows = [kind.power > 0 for kind in rules.follower_kinds]
        self.send = Verb(rules, "portal", State.put_follower)
        self.dismiss = Verb(rules, "princess", State.take_follower, anybodys=True)
        self.protect = Verb(rules, "fairy", self._protect)
        self.verbs = [self.send, self.dismiss, self.protect]

    def setup(self, state: State) -> Slice:
        return Fable()

    def draws(self, state: State, counts: list[int]) -> list[int]:
        """DRG-01: no dragon tile before the first volcano, unless nothing else is left."""
        if self.slice_of(state).dragon != NOWHERE:
            return counts
        found = [0 if fiery else n for fiery, n in zip(self.fiery, counts, strict=True)]
        return found if any(found) else counts

    def tile_placed(self, state: State, tile: int) -> None:
        fable: Fable = self.slice_of(state)
        if self.volcano[state.kind_of_tile(tile)]:
            fable.dragon = state.cell_of(tile)
        elif self.fiery[state.kind_of_tile(tile)] and fable.dragon != NOWHERE:
            fable.visited = [fable.dragon]

    def admits(self, state: State, tile: int, admitted: bool) -> bool:
        """DRG-01, DRG-04: nobody goes where the dragon is."""
        return admitted and state.cell_of(tile) != self.slice_of(state).dragon

    def claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        owner = state.rules.colours[player][0]
        kind = state.kind_of_tile(state.last)
        knights = self._knights(state, kind) if self.princesses[kind] else []
        if knights and self.chosen["princess"] == "must":
            return knights
        places = self._places(state, owner) if self.portal[kind] else []
        return [*actions, *places, *knights, *self._wards(state, owner)]

    def _places(self, state: State, owner: int) -> list[Action]:
        """DRG-04: free, incomplete places of all tiles but the last."""
        dragon = self.slice_of(state).dragon
        every = range(len(state.rules.follower_kinds))
        kinds = [kind for kind in every if state.supply_of(owner, kind)]
        return [
            self.send.at(state, segment, owner, kind)
            for segment in state.in_order(range(state.segment_of(state.last, 0)))
            if not state.is_claimed(state.feature_of(segment))
            and (state.is_open(state.feature_of(segment)) or state.is_kind(segment, FIELD))
            and state.cell_under(segment) != dragon
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
            if self.follows[follower]
        ]

    def _wards(self, state: State, owner: int) -> list[Action]:
        """DRG-05: the player's followers whom the fairy is not with yet."""
        beside: tuple[int, int, int] = self.slice_of(state).beside or (-1, -1, -1)
        found: list[Action] = []
        for segment in state.in_order(state.followers):
            there = state.all_at(segment)
            for who, kind in sorted(set(there)):
                if who == owner and self.follows[kind]:
                    met = (segment, owner, kind) == beside
                    if not met or there.count((who, kind)) > 1:
                        found.append(self.protect.at(state, segment, owner, kind))
        return found

    def _protect(self, state: State, segment: int, owner: int, follower: int) -> None:
        fable: Fable = self.slice_of(state)
        fable.fairy = state.cell_under(segment)
        fable.beside = (segment, owner, follower)

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """DRG-05: the fairy stays where her follower was, and keeps the dragon off still."""
        fable: Fable = self.slice_of(state)
        if fable.beside is not None and fable.beside == (segment, owner, follower):
            alike = state.all_at(segment).count((owner, follower))
            if alike == 1:
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
        again = fable.began == player
        fable.began = player
        if (
            fable.beside is not None
            and not again
            and fable.beside[1] in state.rules.colours[player]
        ):
            state.award(fable.beside[1], "fairy", 1, GUEST)

    # -- the dragon's move (DRG-02) -----------------------------------------------------------------------------------

    def _ways(self, state: State) -> list[int]:
        fable: Fable = self.slice_of(state)
        if not fable.visited or len(fable.visited) > MOVES:
            return []
        barred = {fable.fairy, *fable.visited}
        cells = sorted(fable.dragon + step for step in SIDES)
        return [cell for cell in cells if state.tile_on_cell(cell) >= 0 and cell not in barred]

    def _choices(self, state: State, player: int) -> list[Action]:
        """A single way is gone without a word."""
        ways = self._ways(state)
        return [on_cell("dragon", cell) for cell in ways] if len(ways) > 1 else []

    def _move(self, state: State, player: int, action: Action | None) -> None:
        """To one tile, whose followers go home; then the next player moves it on."""
        fable: Fable = self.slice_of(state)
        ways = [action.cell] if isinstance(action, OnCell) else self._ways(state)
        if not ways:
            fable.visited = []
            return
        fable.dragon = ways[0]
        fable.visited.append(ways[0])
        for segment in state.segments_of(state.tile_on_cell(ways[0])):
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
