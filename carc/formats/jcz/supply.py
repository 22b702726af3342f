"""Which figure of several alike stands where: JCloisterZone numbers them."""

from __future__ import annotations

from collections import Counter
from typing import Final

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.formats.jcz.figures import figure_name
from carc.formats.jcz.places import QUARTERS

_Kind = tuple[int, str]  # whose, of which kind


class Figures:
    """The figures by their numbers: on the board, in Carcassonne, captured, at home."""

    def __init__(self, rules: Rules) -> None:
        """Begin with all figures at home."""
        self._kinds: Final = [kind.name for kind in rules.follower_kinds]
        names = [each.name for each in rules.expansions]
        self._with_prison: Final = "tower" in names
        self._with_quarters: Final = "count" in names
        self._at: dict[_Kind, dict[int, int]] = {}  # number -> segment
        self._captured: dict[_Kind, list[int]] = {}

    def follow(self, state: State) -> None:
        """Note where the figures are now."""
        stand = Counter(
            ((owner, self._kinds[kind]), segment)
            for segment, owner, kind in state.board.all_followers()
        )
        quarters = self._add_residents(state, stand) if self._with_quarters else set()
        gone: dict[_Kind, list[int]] = {}
        joining: dict[_Kind, int] = {}  # who has just left a quarter
        for key, places in self._at.items():
            for number, segment in list(places.items()):
                if stand[key, segment]:
                    stand[key, segment] -= 1
                    continue
                del places[number]
                if segment in quarters:
                    joining[key] = number
                else:
                    gone.setdefault(key, []).append(number)
        if self._with_prison:
            self._follow_prisoners(state, gone)
        for key, segment in stand.elements():
            number = joining.pop(key, 0) or self._number_at_home(key)
            self._at.setdefault(key, {})[number] = segment

    def _add_residents(self, state: State, stand: Counter[tuple[_Kind, int]]) -> set[int]:
        """Count those in the quarters of Carcassonne, too; returns the segments of the quarters."""
        segments = {
            name.removeprefix("QUARTER_").lower(): state.board.segment_at(*place)
            for name, place in QUARTERS.items()
        }
        for one in state.to_dict("residents")["residents"]:
            stand[(one["owner"], one["kind"]), segments[one["quarter"]]] += one["count"]
        return set(segments.values())

    def _follow_prisoners(self, state: State, gone: dict[_Kind, list[int]]) -> None:
        held: Counter[_Kind] = Counter()
        for some in state.to_dict()["prisoners"]:
            held[some["owner"], some["kind"]] += some["count"]
        for key in held.keys() | self._captured.keys():
            captured = self._captured.setdefault(key, [])
            while len(captured) > held[key]:
                captured.pop(0)
            while len(captured) < held[key]:
                captured.append(gone[key].pop())

    def _number_at_home(self, key: _Kind) -> int:
        away = {*self._at.get(key, ()), *self._captured.get(key, ())}
        return next(number for number in range(1, len(away) + 2) if number not in away)

    def at_home(self, owner: int, kind: str) -> str:
        """Return the next figure of a kind that an owner has at home."""
        return figure_name(owner, kind, self._number_at_home((owner, kind)))

    def standing(self, segment: int, owner: int, kind: str) -> str:
        """Return a figure that stands on a segment."""
        places = self._at[owner, kind]
        number = next(number for number, at in places.items() if at == segment)
        return figure_name(owner, kind, number)

    def abbot(self, owner: int) -> tuple[int, str]:
        """Return where an owner's abbot stands, and his name."""
        ((number, segment),) = self._at[owner, "abbot"].items()
        return segment, figure_name(owner, "abbot", number)

    def prisoner(self, owner: int, kind: str) -> str:
        """Return the figure of a kind that has been captured for the longest time."""
        return figure_name(owner, kind, self._captured[owner, kind][0])
