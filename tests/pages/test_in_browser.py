"""The application in a real browser: by clicks, by keys, on a phone, with several people."""

import os
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.keys import Keys
from support.browser import asked_for, barriers, complaints
from support.served import serving

PATIENCE = 90.0  # seconds; the machine may be busy

FITS = (  # the board
    "const board = document.querySelector('.board');"
    "return board.scrollHeight <= board.clientHeight && board.scrollWidth <= board.clientWidth"
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("runs")) as where:
        yield where


class Player:
    """Plays at the table that a browser window shows."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver = driver
        self.address = address

    def look_at_all_settings(self) -> None:
        """Load the form and open its parts."""
        self.driver.get(f"{self.address}/play")
        self.driver.execute_script(
            "for (const part of document.querySelectorAll('details')) part.open = true"
        )

    def open(self, rules: str, *seats: str, **fields: str) -> None:
        """Fill in the form and open a table."""
        self.look_at_all_settings()
        self.write("rules", rules)
        for number in range(6):  # fields of names are shown for people only
            kind = seats[number] if number < len(seats) else ""
            if self.driver.find_element("id", f"seat{number}").is_displayed():
                self.press(f'#seat{number} option[value="{kind}"]')
        for name, text in fields.items():
            if name == "clock":
                self.press(f'#clock option[value="{text}"]')
            else:
                self.write(name, text)
        self.driver.find_element("css selector", "button.main").click()
        self.wait(lambda: self.driver.find_elements("id", "table"))

    def press(self, selector: str) -> None:
        """Click something after scrolling it into the middle, away from the bar at the bottom."""
        element = self.driver.find_element("css selector", selector)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def write(self, name: str, text: str) -> None:
        self.write_into(f"#{name}", text)

    def write_into(self, selector: str, text: str) -> None:
        field = self.driver.find_element("css selector", selector)
        field.clear()
        field.send_keys(text)

    def table(self) -> dict[str, str]:
        """Return the table's data: version, whether it is your turn, whether it is over, status."""
        return self.driver.execute_script(
            "const t = document.getElementById('table');"
            "return {...t.dataset, status: t.querySelector('.status').textContent}"
        )

    def wait(self, ready: Any) -> None:
        end = time.monotonic() + PATIENCE
        while not ready():
            assert time.monotonic() < end, self.driver.find_element("id", "main").text[:500]
            time.sleep(0.02)

    def asked(self) -> bool:
        """Wait until one is asked or the game is over; whether one is asked."""
        self.wait(lambda: (t := self.table())["decides"] or t["over"])
        return not self.table()["over"]

    def choose(self, number: int = 0) -> None:
        """Click a choice on the board, or else a button, and wait until the position changes."""
        before = self.table()["version"]
        picks = self.driver.find_elements("css selector", ".pick")
        if picks:
            pick = picks[number % len(picks)]
            cell = pick.get_attribute("data-cell")
            pick_is_single = pick.get_attribute("data-action") is not None
            self.show(pick)
            pick.click()
            if cell:
                self.driver.find_element("css selector", '[data-do="place"]').click()
            elif not pick_is_single:
                self.driver.find_element("css selector", ".at-place button").click()
        else:
            self.driver.find_elements("css selector", ".buttons button")[0].click()
        self.moved(before)

    def show(self, pick: Any) -> None:
        """Scroll a choice into the middle of the board."""
        self.driver.execute_script(
            "arguments[0].scrollIntoView({block: 'center', inline: 'center'}); scrollTo(0, 0)", pick
        )

    def middle(self, element: Any) -> list[int]:
        """Where an element is in the window."""
        return self.driver.execute_script(
            "const box = arguments[0].getBoundingClientRect();"
            "return [(box.left + box.right) / 2, (box.top + box.bottom) / 2].map(Math.round)",
            element,
        )

    def touch(self, element: Any, onto: Any = None, aside: int = 0) -> None:
        """Tap an element with a finger, or so many pixels aside of it, or drag it onto another."""
        finger = ActionBuilder(self.driver, mouse=PointerInput("touch", "finger"))
        x, y = self.middle(element)
        finger.pointer_action.move_to_location(x + aside, y).pointer_down()
        if onto is not None:
            finger.pointer_action.move_to_location(*self.middle(onto))
        finger.pointer_action.pointer_up()
        finger.perform()

    def moved(self, before: str) -> None:
        """Wait until the table has another version."""
        self.wait(lambda: self.table()["version"] != before)

    def text(self, selector: str) -> str:
        return self.driver.execute_script(
            f"return document.querySelector({selector!r}).textContent"
        )


def quiet(driver: Any, address: str) -> None:
    """No complaint in the console, and no request that left the host."""
    assert complaints(driver) == []
    away = [url for url in asked_for(driver) if url.startswith(("http", "ws"))]
    assert [url for url in away if not url.startswith(address)] == []


def contrast(driver: Any, selector: str) -> float:
    """Of a text with its background; axe does not judge buttons that are disabled."""
    style = driver.execute_script(
        f"const style = getComputedStyle(document.querySelector({selector!r}));"
        "return [style.color, style.backgroundColor, style.opacity]"
    )
    assert style.pop() == "1"

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [p / 12.92 if p <= 0.04 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    dark, bright = sorted(map(light, style))
    return (bright + 0.05) / (dark + 0.05)


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
    me.open(rules, "person", *bots, seed="3")
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
    me.open("base", "person", "random", seed="4")
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
    me.open("base+ghosts", "person", "random", seed="4")
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
    me.open("base+dragon+inns", "person", "random", seed="4")
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
    me.open("base", "person", "random", seed="4")
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
