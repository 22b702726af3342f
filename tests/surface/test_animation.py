"""Animated pictures: what they show after each turn, without scripts, and how large they are."""

import re
import xml.etree.ElementTree as ET

import pytest

from carc import Rules, play
from carc.bots import by_name
from carc.drawing.animation import END_SECONDS, animation
from carc.drawing.history import MatchHistory, read_history

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["<b>&", "somebody with a long name"]


@pytest.fixture(scope="module")
def history() -> MatchHistory:
    bots = [by_name("random", seat) for seat in range(2)]
    record = play(Rules.from_spec("base", 2), bots, 3, NAMES).to_text()
    return read_history(record, "record")


def shown(picture: str, share: float) -> list[ET.Element]:
    """The elements outside of `defs` that are visible after a share of the picture's time."""
    hidden = set()
    for name, steps in re.findall(r"@keyframes (k\d+)\{((?:[\d.]+%\{[^}]*\})+)\}", picture):
        at = re.findall(r"([\d.]+)%\{visibility:(\w+)\}", steps)
        now = [state for percent, state in at if float(percent) <= 100 * share + 0.01]
        if now and now[-1] == "hidden":
            hidden.add(name)
    found: list[ET.Element] = []

    def look(element: ET.Element) -> None:
        if element.get("class") in hidden or element.tag == f"{SVG}defs":
            return
        found.append(element)
        for child in element:
            look(child)

    look(ET.fromstring(picture))
    return found


def test_tiles_and_scores_are_those_after_each_turn(history: MatchHistory) -> None:
    picture = animation(history, seconds=0.5)
    turns = history.turns
    total = 0.5 * (len(turns) + 1) + END_SECONDS
    assert f"{total:g}s step-end infinite" in picture
    for number in (0, 1, 2, 30, len(turns) - 1, len(turns)):
        position = history.positions[turns[number - 1][-1] + 1 if number else 0]
        elements = shown(picture, 0.5 * number / total)
        uses = [each.get("href", "")[3:] for each in elements if each.tag == f"{SVG}use"]
        assert sorted(uses) == sorted(tile["kind"] for tile in position["tiles"])
        words = [each.text for each in elements if each.tag == f"{SVG}text"]
        scores = [str(score) for score in position["scores"]]
        assert sorted(word for word in words if word and word.isdigit()) == sorted(scores)
        assert "<b>&" in words and "somebody with a…" in words
        assert sum(each.get("class") == "c-la" for each in elements) == (number > 0)


def test_it_is_small_and_plays_without_scripts(history: MatchHistory) -> None:
    picture = animation(history)
    assert len(history.positions[-1]["tiles"]) == 72 and len(picture) < 300_000
    assert "<script" not in picture and "http" not in picture.replace("http://www.w3.org/", "")
    assert "@media(prefers-reduced-motion:reduce){g{animation:none!important}}" in picture
    assert "prefers-color-scheme:dark" in picture
    assert "prefers-color-scheme" not in animation(history, theme="light")
    # Where nothing moves, the end is shown: what left the board before is hidden.
    still = set(re.findall(r"\.(k\d+)\{visibility:hidden;", picture))
    ends = {
        name
        for name, steps in re.findall(r"@keyframes (k\d+)\{(.*?\})\}", picture)
        if steps.endswith("visibility:hidden}")
    }
    assert still == ends != set()


def test_it_fits_a_window_that_shows_nothing_else(history: MatchHistory) -> None:
    picture = animation(history)
    assert "svg:root{" in picture and "max-height:100vh" in picture
