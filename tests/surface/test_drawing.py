"""Positions drawn: what lies on the table is seen, as text and as SVG."""

import random
import xml.etree.ElementTree as ET

import pytest
from notation import do

from carc import CHANCE, Rules, State

SVG = "{http://www.w3.org/2000/svg}"


def board(state: State) -> list[str]:
    """The board's lines, without scores and legend."""
    return str(state).split("\n\n")[0].splitlines()


def discs(state: State) -> list[str]:
    """The fills of the circles in the picture."""
    return [e.get("fill", "") for e in ET.fromstring(state._repr_svg_()).iter(f"{SVG}circle")]


def test_the_start_tile_as_text() -> None:
    state = Rules.named("base").start()
    assert board(state) == [" ###", "-----", " ..."]
    assert "a red 0, b green 0; 71 tiles unseen; to decide: draw" in str(state)


def test_a_turned_tile_and_a_follower() -> None:
    state = do(Rules.named("base").start(), "draw:K place:1,0,0 claim:1,meeple")
    # K: city in the north, a curve from south to west; red stands on the road.
    assert board(state)[0] == " ###  ###"
    assert board(state)[1][:5] == "-----"
    assert "a" in "".join(board(state))
    assert "+" in board(state)[1]


def test_roads_that_end_on_a_crossing() -> None:
    state = do(Rules.named("base").start(), "draw:X place:1,0,0")
    assert board(state)[1] == "-------o--"


def test_mist_ghosts_and_hidden_tiles_are_seen() -> None:
    state = Rules.named("mists:5", 2).start()
    assert "~" in "".join(board(state))
    assert discs(state).count("#fff") == 2  # the start tile's 3 ghosts, on two mists
    rng = random.Random(1)
    for _ in range(10_000):
        if state.to_dict()["hidden"]:
            break
        state = Rules.named("mists:5", 2).start() if state.is_terminal else state
        state.apply(rng.choice(state.legal_actions()))
    assert "?????" in "\n".join(board(state))
    assert ">?<" in state._repr_svg_()


@pytest.mark.parametrize(
    "spec", ["base", "base+ghosts", "base+ghosts+spellcircles", "mists:6+spellcircles"]
)
def test_every_position_of_a_game_is_drawn(spec: str) -> None:
    rules = Rules.named(spec, 2)
    state = rules.start()
    rng = random.Random(4)
    while not state.is_terminal:
        if state.current_player == CHANCE and state.dealt % 10 == 0:
            data = state.to_dict()
            followers = [one for f in data["features"] for one in f["followers"]]
            picture = ET.fromstring(state._repr_svg_())
            tiles = [
                e for e in picture.iter(f"{SVG}g") if e.get("transform", "").startswith("translate")
            ]
            assert len(tiles) == len(data["tiles"])
            letters = sum(line.count(c) for line in board(state) for c in "abcdef")
            assert letters == len(followers)
            assert len(discs(state)) >= len(followers)
            for owner, score in enumerate(data["scores"]):
                assert f"{'abcdef'[owner]} " in str(state)
                assert str(score) in str(state)
        state.apply(rng.choice(state.legal_actions()))
    assert "the game is over" in str(state)
    assert ET.fromstring(state._repr_svg_()).tag == f"{SVG}svg"
