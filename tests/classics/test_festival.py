"""The Festival, counted by hand."""

import pytest
from support.notation import begin, do, legal, scored

START = "draw:U place:1,0,1 claim:0,meeple draw:U place:2,0,1 claim:1,meeple "


@pytest.mark.rule("FES-01")
def test_who_lays_a_festival_may_take_an_own_figure_back_instead() -> None:
    """Red stands on the road, green on a field: red is offered his own alone."""
    state = do(begin("base+festival", 2), START + "draw:FE06 place:-1,0,0")
    assert [text for text in legal(state) if "festival" in text] == ["festival:1,0,0,meeple"]
    do(state, "festival:1,0,0,meeple")
    assert (state.board.supply_of(0), state.board.supply_of(1), state.current_player) == (7, 6, -1)
    assert not state.board.is_claimed(state.board.feature_of(state.board.segment_at(1, 0, 0)))
    assert scored(state) == []


@pytest.mark.rule("FES-01")
def test_it_is_instead_of_putting_one_down_and_on_festivals_only() -> None:
    state = do(begin("base+festival", 2), START + "draw:FE06 place:-1,0,0 claim:0,meeple")
    assert state.board.supply_of(0) == 5
    do(state, "draw:U place:3,0,1")
    assert not [text for text in legal(state) if "festival" in text]


@pytest.mark.rule("FES-01")
@pytest.mark.parametrize(
    ("option", "figures"),
    [("", ["0,1,1,shepherd", "1,0,0,meeple"]), ("(returns=followers)", ["1,0,0,meeple"])],
)
def test_figures_or_followers_alone_come_back(option: str, figures: list[str]) -> None:
    state = do(
        begin(f"base+festival{option}+hills", 2),
        "draw:U place:1,0,1 claim:0,meeple draw:U place:2,0,1 pass"
        " draw:B place:0,1,0 claim:1,shepherd token:2 draw:U place:3,0,1 pass"
        " draw:FE06 place:-1,0,0",
    )
    found = sorted(text for text in legal(state) if "festival" in text)
    assert found == [f"festival:{figure}" for figure in figures]
