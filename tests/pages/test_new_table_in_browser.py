"""The form of a new table and previews in a real browser; pages shut nobody out."""

import re
from typing import Any

import pytest
from selenium.webdriver import ActionChains
from support.browser import barriers
from support.player_in_browser import Player, quiet


def test_a_tile_told_from_the_table_of_cardboard(browser: Any, address: str) -> None:
    me = Player(browser, address)
    me.look_at_all_settings()
    me.press('input[name="by_hand"]')
    browser.find_element("css selector", "button.main").click()
    me.wait(lambda: browser.find_elements("id", "table"))
    assert me.table()["status"] == "Which tile was drawn?"
    browser.find_element("css selector", 'button[value="draw:V"]').click()
    me.wait(lambda: me.table()["status"].startswith("Your turn: place the tile"))
    quiet(browser, address)


def test_rules_from_pictures(browser: Any, address: str) -> None:
    """Pictures write the line of rules, the line ticks pictures; odd choices bring a warning."""
    browser.get(f"{address}/play")

    def line() -> str:
        return browser.execute_script("return document.getElementById('rules').value")

    def ticked() -> list[str]:
        return browser.execute_script(
            "return [...document.querySelectorAll('.card input:checked')].map(e => e.value)"
        )

    me = Player(browser, address)
    assert re.fullmatch(r": none of \d+", me.text("#chosen-expansions"))
    assert not browser.find_element("css selector", '.card input[value="dragon"]').is_displayed()
    me.look_at_all_settings()
    for name in ("dragon", "inns"):
        me.press(f'.card input[value="{name}"]')
    assert line() == "base+inns+dragon"  # in the order of the pictures
    assert me.text("#chosen-expansions") == ": Inns & Cathedrals + The Princess & the Dragon"
    me.press('select[name="dragon.princess"] option[value="must"]')
    assert line() == "base+inns+dragon(princess=must)"
    me.press('select[name="dragon.princess"] option[value="may"]')
    assert line() == "base+inns+dragon"
    me.write("find", "princess")
    assert me.text("#matches") == "1 found"
    me.write("find", "")
    me.wait(lambda: "120 tiles" in me.text("#choice"))
    me.write("rules", "mists:3+traders(")
    assert set(ticked()) == {"mists", "traders"}
    me.wait(lambda: browser.find_elements("css selector", "#choice .wrong"))
    me.write("rules", "mists:3(hounds=after_scoring)+traders")
    menu = browser.find_element("css selector", 'select[name="mists.hounds"]')
    assert menu.get_attribute("value") == "after_scoring"
    me.wait(lambda: browser.find_elements("css selector", "#choice .caution"))
    assert barriers(browser) == []
    me.press('.card input[value="base"]')
    me.press('.card input[value="traders"]')
    assert line() == "base"
    me.write("name0", "Ann")
    me.press('select[name="colour0"] option:nth-child(5)')
    me.press('select[name="colour1"] option:nth-child(5)')
    assert me.text("#refused") == "Black is taken by player 1. Choose another colour."
    colour = browser.find_element("css selector", 'select[name="colour1"]')
    assert colour.get_attribute("value") == "green"
    me.press('select[name="colour1"] option:nth-child(1)')
    assert me.text("#refused") == ""
    assert me.text("#who") == "Ann and Casual player"
    friends = browser.find_element("id", "for-friends")
    assert not friends.is_displayed()
    me.press('#seat2 option[value="person"]')
    assert me.text("#who") == "Ann, Casual player and a friend"
    assert friends.is_displayed()  # the server is a local one
    me.press('#seat2 option[value=""]')
    assert barriers(browser) == []
    browser.find_element("css selector", "button.main").click()
    me.wait(lambda: browser.find_elements("id", "table"))
    assert me.text("h1").startswith("Ann, Casual player")
    colours = browser.find_elements("css selector", ".scores td:first-child svg")
    assert [one.get_attribute("aria-label") for one in colours] == ["black", "red"]
    browser.get(f"{address}/play")  # the name is remembered
    assert browser.find_element("id", "name0").get_attribute("value") == "Ann"
    browser.execute_script("localStorage.clear()")
    quiet(browser, address)


def test_a_placement_is_previewed_and_gains_are_shown(browser: Any, address: str) -> None:
    """By hand: a road that is closed at both ends brings its owner 3 points."""
    me = Player(browser, address)
    me.look_at_all_settings()
    me.press('#seat1 option[value="person"]')
    me.press('input[name="by_hand"]')
    browser.find_element("css selector", "button.main").click()
    me.wait(lambda: browser.find_elements("id", "table"))
    link = browser.find_element("css selector", ".invite input").get_attribute("value")

    def act(selector: str) -> None:
        before = me.table()["version"]
        browser.find_element("css selector", selector).click()
        me.moved(before)

    act('button[value="draw:A"]')
    board = browser.find_element("css selector", ".board svg use")  # the start tile
    ActionChains(browser).move_to_element(board).click().perform()
    me.wait(lambda: "road, 1 tile: 1 point as it is" in me.text(".asked"))
    browser.find_element("css selector", '[data-cell="1,0"]').click()
    me.wait(lambda: "road, 2 tiles" in me.text(".consequences"))
    line = browser.find_element("css selector", ".preview-list li")
    ActionChains(browser).move_to_element(line).perform()
    assert browser.find_elements("css selector", ".outline circle")  # which one is meant
    drawn = "return document.querySelector('.board svg').lastElementChild.classList[0]"
    assert browser.execute_script(drawn) == "outline"  # above the tile
    act('[data-do="place"]')
    road = browser.find_element("css selector", '.pick[aria-label*="road"]')
    browser.execute_script("arguments[0].focus()", road)
    assert len(browser.find_elements("css selector", ".outline rect")) == 2
    before = me.table()["version"]
    supply = browser.find_element("css selector", ".supply .draggable")
    ActionChains(browser).drag_and_drop(
        supply, browser.find_element("id", "announcement")
    ).perform()
    assert me.table()["version"] == before  # dropped beside the board
    ActionChains(browser).drag_and_drop(supply, road).perform()
    me.moved(before)
    act('button[value="draw:A"]')
    browser.get(link)
    browser.find_element("css selector", '[data-cell="-1,0"]').click()
    act('[data-do="place"]')
    act('button[value="pass"]')
    assert me.text(".gain") == "+3"
    assert "person 1 +3 points" in me.text("#announcement")
    assert barriers(browser) == []
    quiet(browser, address)


@pytest.mark.parametrize("path", ["/", "/play", "/bots"])
def test_pages_shut_nobody_out(browser: Any, address: str, path: str) -> None:
    browser.get(address + path)
    assert barriers(browser) == []
    quiet(browser, address)
