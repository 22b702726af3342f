"""What holds for all rules, and what this expansion changes, counted by hand."""

import pytest
from carc import Rules, State
from carc.base.turn.scoring import Journal
from carc.testing import check


@pytest.mark.parametrize(
    "spec",
    [
        "base+NAME",
        "base+ghosts+NAME",
    ],
)
@pytest.mark.parametrize("players", [2, 4])
def test_what_holds_for_all_rules(spec: str, players: int) -> None:
    """Copies, codes, notation, points: see `carc.testing.check`."""
    check(Rules.from_spec(spec, players), games=2, every=20)


def play(*actions: str) -> State:
    """Play actions from the start, with a journal of what they score."""
    rules = Rules.from_spec("base+NAME")
    state = rules.start()
    state.journal = Journal()
    for text in " ".join(actions).split():
        state.apply(state.check(rules.parse(text)))
    return state


def test_a_well_is_worth_a_point() -> None:
    """A road from the start tile over the well to a crossing at each end: 4 tiles and 1 well."""
    state = play(
        "draw:NAME-1 place:1,0,0 claim:0,meeple",
        "draw:W place:2,0,0 pass",
        "draw:W place:-1,0,2 pass",
    )
    assert state.journal is not None
    assert [scoring.text for scoring in state.journal.scorings] == ["road 4x1, well 1x1 = 5"]
    assert state.scores == [5, 0]
