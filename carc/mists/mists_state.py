"""`MistsState`: what the co-operative game keeps in a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from carc.base.position.expansion_state import ExpansionState
from carc.base.position.state_fields import Cell, Count, Feature, Owner, Segment
from carc.expansion_ghosts.mist import take_ghost

if TYPE_CHECKING:
    from carc.base.game.state import State

WAITING: Final = -1  # a hound on the scoring track
GONE: Final = -2  # a hound out of the game
NO_MARKER: Final = -1
NOBODY: Final = -1  # lies in a cemetery that closed with no follower left


class MistsState(ExpansionState):
    """Ghosts, piles, hounds, cemeteries and markers in a position."""

    FIELDS: ClassVar[Mapping[str, object]] = {
        "ghosts": dict[Segment, Count],
        "bound": dict[Segment, Count],
        "buried": dict[Segment, Owner],
        **dict.fromkeys(("cemeteries", "closing", "hounds"), list[Segment]),
        "scoring": Feature,
        **dict.fromkeys(("taking", "sniffing", "sniffed"), Cell),
        "stock": Count,
        **dict.fromkeys(("out", "owed"), list[Count]),
        **dict.fromkeys(("called", "expanded", "won"), bool),
        **dict.fromkeys(("pile", "left"), int),
        "markers": list[int],
        "rule": str,
    }

    def __init__(self) -> None:
        """Start an empty position; `Mists.setup` fills it."""
        self.ghosts: dict[int, int] = {}  # mist or cemetery segment -> ghosts on it
        # mist segment -> ghosts that stay till its bank is finished
        self.bound: dict[int, int] = {}
        self.called: bool = False  # something besides symbols called for ghosts this turn
        self.stock: int = 0
        self.expanded: bool = False  # this turn's tile touches mist
        self.pile: int = 0  # the active pile
        self.left: int = 0  # tiles in it
        self.cemeteries: list[int] = []  # segments of open cemeteries, in order
        self.closing: list[int] = []  # of those just closed, nobody buried yet
        self.buried: dict[int, int] = {}  # cemetery's segment -> owner, NOBODY where there was none
        self.out: list[int] = []  # followers buried or on the scoring track, by kind
        self.hounds: list[int] = []  # follower's segment, WAITING or GONE
        self.markers: list[int] = []  # level 6, by owner: points or NO_MARKER
        self.won: bool = False
        self.rule: str = ""  # by which rule the game ended

        # Between the decisions of one step.
        self.scoring: int = -1  # the feature being scored
        self.taking: int = -1  # the cell whose ghosts are being taken
        self.sniffing: int = -1  # the cell of the hound just placed
        self.sniffed: int = -1  # the first tile it cleared
        self.owed: list[int] = []  # points of colours without a marker (LVL6-02)

    def copy(self) -> MistsState:
        new = MistsState()
        new.ghosts = self.ghosts.copy()
        new.bound = self.bound.copy()
        new.called = self.called
        new.stock = self.stock
        new.expanded = self.expanded
        new.pile = self.pile
        new.left = self.left
        new.cemeteries = self.cemeteries.copy()
        new.closing = self.closing.copy()
        new.buried = self.buried.copy()
        new.out = self.out.copy()
        new.hounds = self.hounds.copy()
        new.markers = self.markers.copy()
        new.won = self.won
        new.rule = self.rule
        new.scoring = self.scoring
        new.taking = self.taking
        new.sniffing = self.sniffing
        new.sniffed = self.sniffed
        new.owed = self.owed.copy()
        return new

    def is_valid(self, state: State) -> bool:
        """Return True if piles, hounds, markers and segments fit the position."""
        (start,) = [
            own for own in state.rules.start().expansion_states if isinstance(own, MistsState)
        ]
        return (
            0 <= self.pile <= len(start.hounds) == len(self.hounds)
            and 0 <= self.left <= state.tiles_left
            and all(hound >= GONE for hound in self.hounds)
            and all(hound < 0 or state.board.has_follower(hound) for hound in self.hounds)
            and len(self.markers) == len(start.markers)
            and all(marker >= NO_MARKER for marker in self.markers)
            and (self.marked or all(state.board.supply_of(o, 0) for o in range(len(self.markers))))
            and min([0, *self.ghosts, *self.bound, *self.buried, *self.cemeteries, *self.closing])
            >= 0
        )

    @property
    def marked(self) -> bool:
        """Whether it is decided which colours have markers (LVL6-01)."""
        return any(marker != NO_MARKER for marker in self.markers)

    def put(self, segment: int, n: int) -> None:
        """Put ghosts from the stock on a segment."""
        if n:
            self.stock -= n
            self.ghosts[segment] = self.ghosts.get(segment, 0) + n

    def take(self, segment: int, n: int) -> None:
        """Return ghosts from a segment to the stock."""
        if n:
            self.stock += n
            take_ghost(self.ghosts, segment, n)

    def clear(self, segment: int) -> None:
        """Return all ghosts of a segment to the stock."""
        self.stock += self.ghosts.pop(segment, 0)

    def ghosts_on_board(self) -> int:
        """Return how many ghosts are on the board, those in circles included."""
        return sum(self.ghosts.values()) + sum(self.bound.values())

    def end(self, state: State, won: bool, rule: str) -> None:
        """End the game at once, won or lost by a rule (COOP-22)."""
        self.won = won
        self.rule = rule
        state.end()
