"""What holds for all rules, and what windmills change, counted by hand."""

import pytest

from carc import Rules, State
from carc.base.turn.scoring import Journal
from carc.testing import check


@pytest.mark.parametrize(
    "spec", ["base+windmills", "base+ghosts+inns+windmills", "mists:3+windmills"]
)
def test_what_holds_for_all_rules(spec: str) -> None:
    check(Rules.from_spec(spec, 2), games=1, every=10)


def play(actions: str) -> State:
    """Return the position after these actions, each of them legal."""
    rules = Rules.from_spec("base+windmills")
    state = rules.start()
    state.journal = Journal()
    for text in actions.split():
        state.apply(state.check(rules.parse(text)))
    return state


def test_the_wind_is_drawn_when_a_windmill_is_placed() -> None:
    state = play("draw:WM1 place:0,1,0")
    assert [(str(action), chance) for action, chance in state.chance_outcomes()] == [
        ("wind:1", 0.25), ("wind:2", 0.5), ("wind:3", 0.25),
    ]  # fmt: skip


def test_a_miller_stands_on_windmills_only() -> None:
    state = play("draw:WM1 place:0,1,0 wind:3")
    claims = [str(action) for action in state.legal_actions()]
    assert claims == ["claim:0,meeple", "claim:0,miller", "claim:1,meeple", "pass"]


def test_an_incomplete_windmill_is_worth_its_wind() -> None:
    state = play("draw:WM1 place:0,1,0 wind:3 claim:0,miller")
    mill = state.board.segment_at(0, 1, 0)
    assert state.points_now(mill) == 3


def test_a_complete_windmill_scores_four_times_its_wind() -> None:
    """Roads in the west and east of the start tile, four monasteries and a windmill: the ring."""
    state = play(
        "draw:WM1 place:0,1,0 wind:2 claim:0,miller draw:U place:1,0,1 pass draw:U place:-1,0,1"
        " pass"
        " draw:B place:1,1,0 pass draw:B place:-1,1,0 pass draw:B place:0,2,0 pass"
        " draw:B place:1,2,0 pass draw:WM1 place:-1,2,0 wind:1 pass"
    )
    assert state.journal is not None
    assert [scoring.text for scoring in state.journal.scorings] == ["wind 2x4 = 8"]
    assert state.scores == [8, 0]
