"""The page of a match: whole, alone, and stepped through in a real browser."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from selenium.webdriver.common.keys import Keys
from support.browser import asked_for, barriers, complaints

from carc import Match, Rules, play
from carc.bots import by_name
from carc.drawing.history import MatchHistory, read_history
from carc.drawing.replay_page import replay_page


def played(spec: str, bots: list[str], seed: int = 3, names: list[str] | None = None) -> Match:
    rules = Rules.from_spec(spec, len(bots))
    return play(rules, [by_name(bot, seat) for seat, bot in enumerate(bots)], seed, names or bots)


@pytest.fixture(scope="module")
def history() -> MatchHistory:
    return read_history(
        played("base+ghosts+spellcircles", ["random", "random"]).to_text(), "record"
    )


@pytest.fixture
def opened(browser: Any, history: MatchHistory, tmp_path: Path) -> Iterator[Any]:
    """The browser with the page of the history open."""
    (tmp_path / "replay.html").write_text(replay_page(history), encoding="utf-8")
    browser.get((tmp_path / "replay.html").as_uri())
    yield browser
    assert complaints(browser) == []


def seen(driver: Any) -> int:
    """How many tiles are to be seen."""
    return driver.execute_script(
        "return [...document.querySelectorAll('.carc-board [data-t]')]"
        ".filter(e => e.style.display !== 'none' && e.querySelector('use')).length"
    )


def text(driver: Any, selector: str) -> str:
    return driver.execute_script(f"return document.querySelector('{selector}').textContent")


def press(driver: Any, name: str) -> None:
    driver.find_element("css selector", f'[data-do="{name}"]').click()


def test_a_page_is_small_and_holds_everything(history: MatchHistory) -> None:
    made = replay_page(history)
    assert len(history.positions[-1]["tiles"]) > 130
    assert len(made) < 1_500_000
    assert not re.findall(r'(?:src|href)="(?!#|data:,)', made)
    assert "http" not in made.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_stepping_shows_each_position(opened: Any, history: MatchHistory) -> None:
    assert seen(opened) == len(history.start["tiles"])
    for number, data in enumerate(history.positions[1:40], start=1):
        press(opened, "next")
        assert seen(opened) == len(data["tiles"])
        assert text(opened, ".carc-number") == f"{number}/{len(history.plies)}"
        assert history.plies[number - 1].words in text(opened, ".carc-sentence")
    press(opened, "back")
    assert seen(opened) == len(history.positions[38]["tiles"])


def test_the_end_shows_the_final_scores(opened: Any, history: MatchHistory) -> None:
    press(opened, "last")
    scores = [e.text for e in opened.find_elements("css selector", ".carc-score")]
    assert scores == [str(score) for score in history.positions[-1]["scores"]]
    assert seen(opened) == len(history.positions[-1]["tiles"])
    press(opened, "first")
    assert [e.text for e in opened.find_elements("css selector", ".carc-score")] == ["0", "0"]


def test_keys_and_the_list_of_moves(opened: Any, history: MatchHistory) -> None:
    body = opened.find_element("css selector", "body")
    for key, number in (
        (Keys.ARROW_RIGHT, 1),
        (Keys.ARROW_RIGHT, 2),
        (Keys.ARROW_LEFT, 1),
        (Keys.END, len(history.plies)),
        (Keys.HOME, 0),
    ):
        body.send_keys(key)
        assert text(opened, ".carc-number").startswith(f"{number}/")
    move = opened.find_element("css selector", '.carc-moves [data-to="7"]')
    opened.execute_script("arguments[0].scrollIntoView()", move)
    move.click()
    assert text(opened, ".carc-number").startswith("7/")
    assert move.get_attribute("aria-current") == "step"


def test_it_plays_by_itself_and_stops(opened: Any, history: MatchHistory) -> None:
    press(opened, "play")
    opened.execute_async_script(
        "const done = arguments[0];"
        "const number = () => parseInt(document.querySelector('.carc-number').textContent);"
        "const wait = () => number() >= 2 ? done() : setTimeout(wait, 50); wait()"
    )
    press(opened, "play")
    at = text(opened, ".carc-number")
    opened.execute_async_script("setTimeout(arguments[0], 700)")
    assert text(opened, ".carc-number") == at


def test_nothing_is_fetched_and_nobody_is_shut_out(opened: Any) -> None:
    assert [url for url in asked_for(opened) if url.startswith(("http", "ws"))] == []
    assert barriers(opened) == []


def test_names_of_strangers_run_nothing(browser: Any, tmp_path: Path) -> None:
    hostile = (
        "</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>"
    )
    match = played("base", ["random", "random"], names=[hostile, "b"])
    (tmp_path / "x.html").write_text(
        replay_page(read_history(match.to_text(), "x")), encoding="utf-8"
    )
    browser.get((tmp_path / "x.html").as_uri())
    press(browser, "last")
    assert browser.title.startswith("</script>")
    assert hostile in text(browser, ".carc-scores")


def test_two_embedded_replays_step_apart(
    browser: Any, history: MatchHistory, tmp_path: Path
) -> None:
    other = read_history(played("base", ["random", "random"]).to_text(), "record")
    parts = replay_page(history, embed=True) + replay_page(other, embed=True)
    assert "<html" not in parts
    (tmp_path / "blog.html").write_text(
        f"<!doctype html><title>b</title><p>My games</p>{parts}", encoding="utf-8"
    )
    browser.get((tmp_path / "blog.html").as_uri())
    last = browser.find_elements("css selector", '[data-do="last"]')
    browser.execute_script("arguments[0].scrollIntoView()", last[1])
    last[1].click()
    numbers = [
        e.get_attribute("textContent")
        for e in browser.find_elements("css selector", ".carc-number")
    ]
    assert numbers == [f"0/{len(history.plies)}", f"{len(other.plies)}/{len(other.plies)}"]


def test_it_fits_a_phone(phone: Any, history: MatchHistory, tmp_path: Path) -> None:
    (tmp_path / "replay.html").write_text(replay_page(history), encoding="utf-8")
    phone.get((tmp_path / "replay.html").as_uri())
    assert phone.execute_script("return document.documentElement.scrollWidth") <= 360


def test_clocks_and_points_of_each_move_are_listed(history: MatchHistory) -> None:
    timed = attrs.evolve(
        history, plies=tuple(attrs.evolve(ply, seconds=1.25) for ply in history.plies)
    )
    assert replay_page(timed).count("(1.25 s)") == len(history.plies)
    scored = [one.text for ply in history.plies for one in ply.scored]
    assert scored
    listed = json.dumps(replay_page(history))
    assert all(one in listed for one in scored)
