"""The Robber's Son, counted by hand: he is on the curves (V) of the base game here."""

from pathlib import Path

import pytest
from support.notation import begin, do, legal, put, written

from carc import State
from carc.base.expansions.base_game import TILES


def robbed(folder: Path, tile: str = "V") -> State:
    """A tile extends the road of the start tile, on which both have followers, and the field."""
    text = TILES.read_text(encoding="utf-8")
    marked = text.replace("tile V 9 FFRR\n  road S W", "tile V 9 FFRR\n  road S W robbers_son=1")
    assert marked != text
    state = put(begin("base+son", 2, *written(folder, marked)), 0, (0, 0, 1))
    put(put(state, 1, (0, 0, 1)), 1, (0, 0, 0), (0, 0, 3))
    return do(state, f"draw:{tile} place:1,0,{0 if tile == 'V' else 1}")


@pytest.mark.rule("ROB-01")
def test_who_adds_him_to_a_road_may_send_a_follower_home_instead(tmp_path: Path) -> None:
    state = robbed(tmp_path)
    robs = [text for text in legal(state) if text.startswith("rob")]
    assert robs == ["rob:0,0,1,meeple,red", "rob:0,0,1,meeple,green"]
    do(state, robs[1])
    assert [state.board.supply_of(owner) for owner in (0, 1)] == [6, 5]
    assert state.current_player < 0


@pytest.mark.rule("ROB-01")
def test_a_road_without_him_is_safe(tmp_path: Path) -> None:
    assert not any(text.startswith("rob") for text in legal(robbed(tmp_path, "U")))
