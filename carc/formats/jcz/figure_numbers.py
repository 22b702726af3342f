"""Which figure of several alike stands where: JCloisterZone numbers them."""

from collections import Counter
from typing import Final

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.formats.jcz.figures import figure_name
from carc.formats.jcz.places import QUARTERS

_Kind = tuple[int, str]  # whose, of which kind


class Figures:
    """The figures by their numbers: on the board, in Carcassonne, captured, at home.

    Who is put on the board or captured by a move is noted with it. `follow` notes what happened
    then: who went home, and which prisoners did. `companion` is the figure beside the fairy, "" if
    she is with nobody; `lying` are those that lie in monasteries, or lay there last.
    """

    def __init__(self, rules: Rules) -> None:
        self._kinds: Final = [kind.name for kind in rules.follower_kinds]
        names = [each.name for each in rules.expansions]
        self._with_prison: Final = "tower" in names
        self._with_quarters: Final = "count" in names
        self.companion = ""
        self.lying: Final[set[str]] = set()
        self._at: dict[_Kind, dict[int, int]] = {}  # number -> segment, the first put there first
        self._captured: dict[tuple[int, _Kind], list[int]] = {}  # by jailer, the first one first

    # -- by a move -------------------------------------------------------------------------------

    def put(self, segment: int, owner: int, kind: str) -> str:
        """Put the next figure of a kind that an owner has at home on a segment; returns its id."""
        number = self._number_at_home((owner, kind))
        self._at.setdefault((owner, kind), {})[number] = segment
        return figure_name(owner, kind, number)

    def at_home(self, owner: int, kind: str) -> str:
        """Return the next figure of a kind that an owner has at home."""
        return figure_name(owner, kind, self._number_at_home((owner, kind)))

    def move(self, start: int, end: int, owner: int, kind: str) -> str:
        """Move a figure from one segment to another."""
        number = self._number_on(start, owner, kind)
        self._at[owner, kind][number] = end
        return figure_name(owner, kind, number)

    def standing(self, segment: int, owner: int, kind: str) -> list[str]:
        """Return the figures of a kind on a segment, who was put there first before the others."""
        places = self._at[owner, kind]
        return [figure_name(owner, kind, number) for number, at in places.items() if at == segment]

    def send_home(self, segment: int, owner: int, kind: str) -> str:
        """Take a figure off a segment: who was put there first, but the fairy's companion last."""
        number = self._number_on(segment, owner, kind)
        del self._at[owner, kind][number]
        return figure_name(owner, kind, number)

    def capture(self, segment: int, owner: int, kind: str, jailer: int) -> str:
        """Capture a figure that stands on a segment; an own one goes home."""
        number = self._number_on(segment, owner, kind)
        if owner != jailer:
            self._captured.setdefault((jailer, (owner, kind)), []).append(number)
        return self.send_home(segment, owner, kind)

    def swap(self, one: int, other: int, owner: int, kind: str) -> None:
        """Let two figures of a kind have each other's number."""
        places = self._at[owner, kind]
        first, second = self._number_on(one, owner, kind), self._number_on(other, owner, kind)
        places[first], places[second] = other, one

    def abbot(self, owner: int) -> tuple[int, str]:
        """Send an owner's abbot home; returns where he stood, and his name."""
        (segment,) = self._at[owner, "abbot"].values()
        return segment, self.send_home(segment, owner, "abbot")

    def prisoner(self, owner: int, kind: str, jailer: int) -> str:
        """Return the figure of a kind that a jailer has held for the longest time."""
        return figure_name(owner, kind, self._captured[jailer, (owner, kind)][0])

    # -- what follows from it --------------------------------------------------------------------

    def follow(self, state: State) -> None:
        """Note who is on the board and in prison now: the others have gone home."""
        stand = Counter(
            ((owner, self._kinds[kind]), segment)
            for segment, owner, kind in state.board.all_followers()
        )
        if self._with_quarters:
            self._add_residents(state, stand)
        gone: dict[_Kind, dict[int, int]] = {}  # number -> segment, the last put there first
        for key, places in self._at.items():
            lying = [number for number in places if figure_name(*key, number) in self.lying]
            others = [number for number in places if number not in lying]
            for number in [*reversed(lying), *reversed(others)]:
                segment = places[number]
                if stand[key, segment]:
                    stand[key, segment] -= 1
                else:
                    del places[number]
                    gone.setdefault(key, {})[number] = segment
        for key, trap in stand.elements():  # who was moved by a trap
            near = [number for number in gone[key] if _is_near(state, trap, gone[key][number])]
            self._at[key][near[-1]] = trap
            del gone[key][near[-1]]
        if self._with_prison:
            held: Counter[tuple[int, _Kind]] = Counter()
            for some in state.to_dict()["prisoners"]:
                held[some["jailer"], (some["owner"], some["kind"])] += some["count"]
            for place, captured in self._captured.items():
                del captured[: len(captured) - held[place]]

    def _add_residents(self, state: State, stand: Counter[tuple[_Kind, int]]) -> None:
        """Count those in the quarters of Carcassonne, too."""
        for one in state.to_dict("residents")["residents"]:
            place = QUARTERS[f"QUARTER_{one['quarter'].upper()}"]
            segment = state.board.segment_at(*place)
            stand[(one["owner"], one["kind"]), segment] += one["count"]

    def _number_on(self, segment: int, owner: int, kind: str) -> int:
        alike = (number for number, at in self._at[owner, kind].items() if at == segment)
        return min(alike, key=lambda one: figure_name(owner, kind, one) == self.companion)

    def _number_at_home(self, key: _Kind) -> int:
        captured = [numbers for (_, kind), numbers in self._captured.items() if kind == key]
        away = {*self._at.get(key, ())}.union(*captured)
        return next(number for number in range(1, len(away) + 2) if number not in away)


def _is_near(state: State, trap: int, segment: int) -> bool:
    """Return whether a trap may have caught who stood on a segment."""
    board = state.board
    if board.kind_of(trap) == "vodyanoy":
        (x, y, _), (a, b, _) = board.place_of(trap), board.place_of(segment)
        return abs(x - a) <= 1 and abs(y - b) <= 1
    tile = board.tile_under(trap)
    return board.feature_of(segment) in [board.feature_of(one) for one in board.segments_of(tile)]
