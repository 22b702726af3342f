"""Hills & Sheep: `base+hills` (HIL-01 to HIL-03)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from carc.base.board.game_components import FollowerKind
from carc.base.expansions.estimates import Estimates
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_data import piece
from carc.base.turn.choices import Choices
from carc.base.turn.steps import Step
from carc.classics.competitive_expansion import CompetitiveExpansion
from carc.classics.hills.estimates import HillsEstimates
from carc.classics.hills.hills_state import HillsState
from carc.classics.hills.shepherds import Shepherds
from carc.classics.hills.steps import ShepherdStep
from carc.classics.steps import before_scoring
from carc.classics.tile_symbols import kinds_with_symbol

VINEYARD: Final = 3  # points (HIL-03)
WEIGHT: Final = 1000  # of a follower, where one on a hill weighs 1 (HIL-01)


class Hills(CompetitiveExpansion[HillsState]):
    """Shepherds with flocks, hills that break ties, vineyards beside monasteries.

    Option `ties`: broken by `one` follower on a hill or more, or by the `most` on hills.
    """

    ONLY_FOR = {"tile_placed": ("hill",), "feature_points": ("monastery",)}
    TILES = Path(__file__).with_name("hills_and_sheep.txt")
    PIECES = {"shepherd": ("1", "0", "2")}

    def options(self) -> Mapping[str, Sequence[str]]:
        """HIL-01: how ties are broken."""
        return {"ties": ("one", "most"), **super().options()}

    def follower_kinds(self, kinds: list[FollowerKind]) -> list[FollowerKind]:
        """HIL-02: each player has a shepherd, which counts in no majority."""
        return [*kinds, FollowerKind("shepherd", power=0, supply=self._count_of("shepherd"), on=())]

    def turn(self, steps: list[Step]) -> list[Step]:
        """HIL-02: flocks are tended last before the scoring."""
        at = before_scoring(steps)
        self.tending = ShepherdStep(self)
        return [*steps[:at], self.tending, *steps[at:]]

    def bind(self, rules: Rules) -> None:
        """Look up the symbols on the tiles and make the actions."""
        self.hills = kinds_with_symbol(rules, "hill")
        self.vineyards = kinds_with_symbol(rules, "vineyard")
        self.shepherds = Shepherds(self, rules)
        self.tending.bind(rules)
        self.simple_actions = self.tending.actions

    def setup(self, state: State) -> ExpansionState:
        """Start with all tokens in the bag."""
        return HillsState(state.rules.owners * self.shepherds.each)

    def tile_placed(self, state: State, tile: int) -> None:
        """HIL-01: a tile from the bag lies face down beneath a hill."""
        if state.tiles_left:
            state.set_aside()

    def claims(self, state: State, player: int) -> Choices:
        """HIL-02: a shepherd goes on a field of the tile where none is."""
        return self.shepherds.claims(state, player)

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """HIL-02: note where a shepherd is."""
        if follower == self.shepherds.kind:
            own = self.state_of(state)
            own.at[own.at.index(-1, owner * self.shepherds.each)] = segment

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        """HIL-02: the tokens of a shepherd who goes home go back into the bag.

        One in a trap has none any more.
        """
        own = self.state_of(state)
        if follower == self.shepherds.kind and segment in own.at:
            at = own.at.index(segment, owner * self.shepherds.each)
            for sheep in own.with_shepherd[at]:
                own.bag[sheep] += 1
            own.with_shepherd[at] = ()
            own.at[at] = -1
            if at in own.pending:
                own.pending.remove(at)

    def power(self, state: State, feature: int, powers: list[int]) -> list[int]:
        """HIL-01: a tie is won by who has a follower on a hill of the feature."""
        best = 0
        tied = False
        for power in powers:
            if power > best:
                best = power
                tied = False
            elif power == best:
                tied = True
        if best == 0 or not tied:
            return powers
        weighed = [WEIGHT * power for power in powers]
        for segment in state.board.occupied_segments_of(feature):
            if state.board.kind_of_tile(state.board.tile_under(segment)) in self.hills:
                for owner, kind in state.board.followers_at(segment):
                    first = weighed[owner] == WEIGHT * best
                    counts = powers[owner] == best and state.rules.follower_kinds[kind].is_follower
                    weighed[owner] += bool(counts) and (first or self.chosen["ties"] == "most")
        return weighed

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        """HIL-03: 3 points for each vineyard beside a completed monastery."""
        if final:
            return points
        board = state.board
        vineyards = board.count_tiles_around(board.cell_under(feature), self.vineyards)
        vineyards -= int(board.kind_of_tile(board.tile_under(feature)) in self.vineyards)
        state.note("vineyard", vineyards, VINEYARD)
        return points + VINEYARD * vineyards

    def estimates(self) -> Estimates:
        return HillsEstimates(self)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        """Add the flocks to the pieces; `sheep_bag`: the tokens in the bag."""
        own = self.state_of(state)
        for which, tokens in enumerate(own.with_shepherd):
            if tokens:
                at = own.at[which]
                text = " ".join(str(token) for token in tokens)
                flock = piece(state, "sheep", segment=at, count=sum(tokens), text=text)
                data["pieces"].append(flock)
        return {**data, "sheep_bag": list(own.bag)}
