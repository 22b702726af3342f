"""Colours that players choose: which are refused, and that pictures and words agree on them."""

import math
from itertools import combinations
from typing import Any

import pytest
from support.served import Visitor, version_of, wait

from carc.base.game.rules import COLOURS
from carc.drawing import artwork
from carc.errors import CarcError
from carc.web.live_tables import PERSON, LiveTables
from carc.web.palette import Palette, choose_colours

# What people with protanopia, deuteranopia and tritanopia see (Machado and others, 2009).
SIGHTS = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "no green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "no blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}
WHITE = (0.9505, 1, 1.089)
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))


def times(matrix: tuple[tuple[float, ...], ...], vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(colour: str, sight: str) -> list[float]:
    """The colour in CIELAB, where distances are about what people see."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    seen = [min(1.0, max(0.0, each)) for each in times(SIGHTS[sight], linear)]
    x, y, z = (
        math.cbrt(v / w) if v / w > 0.008856 else 7.787 * v / w + 16 / 116
        for v, w in zip(times(TO_XYZ, seen), WHITE, strict=True)
    )
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


@pytest.mark.parametrize("sight", SIGHTS)
def test_colours_are_told_apart_by_everybody(sight: str) -> None:
    """A difference of 2.3 is just noticeable."""
    for one, other in combinations([fill for fill, _, _ in artwork.OWNERS], 2):
        assert math.dist(lab(one, sight), lab(other, sight)) > 15, (one, other)
    assert len({emblem for _, _, emblem in artwork.OWNERS}) == len(artwork.OWNERS)


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        (["", ""], ["red", "green"]),
        (["green", ""], ["green", "red"]),
        (["", "red", ""], ["green", "red", "blue"]),
        (["pink", "black"], ["pink", "black"]),
    ],
)
def test_who_chooses_nothing_gets_a_free_colour(wanted: list[str], chosen: list[str]) -> None:
    assert [COLOURS[number] for number in choose_colours(wanted)] == chosen


def test_a_colour_that_is_taken_is_refused(visitor: Visitor) -> None:
    form = {"rules": "base", "seat0": PERSON, "seat1": "random", "colour0": "blue"}
    answer = visitor.client.post("/open", data={**form, "colour1": "blue"})
    assert answer.status_code == 400
    sentence = "blue is taken by player 1; player 2 may choose red, green, yellow, black, pink"
    assert sentence in answer.text
    answer = visitor.client.post("/open", data={**form, "colour1": "<b>"})
    assert answer.status_code == 400
    assert "there is no colour &#39;&lt;b&gt;&#39;" in answer.text
    empty = {"rules": "base", "seat0": PERSON, "seat2": "random", "colour1": "red"}
    answer = visitor.client.post("/open", data={**empty, "colour2": "red"}, follow_redirects=False)
    assert answer.status_code == 303  # a row without a player takes no colour


def test_owners_without_a_choice_keep_what_is_free() -> None:
    """In the mists for two, each player has two colours."""
    palette = Palette.of([(0, 1), (2, 3)], [5, 1])
    assert sorted(palette.colours) == list(range(6))
    assert palette.names == ["pink", "red", "green", "yellow", "black", "blue"]


def test_pictures_and_words_have_the_colours_of_the_table(visitor: Visitor) -> None:
    seat = visitor.open(seats=("person", "person"), by_hand="on", colour0="yellow", colour1="red")
    for action in ("draw:U", "place:1,0,1", "claim:1,meeple"):
        visitor.act(seat, action)
    text = visitor.look(seat)
    assert 'aria-label="yellow"' in text and 'aria-label="green"' not in text
    board = text.partition('class="board"')[2]
    assert artwork.OWNERS[COLOURS.index("yellow")][0] in board
    assert artwork.OWNERS[COLOURS.index("red")][0] not in board  # the first player's usual colour
    visitor.act(seat, "draw:U")
    query = {"action": "place:2,0,1", "version": version_of(visitor.look(seat))}
    app: Any = visitor.client.app
    table = app.state.live_tables.find(seat.split("/")[2])
    second = f"/table/{table.id}/{table.keys[1]}"
    preview = visitor.client.get(f"{second}/preview", params=query).text
    assert "claimed by yellow" in preview


def test_a_hint_names_the_colours_of_the_table(visitor: Visitor) -> None:
    seat = visitor.open(seed="3", colour0="pink", colour1="red")
    visitor.look(seat)
    assert "Points expected at the end: pink " in visitor.act(seat, "hint").text


def test_words_of_the_engine_are_translated() -> None:
    palette = Palette.of([(0,), (1,)], [1, 0])
    assert palette.words("red 3.5, green 2; redo") == "green 3.5, red 2; redo"
    assert Palette().words("red and pink") == "red and pink"


def test_colours_are_kept_for_the_next_game_and_refused_from_a_damaged_file() -> None:
    tables = LiveTables()
    seats = [(PERSON, "Ann"), (PERSON, "Bob")]
    table = tables.open("base", seats, colours=["pink", ""], seed=5)
    wait(table)
    assert table.saved()["colours"] == ["pink", "green"]
    for _ in range(400):
        view = table.view()
        if view.awaited is None:
            break
        table.act(view.awaited, view.legal[0], view.version)
        tables.advance(table)
        wait(table)
    tables.rematch(table)
    again = tables.find(table.rematch[0].split("/")[2])
    assert again is not None
    assert (again.titles, again.colours) == (("Bob", "Ann"), ["green", "pink"])
    tables.close()
    with pytest.raises(CarcError, match="no colour 'x'"):
        choose_colours(["x", "red"])


def test_each_colour_of_a_player_has_a_line(visitor: Visitor) -> None:
    text = visitor.look(visitor.open("mists:1", ("person", "person")))
    assert text.count('<span class="you">you (') == text.count(">not here yet<") == 2
    assert "<title>follower</title>" in text and "<title>meeple</title>" not in text
