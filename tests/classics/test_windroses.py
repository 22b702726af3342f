"""The Wind Roses, counted by hand."""

import pytest
from support.notation import begin, lay, scored, standing

ROSE = "WR04 20,20,0"


@pytest.mark.rule("WIN-01")
@pytest.mark.parametrize(
    ("rose", "tile", "scores"),
    [
        (ROSE, "WR01 22,19,0", True),  # WR01 names the north-east
        (ROSE, "WR01 22,20,0", True),  # in the row of the rose
        (ROSE, "WR01 20,19,3", True),  # in its column, whichever way the tile lies
        (ROSE, "WR01 19,19,0", False),
        (ROSE, "WR01 21,21,0", False),
        (ROSE, "WR02 21,22,0", True),  # the south-east
        (ROSE, "WR06 18,22,0", True),  # the south-west
        (ROSE, "WR03 19,15,0", True),  # the north-west
        (ROSE, "WR03 19,21,0", False),
        ("WR04 20,20,1", "WR01 21,22,0", True),  # the rose is turned: its north-east is south-east
        ("WR04 20,20,1", "WR01 21,19,0", False),
        ("WR04 20,20,3", "WR06 21,21,0", True),
    ],
)
def test_a_tile_in_its_quarter_scores_3(rose: str, tile: str, scores: bool) -> None:
    state = lay(begin("base+windroses", 2), rose, tile)
    assert scored(state) == (["0: wind rose 1x3 = 3"] if scores else [])


@pytest.mark.rule("WIN-01")
def test_the_rose_laid_last_counts_and_before_the_first_nothing_does() -> None:
    state = lay(begin("base+windroses", 2), "WR01 30,10,0")
    assert (scored(state), standing(state, "wind rose")) == ([], {})
    lay(state, ROSE, "WR05 10,10,0", "WR02 15,15,0")  # south-east of the second rose only
    assert scored(state) == ["0: wind rose 1x3 = 3"]
    assert list(standing(state, "wind rose")) == [(10, 10, -1)]


@pytest.mark.rule("WIN-01")
def test_the_player_whose_turn_it_is_scores() -> None:
    state = lay(begin("base+windroses", 2), ROSE)
    state.active_player = 1
    lay(state, "WR01 21,19,0")
    assert state.scores == [0, 3]
