"""The ladder: one list of levels, for the page, `carc play --level`, the docs and tournaments."""

import tomllib
from pathlib import Path

import pytest
from measure_ladder import share_ahead
from support.modes import thinned

from carc import CHANCE, Rules
from carc.base.game.rules import COLOURS
from carc.bots import by_name
from carc.bots.ladder import Level, find_level, ladder
from carc.errors import BadBot

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("level", thinned(ladder(), 3), ids=lambda level: level.id)
def test_every_level_plays_alone_and_in_a_team(level: Level) -> None:
    for spec, name in (("base", level.bot_among(2)), ("mists:1", level.team)):
        rules = Rules.from_spec(spec, 2)
        assert level.bot_for(rules) == name
        state = rules.start()
        while state.current_player == CHANCE:
            state.apply(rules.deal(1).choose(state))
        state.check(by_name(name, 1).choose(state))


def test_a_level_has_an_id_a_title_and_a_number() -> None:
    for name in ("casual", "Casual player", "3"):
        assert find_level(name) is ladder()[2]
    assert len({level.id for level in ladder()}) == len(ladder()) == 8
    for name in ("0", "9", "-1", ""):
        with pytest.raises(BadBot, match="8 grandmaster"):
            find_level(name)


def test_levels_overlook_more_at_larger_tables() -> None:
    """By the root of the players: with four times as many, twice as much."""
    strong = find_level("strong")
    two, eight = (overlooked(strong.bot_among(players)) for players in (2, 8))
    assert eight == 2 * two == 2 * strong.overlook > 0
    assert strong.bot_for(Rules.from_spec("base", 4)) == strong.bot_among(4) != strong.bot_among(2)
    assert find_level("master").bot_among(8) == find_level("master").bot
    for level in ladder():
        by_name(level.bot_among(len(COLOURS)))  # even there it is a probability


def test_a_level_knows_the_bot_that_played_it_before() -> None:
    two, four = (Rules.from_spec("base", players) for players in (2, 4))
    casual, expert = find_level("casual"), find_level("expert")
    assert casual.is_of("people:overlook=0.32", two) and casual.is_of("greedy:overlook=0.35", two)
    assert casual.is_of("greedy:overlook=0.495", four)
    assert not casual.is_of("greedy:overlook=0.35", four)
    assert not expert.is_of("greedy", two)


@pytest.mark.long
def test_a_level_is_much_stronger_than_the_one_two_below() -> None:
    """It is ahead in some 86 of 100 games. Equal bots would reach 16 of 24 in one case of 13."""
    rules = Rules.from_spec("base", 2)
    bots = [level.bot_for(rules) for level in ladder()[:6]]
    for low, high in zip(bots, bots[2:], strict=False):
        ahead = [share_ahead(rules, high, low, deal, seat) for deal in range(12) for seat in (0, 1)]
        assert sum(ahead) >= 16, (low, high)


def overlooked(bot: str) -> float:
    """The probability in the name of a bot."""
    return float(bot.partition(":overlook=")[2])


def test_the_docs_list_the_levels() -> None:
    text = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    for number, level in enumerate(ladder(), 1):
        bots = f"`{level.bot_among(2)}` | `{level.team}`"
        assert f"| {number} | `{level.id}` | {level.title} | {bots} |" in text


def test_the_ladder_tournaments_play_the_levels() -> None:
    low, top = (
        tomllib.loads((ROOT / "tournaments" / name).read_text(encoding="utf-8"))["bots"]
        for name in ("ladder.toml", "ladder-top.toml")
    )
    levels = [level.bot_among(2) for level in ladder()]
    assert low == ["random", *levels[:6]]
    assert top == levels[5:]
