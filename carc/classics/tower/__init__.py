"""The Tower: `base+tower` (TOW-01 to TOW-05)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from mypy_extensions import i64

from carc.base.board.arrays import SEGMENT_AT
from carc.base.board.candidates import CELL_AT, GROUP_AT, Candidates, kinds_in_supply
from carc.base.game.choices import CandidateChoices, Choices
from carc.base.game.expansion import ExpansionState
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.game.to_dict import piece
from carc.base.tiles.tile import SegmentKind
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.figure_choices import FigureVerb, GroupedVerbs, PutVerb
from carc.classics.steps import JoinedChoices
from carc.classics.tower.prison import RANSOM, Prison
from carc.classics.tower.tower_state import TowerState

PIECES: Final = {2: 10, 3: 9, 4: 7, 5: 6, 6: 5}  # of each player, by players (TOW-01)
FOUNDATION: Final = SegmentKind("tower", claimable=False, follower="guard", scores=False)
TOP: Final = 1  # the group of followers, after that of pieces


class BuildVerb(FigureVerb):
    """TOW-02: the choice of a foundation, to which a tower piece goes."""

    def __init__(self, tower: Tower, rules: Rules) -> None:
        """Make the verb."""
        super().__init__(rules, "tower", kinds=("piece",))
        self.tower: Final = tower

    def perform(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Put the piece there; then a follower may be captured (TOW-03)."""
        own = self.tower.state_of(state)
        own.pieces[owner] -= 1
        own.heights[segment] += 1
        own.last = segment
        state.push(self.tower.prison.capture, owner)


class Tower(CompetitiveExpansion[TowerState]):
    """Towers are built piece by piece; who builds captures followers near them."""

    TILES = Path(__file__).with_name("tower.txt")

    def segment_kinds(self, kinds: list[SegmentKind]) -> list[SegmentKind]:
        """TOW-01: a foundation is completed by nothing and belongs to nobody."""
        return [*super().segment_kinds(kinds), FOUNDATION]

    def bind(self, rules: Rules) -> None:
        """Make the choices."""
        self.foundation = rules.catalogue.kind_of[FOUNDATION.name]
        self.prison = Prison(self, rules)
        self.capture, self.exchange = self.prison.capture, self.prison.exchange
        self.simple_actions = [*self.prison.ransoms, *self.prison.exchanges]
        build, top = BuildVerb(self, rules), PutVerb(rules, "top")
        self._offer_figures([build, top, self.prison.verb])
        self.grouped_verbs = GroupedVerbs([build, top])

    def setup(self, state: State) -> ExpansionState:
        """TOW-01: share out the pieces."""
        owners = state.rules.owners
        pieces = PIECES.get(state.rules.players, PIECES[2])
        return TowerState(
            [pieces] * owners, [0] * (owners * owners * len(state.rules.follower_kinds))
        )

    def tile_placed(self, state: State, tile: int) -> None:
        """TOW-02, TOW-05: a foundation comes to the board; a new turn allows a new ransom."""
        own = self.state_of(state)
        own.paid = False
        for segment in state.board.segments_of(tile):
            if state.board.is_kind(segment, self.foundation):
                own.heights[segment] = 0

    def claims(self, state: State, player: int) -> Choices:
        """TOW-02, TOW-05: a piece on a tower, a follower on top of one, or a ransom first."""
        board = state.board
        own = self.state_of(state)
        candidates = Candidates()
        able = kinds_in_supply(board, player) & self.prison.followers
        for segment, height in own.heights.items():
            if board.has_follower(segment):
                continue  # closed for good
            at: i64 = board.cell_under(segment) << CELL_AT | segment << SEGMENT_AT
            if own.pieces[player]:
                candidates.add(at)
            if height and able and state.allows_figures(board.tile_under(segment)):
                for kind in range(len(state.rules.follower_kinds)):
                    if able >> kind & 1:
                        candidates.add(TOP << GROUP_AT | at | kind)
        towers = CandidateChoices(candidates, self.grouped_verbs)
        ransoms = self.prison.payable(state, player)
        return JoinedChoices([towers, ransoms]) if ransoms.count else towers

    def expected_points(self, state: State, expected: list[float]) -> list[float]:
        """Add what prisoners are worth to the jailer: about half of them are bought back."""
        own = self.state_of(state)
        each = len(own.prisoners) // len(expected)
        for jailer in range(len(expected)):
            count = sum(own.prisoners[jailer * each : jailer * each + each])
            expected[jailer] += 0.5 * RANSOM * count
        return expected

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add towers to the pieces.

        `tower_pieces`: how many each owner has. `prisoners`: whom each owner holds.
        """
        own = self.state_of(state)
        kinds = state.rules.follower_kinds
        for segment, height in own.heights.items():
            if height:
                cell = state.board.cell_under(segment)
                data["pieces"].append(piece(state, "tower", cell, segment, count=height))
        owners = range(state.rules.owners)
        data["tower_pieces"] = own.pieces.copy()
        data["prisoners"] = [
            [
                {"owner": owner, "kind": kinds[kind].name, "count": count}
                for owner in owners
                for kind, count in enumerate(self.prison.held(state, jailer, owner))
                if count
            ]
            for jailer in owners
        ]
        for some in data["prisoners"]:
            for one in some:
                out = data["out_of_play"]
                out[one["kind"]] = out.get(one["kind"], 0) + one["count"]
        return data
