"""Rank correlations, counted by hand."""

import pytest
from measure_accuracy import measured, rank_correlation, ranks, table

from carc.analysis.results import Luck, PlayerAnalysis


def test_equal_values_share_their_rank() -> None:
    assert ranks([3.0, 1.0, 3.0, 2.0]) == [1.5, 4.0, 1.5, 3.0]


@pytest.mark.parametrize(
    ("other", "correlation"),
    [([4, 3, 2, 1], 1.0), ([1, 2, 3, 4], -1.0), ([3, 4, 2, 1], 0.8)],  # 1 - 6 * 2 / (4 * 15)
)
def test_the_rank_correlation_is_spearmans(other: list[float], correlation: float) -> None:
    assert rank_correlation([9, 7, 3, 2], other) == pytest.approx(correlation)


def test_the_table_names_the_strongest_first_and_what_a_move_lost() -> None:
    player = PlayerAnalysis(0, "a", 4, 75.0, 0, 0, 0, 0.0, 6.0, Luck())
    assert measured(player) == (75.0, -1.5)
    text = table({"a": -1.0, "b": 1.0}, {"a": [(75.0, -1.5)], "b": [(90.0, -0.5)]})
    assert text.index("`b`") < text.index("`a`")
    assert "| `a` | 1 | -1.0 | 75.0 [75.0, 75.0] | 1.50 [1.50, 1.50] |" in text
    assert "strength and accuracy: 1.00" in text
