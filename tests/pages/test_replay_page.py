"""The page of a match: whole, alone, and stepped through in a real browser."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from support.browser import asked_for, barriers, complaints, show, text
from support.judged import played

import carc
from carc.drawing.history import MatchHistory, read_history
from carc.drawing.replay_page import replay_page


@pytest.fixture(scope="module")
def history() -> MatchHistory:
    return read_history(played().to_text(), "record")


@pytest.fixture(scope="module")
def large() -> MatchHistory:
    """Twice as long, with pieces of other kinds: a browser takes three times as long for it."""
    return read_history(played("base+ghosts+spellcircles").to_text(), "record")


@pytest.fixture
def opened(browser: Any, history: MatchHistory, tmp_path: Path) -> Iterator[Any]:
    """The browser with the page of the history open."""
    show(browser, replay_page(history), tmp_path)
    yield browser
    assert complaints(browser) == []


def seen(driver: Any) -> int:
    """How many tiles are to be seen."""
    return driver.execute_script(
        "return [...document.querySelectorAll('.carc-board [data-t]')]"
        ".filter(e => e.style.display !== 'none' && e.querySelector('use')).length"
    )


def press(driver: Any, name: str) -> None:
    driver.find_element("css selector", f'[data-do="{name}"]').click()


def test_a_page_is_small_and_holds_everything(large: MatchHistory) -> None:
    made = replay_page(large)
    assert len(large.positions[-1]["tiles"]) > 130
    assert len(re.sub(r"<svg.*?</svg>", "", made, flags=re.DOTALL)) < 300_000  # beside pictures
    assert len(made) < 1_500_000
    assert not re.findall(r'(?:src|href)="(?!#|data:,)', made)
    assert "http" not in made.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_stepping_shows_each_position(opened: Any, history: MatchHistory) -> None:
    assert seen(opened) == len(history.start["tiles"])
    for number, data in enumerate(history.positions[1:16], start=1):
        press(opened, "next")
        assert seen(opened) == len(data["tiles"])
        assert text(opened, ".carc-number") == f"{number}/{len(history.plies)}"
        assert history.plies[number - 1].words in text(opened, ".carc-sentence")
    press(opened, "back")
    assert seen(opened) == len(history.positions[14]["tiles"])


def test_the_end_shows_the_final_scores(browser: Any, large: MatchHistory, tmp_path: Path) -> None:
    show(browser, replay_page(large), tmp_path)
    press(browser, "last")
    scores = [e.text for e in browser.find_elements("css selector", ".carc-score")]
    assert scores == [str(score) for score in large.positions[-1]["scores"]]
    assert seen(browser) == len(large.positions[-1]["tiles"])
    press(browser, "first")
    assert [e.text for e in browser.find_elements("css selector", ".carc-score")] == ["0", "0"]
    assert complaints(browser) == []


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
    move = opened.find_element("css selector", ".carc-moves li:nth-child(4) button")
    opened.execute_script("arguments[0].scrollIntoView()", move)
    move.click()
    assert text(opened, ".carc-number").startswith(f"{move.get_attribute('data-to')}/")
    assert move.get_attribute("aria-current") == "step"
    up, down = Keys.ARROW_UP, Keys.ARROW_DOWN
    for key, turn in ((up, 3), (down, 4), (down, 5), (up, 4)):
        body.send_keys(key)
        end = history.turns[turn - 1][-1] + 1
        assert text(opened, ".carc-number").startswith(f"{end}/")


def test_the_camera_follows_the_play_until_it_is_moved(opened: Any) -> None:
    """The tile placed last is on the board's picture; a drag goes elsewhere, `0` comes back."""

    def view() -> list[float]:
        box = opened.execute_script(
            "return document.querySelector('.carc-board > svg').getAttribute('viewBox')"
        )
        return [float(each) for each in box.split()]

    def follows() -> bool:
        button = opened.find_element("css selector", '[data-do="follow"]')
        return bool(button.get_attribute("aria-pressed") == "true")

    opened.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]},
    )
    press(opened, "last")
    inside = opened.execute_script(
        "const box = (e) => e.getBoundingClientRect();"
        "const board = box(document.querySelector('.carc-board'));"
        "const frames = [...document.querySelectorAll('.carc-board .c-la')].map(box);"
        "const tile = frames.find(f => f.width);"
        "return tile.left >= board.left && tile.right <= board.right"
        " && tile.top >= board.top && tile.bottom <= board.bottom && tile.width >= 40"
    )
    assert inside
    assert follows()
    followed = view()
    board = opened.find_element("css selector", ".carc-board")
    ActionChains(opened).drag_and_drop_by_offset(board, 60, 30).perform()
    dragged = view()
    assert not follows()
    assert dragged[0] < followed[0] and dragged[1] < followed[1]
    press(opened, "in")
    assert view()[2] == pytest.approx(dragged[2] / 1.3, rel=0.01)
    opened.find_element("css selector", "body").send_keys("0")
    assert follows() and view() == followed
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_link_leads_to_a_move_and_its_picture_is_whole(
    opened: Any, history: MatchHistory
) -> None:
    opened.execute_script("location.hash = '#move-30'")
    opened.execute_async_script("setTimeout(arguments[0], 50)")
    assert text(opened, ".carc-number").startswith("30/")
    made = opened.execute_async_script(
        "const [box, done] = arguments;"
        "const svg = carcReplay.picture(document.querySelector('.carc-board > svg'), box);"
        "carcReplay.png(svg, '#fff').then((blob) => createImageBitmap(blob)).then((image) => done("
        "  [svg.querySelectorAll('[transform*=translate] > use, g > use').length,"
        "   image.width / image.height]))",
        [-2, -3, 4, 1],
    )
    assert made[0] == len(history.positions[30]["tiles"])
    assert made[1] == pytest.approx((600 + 32) / (400 + 32), rel=0.01)
    press(opened, "next")
    opened.execute_async_script("setTimeout(arguments[0], 600)")
    assert opened.current_url.endswith("#move-31")


def test_what_is_shared(opened: Any) -> None:
    """The link leads to the move that is shown. The picture that is copied is a PNG."""
    opened.execute_script(
        "location.hash = '#move-7';"
        "navigator.clipboard.writeText = async (text) => { window.copied = text; };"
        "navigator.clipboard.write = async ([item]) => { window.copied = item.types.join(); };"
    )
    opened.execute_async_script("setTimeout(arguments[0], 50)")
    for what, copied, said in (
        ("link", "replay.html#move-7", "It works on this computer only"),  # it is a file
        ("copy", "image/png", "Picture copied"),
    ):
        opened.find_element("css selector", ".carc-more summary").click()
        press(opened, what)
        opened.execute_async_script("setTimeout(arguments[0], 50)")
        assert opened.execute_script("return window.copied").endswith(copied)
        assert said in text(opened, ".carc-done")
        assert not opened.execute_script("return document.querySelector('.carc-more').open")


def test_the_page_tells_who_won_and_with_what(large: MatchHistory) -> None:
    assert large.result
    red, green = large.result.scores
    assert large.title == f"random {red}, random {green} (base+ghosts+spellcircles)"
    first = "Red" if red > green else "Green"
    assert f"{first} random won by {abs(red - green)}: " in replay_page(large)
    gap = {
        kind: of[first == "Green"] - of[first == "Red"]
        for kind, of in large.points_by_kind().items()
    }
    told = re.findall(r"([a-z ]+) ([+-]\d+)[,.]", large.reasons().partition(":")[2])
    *named, (other, remaining) = told
    assert [int(points) for _, points in named] == [gap[kind.strip()] for kind, _ in named]
    assert len(named) == 3 and "field" in large.points_by_kind()
    assert other == " other" and int(remaining) == sum(gap.values()) - sum(
        int(points) for _, points in named
    )
    unfinished = attrs.evolve(large, result=None)
    assert unfinished.reasons() == "" and unfinished.title.startswith("random, random (")


def test_it_plays_by_itself_and_stops(opened: Any, history: MatchHistory) -> None:
    opened.execute_script(
        "const start = setTimeout; window.waits = [];"
        "window.setTimeout = (what, time) => { waits.push(time); return start(what, time); };"
    )
    opened.find_element("css selector", '.carc-speed option[value="300"]').click()
    press(opened, "play")
    opened.execute_async_script(
        "const done = arguments[0];"
        "const number = () => parseInt(document.querySelector('.carc-number').textContent);"
        "const wait = () => number() >= 2 ? done() : setTimeout(wait, 50); wait()"
    )
    press(opened, "play")
    at = text(opened, ".carc-number")
    opened.execute_async_script("setTimeout(arguments[0], 350)")
    assert text(opened, ".carc-number") == at
    assert opened.execute_script("return waits.filter((time) => time === 300).length") >= 2


def test_nothing_is_fetched_and_nobody_is_shut_out(opened: Any) -> None:
    assert [url for url in asked_for(opened) if url.startswith(("http", "ws"))] == []
    assert barriers(opened) == []


def test_names_of_strangers_run_nothing(browser: Any, tmp_path: Path) -> None:
    hostile = (
        "</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>"
    )
    match = played(names=(hostile, "b"))
    show(browser, replay_page(read_history(match.to_text(), "x")), tmp_path)
    press(browser, "last")
    assert browser.title.startswith("</script>")
    assert hostile in text(browser, ".carc-scores")


def test_two_embedded_replays_step_apart(
    browser: Any, history: MatchHistory, tmp_path: Path
) -> None:
    other = read_history(played("mists:1").to_text(), "record")
    parts = replay_page(history, embed=True) + replay_page(other, embed=True)
    assert "<html" not in parts
    show(browser, f"<!doctype html><title>b</title><p>My games</p>{parts}", tmp_path)

    def found(driver: Any) -> Any:
        last = driver.find_elements("css selector", '[data-do="last"]')
        return last[1] if len(last) == 2 else None

    second = WebDriverWait(browser, 60).until(found)
    browser.execute_script("arguments[0].scrollIntoView()", second)
    second.click()
    numbers = [
        e.get_attribute("textContent")
        for e in browser.find_elements("css selector", ".carc-number")
    ]
    assert numbers == [f"0/{len(history.plies)}", f"{len(other.plies)}/{len(other.plies)}"]


def test_it_fits_a_phone(phone: Any, history: MatchHistory, tmp_path: Path) -> None:
    show(phone, replay_page(history), tmp_path)
    assert phone.execute_script("return document.documentElement.scrollWidth") <= 360


def test_clocks_and_points_of_each_turn_are_listed(large: MatchHistory) -> None:
    timed = attrs.evolve(large, plies=tuple(attrs.evolve(ply, seconds=1.25) for ply in large.plies))
    listed = re.findall(r'carc-clock">([\d.]+) s<', replay_page(timed))
    assert listed == [f"{1.25 * len(turn):.2f}" for turn in large.turns]
    scored = [one.text for ply in large.plies for one in ply.scored]
    assert scored
    page = replay_page(large)
    assert all(html.escape(one) in page for one in scored)


def test_all_pages_take_their_colours_from_one_file() -> None:
    """So a change of the design is a change of one file."""
    package = Path(carc.__file__).parent
    files = [path for end in ("css", "html", "py", "js") for path in package.rglob(f"*.{end}")]
    define = [
        path.name for path in files if re.search(r"--(ink|paper|main|line):", path.read_text())
    ]
    assert define == ["theme.css"]
