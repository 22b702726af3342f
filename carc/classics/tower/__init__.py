"""The Tower: `base+tower` (TOW-01 to TOW-05)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.candidates import Candidates, kinds_in_supply, unclaimed_among
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.tiles.tile import SegmentKind
from carc.base.turn.choices import CandidateChoices, Choices, Joined
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.figure_choices import CallbackVerb, GroupedVerbs, PutVerb
from carc.classics.steps import ends_turn
from carc.classics.tower.prison import RANSOM, Prison, TowerState

PIECES: Final = {2: 10, 3: 9, 4: 7, 5: 6, 6: 5}  # of each player, by players (TOW-01)
FOUNDATION: Final = SegmentKind("tower", claimable=False, follower="guard", scores=False)
TOP: Final = 1  # the group of followers, after that of pieces


class Tower(CompetitiveExpansion[TowerState]):
    """Towers are built piece by piece; who builds captures followers near them."""

    TILES = Path(__file__).with_name("tower.txt")

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """TOW-01: a foundation is completed by nothing and belongs to nobody."""
        return [*super().segment_kinds(kinds), FOUNDATION]

    def bind(self, rules: Rules) -> None:
        """Make the choices."""
        # Followers that claim whatever there is.
        kinds = enumerate(rules.follower_kinds)
        self.climbers: i64 = sum([1 << i for i, kind in kinds if kind.power and kind.on is None])
        # By kind of tile: the index of its foundation; -1: it has none.
        parts = [[part.kind for part in tile.segments] for tile in rules.catalogue.tiles]
        self.foundation_of = vec[i64](
            [kinds.index(FOUNDATION.name) if FOUNDATION.name in kinds else -1 for kinds in parts]
        )
        self.prison = Prison(self, rules)
        self.capture, self.exchange = self.prison.capture, self.prison.exchange
        self.simple_actions = [*self.prison.ransoms, *self.prison.exchanges]
        build = CallbackVerb(rules, "tower", self._build, kinds=("piece",))
        verbs = [build, PutVerb(rules, "top")]
        self._offer_figures([*verbs, self.prison.verb])
        self.grouped_verbs = GroupedVerbs(verbs)

    def setup(self, state: State) -> ExpansionState:
        """TOW-01: share out the pieces."""
        n = state.rules.owners
        return TowerState([PIECES.get(n, PIECES[2])] * n, [0] * (n * self.prison.each))

    def tile_placed(self, state: State, tile: int) -> None:
        """TOW-02: a foundation comes to the board."""
        index = self.foundation_of[state.board.kind_of_tile(tile)]
        if index >= 0:
            self.state_of(state).add_foundation(state.board, state.board.segment_of(tile, index))

    def next_player(self, state: State, player: int, following: int) -> int:
        """TOW-05: a new turn allows a new ransom."""
        if ends_turn(state, player, following):
            self.state_of(state).paid = False
        return following

    def claims(self, state: State, player: int) -> Choices:
        """TOW-02, TOW-05: a piece on a tower, a follower on top of one, or a ransom first."""
        board = state.board
        own = self.state_of(state)
        candidates = Candidates()
        able = kinds_in_supply(board, player) & self.climbers
        if own.pieces[player]:
            unclaimed_among(board, own.foundations, candidates)  # the others are closed for good
        if able:
            for at, height in enumerate(own.heights):
                segment = own.foundations[at]
                if height and not board.is_claimed(segment):
                    candidates.add_kinds(board.cell_under(segment), segment, able, TOP)
        towers = CandidateChoices(candidates, self.grouped_verbs)
        ransoms = self.prison.payable(state, player)
        return Joined(towers, ransoms) if ransoms.count else towers

    def _build(self, state: State, segment: int, owner: int, kind: int) -> None:
        """Put a piece on a tower; then a follower may be captured (TOW-02, TOW-03)."""
        own = self.state_of(state)
        own.pieces[owner] -= 1
        own.heights[own.foundations.index(segment)] += 1
        own.last = segment
        state.push(self.capture, owner)

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what prisoners are worth to the jailer: about half of them are bought back."""
        for at, count in enumerate(self.state_of(state).prisoners):
            if count:
                expected[at // self.prison.each] += 0.5 * RANSOM * count
        return expected

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add towers to the pieces.

        `tower_pieces`: how many each owner has. `prisoners`: who holds whom.
        """
        own = self.state_of(state)
        kinds = state.rules.follower_kinds
        for segment, height in zip(own.foundations, own.heights, strict=True):
            if height:
                cell = state.board.cell_under(segment)
                data["pieces"].append(piece(state, "tower", cell, segment, count=height))
        data["tower_pieces"] = own.pieces.copy()
        data["prisoners"] = []
        for at, count in enumerate(own.prisoners):
            if not count:
                continue
            who, kind = divmod(at, len(kinds))
            jailer, owner = divmod(who, state.rules.owners)
            name, out = kinds[kind].name, data["out_of_play"]
            one = {"jailer": jailer, "owner": owner, "kind": name, "count": count}
            data["prisoners"].append(one)
            out[name] = out.get(name, 0) + count
        return data
