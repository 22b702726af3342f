"""The Tower: `base+tower` (TOW-01 to TOW-05)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from carc.base.expansions.estimates import Estimates
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.tiles.tile import SegmentKind
from carc.base.turn.choices import NO_CHOICES, Choices
from carc.base.turn.verbs import CallbackVerb, PutVerb
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.steps import ends_turn
from carc.classics.tile_symbols import segments_of_kind
from carc.classics.tower.estimates import TowerEstimates
from carc.classics.tower.prison import Prison
from carc.classics.tower.tower_state import TowerState

PIECES: Final = {2: 10, 3: 9, 4: 7, 5: 6, 6: 5}  # of each player, by players (TOW-01)
FOUNDATION: Final = SegmentKind("tower", claimable=False, follower="guard", scores=False)


class Tower(CompetitiveExpansion[TowerState]):
    """Towers are built piece by piece; who builds captures followers near them."""

    TILES = Path(__file__).with_name("tower.txt")

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """TOW-01: a foundation is completed by nothing and belongs to nobody."""
        return [*super().segment_kinds(kinds), FOUNDATION]

    def bind(self, rules: Rules) -> None:
        """Make the choices."""
        # Followers that claim whatever there is.
        self.climbers = rules.kinds_that(lambda kind: kind.power > 0 and kind.on is None)
        self.foundations = segments_of_kind(rules, FOUNDATION.name)
        self.prison = Prison(self, rules)
        self.capture, self.exchange = self.prison.capture, self.prison.exchange
        self.simple_actions = [*self.prison.ransoms, *self.prison.exchanges]
        self.build = CallbackVerb(rules, "tower", self._build, kinds=("piece",))
        self.top = PutVerb(rules, "top")
        self._offer_figures([self.build, self.top, self.prison.verb])

    def setup(self, state: State) -> ExpansionState:
        """TOW-01: share out the pieces."""
        n = state.rules.owners
        return TowerState([PIECES.get(n, PIECES[2])] * n, [0] * (n * self.prison.each))

    def tile_placed(self, state: State, tile: int) -> None:
        """TOW-02: a foundation comes to the board."""
        for index in self.foundations[state.board.kind_of_tile(tile)]:
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
        choices = NO_CHOICES
        if own.pieces[player]:  # a tower with a follower on top is closed for good
            choices = self.build.among(board.unclaimed_among(own.foundations))
        tops = board.unclaimed_for(player, self.climbers, own.foundations, own.heights)
        return choices.then(self.top.among(tops)).then(self.prison.payable(state, player))

    def _build(self, state: State, segment: int, owner: int, kind: int) -> None:
        """Put a piece on a tower; then a follower may be captured (TOW-02, TOW-03)."""
        own = self.state_of(state)
        own.pieces[owner] -= 1
        own.heights[own.number_of(segment)] += 1
        own.last = segment
        state.push(self.capture, owner)

    def estimates(self) -> Estimates:
        """Return what prisoners are worth."""
        return TowerEstimates(self)

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
