"""What is played: round robin over all subsets, each deal in all seatings, nothing by accident."""

from collections import Counter, defaultdict
from itertools import combinations

import attrs
import pytest
from support.flips import Make, schedule

from carc.errors import BadBot, BadRules
from carc.tournaments.identifiers import seed_from
from carc.tournaments.pairing.design import all_games
from carc.tournaments.schedule.configuration import (
    BadTournament,
    Configuration,
    configure,
    longest_game,
)


# By hand: C(10, k) subsets x k seatings = 45 x 2, 120 x 3, 210 x 4, 252 x 5.
@pytest.mark.parametrize(("size", "games"), [(2, 90), (3, 360), (4, 840), (5, 1260)])
def test_a_cycle_of_ten_bots(configuration: Make, size: int, games: int) -> None:
    cycle = configuration("abcdefghij", tables=[size])
    assert all_games(cycle) == len(schedule(cycle)) == games


def test_every_subset_plays_every_deal_with_every_bot_in_every_seat(configuration: Make) -> None:
    sets = defaultdict(list)
    for game in schedule(configuration("abcd", tables=[2, 3], deals=3)):
        sets[game.rotation_set].append(game)
    who: Counter[tuple[frozenset[str], int]] = Counter()
    for games in sets.values():
        names = {bot.name for bot in games[0].seats}
        who[frozenset(names), games[0].deal] += 1
        assert len({game.deal_seed for game in games}) == 1
        for seat in range(len(names)):
            assert {game.seats[seat].name for game in games} == names
    subsets = [frozenset(names) for size in (2, 3) for names in combinations("abcd", size)]
    assert who == {(subset, deal): 1 for subset in subsets for deal in range(3)}


def test_a_deal_depends_on_the_seed_and_its_number_only(configuration: Make) -> None:
    def deals(games: Configuration) -> dict[int, int]:
        return {game.deal: game.deal_seed for game in schedule(games)}

    some = deals(configuration("ab", deals=4))
    assert len(set(some.values())) == 4
    assert deals(configuration("wxyz", tables=[2, 4], deals=4, rules="base+ghosts")) == some
    assert not set(deals(configuration("ab", deals=4, seed=2)).values()) & set(some.values())


def test_each_bot_of_each_game_has_a_seed_of_its_own(configuration: Make) -> None:
    games = schedule(configuration("abcd", tables=[2, 4], deals=5))
    seeds = [seed for game in games for seed in game.bot_seeds]
    assert len(set(seeds)) == len(seeds)
    assert not set(seeds) & {game.deal_seed for game in games}


def test_neighbours_change_from_deal_to_deal(configuration: Make) -> None:
    after_a: Counter[str] = Counter()
    for game in schedule(configuration("abc", tables=[3], deals=20)):
        names = [bot.name for bot in game.seats]
        after_a[names[(names.index("a") + 1) % 3]] += 1
    assert set(after_a) == {"b", "c"}


def test_ids_tell_games_apart_and_know_the_same_game_again(configuration: Make) -> None:
    def ids(*args: object, **changes: object) -> set[str]:
        return {game.id for game in schedule(configuration(*args, **changes))}

    some = ids("abc", tables=[2, 3], deals=2)
    assert len(some) == 2 * (6 + 3)
    assert ids("cab", tables=[3, 2, 3], deals=2) == some
    assert ids("abcd", tables=[2, 3, 4], deals=3) > some
    for changes in ({"rules": "base+ghosts"}, {"rules_version": "2-test"}, {"seed": 7}):
        assert not ids("abc", tables=[2, 3], deals=2, **changes) & some


def test_another_version_of_a_bot_plays_other_games(configuration: Make) -> None:
    before = configuration("abc")
    bots = [attrs.evolve(bot, digest=bot.digest + "!" * (bot.name == "a")) for bot in before.bots]
    same = {game.id for game in schedule(before)} & {
        game.id for game in schedule(attrs.evolve(before, bots=bots))
    }
    assert len(same) == 2  # b against c, both ways round


def test_more_deals_begin_with_the_same_games(configuration: Make) -> None:
    few, many = (schedule(configuration("abc", tables=[2, 3], deals=deals)) for deals in (2, 5))
    assert many[: len(few)] == few


def test_one_player_alone(configuration: Make) -> None:
    games = schedule(configuration("ab", tables=[1], deals=3))
    assert sorted(game.seats[0].name for game in games) == ["a"] * 3 + ["b"] * 3


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"tables": [2, 4]}, "a table of 4 cannot be seated from 3 bots"),
        ({"tables": [0]}, "a table of 0 .* table sizes from 1 to 3 can"),
        ({"tables": []}, "no table size is given"),
        ({"deals": 0}, "0 deals cannot be played"),
        ({"bots": []}, "no bots are named"),
    ],
)
def test_what_cannot_be_played_is_refused(
    configuration: Make, changes: dict[str, object], sentence: str
) -> None:
    with pytest.raises(BadTournament, match=sentence):
        configuration(**changes)


def test_a_bot_named_twice_is_refused() -> None:
    with pytest.raises(BadTournament, match="'random' is named twice"):
        configure("base", ["random", "random"], [2], deals=1, seed=1)


def test_rules_and_bots_are_looked_up() -> None:
    found = configure("base", ["random", "greedy"], [2], deals=1, seed=1)
    assert [bot.name for bot in found.bots] == ["greedy", "random"]
    assert all(len(bot.digest) == 64 for bot in found.bots)
    assert found.rules_version
    with pytest.raises(BadBot, match="nosuch"):
        configure("base", ["random", "nosuch"], [2], deals=1, seed=1)
    with pytest.raises(BadRules, match="nosuch"):
        configure("nosuch", ["random", "greedy"], [2], deals=1, seed=1)
    with pytest.raises(BadTournament, match="at a table of 1; give table sizes from 2 on"):
        configure("base", ["random", "greedy"], [1, 2], deals=1, seed=1)


def test_where_deals_are_not_mirrored_every_game_has_its_own(configuration: Make) -> None:
    games = schedule(configuration("abcd", tables=[2, 3], deals=5, mirrored=False))
    seeds = [game.deal_seed for game in games]
    assert len(set(seeds)) == len(seeds)
    assert len({game.id for game in games}) == len(games)
    # A new version has not seen what the old one played.
    bots = [attrs.evolve(bot, digest="new") for bot in configuration("abcd").bots]
    later = schedule(
        attrs.evolve(configuration("abcd", tables=[2, 3], deals=5, mirrored=False), bots=bots)
    )
    assert not {game.deal_seed for game in later} & set(seeds)
    # Seats are balanced all the same.
    seats = Counter((bot.name, seat) for game in games for seat, bot in enumerate(game.seats))
    for name in "abcd":
        assert [seats[name, seat] for seat in range(3)] == [15 + 15, 15 + 15, 15]


def test_what_a_bot_is_told_does_not_lead_to_the_deal(configuration: Make) -> None:
    # All that a bot could know: names, digests, numbers, its own seed; everything but the
    # tournament's secret.
    some, other = (
        schedule(configuration("ab", deals=3, mirrored=False, seed=seed))
        for seed in (2**100, 2**100 + 1)
    )
    assert not {game.deal_seed for game in some} & {game.deal_seed for game in other}
    assert not {s for game in some for s in game.bot_seeds} & {
        s for game in other for s in game.bot_seeds
    }
    for game in some:
        for known in (game.id, game.rotation_set, *game.bot_seeds):
            assert game.deal_seed not in {seed_from(known), seed_from(known, "deal", game.deal)}


def test_a_void_game_is_played_again_on_other_tiles_unless_deals_are_mirrored(
    configuration: Make,
) -> None:
    (fresh, *_) = schedule(configuration("ab", mirrored=False))
    again = [fresh.again(attempt, voids=1) for attempt in (1, 2)]
    again.append(again[0].restarted)
    assert {game.id for game in again} == {fresh.id}
    assert len({fresh.deal_seed, *(game.deal_seed for game in again)}) == 3
    assert [game.attempt for game in again] == [1, 2, 2]
    assert again[1] == again[2]
    (mirrored, *_) = schedule(configuration("ab"))
    assert mirrored.restarted.deal_seed == mirrored.deal_seed
    assert mirrored.again(1, voids=1).deal_seed == mirrored.deal_seed


def test_a_game_of_a_contest_keeps_its_deal(configuration: Make) -> None:
    """Whoever stops it gets no other tiles for it."""
    contest = attrs.evolve(configuration("ab", mirrored=False), promise="1" * 64)
    games = schedule(contest)
    assert len({game.deal_seed for game in games}) == len(games)
    assert games[0].restarted.restarted == games[0]._replace(attempt=2)


def test_deals_of_a_contest_follow_from_its_promise_and_what_was_opened(
    configuration: Make,
) -> None:
    plain = configuration("ab", mirrored=False)
    seen: set[int] = set()
    for promise in ("", "1" * 64, "2" * 64):
        for opened in ("", "3" * 64) if promise else ("",):
            games = schedule(attrs.evolve(plain, promise=promise, opened=opened))
            seen.update(seed for game in games for seed in (game.deal_seed, *game.bot_seeds))
    assert len(seen) == 5 * len(schedule(plain)) * 3, "a deal and two bots' seeds each"


def test_how_long_the_clock_lets_a_game_take(configuration: Make) -> None:
    clock = "bank=60,increment=0,cap=10,start=10"
    assert longest_game(configuration("abc", tables=[2, 3], clock=clock)) == 0
    bots = [attrs.evolve(bot, isolation="confined") for bot in configuration("ab").bots]
    made = attrs.evolve(
        configuration("abc", tables=[2, 3], clock=clock),
        bots=[*bots, *configuration("cd").bots[:1]],
    )
    assert longest_game(made) == 140  # by hand: two of the three, each with 10 + 60 s
