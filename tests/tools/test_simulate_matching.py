"""The simulation of ladders rates as they do, counts as it says, and shows what matching gains."""

from itertools import combinations
from math import inf
from statistics import median

import numpy as np
import pytest
import trueskill
from click.testing import CliRunner
from simulate_matching import PARTS, WAYS, AtRandom, Ladder, RoundRobin, main, simulate
from simulated_skills import kendall, rated

from carc.arena.matching import Matching
from carc.tournaments.rating.tally import DRAW_PROBABILITY


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_many_games_at_once_are_rated_as_by_the_library(size: int) -> None:
    rules = trueskill.TrueSkill(tau=0, draw_probability=DRAW_PROBABILITY)
    random = np.random.default_rng(size)
    mu, sigma = random.normal(25, 8, (40, size)), random.uniform(0.6, 25 / 3, (40, size))
    after, variances = rated(mu, sigma**2)
    for game in range(40):
        teams = [(rules.create_rating(*one),) for one in zip(mu[game], sigma[game], strict=True)]
        wanted = [rating for (rating,) in rules.rate(teams)]
        assert after[game] == pytest.approx([one.mu for one in wanted], abs=1e-4)
        assert np.sqrt(variances[game]) == pytest.approx([one.sigma for one in wanted], abs=1e-4)


@pytest.mark.parametrize("count", [2, 7, 200])
def test_tau_is_that_of_all_pairs(count: int) -> None:
    random = np.random.default_rng(count)
    skills, strengths = random.random(count), random.random(count)
    pairs = [*combinations(range(count), 2)]
    right = sum((skills[a] < skills[b]) == (strengths[a] < strengths[b]) for a, b in pairs)
    assert kendall(skills, strengths) == pytest.approx(2 * right / len(pairs) - 1)


@pytest.mark.parametrize("count", [6, 7])
def test_in_a_round_robin_everybody_meets_everybody_once(count: int) -> None:
    way = RoundRobin(2, seed=0)
    for bot in range(count):
        way.enter(str(bot), 0, 1)
    games = count * (count - 1) // 2
    tables = [frozenset(way.table(()) or ()) for _ in range(2 * games)]
    pairs = {frozenset(pair) for pair in combinations(map(str, range(count)), 2)}
    assert {*tables[:games]} == {*tables[games:]} == pairs


@pytest.mark.parametrize("way", [AtRandom, RoundRobin, *PARTS.values()])
def test_no_way_seats_who_is_busy_or_gone(way: type[AtRandom]) -> None:
    ladder = Ladder(2, way(2, 0), np.random.default_rng(0), np.arange(12.0))
    for bot in range(12):
        ladder.enter(bot)
    for _ in range(6):
        ladder.play(2)
        ladder.leave()
    assert ladder.tables == 12
    assert len(ladder.there) == 6
    gone = {*map(str, range(12))} - {*map(str, ladder.there)}
    busy = str(ladder.there[0])
    tables = [table for _ in range(20) if (table := ladder.way.table({busy}))]
    assert tables
    assert all(not {*table} & {busy, *gone} for table in tables)


def test_the_strengths_are_found_and_all_have_come() -> None:
    staying = simulate(20, 3, Matching, 0, coming=False, most=300)
    coming = simulate(20, 3, Matching, 0, coming=True, most=300)
    assert staying.curve[-1][1] >= 0.95 > staying.curve[0][1]
    assert staying.games < coming.games < 300
    assert coming.curve[0][0] > 30  # no order is looked at before
    assert simulate(20, 2, AtRandom, 0, coming=False, most=4).games == inf


def test_matching_needs_fewer_games_than_chance() -> None:
    games = {
        name: median(
            simulate(60, 2, WAYS[name], seed, coming=False, most=600).games for seed in range(5)
        )
        for name in ("at random", "matching")
    }
    assert games["matching"] < 0.8 * games["at random"]


def test_the_table_is_markdown() -> None:
    result = CliRunner().invoke(
        main, ["--tables", "5", "--ways", "matching", *["--bots", "10", "--ladders", "3"]]
    )
    assert result.exit_code == 0
    *_, staying, coming = result.output.splitlines()
    assert staying.startswith("| 10 | 5 | no | matching | ")
    assert coming.startswith("| 10 | 5 | yes | matching | ")
