"""The Princess & the Dragon: `base+dragon` (DRG-01 to DRG-05)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from mypy_extensions import i64

from carc.base.board.candidates import NOBODY, Candidates, followers_in, followers_of, free_segments
from carc.base.cells import WIDTH
from carc.base.game.actions import Action
from carc.base.game.choices import CandidateChoices, Choices
from carc.base.game.expansion import ExpansionState
from carc.base.game.rules import Rules
from carc.base.game.scoring import value
from carc.base.game.state import State
from carc.base.game.steps import ClaimStep, DrawStep, ScoreStep, Step, index_of
from carc.base.game.to_dict import piece
from carc.base.tiles.tile import FIELD
from carc.classics.competitive_expansion import (
    AdjacentCellStep,
    CompetitiveExpansion,
    marked,
    showing,
)
from carc.classics.figure_choices import ByGroup, FigureVerb, PutVerb, TakeVerb, claiming_kinds

NOWHERE: Final = -1
MOVES: Final = 6  # DRG-02
BY_PLACE: Final = (-WIDTH, -1, 1, WIDTH)  # the ways from a cell, in the order of cells
GUEST: Final = 1  # DRG-05: at the start of a turn
SCORED: Final = 3  # where her follower is scored
# The groups of what may be done after laying a tile, by the order in which they are offered.
PRINCESS: Final = 1
PORTAL: Final = 2


class DragonState(ExpansionState):
    """The cells of dragon and fairy, whom she is with (segment, owner, kind), cells of the dragon's move, whose turn began last."""

    DATA_NAMES: ClassVar[Mapping[str, str]] = {"companion": "beside"}
    REFERS: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("dragon", "fairy", "visited"), "laid"),
        "companion": "segment,owner,follower",
        "began": "player",
    }

    def __init__(self) -> None:
        self.dragon = NOWHERE
        self.fairy = NOWHERE
        self.companion: tuple[int, int, int] = NOBODY
        self.visited: list[int] = []  # empty: the dragon rests
        self.began = NOWHERE

    def copy(self) -> DragonState:
        new = DragonState()
        new.dragon, new.fairy, new.companion = self.dragon, self.fairy, self.companion
        new.visited, new.began = self.visited.copy(), self.began
        return new

    def is_valid(self, state: State) -> bool:
        return self.companion == NOBODY or state.board.count_followers(*self.companion) > 0


class Visit(Step):
    """DRG-05: a point at the start of a turn for who has the fairy; a turn more in a row is no other turn."""

    def __init__(self, dragon: Dragon) -> None:
        super().__init__("guest")
        self.dragon: Final = dragon

    def apply(self, state: State, player: int, action: Action | None) -> None:
        own = self.dragon.state_of(state)
        owner = own.companion[1]
        if own.began != player and owner >= 0 and state.rules._commands[player] >> owner & 1:
            state.award(owner, "fairy", 1, GUEST)
        own.began = player


class Dismissal(ClaimStep):
    """DRG-03, where one must send a knight home: who can does nothing else with figures."""

    def __init__(self, dragon: Dragon) -> None:
        super().__init__()
        self.dragon: Final = dragon

    def choices(self, state: State, player: int) -> Choices:
        knights = self.dragon.knights(state)
        return (
            self.dragon.dismiss.among(knights) if knights.count else super().choices(state, player)
        )


class Moving(AdjacentCellStep):
    """DRG-02: the dragon moves on by a tile, those on it go home, then the next player moves it."""

    def __init__(self, dragon: Dragon) -> None:
        super().__init__("dragon", BY_PLACE)
        self.dragon: Final = dragon

    def around(self, state: State) -> tuple[int, list[int]]:
        own = self.dragon.state_of(state)
        return own.dragon, [own.fairy, *own.visited]

    def go(self, state: State, player: int, cell: int) -> None:
        """A tile on, and the next player's move; with no way it rests."""
        own = self.dragon.state_of(state)
        if cell < 0:
            own.visited.clear()
            return
        own.dragon = cell
        own.visited.append(cell)
        board = state.board
        for segment in board.segments_of(board.tile_on_cell(cell)):
            while board.has_follower(segment):
                state.take_follower(segment)
        if len(own.visited) <= MOVES:
            state.push(self, (player + 1) % state.rules.players)
        else:
            own.visited.clear()


class Protection(FigureVerb):
    """DRG-05: the fairy goes to an own follower."""

    def __init__(self, dragon: Dragon, rules: Rules) -> None:
        super().__init__(rules, "fairy")
        self.dragon: Final = dragon

    def do(self, state: State, segment: int, owner: int, follower: int) -> None:
        own = self.dragon.state_of(state)
        own.fairy, own.companion = state.board.cell_under(segment), (segment, owner, follower)


class Dragon(CompetitiveExpansion[DragonState]):
    """A dragon that eats followers, a fairy that keeps it off, princesses who send knights home, magic portals.

    Options: `princess` (may/must): whether who adds a princess to a city with knights may send one home or must; `moves`
    (before/after): whether the dragon moves before scoring or after it.
    """

    TILES = Path(__file__).with_name("princess_and_dragon.txt")
    ON_CELLS = ("dragon",)
    ONLY_FOR = {"tile_placed": ("volcano", "dragon")}
    HELPERS = ("knights",)

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
        self.claiming_kinds: i64 = claiming_kinds(rules)
        self.protect = Protection(self, rules)
        self.dismiss = TakeVerb(rules, "princess", anybodys=True)
        self.verbs = [self.protect, self.dismiss, PutVerb(rules, "portal")]
        self.segment_layers = max(verb.layers for verb in self.verbs)
        self.by_group = ByGroup(self.verbs)

    def setup(self, state: State) -> ExpansionState:
        return DragonState()

    def draws(self, state: State, counts: list[int]) -> list[int] | None:
        """DRG-01: no dragon tile before the first volcano, unless nothing else is left."""
        if self.state_of(state).dragon != NOWHERE:
            return None
        if not any(n and not self.fiery[kind] for kind, n in enumerate(counts)):
            return None
        return [0 if self.fiery[kind] else n for kind, n in enumerate(counts)]

    def tile_placed(self, state: State, tile: int) -> None:
        own = self.state_of(state)
        if self.volcano[state.board.kind_of_tile(tile)]:
            own.dragon = state.board.cell_of(tile)
        elif own.dragon != NOWHERE:
            own.visited = [own.dragon]
            state.schedule(self.moving, state.active_player, self.then)

    def allows_figures(self, state: State, tile: int) -> bool:
        """DRG-01, DRG-04: nobody goes where the dragon is."""
        return state.board.cell_of(tile) != self.state_of(state).dragon

    def claims(self, state: State, player: int) -> Choices:
        """The fairy (DRG-05), knights to send home (DRG-03), places a portal leads to (DRG-04)."""
        board = state.board
        kind = board.kind_of_tile(board.last_tile)
        own = self.state_of(state)
        candidates = followers_of(board, player, self.claiming_kinds, own.companion, Candidates())
        if self.princesses[kind]:
            self._add_knights(state, candidates)
        if self.portal[kind]:
            free_segments(board, player, own.dragon, PORTAL, candidates)
        return CandidateChoices(candidates, self.by_group)

    def knights(self, state: State) -> Candidates:
        """The followers in the cities that the last tile adds a princess to (DRG-03)."""
        candidates = Candidates()
        self._add_knights(state, candidates)
        return candidates

    def _add_knights(self, state: State, candidates: Candidates) -> None:
        board = state.board
        here = self.princesses[board.kind_of_tile(board.last_tile)]
        segments = enumerate(board.segments_of(board.last_tile))
        cities = [board.feature_of(segment) for at, segment in segments if here >> at & 1]
        followers_in(board, cities, self.claiming_kinds, PRINCESS, candidates)

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """DRG-05: the fairy stays where her follower was, and keeps the dragon off still."""
        own = self.state_of(state)
        gone = (segment, owner, follower) == own.companion
        if gone and state.board.count_followers(segment, owner, follower) == 1:
            own.companion = NOBODY

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """DRG-05; what at the end counts for nothing, with an inn or a cathedral, is not scored."""
        own = self.state_of(state)
        segment, owner, _ = own.companion
        if owner < 0 or state.board.feature_of(segment) != feature:
            return
        if not final or state.board.is_kind(feature, FIELD) or value(state, feature, final):
            state.award(owner, "fairy", 1, SCORED)

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """The fairy's company: some turns' points, and those of the scoring."""
        own = self.state_of(state)
        if own.companion != NOBODY:
            turns = min(3.0, state.tiles_left / state.rules.players)
            expected[own.companion[1]] += GUEST * turns + 0.5 * SCORED
        return expected

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        own = self.state_of(state)
        if own.dragon != NOWHERE:
            data["pieces"].append(piece(state, "dragon", own.dragon))
        if own.fairy != NOWHERE:
            segment, owner, _ = own.companion
            data["pieces"].append(piece(state, "fairy", own.fairy, segment, owner=owner))
        return data
