"""`carc.testing`, for authors of expansions: `check` says what is wrong with rules."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from carc import Action, Expansion, ExpansionState, Rules, State
from carc.base.position.state_data import piece
from carc.base.position.state_fields import Segment
from carc.base.turn.choices import Choices, Listed
from carc.testing import check, perft


class Twice(Expansion):
    """Lists a claim twice."""

    def restrict_claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        return [*actions, *actions[-1:]]


class Disorder(Expansion):
    """Lists placements from south to north."""

    def placements(self, state: State, kind: int, choices: Choices) -> Choices:
        return Listed(choices.actions(state)[::-1])


class Foreign(Expansion):
    """Offers an action that it cannot parse."""

    def claims(self, state: State, player: int) -> Choices:
        return Listed([Action("pass the salt")])


class Counter(ExpansionState):
    def __init__(self) -> None:
        self.laid = 0

    def copy(self) -> "Counter":
        return self  # shared: the mistake


class Shared(Expansion):
    """Its slice is not copied."""

    def setup(self, state: State) -> ExpansionState:
        return Counter()

    def tile_placed(self, state: State, tile: int) -> None:
        piece: Any = state.expansion_states[self._slot]
        piece.laid += 1

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        piece: Any = state.expansion_states[self._slot]
        return {**data, "laid": piece.laid}


class Flags(ExpansionState):
    def __init__(self) -> None:
        self.flags: list[int] = []  # segments, and nobody is told: the mistake


class Unsaid(Expansion):
    """Flags the segments that followers came to, by their numbers."""

    def setup(self, state: State) -> ExpansionState:
        return Flags()

    def follower_placed(self, state: State, segment: int, owner: int, follower: int) -> None:
        flags: Any = state.expansion_states[self._slot]
        flags.flags.append(segment)

    def describe(self, state: State, data: dict[str, Any]) -> dict[str, Any]:
        flags: Any = state.expansion_states[self._slot]
        data["pieces"] += [piece(state, "flag", state.board.cell_under(s), s) for s in flags.flags]
        return data


class Said(Unsaid):
    """The same, told."""

    def setup(self, state: State) -> ExpansionState:
        class Told(Flags):
            FIELDS = {"flags": list[Segment]}

        return Told()


class Thief(Expansion):
    """A follower that was scored never comes home."""

    def follower_removed(self, state: State, segment: int, owner: int, follower: int) -> None:
        state.board.add_supply(owner, follower, -1)


class Moody(Expansion):
    """Scores at random."""

    def feature_points(self, state: State, feature: int, final: bool, points: int) -> int:
        return points + random.randrange(10**9)


class Chatty(Expansion):
    """Itemises otherwise each time, with the same points."""

    said = 0

    def player_points(
        self, state: State, feature: int, owner: int, final: bool, points: int
    ) -> int:
        self.said += 1
        state.note(f"remark {self.said}", 1, points)
        return points


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (Twice, "a legal action is listed twice"),
        (Disorder, "legal actions out of order"),
        (Foreign, "pass the salt"),
        (Shared, "an old copy changed"),
        (Unsaid, "do the types of the fields say what numbers refer to"),
        (Thief, "tiles or followers appear or vanish"),
        (Moody, "play continues differently on a copy"),
        (Chatty, "the same actions are itemised differently"),
    ],
)
def test_check_finds(wrong: Callable[[], Expansion], sentence: str) -> None:
    rules = Rules([wrong()], 2, "base+wrong")
    with pytest.raises(Exception, match=sentence):
        check(rules, games=1, seed=1)


def test_fields_say_which_numbers_are_segments() -> None:
    check(Rules([Said()], 2, "base+said"), games=1, seed=1, every=10)


def test_check_counts_the_states_it_saw() -> None:
    rules = Rules.from_spec("base", 2)
    assert check(rules, games=1) > 142  # a draw and a placement a tile, and claims
    assert check(rules, games=2, every=50) < 20


def test_perft_needs_a_depth() -> None:
    with pytest.raises(ValueError, match="depth is at least 1, not 0"):
        perft(Rules.from_spec("base").start(), 0)
