"""The ladder: one list of levels, for the page, `carc play --level`, the docs and tournaments."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from carc import CHANCE, Rules
from carc.bots import by_name
from carc.bots.ladder import Level, find_level, ladder
from carc.errors import BadBot

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("level", ladder(), ids=lambda level: level.id)
def test_every_level_plays_alone_and_in_a_team(level: Level) -> None:
    for spec, name in (("base", level.bot), ("mists:1", level.team)):
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


def test_the_docs_list_the_levels() -> None:
    text = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    for number, level in enumerate(ladder(), 1):
        bots = f"`{level.bot}` | `{level.team}`"
        assert f"| {number} | `{level.id}` | {level.title} | {bots} |" in text


def test_the_ladder_tournaments_play_the_levels() -> None:
    low, top = (
        tomllib.loads((ROOT / "tournaments" / name).read_text(encoding="utf-8"))["bots"]
        for name in ("ladder.toml", "ladder-top.toml")
    )
    levels = [level.bot for level in ladder()]
    assert low == ["random", *levels[:6]]
    assert top == levels[5:]
