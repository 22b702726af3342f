"""The large start tile of the team game, four tiles in one (COOP-17)."""

import pytest
from support.notation import tile_file

LARGE = tile_file(
    "mists",
    """
tile NW 1 FFFF: mist N E S W ghosts=2
tile NE 1 CFFF: city N; mist S W ghosts=1; field E touches=0
tile SW 1 FFFF: mist N E; field S W
tile SE 1 FFFF: mist N W; field E S
tile castle 1 FFFF: castle; mist E; field N S W
tile cap 3 CFFF: city N; field E S W touches=0
tile plain 9 FFFF: field N E S W
start NW 0,0
start NE 1,0
start SW 0,1
start SE 1,1
""",
)


@pytest.mark.rule("COOP-17", "COOP-02")
def test_the_large_start_tile_is_four_tiles_for_taking_ghosts_off(table):
    t = table("mists:2", text=LARGE).lay("cap", 1, -1, 2, "0")
    assert t.legal == ["points", "ghosts:0,0", "ghosts:1,0"]
    t.do("ghosts:0,0", "take:2")
    assert (t.ghosts(0, 0), t.ghosts(1, 0)) == (0, 1)


@pytest.mark.rule("COOP-17", "COOP-16")
def test_the_large_start_tile_is_four_tiles_for_a_castle(table):
    t = table("mists:2", text=LARGE).lay("castle", 2, 0, 0, "0")
    t.lay("plain", 2, 1).lay("plain", 3, 1).lay("plain", 3, 0).lay("plain", 3, -1).lay(
        "plain", 2, -1
    )
    t.put("cap", 1, -1, 2).do("pass" if t.decision == "claim" else "points")
    while t.decision == "reward":
        t.do("points")
    assert t.score == 2 * 3  # its own tile, the north-eastern and the south-eastern quarter
