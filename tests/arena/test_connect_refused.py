"""`carc connect`: what keeps a bot out is said in one sentence."""

import sys
from pathlib import Path
from typing import Any

import pytest
from support.program import Run
from support.program import refused as refused_by
from support.remote_bots import PLAIN, RULES, TOKENS, Hall

from carc.arena import own_bot
from carc.arena.client import Client
from carc.arena.own_bot import Bot
from carc.errors import CarcError


def refused(hall: Hall, **changes: Any) -> str:
    given: dict[str, Any] = {
        "token": TOKENS["ann"],
        "name": "x",
        "command": PLAIN,
        "ladders": (),
        "url": hall.url,
    }
    given |= changes
    bot = Bot(given["name"], "1", given["command"], knows_rules=True)
    with pytest.raises(CarcError) as error:
        Client(given["url"], given["token"], bot, given["ladders"], lambda line: None).play()
    return str(error.value)


def test_what_keeps_a_bot_out_is_said_in_a_sentence(hall: Hall, tmp_path: Path) -> None:
    assert refused(hall, token="wrong") == (
        "this token is not known here; an author's token is wanted"
    )
    assert refused(hall, ladders=["chess"]) == "there is no ladder 'chess'; there is base-2"
    assert refused(hall, name="taken") == "the name 'taken' is another author's; choose another"
    assert refused(hall, url="arena.example").startswith("an arena's address is such as https://")
    for url in ("http://x:port", "http://a..b", "http://[::1", "ftp://arena.example", "https://"):
        assert refused(hall, url=url).startswith("an arena's address is such as https://")
    assert refused(hall, url=f"{hall.url}/elsewhere").endswith("is no arena of carc")
    assert refused(hall, command=("/none",)) == "/none cannot be started: No such file or directory"
    for code, why in (
        ("input(); print('thinking...')", "answers 'thinking...' where ready was wanted"),
        ("pass", "ends before it is ready"),
        ("input(); print('loading'); print('ready')", "answers 'loading' where ready was"),
        ("input(); print('[]')", "answers '[]' where ready was wanted"),
    ):
        assert why in refused(hall, command=(sys.executable, "-S", "-c", code))


def test_ready_that_was_not_flushed_is_named(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_bot, "READY", 0.5)
    code = 'import sys\nfor line in sys.stdin: print(\'{"type": "ready", "protocol": 1}\')'
    why = refused(hall, command=(sys.executable, "-E", "-S", "-c", code))
    assert "says nothing within 0.5 s: it wrote" in why and "flush stdout" in why


def test_another_version_of_the_rules_is_told_before_a_game(hall: Hall) -> None:
    hall.version = "1-older"
    try:
        assert refused(hall) == (
            f"base-2 plays base of version 1-older, and this carc {RULES.version}: install the "
            "carc of the arena"
        )
        elsewhere = refused(hall, ladders=["chess"])
        assert elsewhere == "there is no ladder 'chess'; there is base-2"
    finally:
        hall.version = RULES.version


def test_the_program_says_what_is_wrong_in_a_sentence(hall: Hall, run: Run) -> None:
    Path("empty").mkdir()
    for words, why in (
        (("greedy", "--token", "wrong"), "carc: this token is not known here; an author's token"),
        (("empty", "--token", "x"), "carc: empty has no bot.toml, so it is no bot's folder"),
        (("", "--token", "x"), "carc: BOT is empty"),
    ):
        assert refused_by(run("connect", hall.url, *words)).startswith(why)
