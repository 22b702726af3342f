"""The application in a real browser: by clicks, by keys, on a phone, with several people."""

import os
import re
from typing import Any

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys
from support.browser import barriers, complaints
from support.player_in_browser import FITS, Player, contrast, quiet

WHOLE = pytest.mark.skipif(
    os.environ.get("CARC_MODE") == "interpreted", reason="a whole game is played once, compiled"
)


@WHOLE
@pytest.mark.parametrize(
    ("rules", "bots", "fewest"),
    [
        pytest.param("base+ghosts", ["random"] * 4, 30, id="against four", marks=pytest.mark.long),
        pytest.param("base+ghosts", ["greedy"], 100, id="against one", marks=pytest.mark.long),
        pytest.param("mists:3+spellcircles", ["careful"], 8, id="together", marks=pytest.mark.long),
    ],
)
def test_a_whole_game_by_clicks(
    browser: Any, address: str, rules: str, bots: list[str], fewest: int
) -> None:
    me = Player(browser, address)
    me.sit(rules, "person", *bots, seed="3")
    clicks = 0
    while me.asked():
        me.choose(clicks)
        clicks += 1
    assert clicks > fewest
    assert me.table()["status"].startswith("The game is over.")
    quiet(browser, address)


def test_by_keys_alone(browser: Any, address: str) -> None:
    """Tab to a cell, Enter chooses it, R rotates, Enter places; then Enter claims or passes."""
    me = Player(browser, address)
    me.sit("base", "person", "random", seed="4")
    me.asked()
    body = browser.find_element("css selector", "body")
    for _ in range(60):
        body.send_keys(Keys.TAB)
        body = browser.switch_to.active_element
        if "pick" in (body.get_attribute("class") or ""):
            break
    first = body.get_attribute("data-cell")
    body.send_keys(Keys.ARROW_RIGHT)
    here = browser.switch_to.active_element
    assert here.get_attribute("data-cell") not in (None, first)
    ways = here.get_attribute("data-rotations").split()
    here.send_keys(Keys.ENTER)
    preview = me.driver.execute_script(
        "return document.querySelector('.preview').getAttribute('transform')"
    )
    assert f"rotate({90 * int(ways[0])} " in preview
    if len(ways) > 1:
        here.send_keys("r")
        preview = me.driver.execute_script(
            "return document.querySelector('.preview').getAttribute('transform')"
        )
        assert f"rotate({90 * int(ways[1])} " in preview
    before = me.table()["version"]
    here.send_keys(Keys.ENTER)
    me.moved(before)
    assert "person 1 places" in me.text(".report li")
    listed = browser.find_elements("css selector", ".every")
    assert listed and not listed[0].get_attribute("open")  # until somebody opens it
    for _ in range(6):  # the next choices have the focus already
        if not me.asked():
            break
        before = me.table()["version"]
        me.wait(lambda: browser.switch_to.active_element.tag_name in ("g", "button"))
        focused = browser.switch_to.active_element
        cell = focused.get_attribute("data-cell")
        focused.send_keys(Keys.ENTER)
        if cell:
            focused.send_keys(Keys.ENTER)
        me.moved(before)
    quiet(browser, address)


def test_on_a_phone(phone: Any, address: str) -> None:
    me = Player(phone, address)
    me.sit("base+ghosts", "person", "random", seed="4")
    for number in range(12):
        me.asked()
        assert phone.execute_script("return document.documentElement.scrollWidth") <= 360
        picks = phone.execute_script(
            "const b = document.querySelector('.board').getBoundingClientRect();"
            "return [...document.querySelectorAll('.pick')]"
            ".map(e => [e.matches('.cell, .there'), e.getBoundingClientRect()])"
            ".map(([far, r]) => [far, r.width, (r.left + r.right) / 2 - b.left,"
            "b.right - (r.left + r.right) / 2, (r.top + r.bottom) / 2 - b.top,"
            "b.bottom - (r.top + r.bottom) / 2])"
        )
        signs = phone.find_elements("css selector", ".beyond:not([hidden])")
        told = sum(int(sign.text.split()[1]) for sign in signs)
        assert told == sum(min(inside) < 0 for _, _, *inside in picks)  # each beyond an edge
        if signs:  # it leads there
            here = signs[0].text
            signs[0].click()
            me.wait(lambda: signs[0].text != here)  # noqa: B023
        for is_far, width, *inside in picks:
            assert width >= 40  # a finger's
            assert is_far or min(inside) > 15
        board, panel = (
            phone.execute_script(f"return document.querySelector('{part}').getBoundingClientRect()")
            for part in (".board", ".now")
        )
        assert board["bottom"] <= panel["top"]  # what is chosen hides nothing of the board
        brief = phone.find_element("css selector", ".brief").text
        assert "person 1" in brief  # the scores and the other's move, without scrolling
        if "random places the tile" in me.text(".report"):
            assert re.search(r"random.*: places the tile", brief)
        if number in (1, 11):  # by then the report is longer than its room
            assert barriers(phone) == []
        me.choose(number)
    quiet(phone, address)


def test_a_game_by_touch(phone: Any, address: str) -> None:
    """The tile is dragged to its place and confirmed; a place takes a second tap or a button."""
    me = Player(phone, address)
    me.sit("base+dragon+inns", "person", "random", seed="4")
    kinds: set[str] = set()
    for number in range(60):
        if len(kinds) == 3 or not me.asked():
            break
        before = me.table()["version"]
        picks = phone.find_elements("css selector", ".pick")
        if me.table()["status"] == "Your turn: place the tile.":
            kinds.add("drag")
            cell = picks[number % len(picks)]
            me.show(cell)
            me.touch(phone.find_element("css selector", ".hand .tile"), cell)
            assert "chosen" in cell.get_attribute("class")
            assert me.table()["version"] == before
            me.touch(phone.find_element("css selector", '[data-do="place"]'))
        elif picks:
            assert me.text(".meaning") == "Choose a place on the board."  # none looks chosen yet
            pick = picks[number % len(picks)]
            is_single = pick.get_attribute("data-action") is not None
            if not kinds & {"second tap", "button"}:
                whole = phone.find_element("css selector", '[data-tool="whole"]')
                me.touch(whole)
                assert phone.execute_script(FITS)
                late = "document.querySelector('.board svg').style.maxWidth = arguments[0]"
                phone.execute_script(late, "160px")  # as with many tiles
                last = max(picks, key=lambda pick: me.middle(pick)[0])
                me.touch(last, aside=16)  # the rings are small, the finger is not
                assert "tapped" in last.get_attribute("class")
                phone.execute_script(late, "")
                me.touch(whole)
            me.show(pick)
            me.touch(pick)
            buttons = phone.find_elements("css selector", ".at-place button")
            assert me.table()["version"] == before
            values = [button.get_attribute("value") for button in buttons]
            assert values == pick.get_attribute("data-actions").split(" ")
            assert ("Tap again to do this." in me.text(".meaning")) == is_single
            kinds.add("second tap" if is_single else "button")
            me.touch(pick if is_single else buttons[-1])
        else:
            me.touch(phone.find_element("css selector", ".buttons button"))
        me.moved(before)
    assert kinds == {"drag", "second tap", "button"}
    quiet(phone, address)


def test_turning_taking_back_and_a_hint(browser: Any, address: str) -> None:
    me = Player(browser, address)
    me.sit("base", "person", "random", seed="4")
    me.asked()
    cell = next(
        e
        for e in browser.find_elements("css selector", ".cell")
        if " " in e.get_attribute("data-rotations")
    )
    ways = cell.get_attribute("data-rotations").split()
    cell.click()
    cell.click()  # again to turn
    turned = browser.execute_script(
        "return document.querySelector('.preview').getAttribute('transform')"
    )
    assert f"rotate({90 * int(ways[1])} " in turned
    browser.find_element("css selector", 'button[value="hint"]').click()
    me.wait(lambda: browser.find_elements("css selector", ".advice"))
    assert me.text(".advice").startswith("Hint: place the tile at ")
    assert len(browser.find_elements("css selector", ".advised")) == 1
    advice = browser.find_element("css selector", ".advice").get_attribute("data-action")
    x, y, rotation = (int(number) for number in advice.removeprefix("place:").split(","))
    assert (
        browser.execute_script(
            "return document.querySelector('.advised .preview').getAttribute('transform')"
        )
        == f"translate({100 * x} {100 * y})rotate({90 * rotation} 50 50)"
    )
    browser.execute_script(
        "window.contexts = 0; const Context = AudioContext;"
        "window.AudioContext = function () { contexts += 1; return new Context(); }"
    )
    me.choose()
    me.asked()
    assert browser.execute_script("return contexts") == 0  # no sound unless it is wanted
    browser.find_element("css selector", '[data-tool="sound"]').click()
    assert browser.execute_script("return contexts") == 1
    browser.find_element("css selector", 'button[value="undo"]').click()
    # Only the draw is left of the report, and the placement is to be chosen again.
    me.wait(lambda: not browser.find_elements("css selector", ".report li:nth-child(2)"))
    me.wait(lambda: me.table()["status"].startswith("Your turn: place"))
    browser.refresh()
    assert me.text('[data-tool="sound"]') == "Sound: on"  # it is remembered
    browser.execute_script("localStorage.clear()")
    browser.find_element("css selector", '[data-tool="whole"]').click()
    assert browser.execute_script(FITS)
    hand = browser.find_element("css selector", ".hand .tile")
    assert contrast(browser, '[data-do="place"]:disabled') > 4.5
    before = me.table()["version"]
    ActionChains(browser).drag_and_drop(hand, browser.find_element("id", "announcement")).perform()
    assert me.table()["version"] == before  # dropped beside the board
    hand.click()  # rotates it
    turned = browser.execute_script(
        "return document.querySelector('.turning').getAttribute('transform')"
    )
    assert turned.startswith("rotate(90 ")
    place = browser.find_element("css selector", ".cell")
    ActionChains(browser).drag_and_drop(hand, place).perform()
    assert "chosen" in place.get_attribute("class")
    browser.find_element("css selector", '[data-do="place"]').click()  # a drop is no move yet
    me.moved(before)
    me.wait(lambda: "person 1 places" in me.text("#announcement"))
    quiet(browser, address)


def test_two_people_see_each_others_moves_and_come_back(
    browser: Any, phone: Any, address: str
) -> None:
    ann = Player(browser, address)
    ann.open("base", "person", "person", seed="4", clock="20")
    assert "on this computer only" in ann.text(".invite .local")  # the server is a local one
    assert ann.text(".clock") == "20:00"
    assert not browser.find_elements("css selector", ".clock[data-running]")  # until Bob comes
    link = browser.find_element("css selector", ".invite input").get_attribute("value")
    assert "not here yet" in ann.text(".scores")
    browser.find_element("css selector", ".cell").click()
    bob = Player(phone, address)
    at = ann.middle(browser.find_element("css selector", ".board"))
    phone.get(link)
    ann.wait(lambda: ann.text(".invite summary") == "Your friend is here. Let someone watch")
    assert ann.middle(browser.find_element("css selector", ".board")) == at  # nothing moves
    assert "not here yet" not in ann.text(".scores")
    shown = ann.text(".clock[data-running]")
    ann.wait(lambda: ann.text(".clock[data-running]") < shown)  # it runs
    assert "You play with person 1." in bob.text(".greeting")
    bob.write_into('.greeting [name="name"]', "Bob")
    bob.press(".greeting button")
    for each in (ann, bob):
        each.wait(lambda: "Bob" in each.text(".scores"))  # noqa: B023
        assert each.text("h1").startswith("person 1, Bob")
    assert not phone.find_elements("css selector", ".greeting button")
    assert browser.find_elements("css selector", ".preview")  # what was chosen still is
    assert bob.text(".you") == "you (green)"
    assert bob.table()["status"] == "Waiting for person 1."
    while not (bob.table()["decides"] or ann.table()["status"] == "Waiting for Bob."):
        if ann.table()["decides"]:
            ann.choose()
    assert not browser.find_element("css selector", ".invite ul").is_displayed()
    waiting = browser.find_element("css selector", ".says svg")
    assert waiting.get_attribute("aria-label") == "green"  # Bob's figure
    bob.wait(lambda: bob.table()["status"].startswith("Your turn: place"))  # without a reload
    phone.refresh()
    assert bob.table()["status"].startswith("Your turn: place")
    bob.choose()
    ann.wait(lambda: "Bob places" in ann.text(".report"))
    seat = browser.current_url
    browser.get(address)
    ann.wait(lambda: "Waiting for Bob." in ann.text("#own-games"))
    assert ann.text("#own-games b") == "person 1, Bob: Carcassonne"
    assert barriers(browser) == []
    browser.find_element("css selector", "#own-games a").click()
    ann.wait(lambda: browser.current_url == seat)
    kept = "return JSON.parse(localStorage.games).map(each => each.address)"
    assert browser.execute_script(kept)[0] == ann.table()["address"]
    lost = "localStorage.games = JSON.stringify([{address: '/table/none/key', title: ''}])"
    browser.get(address)
    browser.execute_script(lost)
    browser.refresh()
    ann.wait(lambda: browser.execute_script(kept) == [])
    assert not browser.find_element("id", "own-games").is_displayed()
    assert ["404" in message for message in complaints(browser)] == [True]
    quiet(browser, address)
    quiet(phone, address)


@pytest.mark.long
def test_two_people_play_to_the_end_with_a_clock_and_once_more(
    browser: Any, phone: Any, address: str
) -> None:
    ann = Player(browser, address)
    ann.open("mists:1", "person", "person", seed="4", name0="Ann", name1="Bob", clock="10")
    link = browser.find_element("css selector", ".invite input").get_attribute("value")
    bob = Player(phone, address)
    phone.get(link)
    while not ann.table()["over"]:
        for each in (ann, bob):
            if each.table()["decides"]:
                each.choose()
    assert len(browser.find_elements("css selector", ".clock[data-running]")) == 0
    bob.wait(lambda: bob.table()["over"])
    address_of = "return JSON.parse(localStorage.games).map(each => each.address)"
    assert ann.table()["address"] not in browser.execute_script(address_of)
    assert barriers(browser) == barriers(phone) == []
    browser.find_element("css selector", 'button[value="rematch"]').click()
    ann.wait(lambda: ann.table()["status"] == "Waiting for Bob.")  # who was second begins
    bob.wait(lambda: phone.find_elements("css selector", "a.button.main"))
    phone.find_element("css selector", "a.button.main").click()
    bob.wait(lambda: bob.table()["status"].startswith("Your turn: place the tile"))
    browser.execute_script("localStorage.clear()")
    quiet(browser, address)
    quiet(phone, address)
