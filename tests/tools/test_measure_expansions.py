"""`tools/measure_expansions.py`: games against `random`, and what a bot uses in them."""

import pytest
from measure_expansions import measure, used


@pytest.mark.parametrize(
    ("action", "name"),
    [
        ("claim:2,phantom", "claim phantom"),
        ("claim:2,meeple", "claim meeple"),
        ("tower:0,1,0,piece", "tower"),
        ("building:shed", "building:shed"),
        ("pass", "pass"),
    ],
)
def test_what_an_action_uses(action: str, name: str) -> None:
    assert used(action) == name


def test_a_line_counts_what_the_bot_chose_and_where_it_was_ahead() -> None:
    """Each player has three of each building, and `greedy` builds them all; `random` loses."""
    expansion, ahead, scores, chosen = measure("buildings", "greedy", 2).strip("| ").split(" | ")
    assert (expansion, ahead) == ("`buildings`", "2 of 2")
    own, other = map(int, scores.split(" : "))
    assert own > other
    each = [f"`building:{kind}` 3.0" for kind in ("house", "shed", "tower")]
    assert sorted(chosen.split(", ")) == each
