"""Perft: how many sequences of actions there are from a position, for each first action.

From the start the numbers follow from the tiles alone, without playing: around the start tile one
free cell asks for a city, two for a road and one for a field, so a tile with c, r and f such edges
can be laid in c + 2r + f ways; nobody stands anywhere, so each of its segments can be claimed, or
none.
"""

import json
from typing import Any

import make_perft
import pytest
from support.notation import do, start

from carc import Rules
from carc.base.tiles.tile import Tile
from carc.testing import perft

RULES = Rules.from_spec("base", 2)
TILES = RULES.catalogue.tiles


def ways(tile: Tile) -> int:
    return tile.edges.count("C") + 2 * tile.edges.count("R") + tile.edges.count("F")


def copies(tile: Tile) -> int:
    return tile.copies - (tile.name == "D")  # one lies on the table


def test_one_draw_for_each_kind() -> None:
    assert perft(RULES.start(), 1) == {f"draw:{tile.name}": 1 for tile in TILES}


def test_placements_around_the_start_tile() -> None:
    counts = perft(RULES.start(), 2)
    assert counts == {f"draw:{tile.name}": ways(tile) for tile in TILES}
    assert sum(counts.values()) == 4 * 24 + 27  # the 24 kinds have 27 road edges


def test_claims_on_the_first_tile() -> None:
    assert perft(RULES.start(), 3) == {
        f"draw:{tile.name}": ways(tile) * (len(tile.segments) + 1) for tile in TILES
    }


def test_the_second_draw() -> None:
    assert perft(RULES.start(), 4) == {
        f"draw:{tile.name}": ways(tile) * (len(tile.segments) + 1) * (24 - (copies(tile) == 1))
        for tile in TILES
    }


@pytest.mark.parametrize("players", [2, 5])
def test_a_claimed_road_is_closed_to_the_next_player(players: int) -> None:
    """Red stands on the road to the east; a second road there leaves two fields and `pass`."""
    state = do(start("base", players), "draw:U place:1,0,1 claim:0,meeple draw:U")
    counts = perft(state, 2)
    # West of the start, or east of red's tile: the road is red's. South or north of the straight
    # roads' fields: not.
    for turned in (1, 3):
        assert counts[f"place:-1,0,{turned}"] == 3
        assert counts[f"place:2,0,{turned}"] == 3
        assert counts[f"place:0,1,{turned}"] == 4
        assert counts[f"place:1,1,{turned}"] == 4
        assert counts[f"place:1,-1,{turned}"] == 4
    assert len(counts) == 10


@pytest.mark.parametrize(
    "position",
    json.loads(make_perft.POSITIONS.read_text(encoding="utf-8")),
    ids=lambda p: f"{p['rules']} {p['players']} {len(p['actions'])}",
)
def test_positions_on_which_engine_and_oracle_agreed(position: dict[str, Any]) -> None:
    """Numbers written down by `tools/make_perft.py`, which counts them twice."""
    state = make_perft.state_after(position["rules"], position["players"], position["actions"])
    assert perft(state, position["depth"]) == position["counts"]


def test_the_oracle_counts_the_same_from_the_start() -> None:
    assert make_perft.oracle_perft("base", 2, [], 3) == perft(RULES.start(), 3)
