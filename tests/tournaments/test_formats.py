"""Who plays whom: pure functions of the configuration and the results so far."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import attrs
import pytest
from support.flips import Ending, Make, Play, Result, in_order

from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.verdicts import OK, VOID
from carc.tournaments.pairing import FORMATS, _part, format_of
from carc.tournaments.pairing.design import gauntlet, random_tables, round_robin
from carc.tournaments.pairing.duel import BOUND, PER_ELO, Verdict, verdict
from carc.tournaments.schedule.configuration import BadTournament, Configuration


@pytest.fixture
def held(outcome: Ending) -> Play:
    """Plays a tournament round by round, given the ranks of games, which come in any order."""

    def play(configuration: Configuration, ranks: Result, so_far: Sequence[Outcome] = ()) -> list:
        form = format_of(configuration)
        results = list(so_far)
        shuffle = random.Random(0).shuffle
        for _ in range(1000):
            shuffle(results)
            played = {game.id for game in results}
            games = list(form.next_games(configuration, results))
            assert len({game.id for game in games}) == len(games)
            new = [outcome(game, tuple(ranks(game))) for game in games if game.id not in played]
            if not new:
                return results
            results += new
            if not form.rounds:
                return results
        raise AssertionError("it does not end")

    return play


def met(results: Sequence[Outcome]) -> Counter[frozenset[str]]:
    sets = {game.rotation_set: frozenset(game.seats) for game in results}
    return Counter(sets.values())


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("duel", "campaign")])
@pytest.mark.parametrize("size", [2, 3])
def test_every_format_ends_balances_seats_and_is_no_larger_than_it_says(
    configuration: Make, held: Play, name: str, size: int
) -> None:
    made = configuration("abcdefg", tables=[size], deals=4, format=name, against="c")
    results = held(made, in_order)
    assert 0 < len(results) <= FORMATS[name].total(made)
    if name != "ladder":
        assert len(results) == FORMATS[name].total(made)
    seats = Counter((bot, seat) for game in results for seat, bot in enumerate(game.seats))
    for bot in "abcdefg":
        assert len({seats[bot, seat] for seat in range(size)}) == 1
    assert len({game.id for game in results}) == len(results)


@pytest.mark.parametrize("name", [name for name, form in FORMATS.items() if form.rounds])
def test_formats_with_rounds_end_though_games_are_given_up(
    configuration: Make, outcome: Ending, name: str
) -> None:
    """Every game of bot b and every fifth of others could not be played."""
    bots = "ab" if name == "duel" else "abcdef"
    made = configuration(bots, format=name, deals=5, against="a", tables=[2])
    results: list[Outcome] = []
    for _ in range(100):
        games = list(format_of(made).next_games(made, results))
        ids = {game.id for game in results}
        new = [game for game in games if game.id not in ids]
        if not new:
            break
        for game in new:
            lost = int(game.id, 16) % 5 == 0 or any(bot.name == "b" for bot in game.seats)
            void = {"verdict": VOID, "scores": (), "winners": (), "verdicts": ()}
            results.append(outcome(game, (), **void) if lost else outcome(game, in_order(game)))
    assert not games, "it does not end"
    assert len(results) >= 10
    assert {game.verdict for game in results} == ({VOID} if name == "duel" else {VOID, OK})


def test_a_gauntlet_is_one_against_the_field(configuration: Make) -> None:
    made = configuration("abcd", tables=[2, 3], against="c", format="gauntlet")
    tables = Counter(frozenset(bot.name for bot in game.seats) for game in gauntlet(made, ()))
    # By hand: c with each of three, and with each of three pairs.
    assert len(tables) == 6
    assert all("c" in table for table in tables)
    whole = {game.id for game in round_robin(configuration("abcd", tables=[2, 3]), ())}
    assert {game.id for game in gauntlet(made, ())} < whole  # and they are the round robin's games


def test_random_tables_seat_every_bot_each_deal_and_as_often_as_others(configuration: Make) -> None:
    made = configuration("abcdefg", tables=[3], deals=7, format="random")
    games = list(random_tables(made, ()))
    for deal in range(7):
        seated = {bot.name for game in games for bot in game.seats if game.deal == deal}
        assert seated == {*"abcdefg"}
    sat = Counter(bot.name for game in games for bot in game.seats)
    assert set(sat.values()) == {27}  # by hand: 7 deals x 9 places x 3 games / 7 bots


def test_swiss_seats_winners_against_winners_and_none_twice_while_it_can(
    configuration: Make, held: Play
) -> None:
    made = configuration("abcdefgh", deals=3, format="swiss")
    results = held(made, in_order)
    assert set(met(results).values()) == {1}
    level = held(configuration("abcdefghijkl", deals=4, format="swiss"), lambda game: (0, 1))
    assert set(met(level).values()) == {1}
    won = Counter(game.seats[game.winners[0]] for game in results)
    assert won["a"] == 6  # both seatings of three rounds
    last = [frozenset(game.seats) for game in results if game.deal == 2]
    before = Counter(game.seats[game.winners[0]] for game in results if game.deal < 2)
    # Eight players after two rounds: 4, 2 2 2 2.., 0; no one plays one two wins away.
    for one, other in last:
        assert abs(before[one] - before[other]) <= 2


def test_who_sits_out_of_a_swiss_round_has_sat_out_least(configuration: Make, held: Play) -> None:
    results = held(configuration("abcde", deals=5, format="swiss"), in_order)
    rounds = Counter(bot for game in results for bot in game.seats)
    assert set(rounds.values()) == {8}  # each sat out once: four rounds of two games


def test_a_ladder_places_new_bots_and_then_lets_them_play_their_likes(
    configuration: Make, held: Play, outcome: Ending
) -> None:
    made = configuration("abcdefgh", deals=12, format="ladder")
    results = held(made, in_order)
    sets = Counter(bot for group in met(results).elements() for bot in group)
    assert min(sets.values()) >= 12
    near: Counter[int] = Counter()
    for group in met(results).elements():
        one, other = sorted("abcdefgh".index(bot) for bot in group)
        near[other - one] += 1
    assert near[1] > near[6] + near[7]
    # A new bot is placed against weak, middling and strong ones; h is the weakest, a the strongest.
    placed = [*results]
    wider = configuration("abcdefghx", deals=12, format="ladder")
    for opponents in ("gf", "edc", "ba"):
        games = list(FORMATS["ladder"].next_games(wider, placed))
        (opponent,) = {bot.name for game in games for bot in game.seats} - {"x"}
        assert opponent in opponents
        placed += [outcome(game, tuple(in_order(game))) for game in games]
    # It plays its own sets; the others play only as its opponents.
    more = held(wider, in_order, results)
    new = met([game for game in more if game.id not in {old.id for old in results}])
    assert all("x" in group for group in new)
    assert sum(new.values()) == 12


def pairs(configuration: Make, outcome: Ending, results: str) -> list[Outcome]:
    """Of bot a against b: w both games won, l both lost, d one each."""
    games = list(round_robin(configuration("ab", deals=len(results)), ()))
    ranks: dict[str, Result] = {
        "w": in_order,
        "l": lambda game: in_order(game)[::-1],
        "d": lambda game: (0, 1),
    }
    return [outcome(game, tuple(ranks[results[game.deal]](game))) for game in games]


def test_the_verdict_of_a_duel_by_hand(configuration: Make, outcome: Ending) -> None:
    found = verdict((0, 50), pairs(configuration, outcome, "wwwld" * 8), "a")
    # By hand, with a quarter of a pair of each result added: of 41.25, 24.25 wins, 8.25 losses,
    # 8.25 and 0.5 halves.
    counts = {1.0: 24.25, 0.75: 0.25, 0.5: 8.25, 0.25: 0.25, 0.0: 8.25}
    mean = sum(each * n for each, n in counts.items()) / 41.25
    spread = sum(n * (each - mean) ** 2 for each, n in counts.items()) / 41.25
    ratio = (mean - 0.5) / spread**0.5
    assert found.pairs == 40
    assert found.elo == pytest.approx(ratio / PER_ELO / 2**0.5)
    high = 50 * PER_ELO * 2**0.5
    assert found.llr == pytest.approx(40 * high * (2 * ratio - high) / 2)
    opposite = verdict((-50, 0), pairs(configuration, outcome, "lllwd" * 8), "a")
    assert opposite.llr == pytest.approx(-found.llr)


def test_a_duel_stops_by_itself(configuration: Make, held: Play) -> None:
    clear = configuration("ab", deals=1000, format="duel", against="b")
    results = held(clear, in_order)
    assert len(results) in (16, 32, 48)  # whole rounds of 8 pairs
    assert verdict(clear.elo, results, "b").llr < -BOUND
    capped = attrs.evolve(clear, deals=20)
    equal = held(capped, lambda game: (0, 1))
    assert len(equal) <= 40


def test_a_duel_is_wrong_as_seldom_as_it_says() -> None:
    """Bots of exactly the lower claim are called better in about one test of twenty."""
    rng = random.Random(1)
    wrong = 0
    for _ in range(200):
        counts = {0.0: 0.25, 0.25: 0.25, 0.5: 0.25, 0.75: 0.25, 1.0: 0.25}
        n, llr = 0, 0.0
        while abs(llr) < BOUND and n < 2000:
            for _ in range(8):
                counts[rng.choice((0, 1)) / 2 + rng.choice((0, 1)) / 2] += 1
            n += 8
            llr = _llr(counts, n)
        wrong += llr >= BOUND
    assert wrong <= 20  # 10 expected; 20 is three standard deviations more


def _llr(counts: dict[float, float], n: int) -> float:
    total = sum(counts.values())
    mean = sum(result * count for result, count in counts.items()) / total
    spread = (sum((r - mean) ** 2 * c for r, c in counts.items()) / total) ** 0.5
    high = 50 * PER_ELO * 2**0.5
    return n * high * (2 * (mean - 0.5) / spread - high) / 2


def test_parts_are_the_whole_in_whole_rotation_sets(configuration: Make) -> None:
    made = configuration("abcd", tables=[2, 3], deals=3)
    whole = [game.id for game in round_robin(made, ())]
    parts = [list(_part(round_robin(made, ()), number, 4)) for number in (1, 2, 3, 4)]
    assert sorted(game.id for part in parts for game in part) == sorted(whole)
    for one, other in combinations(parts, 2):
        assert not {game.rotation_set for game in one} & {game.rotation_set for game in other}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": "nosuch"}, "no format 'nosuch'; formats are round-robin, random, gauntlet"),
        ({"format": "gauntlet"}, "name it with --against, one of a, b, c"),
        ({"format": "duel"}, "a duel is between two bots at tables of 2"),
        ({"format": "swiss", "tables": [2, 3]}, "has tables of one size"),
        ({"bots": [f"b{n}" for n in range(99)], "tables": [5]}, "--format random seats each bot"),
    ],
)
def test_what_suits_no_format(
    configuration: Make, changes: dict[str, object], sentence: str
) -> None:
    with pytest.raises(BadTournament, match=sentence):
        format_of(configuration(**changes))


def test_verdict_is_symmetric(configuration: Make, outcome: Ending) -> None:
    results = pairs(configuration, outcome, "wwdlwdwd")
    mine, other = verdict((-25, 25), results, "a"), verdict((-25, 25), results, "b")
    assert isinstance(mine, Verdict)
    assert mine.llr == pytest.approx(-other.llr)
    assert mine.elo == pytest.approx(-other.elo)
