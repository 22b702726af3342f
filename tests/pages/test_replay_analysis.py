"""The page of a match that was analysed."""

import re
from pathlib import Path
from typing import Any

import attrs
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from support.browser import barriers, complaints, show, text
from support.judged import judged, played

from carc.analysis.results import summarise
from carc.drawing.history import read_history
from carc.drawing.replay_page import replay_page


def test_an_analysis_shows_where_the_game_was_lost(browser: Any, tmp_path: Path) -> None:
    match = played()
    history = read_history(match.to_text(), "record")
    analysis = judged(match)
    show(browser, replay_page(history, analysis), tmp_path)
    first, _ = browser.find_elements("css selector", ".carc-spot")  # two of the three moves
    first.click()
    blunder, in_points, mistake = (move.last_action for move in analysis.moves)
    blunder_begins = analysis.moves[0].first_action
    assert text(browser, ".carc-number").startswith(f"{blunder}/")
    assert text(browser, ".carc-chance") == ": red 45, green 55"
    verdict = browser.find_element("css selector", ".carc-verdict").text
    assert verdict.startswith("?? Blunder: chance to win 70 % → 45 %, 3.0 points lost. Better: ")
    assert text(browser, ".carc-moves .carc-blunder") == "??"
    assert text(browser, ".carc-scores .carc-blunder") == "??\u20091"
    said = text(browser, ".carc-sentence")
    assert "places" in said and text(browser, ".carc-turn-number") == f"1/{len(history.turns)}"
    assert all(history.plies[at].words in said for at in range(blunder_begins, blunder))
    menus = browser.find_elements("css selector", ".carc-more")
    for menu in menus:  # one is open at a time, and Escape closes it
        menu.find_element("css selector", "summary").click()
        assert [each.get_attribute("open") is not None for each in menus].count(True) == 1
    assert "Luck: the points" in menus[-1].text
    browser.find_element("css selector", "body").send_keys(Keys.ESCAPE)
    assert not browser.find_elements("css selector", ".carc-more[open]")
    plot = browser.find_element("css selector", ".carc-chances svg")
    ActionChains(browser).move_to_element(plot).click().perform()  # its middle
    middle = int(text(browser, ".carc-number").split("/")[0])
    assert middle == pytest.approx((320 - 34) / 598 * len(history.plies), abs=1)
    assert browser.execute_script("return document.querySelector('.carc-verdict').hidden")
    for number in (blunder, in_points, mistake, blunder):  # and round to the first
        browser.find_element("css selector", "body").send_keys("b")
        assert text(browser, ".carc-number").startswith(f"{number}/")
    of_red = browser.find_element("css selector", '.carc-mark[data-mark="mistake"]')
    for _ in range(2):  # red has one mistake only; the blunder, red's too, is passed over
        of_red.click()
        assert text(browser, ".carc-number").startswith(f"{mistake}/")
    browser.find_element("css selector", "body").send_keys("b")
    assert "this is the first" in text(browser, ".carc-done")
    points = browser.find_elements("css selector", ".carc-why")[-1]
    told = points.get_attribute("textContent")
    assert told.count("red -3.0 points, chance to win -") == 2
    assert "Tilesgreen +5.0 points, chance to win +20 %" in told  # where chance was kind
    points.find_element("css selector", "summary").click()
    points.find_element("css selector", "button").click()
    lucky = text(browser, ".carc-verdict")
    assert lucky == "Lucky for green: +5.0 points, chance to win +20 %"
    hand = browser.find_element("css selector", ".carc-hand use").get_attribute("href")
    drawn = int(text(browser, ".carc-number").split("/")[0])
    assert hand == f"#c-{history.positions[drawn]['tile_in_hand']}"
    assert barriers(browser) == []
    assert complaints(browser) == []


def test_a_better_claim_is_shown_where_the_follower_would_stand(
    browser: Any, tmp_path: Path
) -> None:
    """As if a player had passed: the follower that was placed lies under the one shown."""
    match = played()
    analysis = judged(match)
    claimed = next(move for move in analysis.moves if "claim" in move.played[-1])
    passed = (*claimed.played[:-1], "pass")
    move = attrs.evolve(claimed, played=passed, chance_before=0.7, chance_after=0.4)
    history = read_history(match.to_text(), "record")
    page = replay_page(history, attrs.evolve(analysis, moves=(move,)))
    show(browser, page, tmp_path, f"#move-{move.last_action}")
    centres = """
        const centre = (element) => {
          const box = element.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        };
        const shown = document.querySelector(".carc-better-piece");
        const [x, y] = centre(shown);
        shown.remove();
        return [[x, y], centre(document.elementFromPoint(x, y).closest("g[transform*=translate]"))];
    """
    better, placed = browser.execute_script(centres)
    assert better == pytest.approx(placed, abs=2)
    assert browser.find_elements("css selector", ".carc-better-frame")
    assert not browser.find_elements("css selector", ".carc-better use")  # the same placement


def test_a_lost_game_without_a_marked_move_shows_its_costliest() -> None:
    match = played(names=("ann", "bob"))
    analysis = judged(match)
    quiet = [
        attrs.evolve(move, chance_after=move.chance_before, margin_after=move.margin_before - lost)
        for move, lost in zip(analysis.moves, (1.5, 0.9, 0.2), strict=True)
    ]
    history = read_history(match.to_text(), "record")
    players = [summarise(seat, name, quiet, False) for seat, name in enumerate(match.seats)]
    lost = attrs.evolve(analysis, moves=tuple(quiet), players=tuple(players))
    page = replay_page(history, lost)
    assert "Costly: the chance to win stays 70 %, 1.5 points lost. Better: " in page
    assert ">costly&thinsp;1</button>" in page  # a button of who lost them
    assert re.findall(r'class="carc-lost"[^>]*>([^<]*)<', page) == ["-1.5"]  # 0.9 is little


def test_names_of_strangers_hide_nothing() -> None:
    """Neither in the scores nor in the chances."""
    match = played(names=("a\u202eb", "c\u200b\x1b"))
    page = replay_page(read_history(match.to_text(), "x"), judged(match))
    assert not set(page) & {"\u202e", "\u200b", "\x1b"}
    assert "a\\u202eb" in page and "red a\\u202eb" in page
