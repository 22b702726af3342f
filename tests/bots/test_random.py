"""`random` draws by a generator of its own: alike from one seed, no choice likelier."""

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest

from carc.bots.random import Random


def drawn(seed: int, count: int, times: int) -> list[int]:
    bot = Random(seed)
    return [bot.choose_index(count) for _ in range(times)]


def odd(found: Counter[object], cells: int) -> float:
    """Chi-squared: by how many standard deviations the counts of so many cells are too uneven."""
    mean = found.total() / cells
    squares = sum((n - mean) ** 2 for n in found.values()) + (cells - len(found)) * mean**2
    return (squares / mean - (cells - 1)) / (2 * (cells - 1)) ** 0.5


def test_a_seed_says_all_of_it_in_every_process() -> None:
    """Ledgers hold games of it."""
    assert drawn(1, 1000, 6) == [814, 861, 509, 33, 0, 613]
    assert drawn(1, 1000, 50) != drawn(2, 1000, 50)
    assert drawn(-(10**30), 3, 5) == drawn(-(10**30), 3, 5)  # any whole number is a seed


@pytest.mark.parametrize("count", [1, 2, 3, 7, 36, 1000])
def test_all_choices_are_alike(count: int) -> None:
    many = drawn(5, count, 100 * max(count, 100))
    assert set(many) == set(range(count))
    if count > 1:
        assert odd(Counter(many), count) < 5


def test_a_choice_says_nothing_of_the_next() -> None:
    assert odd(Counter(pairwise(drawn(3, 9, 50_000))), 81) < 5


def test_seeds_next_to_each_other_begin_unlike() -> None:
    first = [drawn(seed, 9, 1)[0] for seed in range(20_000)]
    assert odd(Counter(first), 9) < 5
    assert odd(Counter(pairwise(first)), 81) < 5


@pytest.mark.parametrize(
    "again", [copy.deepcopy, copy.copy, lambda b: pickle.loads(pickle.dumps(b))]
)
def test_a_copy_goes_on_alike_by_itself(again: Callable[[Random], Random]) -> None:
    bot = Random(4)
    bot.choose_index(5)
    other = again(bot)
    theirs = [other.choose_index(1000) for _ in range(20)]
    assert theirs == [bot.choose_index(1000) for _ in range(20)]
