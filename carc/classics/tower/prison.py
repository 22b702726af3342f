"""Captures, exchanges and ransoms (TOW-03 to TOW-05)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from carc.base.board.arrays import OWNER_AT, SEGMENT_AT
from carc.base.board.candidates import CELL_AT, Candidates
from carc.base.cells import WIDTH
from carc.base.game.actions import Action
from carc.base.game.choices import NO_CHOICES, Choices, Listed, WithPass
from carc.base.game.rules import COLOURS
from carc.base.game.steps import Step
from carc.classics.figure_choices import FigureVerb, claiming_kinds
from carc.classics.steps import SimpleAction

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State
    from carc.classics.tower import Tower

RANSOM: Final = 3  # points (TOW-05)


class Prison:
    """Who holds whom, under some rules.

    Attributes:
        capture: The step after a tower has grown.
        exchange: The step after a capture, where two players hold each other's followers.
        ransoms: The ransoms, by jailer and kind of follower.
        exchanges: The choices of who comes back, by kind of follower.
    """

    def __init__(self, tower: Tower, rules: Rules) -> None:
        """Make the steps and actions."""
        self.tower: Final = tower
        self.owners: Final = rules.owners
        self.kinds: Final = len(rules.follower_kinds)
        self.followers: Final[i64] = claiming_kinds(rules)
        self.verb: Final = CaptureVerb(self, rules)
        self.capture: Final = CaptureStep(self)
        self.exchange: Final = ExchangeStep(self)
        names = [kind.name for kind in rules.follower_kinds]
        self.exchanges: Final[list[Action]] = [
            SimpleAction(rules, f"exchange:{name}", partial(self._bring_back, kind))
            for kind, name in enumerate(names)
        ]
        self.ransoms: Final[list[Action]] = [
            SimpleAction(rules, f"ransom:{name},{colour}", partial(self._buy, jailer, kind))
            for jailer, colour in enumerate(COLOURS[: rules.owners])
            for kind, name in enumerate(names)
        ]

    def place(self, jailer: int, owner: int, kind: int) -> int:
        """Return where `TowerState.prisoners` counts these."""
        return (jailer * self.owners + owner) * self.kinds + kind

    def held(self, state: State, jailer: int, owner: int) -> list[int]:
        """Return how many of an owner's followers a jailer holds, by kind."""
        first = self.place(jailer, owner, 0)
        return self.tower.state_of(state).prisoners[first : first + self.kinds]

    def jail(self, state: State, jailer: int, owner: int, kind: int) -> None:
        """Put a follower, who is at home, into a prison."""
        self.tower.state_of(state).prisoners[self.place(jailer, owner, kind)] += 1
        state.board.add_supply(owner, kind, -1)

    def free(self, state: State, jailer: int, owner: int, kind: int) -> None:
        """Send a prisoner home."""
        self.tower.state_of(state).prisoners[self.place(jailer, owner, kind)] -= 1
        state.board.add_supply(owner, kind, 1)

    def in_reach(self, state: State) -> Candidates:
        """Return the followers on the tile of the tower that grew last, or in line with it.

        In line: no farther away than the tower is high (TOW-03).
        """
        board = state.board
        own = self.tower.state_of(state)
        cell: i64 = board.cell_under(own.last)
        height: i64 = own.heights[own.last]
        candidates = Candidates()
        known: list[int] = []
        for segment, owner, kind in board.all_followers():
            there: i64 = board.cell_under(segment)
            across = (there & (WIDTH - 1)) - (cell & (WIDTH - 1))
            down = there // WIDTH - cell // WIDTH
            if (across == 0 or down == 0) and -height <= across + down <= height:
                entry = there << CELL_AT | segment << SEGMENT_AT | owner << OWNER_AT | kind
                if self.followers >> kind & 1 and entry not in known:
                    known.append(entry)
                    candidates.add(entry)
        return candidates

    def payable(self, state: State, player: int) -> Choices:
        """Return the ransoms that a player can pay now (TOW-05)."""
        if self.tower.state_of(state).paid or state.scores[player] < RANSOM:
            return NO_CHOICES
        found: list[Action] = []
        for jailer in range(self.owners):
            for kind, count in enumerate(self.held(state, jailer, player)):
                if count:
                    found.append(self.ransoms[jailer * self.kinds + kind])
        return Listed(found) if found else NO_CHOICES

    def _buy(self, jailer: int, kind: int, state: State, player: int) -> None:
        """Pay 3 points to the jailer for a prisoner, who may be used at once (TOW-05)."""
        state.award(player, "ransom", 1, -RANSOM)
        state.award(jailer, "ransom", 1, RANSOM)
        self.free(state, jailer, player, kind)
        self.tower.state_of(state).paid = True
        state.push(state.step, player)

    def _bring_back(self, kind: int, state: State, player: int) -> None:
        own = self.tower.state_of(state)
        self.free(state, own.partner, player, kind)
        own.partner = -1


class CaptureVerb(FigureVerb):
    """TOW-03: the choice of a follower in reach."""

    def __init__(self, prison: Prison, rules: Rules) -> None:
        """Make the verb."""
        super().__init__(rules, "capture", any_owner=True)
        self.prison: Final = prison

    def perform(self, state: State, segment: int, owner: int, follower: int) -> None:
        """Capture the follower; an own one goes home, as does one for whom another comes back."""
        jailer = state.active_player
        state.take_follower(segment, owner, follower)
        if owner == jailer:
            return
        if any(self.prison.held(state, owner, jailer)):  # TOW-04
            self.prison.tower.state_of(state).partner = owner
            state.push(self.prison.exchange, jailer)
        else:
            self.prison.jail(state, jailer, owner, follower)


class CaptureStep(Step):
    """TOW-03: a follower in reach of the tower that has just grown may be captured."""

    def __init__(self, prison: Prison) -> None:
        """Make the step."""
        super().__init__("capture")
        self.prison: Final = prison

    def choices(self, state: State, player: int) -> Choices:
        """Return the followers in reach."""
        reach = self.prison.in_reach(state)
        return WithPass(reach, self.prison.verb) if reach.count else NO_CHOICES


class ExchangeStep(Step):
    """TOW-04: who captured a follower chooses which of the own prisoners comes back."""

    def __init__(self, prison: Prison) -> None:
        """Make the step."""
        super().__init__("exchange")
        self.prison: Final = prison

    def choices(self, state: State, player: int) -> Choices:
        """Return the kinds of follower to choose from, if there are several."""
        some = self._prisoners(state, player)
        return Listed(some) if len(some) > 1 else NO_CHOICES

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Bring back the one chosen, or the only one there is."""
        (action or self._prisoners(state, player)[0]).perform(state, player)

    def _prisoners(self, state: State, player: int) -> list[Action]:
        partner = self.prison.tower.state_of(state).partner
        held = self.prison.held(state, partner, player)
        return [one for one, n in zip(self.prison.exchanges, held, strict=True) if n]
