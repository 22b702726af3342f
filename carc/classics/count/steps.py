"""The steps of The Count of Carcassonne (CNT-01, CNT-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carc.base.turn.actions import PASS, Action, chosen_segment, segment_choices
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import Step
from carc.classics.count.count_state import QUARTERS
from carc.classics.steps import turn_order

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.classics.count import Count


class CountPart(Step):
    """A step of this expansion."""

    def __init__(self, name: str, count: Count, in_scoring: bool = False) -> None:
        super().__init__(name, in_scoring=in_scoring)
        self.count: Final = count


class SummonStep(CountPart):
    """CNT-02: before the scoring all are asked, the next player first, the active one last."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Note the scores, and ask whoever has followers in the city."""
        own = self.count.state_of(state)
        own.last_player = player
        if not self.count.scored(state):
            return
        own.before = state.scores.copy()
        if any(own.residents):
            for other in reversed(turn_order(state, player + 1)):
                state.push(self.count.join_step, other)


class JoinStep(CountPart):
    """CNT-02: followers in the city may join what is about to score, one after another."""

    def choices(self, state: State, player: int) -> Choices:
        """Return the segments that they may join."""
        city = self.count.city
        return city.exits(state, player, city.quarters, False).or_pass()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Move the follower, and ask again."""
        if action is not None and action is not PASS:
            super().apply(state, player, action)
            state.push(self, player)


class EnterStep(CountPart):
    """CNT-01: whoever made others score, and not themselves, may put a follower in the city."""

    def choices(self, state: State, player: int) -> Choices:
        """Return the quarters."""
        own, scores = self.count.state_of(state), state.scores
        if not own.before or own.entered:
            return NO_CHOICES
        gain = [now - before for now, before in zip(scores, own.before, strict=True)]
        if gain[player] > 0 or max(gain) <= 0:
            return NO_CHOICES
        return self.count.city.vacancies(state, player).or_pass()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Put the follower there; then the count may move."""
        own = self.count.state_of(state)
        if own.before:
            own.before = []
        if action is None or action is PASS:
            return
        super().apply(state, player, action)
        own.entered = True
        city, moves = self.count.city, self.count.chosen["moves"]
        if moves == "player":
            state.push(self.count.move_step, player)
        elif moves == "follow":
            own.count = city.quarter_at(state, chosen_segment(state.board, action))
        else:
            own.count = (own.count + 1) % len(QUARTERS)


class MoveStep(CountPart):
    """CNT-01: whoever put a follower in the city may move the count."""

    def choices(self, state: State, player: int) -> Choices:
        """Return the other quarters."""
        city, at = self.count.city, self.count.state_of(state).count
        others = [city.segment(state, quarter) for quarter in city.quarters if quarter != at]
        ordered = state.board.in_order(others)
        return Listed(segment_choices(state.board, "count", ordered)).or_pass()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Move the count."""
        if action is not None and action is not PASS:
            segment = chosen_segment(state.board, action)
            self.count.state_of(state).count = self.count.city.quarter_at(state, segment)


class LastSummonStep(CountPart):
    """CNT-02: before the final scoring all are asked, who placed the last tile last."""

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Ask whoever has followers in the city."""
        own = self.count.state_of(state)
        if any(own.residents):
            for other in reversed(turn_order(state, own.last_player + 1)):
                state.push(self.count.last_join_step, other)


class LastJoinStep(CountPart):
    """CNT-02: one follower of a player joins a feature; then it is the next player's turn."""

    def choices(self, state: State, player: int) -> Choices:
        """Return the segments that they may join."""
        return self.count.city.exits(state, player, self.count.final_quarters, True).or_pass()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Move the follower; the player is asked again after the others, unless they passed."""
        if action is not None and action is not PASS:
            super().apply(state, player, action)
            state.schedule(self, player, self.count.after_joins)
