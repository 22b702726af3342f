"""Make the pictures in docs/pictures, part of `make docs`.

Usage: `PYTHONPATH=tests python tools/make_pictures.py [--drawn | runs/shipped]`. The pictures show
tile sets, the positions of the pages of expansions, a board, a replay and a table in a browser.
Given the folder of a tournament, also write its leaderboard into the README, and show the page of a
bot. `--drawn` makes only the pictures of tile sets and expansions (`make pictures`).
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from pathlib import Path

import expansion_pages
from rich.console import Console
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from support.browser import browser, missing
from support.served import serving

from carc import Rules, play, tilesets
from carc.bots import by_name
from carc.drawing import board_svg
from carc.drawing.animation import animation
from carc.drawing.history import read_history
from carc.drawing.replay_page import replay_page
from carc.tournaments.reports import board_table
from carc.tournaments.tournament import board as board_of

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
README = FOLDER.parent.parent / "README.md"
LEADERBOARD = re.compile(r"(<!-- `make docs` makes this -->\n```\n).*?(?=```\n)", re.DOTALL)
CLASSICS = (
    "inns_and_cathedrals", "river", "river2", "base_gardens", "traders_and_builders",
    "king_and_robber", "princess_and_dragon", "flier", "hills_and_sheep", "mage_and_witch",
    "goldmines", "festival", "crop_circles", "crop_circles2", "tunnel", "watchtowers",
    "monasteries", "cult", "wind_roses", "darmstadt", "labyrinth", "gq11", "gq11_river",
    "spiel_doch", "city_gates", "tower", "under_the_big_top",
    "abbey_and_mayor",
    "besiegers",
    "cathars",
    "russian_promos_2013",
    "russian_promos_2016",
    "ferries",
    "bridges_castles_and_bazaars",
    "count",
)  # fmt: skip
LOADED = """
const done = arguments[0], wait = () => {
  const seen = [...document.images].filter((one) => one.getBoundingClientRect().top < innerHeight);
  if (seen.every((one) => one.complete && one.naturalWidth)) done(); else setTimeout(wait, 50);
};
wait();
"""
"""Waits until the images in the window have been loaded."""
SETS = ("base", "mists", "circles", *CLASSICS)


def sheet(name: str) -> str:
    """Return a shipped tile set as SVG."""
    return board_svg.tile_sheet(tilesets.by_name(name).tiles)


def record() -> str:
    """Return the record of a match of greedy bots with ghosts."""
    names = ["greedy", "greedy", "greedy"]
    bots = [by_name(name, seat) for seat, name in enumerate(names)]
    return play(Rules.from_spec("base+ghosts+spellcircles", len(bots)), bots, 5, names).to_text()


def animated() -> str:
    """Return a match of the base game as an animated picture."""
    names = ["greedy", "greedy-1"]
    bots = [by_name(name, seat) for seat, name in enumerate(names)]
    match = play(Rules.from_spec("base", len(bots)), bots, 3, names)
    return animation(read_history(match.to_text(), "the match"))


def leaderboard(folder: Path) -> str:
    """Return the leaderboard of a tournament as text."""
    text = io.StringIO()
    console = Console(file=text, width=board_table.WIDE)
    console.print(board_table.table(board_of(folder), board_table.WIDE))
    lines = [line.strip("\n").rstrip() for line in text.getvalue().splitlines()]
    return f"{board_table.heading(folder)}\n\n" + "\n".join(filter(None, lines)) + "\n"


def drawn() -> None:
    """Write the pictures of tile sets and expansions."""
    expansion_pages.PICTURES.mkdir(parents=True, exist_ok=True)
    for name in SETS:
        (FOLDER / f"{name}.svg").write_text(sheet(name), encoding="utf-8")
    for name in expansion_pages.NAMES:
        for kind, picture in (
            ("", expansion_pages.picture(name)),
            ("-card", expansion_pages.thumbnail(name)),
        ):
            (expansion_pages.PICTURES / f"{name}{kind}.svg").write_text(picture, encoding="utf-8")


def main(tournament: str = "") -> None:
    """Write the pictures."""
    drawn()
    if tournament == "--drawn":
        return
    if tournament:
        board = leaderboard(Path(tournament))
        readme = README.read_text(encoding="utf-8")
        README.write_text(LEADERBOARD.sub(lambda m: m[1] + board, readme), encoding="utf-8")
    history = read_history(record(), "the match")
    half = len(history.plies) // 2
    board = board_svg.board(history.positions[half], history.tiles, size=60)
    (FOLDER / "board.svg").write_text(board, encoding="utf-8")
    (FOLDER / "game.svg").write_text(animated(), encoding="utf-8")
    if why := missing():
        print(f"no pictures of pages: {why}")
        return
    with tempfile.TemporaryDirectory() as room, browser(1200, 800) as driver:
        place = Path(room) / "replay.html"
        place.write_text(replay_page(history), encoding="utf-8")
        driver.get(f"{place.as_uri()}#move-{half}")
        driver.save_screenshot(str(FOLDER / "replay.png"))
        with serving(Path(room)) as address:
            driver.get(f"{address}/play?preset=ghosts")
            driver.execute_script("document.querySelector('.expansions').open = true")
            driver.execute_async_script(LOADED)
            driver.save_screenshot(str(FOLDER / "new-game.png"))
            driver.execute_script("document.getElementById('rules').value = 'base+ghosts'")
            driver.execute_script("document.getElementById('seed').value = '4'")
            driver.find_element("css selector", "button.main").click()
            for _ in range(25):
                _advised(driver)
            driver.save_screenshot(str(FOLDER / "table.png"))
        if tournament:
            with serving(Path(tournament)) as address:
                _bot_page(driver, address)


def _bot_page(driver: Chrome, address: str) -> None:
    """Take a picture of the page of a bot when its worst losses are analysed."""
    driver.get(f"{address}/t/tournament/bot?bot=greedy-blind")
    wait = WebDriverWait(driver, 600)
    button = (By.CSS_SELECTOR, "form[method=post] button")
    analysed = (By.CSS_SELECTOR, "main a[href*='#move-']")
    wait.until(lambda page: page.find_elements(*button) or page.find_elements(*analysed))
    for each in driver.find_elements(*button):
        each.click()
    wait.until(lambda page: "being" not in page.find_element(By.TAG_NAME, "main").text)
    driver.save_screenshot(str(FOLDER / "bot.png"))


def _advised(driver: Chrome) -> None:
    """Play the action that the hint names."""
    driver.set_script_timeout(120)
    driver.execute_async_script(
        """
        const done = arguments[0];
        const act = async () => {
          const table = document.getElementById("table");
          if (!table.dataset.decides) return setTimeout(act, 100);
          const ask = (action) => fetch(table.dataset.address, {
            method: "POST",
            headers: {"X-Carc": "part"},
            body: new URLSearchParams({action, version: table.dataset.version}),
          }).then((answer) => answer.text());
          const hint = (await ask("hint")).match(/class="advice"[^>]*data-action="([^"]*)"/)[1];
          await ask(hint);
          const changed = () =>
            document.getElementById("table").dataset.version !== table.dataset.version;
          const wait = () => changed() ? done() : setTimeout(wait, 50);
          wait();
        };
        act();
        """
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
