"""Deals are tried until they are won."""

import random
from typing import Any

import find_won_lines
import pytest
from find_won_lines import tries_until_won

from carc import Rules

ENDS = {
    -1.0: {"outcome": {"rule": "LVL3-02"}, "pile": 1},
    1.0: {"outcome": {"rule": "COOP-22"}, "pile": 3},
}


class End:
    """How a game ended: won, 1, or lost, -1."""

    def __init__(self, won: float) -> None:
        self.won = won

    def returns(self) -> list[float]:
        return [self.won] * 3

    def to_dict(self) -> dict[str, Any]:
        return ENDS[self.won]


@pytest.mark.parametrize(("tries", "won_by"), [(2, 0), (3, 3), (4, 3)])
def test_only_the_first_try_keeps_to_the_best_options(
    monkeypatch: pytest.MonkeyPatch, tries: int, won_by: int
) -> None:
    ends, varied = iter([-1.0, -1.0, 1.0]), []

    def play(search: Any, seed: str, next_best: float, rng: random.Random) -> End:
        varied.append(next_best > 0.0)
        return End(next(ends))

    monkeypatch.setattr(find_won_lines, "play", play)
    search: Any = None
    assert tries_until_won(search, "a deal", tries) == (won_by, "LVL3-02 in pile 1")
    assert varied == [False, True, True][:tries]


def test_a_first_option_is_replaced_by_the_next_best_one() -> None:
    """Always replaced, the last one is left."""
    rules = Rules.from_spec("mists:1", 3)
    best, last = (
        find_won_lines.play(find_won_lines.search_of(rules), "a deal", next_best, random.Random(1))
        for next_best in (0.0, 1.0)
    )
    assert best.returns() == [1.0] * 3  # level 1 is easy
    assert last.returns() == [-1.0] * 3  # the worst option each time


def test_what_was_won_is_printed_for_each_deal_and_together(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    won = iter([(1, "COOP-22 in pile 3"), (7, "LVL3-02 in pile 1"), (0, "LVL3-02 in pile 1")])
    monkeypatch.setattr(find_won_lines, "tries_until_won", lambda *_: next(won))
    monkeypatch.setattr("sys.argv", ["find_won_lines.py", "--deals", "3"])
    find_won_lines.main()
    printed = capsys.readouterr().out.splitlines()
    assert printed[:3] == ["deal 0: try 1", "deal 1: try 7", "deal 2: not won"]
    assert printed[3].startswith("without the order: 1 of 3, ")
    assert printed[4].startswith("won lines: 2 of 3, ")
    assert printed[5:] == ["first tries lost by LVL3-02 in pile 1: 2"]
