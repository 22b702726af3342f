"""The Princess & the Dragon: `base+dragon` (DRG-01 to DRG-05)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, final

from mypy_extensions import i64

from carc.base.board.candidates import (
    NOBODY,
    Candidates,
    followers_in,
    followers_of,
    free_segments,
    segment_in,
)
from carc.base.cells import cell_at
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.tiles.tile import FIELD
from carc.base.turn.bag import any_left
from carc.base.turn.choices import CandidateChoices, Choices
from carc.base.turn.scoring import value
from carc.base.turn.steps import ClaimStep, DrawStep, Step, index_of
from carc.classics.bigtop import BigTop
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.dragon.dragon_state import NOWHERE, DragonState
from carc.classics.dragon.steps import (
    FAIRY_TURN,
    MOVES,
    DragonMoveStep,
    FairyPointStep,
    FairyVerb,
    PrincessClaimStep,
)
from carc.classics.figure_choices import GroupedVerbs, PutVerb, TakeVerb, claiming_kinds
from carc.classics.mage import Mage
from carc.classics.steps import after_scoring, before_scoring
from carc.classics.tile_symbols import kinds_with_symbol, segments_with_mark

FAIRY_SCORED: Final = 3  # points when the feature of her companion is scored (DRG-05)
# The groups of choices after laying a tile, in the order in which they are offered.
PRINCESS: Final = 1
PORTAL: Final = 2
# For bots: so many tiles away followers are near the dragon, or within its reach.
NEAR: Final = 2
REACH: Final = 4


@final
class Dragon(CompetitiveExpansion[DragonState]):
    """A dragon eats followers, a fairy protects them; princesses and magic portals move them.

    Options: `princess` (may/must): whether a knight may or must be sent home; `moves`
    (before/after): whether the dragon moves before or after scoring.
    """

    DESCRIPTORS = {
        "dragon_near": (-1.5, -1.5, -1.5, -1.5),
        "dragon_near_points": (-0.125, -0.125, -0.125, -0.125),
        "dragon_far": (-0.6, -0.6, -0.6, -0.6),
        "fairy": (1.5, 1.5, 0.75, 0.75),
    }
    TILES = Path(__file__).with_name("princess_and_dragon.txt")
    PIECES = {"fairy": ()}  # played without its tiles, too
    _ADDED_OPTIONS = {"fairy": "worth", "tiles": "on"}
    ON_CELLS = ("dragon",)
    ONLY_FOR = {"tile_placed": ("volcano", "dragon")}
    HELPERS = ("knights", "protected")

    def options(self) -> Mapping[str, Sequence[str]]:
        """DRG-02, DRG-03: when the dragon moves, and whether princesses must be heeded."""
        own = {
            "princess": ("may", "must"),
            "moves": ("before", "after"),
            "fairy": ("worth", "always"),
        }
        return {**own, **super().options()}

    def turn(self, steps: list[Step]) -> list[Step]:
        """DRG-05: the fairy's point comes after the draw, for without a tile no turn starts."""
        if self.chosen["princess"] == "must":
            steps[index_of(steps, ClaimStep)] = PrincessClaimStep(self)
        drawn = index_of(steps, DrawStep) + 1
        return [*steps[:drawn], FairyPointStep(self), *steps[drawn:]]

    def bind(self, rules: Rules) -> None:
        """Look up the symbols on the tiles and make the choices."""
        self.dragon_move = DragonMoveStep(self)
        is_late = self.chosen["moves"] == "after"
        at = after_scoring(rules.turn) if is_late else before_scoring(rules.turn)
        self.moves_before = rules.turn[at]
        self.volcano = kinds_with_symbol(rules, "volcano")
        dragon = kinds_with_symbol(rules, "dragon")
        self.dragon_kinds = [kind for kind, shown in enumerate(dragon) if shown]
        self.dragon_tiles = sum([1 << kind for kind in self.dragon_kinds])
        # Cells at the start that it does not enter.
        self.walled = [
            cell_at(x, y)
            for kind, x, y in rules.catalogue.start
            if rules.catalogue.tiles[kind].group == "walled"
        ]
        self.circuses = [
            each
            for each in rules.expansions
            if isinstance(each, BigTop) and each.chosen["fairy"] == "each"
        ]
        self.mages = [
            each
            for each in rules.expansions
            if isinstance(each, Mage) and each.chosen["dragon"] == "leave"
        ]
        self.portal = kinds_with_symbol(rules, "portal")
        self.princess = segments_with_mark(rules, "princess")
        # What has power and is no follower (a barn) stands on a corner, beyond its reach.
        self.eats = [kind.is_follower or not kind.power for kind in rules.follower_kinds]
        self.claiming_kinds: i64 = claiming_kinds(rules)
        self.others_forbid = len(rules.hooks.allows_figures) > 1
        self.send_home = TakeVerb(rules, "princess", any_owner=True)
        self._offer_figures([FairyVerb(self, rules), self.send_home, PutVerb(rules, "portal")])
        self.grouped_verbs = GroupedVerbs(self.verbs)

    def setup(self, state: State) -> ExpansionState:
        """Start without dragon and fairy on the board."""
        return DragonState()

    def held_back(self, state: State, held: int) -> int:
        """DRG-01: no dragon tile before the first volcano, unless nothing else is left."""
        if self.state_of(state).dragon != NOWHERE:
            return held
        more = held | self.dragon_tiles
        return more if any_left(state, more) else held

    def tile_placed(self, state: State, tile: int) -> None:
        """DRG-01, DRG-02: the dragon comes to a volcano; a dragon tile makes it move."""
        own = self.state_of(state)
        if self.volcano[state.board.kind_of_tile(tile)]:
            own.dragon = state.board.cell_of(tile)
        elif own.dragon != NOWHERE:
            own.visited = [own.dragon]
            state.schedule(self.dragon_move, state.active_player, self.moves_before)

    def allows_figures(self, state: State, tile: int) -> bool:
        """DRG-01, DRG-04: no figure goes to the dragon's tile."""
        return state.board.cell_of(tile) != self.state_of(state).dragon

    def claims(self, state: State, player: int) -> Choices:
        """The fairy (DRG-05), knights to send home (DRG-03), places behind a portal (DRG-04)."""
        board = state.board
        kind = board.kind_of_tile(board.last_tile)
        own = self.state_of(state)
        candidates = followers_of(board, player, self.claiming_kinds, own.companion, Candidates())
        if self.princess[kind]:
            self._add_knights(state, candidates)
        if self.portal[kind]:
            self._add_free(state, player, candidates)
        return CandidateChoices(candidates, self.grouped_verbs)

    def _add_free(self, state: State, player: int, candidates: Candidates) -> None:
        """Add where a portal leads (DRG-04), but no tile on which others allow no figures."""
        board = state.board
        dragon = self.state_of(state).dragon
        if not self.others_forbid:
            free_segments(board, player, dragon, PORTAL, candidates)
            return
        free = free_segments(board, player, dragon, PORTAL, Candidates())
        entries = candidates.room_for(free.count)
        n = candidates.count
        last: i64 = -1
        allowed: i64 = 0
        for at in range(free.count):
            tile: i64 = board.tile_under(segment_in(free.entries[at]))
            if tile != last:  # those of a tile follow each other
                last = tile
                allowed = 1 if state.allows_figures(tile) else 0
            entries[n] = free.entries[at]  # kept if it is allowed
            n += allowed
        candidates.count = n

    def knights(self, state: State) -> Candidates:
        """Return the followers in cities to which the last tile adds a princess (DRG-03)."""
        candidates = Candidates()
        self._add_knights(state, candidates)
        return candidates

    def _add_knights(self, state: State, candidates: Candidates) -> None:
        board = state.board
        here = self.princess[board.kind_of_tile(board.last_tile)]
        segment = board.segment_of(board.last_tile, 0)
        cities: list[int] = []
        while here:
            if here & 1:
                cities.append(board.feature_of(segment))
            here >>= 1
            segment += 1
        followers_in(board, cities, self.claiming_kinds, PRINCESS, candidates)

    def protected(self, state: State, player: int) -> int:
        """Return how many of a player's followers the fairy is with (DRG-05, BIG-02)."""
        segment, owner, _ = self.state_of(state).companion
        if self._is_pyramid(state, segment):
            return [whose for whose, _ in state.board.followers_at(segment)].count(player)
        return int(owner == player)

    def _is_pyramid(self, state: State, segment: int) -> bool:
        """Return True if the fairy would be with all acrobats on a segment (BIG-02)."""
        return segment >= 0 and any(
            state.board.is_kind(segment, one.ground) for one in self.circuses
        )

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """DRG-05: the fairy stays where her companion was, and still keeps the dragon off.

        In a pyramid she stays with the others.
        """
        own = self.state_of(state)
        gone = (segment, owner, follower) == own.companion
        if gone and state.board.count_followers(segment, owner, follower) == 1:
            own.companion = NOBODY
            left = [who for who in state.board.followers_at(segment) if who != (owner, follower)]
            if left and self._is_pyramid(state, segment):
                own.companion = (segment, *left[0])

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        """DRG-05: 3 points for the fairy's companion, unless at the end its feature is worth 0."""
        segment, owner, _ = self.state_of(state).companion
        if owner < 0 or state.board.feature_of(segment) != feature:
            return
        always = not final or self.chosen["fairy"] == "always"
        if always or state.board.is_kind(feature, FIELD) or value(state, feature, final):
            state.award(owner, "fairy", 1, FAIRY_SCORED)

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what the fairy may bring: points of some turns, and of the scoring (DRG-05)."""
        own = self.state_of(state)
        if own.companion != NOBODY:
            turns = min(3.0, state.tiles_left / state.rules.players)
            expected[own.companion[1]] += FAIRY_TURN * turns + 0.5 * FAIRY_SCORED
        return expected

    def descriptors(self, state: State) -> list[list[float]]:
        """Return for each owner what the dragon may soon eat, and whether the fairy helps.

        Followers at most two tiles away from the dragon, and what their features are worth; other
        followers at most four tiles away; 1 for the fairy's companion. What the dragon may eat
        counts by the chance that it moves before everybody has had two turns.
        """
        own = self.state_of(state)
        rows = [[0.0, 0.0, 0.0, 0.0] for _ in range(state.rules.owners)]
        if own.companion != NOBODY:
            rows[own.companion[1]][3] = 1.0
        chance = self._chance_to_move(state)
        if chance == 0.0:
            return rows
        board = state.board
        for segment, owner, _, steps in board.followers_around(own.dragon, REACH):
            if board.cell_under(segment) != own.fairy:
                if steps <= NEAR:
                    rows[owner][0] += chance
                    worth = value(state, board.feature_of(segment), True)
                    rows[owner][1] += chance * float(worth)
                else:
                    rows[owner][2] += chance
        return rows

    def _chance_to_move(self, state: State) -> float:
        """Return the chance that the dragon moves before everybody has had two turns."""
        own, left = self.state_of(state), state.tiles_left
        if own.dragon == NOWHERE:
            return 0.0
        if own.visited:
            return 1.0
        if not left:
            return 0.0
        tiles = 0
        for kind in self.dragon_kinds:
            tiles += state.bag[kind]
        others = max(0.0, 1.0 - float(tiles) / left)
        return 1.0 - float(others ** min(2 * state.rules.players, left))

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add dragon and fairy to the pieces, and how far the dragon is on its way."""
        own = self.state_of(state)
        if not state.is_terminal and state.step is self.dragon_move:
            data["progress"] = f"step {len(own.visited)} of {MOVES} of the dragon"
        if own.dragon != NOWHERE:
            data["pieces"].append(piece(state, "dragon", own.dragon))
        if own.fairy != NOWHERE:
            segment, owner, _ = own.companion
            data["pieces"].append(piece(state, "fairy", own.fairy, segment, owner=owner))
        return data
