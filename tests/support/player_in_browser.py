"""Somebody who plays at a table in a real browser."""

import re
import time
from typing import Any

from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput

from support.browser import asked_for, complaints

PATIENCE = 90.0  # seconds; the machine may be busy


FITS = (  # the board
    "const board = document.querySelector('.board');"
    "return board.scrollHeight <= board.clientHeight && board.scrollWidth <= board.clientWidth"
)


SENDS = (  # a form with these fields, to be shown the answer
    "const form = document.createElement('form'); form.method = 'post'; form.action = '/open';"
    "for (const [name, value] of Object.entries(arguments[0]))"
    "  form.append(Object.assign(document.createElement('input'), {name, value}));"
    "document.body.append(form); form.submit()"
)


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

    def sit(self, rules: str, *seats: str, **fields: str) -> None:
        """Open a table with what the form sends, which is quicker than to fill it in."""
        self.driver.get(f"{self.address}/bots")  # a page of the server with little on it
        seated = {f"seat{number}": kind for number, kind in enumerate(seats)}
        self.driver.execute_script(SENDS, {"rules": rules, **seated, **fields})
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
            time.sleep(0.05)  # looking takes the browser time, too

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
