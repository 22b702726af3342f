"""The Princess & the Dragon: `base+dragon` (DRG-01 to DRG-05)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from mypy_extensions import i64

from carc.base.board.candidates import SORT_AT, Ranks
from carc.base.board.followers import NOBODY
from carc.base.cells import WIDTH
from carc.base.game.actions import Action
from carc.base.game.expansion import Slice
from carc.base.game.rules import Rules
from carc.base.game.scoring import FIELD, value
from carc.base.game.state import State
from carc.base.game.steps import ClaimStep, DrawStep, ScoreStep, Step, index_of
from carc.base.tiles.tile import Tile
from carc.classics.figures import Put, Take, Verb, claimers
from carc.classics.rivals import AmongCells, Rivalry, marked, showing

NOWHERE: Final = -1
MOVES: Final = 6  # DRG-02
BY_PLACE: Final = (-WIDTH, -1, 1, WIDTH)  # the ways from a cell, in the order of cells
GUEST: Final = 1  # DRG-05: at the start of a turn
SCORED: Final = 3  # where her follower is scored


class Fable(Slice):
    """The cells of dragon and fairy, whom she is with (segment, owner, kind), cells of the dragon's move, whose turn began last."""

    REFERS: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("dragon", "fairy", "visited"), "laid"),
        "beside": "segment,owner,follower",
        "began": "player",
    }

    def __init__(self) -> None:
        self.dragon = NOWHERE
        self.fairy = NOWHERE
        self.beside: tuple[int, int, int] = NOBODY
        self.visited: list[int] = []  # empty: the dragon rests
        self.began = NOWHERE

    def copy(self) -> Fable:
        new = Fable()
        new.dragon, new.fairy, new.beside = self.dragon, self.fairy, self.beside
        new.visited, new.began = self.visited.copy(), self.began
        return new

    def holds(self, state: State) -> bool:
        return self.beside == NOBODY or state.count_like(*self.beside) > 0


class Visit(Step):
    """DRG-05: a point at the start of a turn for who has the fairy; a turn more in a row is no other turn."""

    def __init__(self, dragon: Dragon) -> None:
        super().__init__("guest")
        self.dragon: Final = dragon

    def apply(self, state: State, player: int, action: Action | None) -> None:
        fable: Fable = self.dragon.slice_of(state)
        owner = fable.beside[1]
        if fable.began != player and owner >= 0 and state.rules.commands[player] >> owner & 1:
            state.award(owner, "fairy", 1, GUEST)
        fable.began = player


class Dismissal(ClaimStep):
    """DRG-03, where one must send a knight home: who can does nothing else with figures."""

    def __init__(self, dragon: Dragon) -> None:
        super().__init__()
        self.dragon: Final = dragon

    def actions(self, state: State, player: int) -> list[Action]:
        knights = self.dragon._find_knights(state, Ranks())
        return self.dragon.dismiss.all(state, knights) or super().actions(state, player)


class Moving(AmongCells):
    """DRG-02: the dragon moves on by a tile, those on it go home, then the next player moves it."""

    def __init__(self, dragon: Dragon) -> None:
        super().__init__("dragon", BY_PLACE)
        self.dragon: Final = dragon

    def around(self, state: State) -> tuple[int, int, list[int]]:
        fable: Fable = self.dragon.slice_of(state)
        return fable.dragon, fable.fairy, fable.visited

    def go(self, state: State, player: int, cell: int) -> None:
        """A tile on, and the next player's move; with no way it rests."""
        fable: Fable = self.dragon.slice_of(state)
        if cell < 0:
            fable.visited.clear()
            return
        fable.dragon = cell
        fable.visited.append(cell)
        state.clear_tile(state.tile_on_cell(cell))
        if len(fable.visited) <= MOVES:
            state.push(self, (player + 1) % state.rules.players)
        else:
            fable.visited.clear()


class Protection(Verb):
    """DRG-05: the fairy goes to an own follower."""

    def __init__(self, dragon: Dragon, rules: Rules) -> None:
        super().__init__(rules, "fairy")
        self.dragon: Final = dragon

    def do(self, state: State, segment: int, owner: int, follower: int) -> None:
        fable: Fable = self.dragon.slice_of(state)
        fable.fairy, fable.beside = state.cell_under(segment), (segment, owner, follower)


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
        if self.chosen["princess"] == "must":
            steps[index_of(steps, ClaimStep)] = Dismissal(self)
        drawn = index_of(steps, DrawStep) + 1
        return [*steps[:drawn], Visit(self), *steps[drawn:]]

    def bind(self, rules: Rules) -> None:
        self.moving = Moving(self)
        self.then = rules.turn[index_of(rules.turn, ScoreStep) + (self.chosen["moves"] == "after")]
        self.volcano = showing(rules, "volcano")
        self.fiery = showing(rules, "dragon")
        self.fires = [kind for kind, fiery in enumerate(self.fiery) if fiery]
        self.portal = showing(rules, "portal")
        self.princesses = marked(rules, "princess")
        self.claimers: i64 = claimers(rules)
        self.protect = Protection(self, rules)
        self.dismiss = Take(rules, "princess", anybodys=True)
        self.verbs = [self.protect, self.dismiss, Put(rules, "portal")]

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

    def heeds(self, tile: Tile) -> bool:
        return any(tile.symbol(shown) is not None for shown in ("volcano", "dragon"))

    def tile_placed(self, state: State, tile: int) -> None:
        fable: Fable = self.slice_of(state)
        if self.volcano[state.kind_of_tile(tile)]:
            fable.dragon = state.cell_of(tile)
        elif fable.dragon != NOWHERE:
            fable.visited = [fable.dragon]
            state.schedule(self.moving, state.active, self.then)

    def admits(self, state: State, tile: int, admitted: bool) -> bool:
        """DRG-01, DRG-04: nobody goes where the dragon is."""
        fable: Fable = self.slice_of(state)
        return admitted and state.cell_of(tile) != fable.dragon

    def claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        found = self._find(state, player, Ranks())
        return [*actions, *[self._choice(state, rank) for rank in found.in_order()]]

    def count_claims(self, state: State, player: int) -> int:
        return self._find(state, player, state.counting(self)).n

    def claim_at(self, state: State, player: int, index: int) -> Action:
        if not state.has_counted(self):
            self.count_claims(state, player)
        return self._choice(state, state.rank_at(index))

    def _choice(self, state: State, rank: i64) -> Action:
        """The choice of a rank, whose sort is the number of its verb."""
        verb = self.verbs[rank >> SORT_AT] if rank >> SORT_AT else self.protect
        return verb.at(state, rank)

    def _find(self, state: State, player: int, found: Ranks) -> Ranks:
        """Who may have the fairy (DRG-05), then the knights of princesses, then where a portal leads: by the verb of each."""
        kind = state.kind_of_tile(state.last)
        fable: Fable = self.slice_of(state)
        found = state.ranks_of(player, self.claimers, fable.beside, found)
        if self.princesses[kind]:
            found = self._find_knights(state, found)
        # DRG-04: free, incomplete places of all tiles but the last.
        return state.free_ranks(player, fable.dragon, 2, found) if self.portal[kind] else found

    def _find_knights(self, state: State, found: Ranks) -> Ranks:
        """DRG-03: the followers in the cities that the tile adds a princess to, behind what is found already."""
        here = self.princesses[state.kind_of_tile(state.last)]
        segments = enumerate(state.segments_of(state.last))
        cities = [state.feature_of(segment) for at, segment in segments if here >> at & 1]
        return state.ranks_in(cities, self.claimers, 1, found)

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """DRG-05: the fairy stays where her follower was, and keeps the dragon off still."""
        fable: Fable = self.slice_of(state)
        gone = (segment, owner, follower) == fable.beside
        if gone and state.count_like(segment, owner, follower) == 1:
            fable.beside = NOBODY

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """DRG-05; what at the end counts for nothing, with an inn or a cathedral, is not scored."""
        fable: Fable = self.slice_of(state)
        segment, owner, _ = fable.beside
        if owner < 0 or state.feature_of(segment) != feature:
            return
        if not final or state.is_kind(feature, FIELD) or value(state, feature, final):
            state.award(owner, "fairy", 1, SCORED)

    def outlook(self, state: State, expected: list[float]) -> list[float]:
        """The fairy's company: some turns' points, and those of the scoring."""
        fable: Fable = self.slice_of(state)
        if fable.beside != NOBODY:
            turns = min(3.0, state.left / state.rules.players)
            expected[fable.beside[1]] += GUEST * turns + 0.5 * SCORED
        return expected

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        fable: Fable = self.slice_of(state)
        if fable.dragon != NOWHERE:
            data["pieces"].append(state.piece("dragon", fable.dragon))
        if fable.fairy != NOWHERE:
            segment, owner, _ = fable.beside
            data["pieces"].append(state.piece("fairy", fable.fairy, segment, owner=owner))
        return data
