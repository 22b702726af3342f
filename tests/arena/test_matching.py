"""Who plays next: the most uncertain, against those who tell most; all of them, in all seats."""

import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import erf, sqrt

import numpy as np
import pytest
import trueskill

from carc.arena.matching import Matching, expected_information

SIZES = [2, 3, 4, 5]
NEW = 25, 25 / 3
Ratings = dict[str, tuple[float, float]]


def matching(*bots: Ratings, seats: int = 2) -> Matching:
    """A ladder of these bots."""
    made = Matching(seats, seed=1)
    for bot, rating in (one for some in bots for one in some.items()):
        made.enter(bot, *rating)
    return made


def alike(count: int, mu: float = 25, sigma: float = 1, name: str = "bot") -> Ratings:
    return {f"{name}{number}": (mu, sigma) for number in range(count)}


def tables(ladder: Matching, count: int) -> Iterator[tuple[str, ...]]:
    for _ in range(count):
        table = ladder.table()
        assert table is not None
        yield table


def opened_by_need(ladder: Matching, count: int) -> Iterator[tuple[str, ...]]:
    """So many tables of a new ladder, without those opened by whoever waited longest."""
    for number, table in enumerate(tables(ladder, count), start=1):
        if number % 10:
            yield table


# -- who plays -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", SIZES)
def test_a_new_version_plays_at_the_next_table_but_one_at_the_latest(seats: int) -> None:
    ladder = matching(alike(40), seats=seats)
    for number in range(30):
        new = f"new{number}"
        ladder.enter(new, *NEW)
        assert new in [bot for table in tables(ladder, 2) for bot in table]
        ladder.enter(new, 25, 1)


def test_the_most_uncertain_opens_a_table() -> None:
    ladder = matching(alike(30), {"doubtful": (60, 2)})  # far from all: nobody would choose it
    assert all("doubtful" in table for table in opened_by_need(ladder, 50))


@pytest.mark.parametrize("seats", SIZES)
def test_those_play_each_other_who_are_about_equal(seats: int) -> None:
    ladder = matching(alike(12, 10, name="low"), alike(12, 45, name="high"), seats=seats)
    for table in tables(ladder, 200):
        assert len({bot.startswith("low") for bot in table}) == 1


def test_uncertain_opponents_tell_more_than_settled_ones_just_as_strong() -> None:
    ladder = matching({"first": (25, 3.1)}, alike(10, sigma=3, name="other"), alike(10))
    met = "".join("".join(table) for table in opened_by_need(ladder, 100))
    assert met.count("other") > 5 * met.count("bot")


def far_ones(ladder: Matching) -> int:
    return sum("far" in "".join(table) for table in opened_by_need(ladder, 300))


def test_who_tells_less_than_half_of_what_others_tell_plays_only_for_its_seat() -> None:
    # By TrueSkill's formulas, at this distance a game tells 0.4 of what one of equals does.
    new = {"new": (25.0, 3.0)}
    assert far_ones(matching(new, alike(2), alike(1, 25 + 10.6, name="far"))) < 3
    # And here less than an eighth: a seat does not make up for that.
    assert far_ones(matching(new, alike(12), alike(12, 25 + 17, name="far"))) == 0


def test_a_new_version_is_told_much_by_those_further_away_too() -> None:
    # By TrueSkill's formulas 0.6 of what one of equals tells, as nothing is known of it yet.
    assert far_ones(matching({"new": NEW}, alike(1), alike(12, 25 + 12, name="far"))) > 30


def test_at_larger_tables_all_who_sit_there_count() -> None:
    # Beside a "high", a "far" tells more than a "low", but beside "new" much less.
    low, high, far = alike(4, 17, name="low"), alike(1, 33, name="high"), alike(8, 41, name="far")
    assert far_ones(matching({"new": (25, 4)}, low, high, far, seats=3)) < 30


def test_who_turns_out_stronger_plays_the_strong() -> None:
    low, high = alike(4, 10, name="low"), alike(4, 45, name="high")
    ladder = matching(low, high, {"rising": (10, 3)})
    assert all("low" in "".join(table) for table in opened_by_need(ladder, 9))
    ladder.enter("rising", 45, 3)
    *_, last = tables(ladder, 2)  # the tenth was opened by another
    assert "rising" in last
    assert "high" in "".join(last)


def test_opponents_vary() -> None:
    ladder = matching({"new": (25, 3)}, {f"bot{at}": (24 + at / 10, 1) for at in range(20)})
    met = {bot for table in opened_by_need(ladder, 200) for bot in table}
    assert len(met) == 21


def test_the_seed_decides_alone() -> None:
    def made(seed: int) -> list[tuple[str, ...]]:
        ladder = Matching(3, seed)
        for bot in range(20):
            ladder.enter(str(bot), 25 + bot / 10, 2)
        found = [*tables(ladder, 30)]
        ladder.leave("7")
        ladder.enter("8", 20, 1)
        return [*found, *tables(ladder, 30)]

    assert made(1) == made(1) != made(2)


# -- nobody starves --------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", SIZES)
def test_everybody_plays_within_ten_times_as_many_tables_as_there_are_bots(seats: int) -> None:
    ladder = matching(alike(14, sigma=5), {"settled": (90, 0.1)}, {"last": (-40, 0.1)}, seats=seats)
    sat: dict[str, list[int]] = {"settled": [0], "last": [0]}
    for number, table in enumerate(tables(ladder, 800), start=1):
        for bot in {*sat} & {*table}:
            sat[bot].append(number)
    for times in sat.values():
        assert max(b - a for a, b in pairwise([*times, 800])) <= 10 * 16


def test_neither_newcomers_nor_other_ratings_keep_a_bot_from_playing() -> None:
    ladder = matching(alike(10), {"settled": (90, 0.1)})
    assert any("settled" in table for table in tables(ladder, 110))
    for number in range(110):
        for new in range(3):
            ladder.enter(f"new{number}.{new}", *NEW)
        ladder.enter("settled", 90, 0.1)
        if "settled" in next(tables(ladder, 1)):
            return
    pytest.fail("it does not play, though all but ten came after it")


def test_those_who_are_away_keep_nobody_waiting() -> None:
    away = alike(5, 90, 0.1, name="away")
    ladder = matching(away, alike(10, sigma=5), {"settled": (90, 0.1)})
    for _ in range(2):
        assert any("settled" in (ladder.table(away) or ()) for _ in range(110))


# -- seats -----------------------------------------------------------------------------------------


def seated(ladder: Matching, seats: int, count: int) -> list[list[int]]:
    """By bot: how often it sat at each seat."""
    sat: dict[str, Counter[int]] = {}
    for table in tables(ladder, count):
        for seat, bot in enumerate(table):
            sat.setdefault(bot, Counter())[seat] += 1
    return [[of[seat] for seat in range(seats)] for of in sat.values()]


@pytest.mark.parametrize("odd", [0, 1])
def test_at_tables_of_two_everybody_sits_at_both_equally_often_up_to_one(odd: int) -> None:
    bots = {f"bot{at}": (25.0 + at, 1 + at / 10) for at in range(20 + odd)}
    for count in (100, 333, 1000):
        assert all(abs(a - b) <= 1 for a, b in seated(matching(bots), 2, count))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_at_larger_tables_nearly_everybody_sits_everywhere_equally_often(seats: int) -> None:
    bots = {f"bot{at}": (25.0 + at / 5, 2.0) for at in range(40)}
    apart = [max(sat) - min(sat) for sat in seated(matching(bots, seats=seats), seats, 600)]
    assert max(apart) <= 2
    assert sum(each == 2 for each in apart) <= 4


def test_a_seat_does_not_bring_together_those_who_tell_nothing() -> None:
    ladder = matching(alike(2, 0, name="low"), alike(2, 60, name="high"))
    for table in tables(ladder, 40):
        assert {bot[:-1] for bot in table} in ({"low"}, {"high"})


# -- who can play ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", SIZES)
def test_the_busy_do_not_play_and_nobody_plays_twice_at_a_table(seats: int) -> None:
    ladder = matching(alike(10), seats=seats)
    for number in range(30):
        busy = {f"bot{(number + other) % 10}" for other in range(10 - seats)} | {"a stranger"}
        table = ladder.table(busy)
        assert table is not None
        assert len({*table}) == seats
        assert not busy & {*table}


@pytest.mark.parametrize("seats", SIZES)
def test_there_is_no_table_if_too_few_can_play(seats: int) -> None:
    ladder = Matching(seats, seed=1)
    for number in range(seats):
        assert ladder.table() is None
        ladder.enter(str(number), *NEW)
    assert sorted(ladder.table() or ()) == sorted(map(str, range(seats)))
    assert ladder.table({"0"}) is None


def test_bots_of_one_group_never_meet() -> None:
    ladder = Matching(3, seed=1)
    for bot in range(20):
        ladder.enter(f"{bot % 5} {bot}", 25, 2, group=f"author {bot % 5}")
    for table in tables(ladder, 100):
        assert len({bot[0] for bot in table}) == 3
        for name in table:
            ladder.enter(name, 25, 1.5, group=f"author {name[0]}")


def test_bots_of_no_group_meet() -> None:
    ladder = matching(alike(2))
    assert ladder.table() is not None


def test_one_author_alone_has_no_table() -> None:
    ladder = Matching(2, seed=1)
    for bot in "abc":
        ladder.enter(bot, *NEW, group="one")
    assert ladder.table() is None
    ladder.enter("d", 25, 1, group="another")
    assert "d" in (ladder.table() or ())


# -- coming and going ------------------------------------------------------------------------------


def test_who_left_does_not_play() -> None:
    ladder = matching({"old": (25, 8)}, alike(5))
    assert "old" in next(tables(ladder, 1))
    ladder.leave("old")
    ladder.leave("old")
    assert all("old" not in table for table in tables(ladder, 100))
    assert len(ladder) == 5


def test_ratings_stay_with_their_bots_when_others_leave() -> None:
    ladder = matching(alike(20), {"doubtful": (25, 5)})
    for bot in ("bot5", "bot0", "bot19"):
        ladder.leave(bot)
        assert "doubtful" in next(tables(ladder, 1))
        ladder.enter("doubtful", 25, 4)


def test_who_comes_new_has_sat_nowhere() -> None:
    ladder = matching(alike(2))
    assert ladder.table() == ("bot0", "bot1")  # the first to come, in the first seat
    for bot in ("bot1", "bot0"):
        ladder.leave(bot)
    for bot in "ab":
        ladder.enter(bot, *NEW)
    assert ladder.table() == ("a", "b")


def test_who_comes_back_has_its_new_rating_and_group() -> None:
    ladder = matching({"back": NEW}, alike(3))
    ladder.leave("back")
    ladder.enter("back", 90, 0.1)
    assert "back" not in next(tables(ladder, 1))
    ladder.enter("back", *NEW, group="one")
    ladder.enter("other", *NEW, group="one")
    for table in tables(ladder, 30):
        assert {*table} != {"back", "other"}


# -- what a game tells, and what it costs to know --------------------------------------------------


def told(mu: float, sigma: float, other_mu: float, other_sigma: float) -> float:
    """The same by the library, for both results."""
    rules = trueskill.TrueSkill(tau=0, draw_probability=0)
    pair = rules.create_rating(mu, sigma), rules.create_rating(other_mu, other_sigma)
    t = (mu - other_mu) / sqrt(2 * rules.beta**2 + sigma**2 + other_sigma**2)
    first_wins = (1 + erf(t / sqrt(2))) / 2
    left = 0.0
    for chance, winner in ((first_wins, 0), (1 - first_wins, 1)):
        after = trueskill.rate_1vs1(pair[winner], pair[1 - winner], env=rules)
        left += chance * sum(rating.sigma**2 for rating in after)
    return sigma**2 + other_sigma**2 - left


@pytest.mark.parametrize("sigma", [0.7, 2, 25 / 3])
@pytest.mark.parametrize("other_sigma", [0.7, 4])
def test_information_is_what_the_library_takes_from_both_variances(
    sigma: float, other_sigma: float
) -> None:
    c = sqrt(2 * (25 / 6) ** 2 + sigma**2 + other_sigma**2)
    others = 25 + c * np.array([-1, -0.5, 0, 0.5, 1, 2])
    found = expected_information(25, sigma**2, others, np.full(6, other_sigma**2))
    wanted = [told(25, sigma, mu, other_sigma) for mu in others]
    assert found[:5] == pytest.approx(wanted[:5], rel=0.02)
    assert found[5] == pytest.approx(wanted[5], rel=0.2)


@pytest.mark.parametrize("seats", [2, 5])
def test_a_table_of_ten_thousand_bots_costs_a_few_milliseconds(seats: int) -> None:
    random = np.random.default_rng(1)
    ladder = Matching(seats, seed=1)
    for bot, mu in enumerate(random.normal(25, 8, 10_000).tolist()):
        ladder.enter(str(bot), mu, 1.5)
    best = 1.0
    for _ in range(20):
        began = time.process_time()
        assert ladder.table()
        best = min(best, time.process_time() - began)
    assert best < 0.003
