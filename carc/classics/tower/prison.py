"""Towers and prisoners: captures, exchanges and ransoms (TOW-03 to TOW-05)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.actions import Action
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.steps import Step
from carc.base.turn.verbs import CallbackVerb
from carc.classics.steps import CallbackStep, SimpleAction

if TYPE_CHECKING:
    from carc.classics.tower import Tower

RANSOM: Final = 3  # points (TOW-05)
NOBODY: Final[list[Action]] = []


class Prison:
    """Who holds whom, under some rules.

    Attributes:
        capture: The step after a tower has grown.
        exchange: The step after a capture, where two players hold each other's followers.
        verb: The choices of a follower to capture.
        ransoms: The ransoms, by jailer and kind of follower.
        exchanges: The choices of who comes back, by kind of follower.
    """

    def __init__(self, tower: Tower, rules: Rules) -> None:
        self.tower: Final = tower
        self.owners: Final = rules.owners
        self.kinds: Final = len(rules.follower_kinds)
        self.each: Final = self.kinds * rules.owners  # places of one jailer
        self.followers: Final = rules.followers
        self.verb: Final = CallbackVerb(rules, "capture", self._capture, any_owner=True)
        self.capture: Final[Step] = CaptureStep(self)
        self.exchange: Final[Step] = CallbackStep("exchange", self._captives, is_forced=True)
        names = [kind.name for kind in rules.follower_kinds]
        self.exchanges: Final = [
            SimpleAction(rules, f"exchange:{name}", partial(self._swap, kind))
            for kind, name in enumerate(names)
        ]
        self.ransoms: Final[list[Action]] = [
            SimpleAction(rules, f"ransom:{name},{colour}", partial(self._buy, jailer, kind))
            for jailer, colour in enumerate(rules.colour_names)
            for kind, name in enumerate(names)
        ]

    def held(self, state: State, jailer: int, owner: int) -> list[int]:
        """Return how many of an owner's followers a jailer holds, by kind."""
        first = jailer * self.each + owner * self.kinds
        return self.tower.state_of(state).prisoners[first : first + self.kinds]

    def jail(self, state: State, jailer: int, owner: int, kind: int, n: int = 1) -> None:
        """Put a follower, who is at home, into a prison; `n` = -1: send a prisoner home."""
        at = jailer * self.each + owner * self.kinds + kind
        self.tower.state_of(state).prisoners[at] += n
        state.board.add_supply(owner, kind, -n)

    # -- captures and exchanges ------------------------------------------------------------------

    def in_reach(self, state: State) -> Choices:
        """Return the followers whom the tower that grew last reaches (TOW-03)."""
        own = self.tower.state_of(state)
        cell = state.board.cell_under(own.last)
        height = own.heights[own.number_of(own.last)]
        return self.verb.among(state.board.figures_in_line(cell, height, self.followers))

    def _capture(self, state: State, segment: int, owner: int, kind: int) -> None:
        """Capture a follower; an own one goes home, as does one for whom another comes back."""
        jailer = state.active_player
        state.take_follower(segment, owner, kind)
        if owner == jailer:
            return
        if any(self.held(state, owner, jailer)):  # TOW-04
            self.tower.state_of(state).partner = owner
            state.push(self.exchange, jailer)
        else:
            self.jail(state, jailer, owner, kind)

    def _captives(self, state: State, player: int) -> list[Action]:
        """Return who may come back for the one just captured (TOW-04)."""
        held = self.held(state, self.tower.state_of(state).partner, player)
        return [one for one, n in zip(self.exchanges, held, strict=True) if n]

    def _swap(self, kind: int, state: State, player: int) -> None:
        own = self.tower.state_of(state)
        self.jail(state, own.partner, player, kind, -1)
        own.partner = -1

    # -- ransoms ---------------------------------------------------------------------------------

    def payable(self, state: State, player: int) -> Choices:
        """Return the ransoms that a player can pay now (TOW-05)."""
        own = self.tower.state_of(state)
        if own.paid or state.scores[player] < RANSOM:
            return NO_CHOICES
        payable = NOBODY
        first = player * self.kinds
        for jailer in range(self.owners):
            for kind in range(self.kinds):
                if own.prisoners[first + kind]:
                    payable = [*payable, self.ransoms[jailer * self.kinds + kind]]
            first += self.each
        return Listed(payable) if payable else NO_CHOICES

    def _buy(self, jailer: int, kind: int, state: State, player: int) -> None:
        """Pay 3 points to the jailer for a prisoner, who may be used at once (TOW-05)."""
        state.award(player, "ransom", 1, -RANSOM)
        state.award(jailer, "ransom", 1, RANSOM)
        self.jail(state, jailer, player, kind, -1)
        self.tower.state_of(state).paid = True
        state.push(state.step, player)


class CaptureStep(Step):
    """TOW-03: a follower in reach of the tower that has just grown may be captured."""

    def __init__(self, prison: Prison) -> None:
        super().__init__("capture")
        self.prison: Final = prison

    def choices(self, state: State, player: int) -> Choices:
        """Return the followers in reach."""
        return self.prison.in_reach(state).or_pass()
