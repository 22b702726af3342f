"""`tools/measure_tables.py`: a bot against several others of one kind."""

import re

import pytest
from click.testing import CliRunner
from measure_tables import Tally, main

from carc import Rules
from carc.bots import by_name


def test_a_bot_against_its_like_comes_in_ahead_in_one_seat_of_three() -> None:
    """The same game is played three times, and one seat wins it."""
    tally = Tally()
    for deal in ("a", "b"):
        tally.add_deal(
            Rules.from_spec("base", 3),
            lambda seed: by_name("greedy", seed),
            lambda seed: by_name("greedy", seed),
            deal,
        )
    assert tally.games == 6
    assert tally.ahead == pytest.approx([1 / 3, 1 / 3])


def test_the_better_bot_is_ahead_wherever_it_sits() -> None:
    words = ["greedy", "random", "--players", "3", "--deals", "2"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    *_, last = result.output.splitlines()
    assert last.startswith("ahead in 6 of 6 games, 100.0% [100.0%, 100.0%]; margin +")
    spent = re.search(r"CPU seconds a game ([\d.]+), for each other ([\d.]+)", last)
    assert spent is not None
    assert float(spent[1]) > float(spent[2])  # `random` hardly thinks


def test_a_tie_counts_half() -> None:
    tally = Tally(ahead=[0.5, 1.0], margins=[0.0, 4.0], games=4)
    assert tally.describe().startswith("ahead in 3 of 4 games, 75.0% [26.0%, 124.0%]; margin +2.0")
