"""The city of Carcassonne: who is in which quarter, and where they may go (CNT-01, CNT-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.cells import cell_at
from carc.base.turn.choices import Choices
from carc.base.turn.verbs import CallbackVerb
from carc.classics.count.count_state import QUARTERS

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.classics.count import Count


class City:
    """The quarters under some rules.

    Attributes:
        enter: The choices of a follower of the supply and a quarter for it.
        join: The choices of a follower in the city and a segment for it.
        recall: The choices of a follower in the city who goes home.
        quarters: The quarters that are played with.
    """

    def __init__(self, count: Count, rules: Rules) -> None:
        self.count: Final = count
        self.owners: Final = rules.owners
        self.kinds: Final = len(rules.follower_kinds)
        self.enter: Final = CallbackVerb(rules, "enter", self._enter)
        self.join: Final = CallbackVerb(rules, "join", self._join)
        self.recall: Final = CallbackVerb(rules, "recall", self._recall)
        catalogue = rules.catalogue
        names = list(QUARTERS)
        cells = [0] * len(names)
        for kind, x, y in catalogue.start:
            quarter = catalogue.tiles[kind].symbol("quarter")
            if quarter is not None:
                cells[names.index(quarter)] = cell_at(x, y)
        self.cells: Final = cells
        # By quarter: the kind of feature that it is for.
        self.features: Final = [catalogue.kind_of[feature] for feature in QUARTERS.values()]
        self.quarters: Final = [
            quarter
            for quarter, feature in enumerate(self.features)
            if catalogue.kinds[feature].claimable
        ]
        # By quarter: the kinds of follower that may go there.
        self.admitted: Final = [
            [
                number
                for number, kind in enumerate(rules.follower_kinds)
                if kind.is_follower and (kind.on is None or feature in kind.on)
            ]
            for feature in QUARTERS.values()
        ]

    def segment(self, state: State, quarter: int) -> int:
        """Return the segment on which a quarter is drawn."""
        return state.board.segment_of(state.board.tile_on_cell(self.cells[quarter]), 0)

    def quarter_at(self, state: State, segment: int) -> int:
        """Return the quarter drawn on a segment."""
        return self.cells.index(state.board.cell_under(segment))

    def residents(self, state: State, quarter: int, owner: int) -> list[int]:
        """Return how many followers an owner has in a quarter, by kind."""
        first = (quarter * self.owners + owner) * self.kinds
        return self.count.state_of(state).residents[first : first + self.kinds]

    def _move(self, state: State, quarter: int, owner: int, kind: int, n: int) -> None:
        """Move a follower from the supply into a quarter, or (`n` = -1) back."""
        at = (quarter * self.owners + owner) * self.kinds + kind
        self.count.state_of(state).residents[at] += n
        state.board.add_supply(owner, kind, -n)

    def _enter(self, state: State, segment: int, owner: int, kind: int) -> None:
        self._move(state, self.quarter_at(state, segment), owner, kind, 1)

    def _join(self, state: State, segment: int, owner: int, kind: int) -> None:
        for quarter, feature in enumerate(self.features):
            if state.board.is_kind(segment, feature):
                self._move(state, quarter, owner, kind, -1)
        state.put_follower(segment, owner, kind)

    def _recall(self, state: State, segment: int, owner: int, kind: int) -> None:
        self._move(state, self.quarter_at(state, segment), owner, kind, -1)

    def recallable(self, state: State, player: int) -> Choices:
        """Return a player's followers in the quarters, that of the count included (FES-01)."""
        residents = [
            (self.segment(state, quarter), kind)
            for quarter in self.quarters
            for kind, n in enumerate(self.residents(state, quarter, player))
            if n
        ]
        return self.recall.on(state.board, residents)

    def vacancies(self, state: State, player: int) -> Choices:
        """Return the quarters that a player's followers may enter (CNT-01)."""
        vacancies = [
            (self.segment(state, quarter), kind)
            for quarter in self.quarters
            for kind in self.admitted[quarter]
            if state.board.supply_of(player, kind)
        ]
        return self.enter.on(state.board, vacancies)

    def exits(self, state: State, player: int, quarters: list[int], final: bool) -> Choices:
        """Return the segments that a player's followers in these quarters may join (CNT-02).

        Args:
            state: The position.
            player: The player.
            quarters: The quarters; that of the count is left out.
            final: Whether they join what is incomplete, and not what is scored in this turn.
        """
        board = state.board
        own = self.count.state_of(state)
        exits: list[tuple[int, int]] = []
        for quarter in quarters if any(own.residents) else ():
            kinds = [kind for kind, n in enumerate(self.residents(state, quarter, player)) if n]
            if quarter == own.count or not kinds:
                continue
            for feature in board.all_features() if final else self.count.scored(state):
                ready = not final or board.is_open(feature) or not self._completes(state, feature)
                if ready and board.is_kind(feature, self.features[quarter]):
                    for segment in board.members(feature):
                        if state.allows_figures(board.tile_under(segment)):
                            exits += [(segment, kind) for kind in kinds]
        return self.join.on(board, exits)

    def _completes(self, state: State, feature: int) -> bool:
        return state.board.segment_kind(feature).completed_by != "never"
