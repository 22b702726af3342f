"""Ratings: right on games made to measure, and the same in whatever order the games come."""

import random
from collections.abc import Callable, Mapping, Sequence
from math import exp, inf, log

import attrs
import pytest
import trueskill
from support.flips import Ending, Make, Result, in_order, schedule

from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import VOID
from carc.tournaments.rating.connectivity import circles, islands
from carc.tournaments.rating.history import strength_history
from carc.tournaments.rating.ratings import Leaderboard, Standing, leaderboard, student
from carc.tournaments.rating.tally import Skills, Tally
from carc.tournaments.reports.board_table import notes
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.games import Game


def rate(games: Sequence[Outcome]) -> dict[str, trueskill.Rating]:
    skills = Skills()
    for game in games:
        skills.add(game)
    return skills.ratings


def rotation_gains(games: Sequence[Outcome]) -> dict[int, float]:
    return Tally(skills=False).add_all(sorted(games, key=lambda game: game.rotation_set)).gains()


Played = Callable[[Configuration, Result], list[Outcome]]


@pytest.fixture
def played(outcome: Ending) -> Played:
    """The outcomes of a whole tournament, given what the ranks of a game are."""
    return lambda configuration, ranks: [
        outcome(game, tuple(ranks(game))) for game in schedule(configuration)
    ]


def by_strength(strengths: Mapping[str, float], seed: int = 0) -> Result:
    """Rankings of the Plackett-Luce model: the least of exponential times of rate exp(strength)."""
    rng = random.Random(seed)

    def ranks(game: Game) -> list[int]:
        times = [rng.expovariate(exp(strengths[bot.name])) for bot in game.seats]
        return [sorted(times).index(time) for time in times]

    return ranks


def line(board: Leaderboard, bot: str) -> Standing:
    return next(each for each in board.standings if each.bot == bot)


def test_the_right_order_and_the_right_strengths(configuration: Make, played: Played) -> None:
    true = {"a": -1.0, "b": 0.0, "c": 0.3, "d": 0.7}
    board = leaderboard(
        played(configuration("abcd", tables=[2, 3, 4], deals=40), by_strength(true))
    )
    assert [each.bot for each in board.standings] == ["d", "c", "b", "a"]
    assert [each.rank for each in board.standings] == [1, 2, 3, 4]
    by_trueskill = sorted(board.standings, key=lambda each: each.mu or 0)
    assert [each.bot for each in by_trueskill] == ["a", "b", "c", "d"]
    for each in board.standings:
        # 40 x 28 games: within four standard errors (about 0.05), and the interval is of that size.
        assert each.strength.value == pytest.approx(true[each.bot], abs=0.2)
        assert each.strength.low < each.strength.value < each.strength.high
        assert 0.1 < each.strength.high - each.strength.low < 0.4
    assert board.better["d"]["a"] == 1.0
    assert board.better["b"]["c"] + board.better["c"]["b"] == pytest.approx(1)
    # Both bots may be worse than they look together: a difference has an interval of its own.
    apart, back = board.difference["d"]["a"], board.difference["a"]["d"]
    value = line(board, "d").strength.value - line(board, "a").strength.value
    assert apart.value == pytest.approx(value) and 0 < apart.low < apart.value < apart.high
    assert (back.value, back.low, back.high) == pytest.approx((-value, -apart.high, -apart.low))
    assert line(board, "c").behind == board.difference["d"]["c"]
    assert "d" not in board.difference["d"]


def test_strengths_after_each_part_of_the_games(configuration: Make, played: Played) -> None:
    """`c` enters late, and wins what `a` won before."""
    games = [(("a", "b"), (0, 1))] * 4 + [(("c", "a"), (0, 1))] * 4
    history = strength_history(games, ["a", "b", "c"], points=4)
    assert [point.games for point in history] == [2, 4, 6, 8]
    assert [sorted(point.strengths) for point in history] == [["a", "b"]] * 2 + [
        ["a", "b", "c"]
    ] * 2
    assert history[1].strengths["a"] > history[0].strengths["a"] > history[0].strengths["b"]
    assert history[3].strengths["c"] > history[3].strengths["a"] > history[3].strengths["b"]
    # The last point is that of the board.
    true = {"a": -1.0, "b": 0.0, "c": 0.3}
    outcomes = played(configuration("abc", tables=[2, 3], deals=5), by_strength(true))
    board = leaderboard(outcomes)
    last = strength_history([(game.seats, game.ranks) for game in outcomes], "abc")[-1]
    assert last.games == len(outcomes)
    assert last.strengths == pytest.approx(
        {each.bot: each.strength.value for each in board.standings}
    )
    # Games of one player and of bots that are not rated say nothing.
    assert strength_history([(("a",), (0,)), (("a", "x"), (0, 1))], "ab") == []


def test_two_bots_by_hand(configuration: Make, played: Played) -> None:
    # a wins 3 games of 4: the likelihood is greatest where its odds are 3 to 1.
    ledger = played(
        configuration("ab", deals=400),
        lambda game: (
            in_order(game) if game.deal % 2 or game.seats[0].name == "a" else in_order(game)[::-1]
        ),
    )
    board = leaderboard(ledger)
    assert line(board, "a").wins == 600
    behind = line(board, "b").behind
    assert behind is not None
    assert behind.value == pytest.approx(log(3), abs=0.005)  # the prior draws it in a little
    assert behind.low < log(3) < behind.high


def test_who_came_in_ahead_of_whom_by_hand(configuration: Make, played: Played) -> None:
    # Of 400 deals a wins both seatings of 240, the bots share those of 160: 0.6 + 0.2. The sets'
    # results are 1 and 0.5, so the standard error is sqrt(0.24 * 0.25 / 399) = 0.0123.
    ledger = played(
        configuration("ab", deals=400),
        lambda game: in_order(game) if game.deal % 5 < 3 or game.seats[0].name == "a" else (0, 1),
    )
    ahead = leaderboard(ledger).ahead
    assert ahead["a"]["b"].value == pytest.approx(0.8)
    assert ahead["b"]["a"].value == pytest.approx(0.2)
    assert ahead["a"]["b"].low == pytest.approx(0.8 - 1.96 * 0.0123, abs=0.002)
    assert ahead["a"]["b"].high == pytest.approx(0.8 + 1.96 * 0.0123, abs=0.002)
    assert "a" not in ahead["a"]


def test_ahead_in_all_games_is_not_ahead_for_certain(configuration: Make, played: Played) -> None:
    ahead = leaderboard(played(configuration("ab", deals=10), in_order)).ahead
    # Wilson's interval of 10 of 10: from 1 / (1 + 1.96^2 / 10).
    assert (ahead["a"]["b"].value, ahead["a"]["b"].high) == (1, 1)
    assert ahead["a"]["b"].low == pytest.approx(0.7225, abs=0.0005)


def test_a_tie_is_half_a_win(configuration: Make, played: Played) -> None:
    # Three quarters of the points as well: wins and ties in equal numbers.
    ledger = played(
        configuration("ab", deals=400), lambda game: (0, 0) if game.deal % 2 else in_order(game)
    )
    behind = line(leaderboard(ledger), "b").behind
    assert behind is not None
    assert behind.value == pytest.approx(log(3), abs=0.005)


def test_a_tie_of_three_below_a_winner(configuration: Make, played: Played) -> None:
    board = leaderboard(
        played(
            configuration("abcd", tables=[4], deals=5),
            lambda game: [0 if bot.name == "b" else 1 for bot in game.seats],
        )
    )
    first, *others = board.standings
    assert first.bot == "b"
    assert [each.strength.value for each in others] == [
        pytest.approx(-first.strength.value / 3)
    ] * 3


def test_nothing_depends_on_the_order_of_games(configuration: Make, played: Played) -> None:
    true = {"a": 0.0, "b": 0.1, "c": 0.2, "d": 0.3}
    ledger = played(configuration("abcd", tables=[2, 3], deals=5), by_strength(true))
    board = leaderboard(ledger)
    for seed in range(3):
        random.Random(seed).shuffle(ledger)
        assert leaderboard(ledger) == board


def test_one_who_wins_everything_has_a_finite_strength(configuration: Make, played: Played) -> None:
    board = leaderboard(played(configuration("abc", deals=20), in_order))
    best = line(board, "a")
    assert 2 < best.strength.value < best.strength.high < inf
    # All that is known of how much stronger it is, is that it is a lot: the interval says so.
    assert best.strength.high - best.strength.low > 1
    assert [each.ranks for each in board.standings] == [(1, 1), (2, 2), (3, 3)]


def test_equal_bots_are_not_told_apart(configuration: Make, played: Played) -> None:
    board = leaderboard(
        played(configuration("abc", deals=30), by_strength(dict.fromkeys("abc", 0.0)))
    )
    assert all(each.ranks == (1, 3) for each in board.standings)
    assert all(0.02 < board.better[a][b] < 0.98 for a in "abc" for b in "abc" if a != b)


def test_trueskill_of_one_game(configuration: Make, played: Played) -> None:
    # A winner gains what a loser loses, and both are known better than before.
    ratings = rate(played(configuration("ab"), in_order)[:1])
    assert ratings["a"].mu - 25 == pytest.approx(25 - ratings["b"].mu)
    assert ratings["a"].mu > 25
    assert ratings["a"].sigma == pytest.approx(ratings["b"].sigma)
    assert ratings["a"].sigma < 25 / 3


def test_an_upset_too_huge_for_floats(
    configuration: Make, outcome: Ending, monkeypatch: pytest.MonkeyPatch
) -> None:
    strong, weak = trueskill.Rating(400, 1), trueskill.Rating(0, 1)
    usual = trueskill.TrueSkill(tau=0, draw_probability=0.02)
    with pytest.raises(FloatingPointError):
        usual.rate([(strong,), (weak,)], ranks=[1, 0])

    known = iter([strong, weak])  # bots a and b as if they had played for years
    monkeypatch.setattr(trueskill.TrueSkill, "create_rating", lambda _: next(known))
    game = schedule(configuration("ab"))[0]
    after = rate([outcome(game, (1, 0), seats=("a", "b"))])
    # By hand: both move by about sigma squared x (difference) / (2 beta squared + 2 sigma squared).
    assert after["a"].mu == pytest.approx(400 - 400 / (2 * (25 / 6) ** 2 + 2), abs=0.1)
    assert after["b"].mu == pytest.approx(400 / (2 * (25 / 6) ** 2 + 2), abs=0.1)


def test_only_whole_rotation_sets_are_rated(
    configuration: Make, played: Played, outcome: Ending
) -> None:
    made = configuration("abc", tables=[3], deals=3)
    ledger = played(made, in_order)
    ledger[4] = outcome(schedule(made)[4], (), verdict=VOID, detail="killed")
    board = leaderboard(ledger[:-1])
    assert board.games == 3
    assert board.sets == 1
    assert board.unfinished == 4  # two of the set with the void game, two of that not played out
    assert [each.detail for each in board.void] == ["killed"]
    assert all(each.games == 3 for each in board.standings)


def test_faults_are_counted(configuration: Make, outcome: Ending) -> None:
    ledger = [
        outcome(
            game,
            in_order(game),
            verdicts=tuple("crash" if bot.name == "b" else "ok" for bot in game.seats),
        )
        for game in schedule(configuration("ab", deals=2))
    ]
    board = leaderboard(ledger)
    assert line(board, "b").verdicts == {"crash": 4}
    assert line(board, "a").verdicts == {}


def test_players_who_share_the_result_are_sorted_by_points(
    configuration: Make, outcome: Ending
) -> None:
    # Co-operative: all win or lose together; with b the team scores more.
    ledger = [
        outcome(game, (0,) * k, scores=(100 + 20 * ("b" in names) + game.deal,) * k)
        for game in schedule(configuration("abc", tables=[1, 2], deals=10))
        if (k := len(game.seats)) and (names := {bot.name for bot in game.seats})
    ]
    board = leaderboard(ledger)
    assert board.by_score
    assert board.standings[0].bot == "b"
    assert [each.strength.value for each in board.standings] == [pytest.approx(0, abs=1e-9)] * 3
    # By hand: b always 120; a alone 100 (10 games), with b 120 and with c 100 (20 each); plus 4.5
    # for the deals.
    assert board.standings[0].score.value == pytest.approx(124.5)
    assert line(board, "a").score.value == pytest.approx((100 + 2 * 120 + 2 * 100) / 5 + 4.5)
    assert line(board, "a").rank == line(board, "c").rank == 2


def test_a_board_of_nothing() -> None:
    board = leaderboard([])
    assert (board.games, board.standings, board.gains) == (0, (), {})


def test_the_gain_of_rotating(configuration: Make, played: Played) -> None:
    made = configuration("ab", deals=1000)
    # The seat decides: half the games of every set are won, and the mean does not vary at all.
    by_seat = rotation_gains(played(made, lambda _: (0, 1)))
    assert by_seat == {2: pytest.approx(0)}
    # The deal decides for one bot, whatever the seat: two games say no more than one, the variance
    # is twice.
    luck = random.Random(0)
    lucky = {deal: luck.choice("ab") for deal in range(1000)}
    by_deal = rotation_gains(
        played(made, lambda game: [int(bot.name != lucky[game.deal]) for bot in game.seats])
    )
    assert by_deal[2] == pytest.approx(2, rel=0.01)
    # Nothing but chance decides: nothing gained.
    by_chance = rotation_gains(played(made, by_strength({"a": 0.0, "b": 0.0})))
    assert by_chance[2] == pytest.approx(1, abs=0.15)
    assert rotation_gains(played(configuration("ab", deals=1), in_order)) == {}


def test_the_gain_of_rotating_is_told_only_if_there_is_one(
    configuration: Make, played: Played
) -> None:
    board = leaderboard(played(configuration("ab", deals=2), in_order))

    def told(gain: float, units: int = 30) -> str:
        return " ".join(notes(attrs.evolve(board, units=units, gains={2: gain})))

    assert "Tables of 2: because seats rotate, 72 % of the games suffice" in told(0.72)
    assert "Tables of 2" not in told(1.39)
    assert "Tables of 2" not in told(0.72, units=29)  # too few deals to know


def test_all_sets_that_share_a_deal_are_one_unit(configuration: Make, played: Played) -> None:
    mirrored = leaderboard(played(configuration("abcd", tables=[2, 3], deals=6), in_order))
    assert (mirrored.units, mirrored.sets, mirrored.mirrored) == (6, 60, True)
    fresh = configuration("abcd", tables=[2, 3], deals=6, mirrored=False)
    board = leaderboard(played(fresh, in_order))
    assert (board.units, board.sets, board.mirrored) == (60, 60, False)


def test_intervals_know_that_a_deal_may_suit_one_bot(configuration: Make, played: Played) -> None:
    # The deal alone decides, for all tables alike: 12 deals say no more than 12 games, however many
    # sets there are.
    luck = random.Random(3)
    order = [luck.sample("abcd", 4) for _ in range(12)]

    def by_deal(game: Game) -> list[int]:
        places = [order[game.deal].index(bot.name) for bot in game.seats]
        return [sorted(places).index(place) for place in places]

    ledger = played(configuration("abcd", deals=12), by_deal)
    apart = [game._replace(deal_seed=n) for n, game in enumerate(ledger)]

    def widths(games: list[Outcome]) -> float:
        return sum(b.strength.high - b.strength.low for b in leaderboard(games).standings)

    assert widths(ledger) > 1.25 * widths(apart)


def test_few_units_widen_intervals_as_students_distribution_does() -> None:
    # Its quantiles in the books: 2.262 for 9 degrees of freedom, 2.045 for 29.
    assert student(10) == pytest.approx(2.262 / 1.96 * 10 / 9, rel=0.002)
    assert student(30) == pytest.approx(2.045 / 1.96 * 30 / 29, rel=0.001)


def test_a_circle_and_islands(configuration: Make, played: Played) -> None:
    def paper(game: Game) -> Sequence[int]:  # a beats b, b beats c, c beats a
        one, other = ("abc".index(bot.name) for bot in game.seats)
        return (0, 1) if (other - one) % 3 == 1 else (1, 0)

    board = leaderboard(played(configuration("abc", deals=5), paper))
    assert circles(board) == [["a", "b", "c"]]
    assert islands(board) == [["a", "b", "c"]]
    two = [
        g
        for g in played(configuration("abcd", deals=2), in_order)
        if {*g.seats} in ({"a", "b"}, {"c", "d"})
    ]
    assert sorted(islands(leaderboard(two))) == [["a", "b"], ["c", "d"]]
    assert circles(leaderboard(two)) == []
