"""Games with tiles that carc lacks, from a user's tile file.

The city gates are tiles of fans. What is known of them are their codes, with the four edges, and
what five scenarios of JCloisterZone score. The tiles here say as much.
"""

from pathlib import Path
from typing import Any

import pytest
from support.program import Run, refused
from support.saved_games import commit, deploy, lay, move, saved, skip, text_of

import carc
from carc import State
from carc.errors import BadRecord
from carc.formats import import_games

BASE = Path(carc.__file__).with_name("base") / "tiles" / "base.txt"
# A road, a bridge or a field ends at a gate, which is an edge that matches any.
GATES = """
tile Gate1 1 ????
  city coat_of_arms=1
  symbol jcz=City-Gates/gggg

tile Gate2 1 CFR?
  city N
  road S
  field E SL touches=0
  field SR
  symbol jcz=City-Gates/cfrg

tile Gate3 1 FCR?
  city E
  road S
  field N SL SR touches=0
  symbol jcz=City-Gates/fcrg

tile Gate4 1 CCR?
  city N coat_of_arms=1
  city E
  road S
  field SL touches=1
  field SR
  symbol jcz=City-Gates/ccrg+

tile Gate5 1 C?RC
  city N
  city W coat_of_arms=1
  road S
  field SL
  field SR touches=1
  symbol jcz=City-Gates/cgrc+

tile Gate6 1 FCF?
  city E
  field N S touches=0
  symbol jcz=City-Gates/fcfg

tile Gate7 1 C?RR
  city N
  road S
  road W
  field SL
  field SR WL
  field WR touches=0
  symbol jcz=City-Gates/cgrr

tile Gate8 1 RCR?
  city E
  road N
  road S
  field NL SR
  field NR SL touches=0
  symbol jcz=City-Gates/rcrg
"""


@pytest.fixture
def tiles(tmp_path: Path) -> Path:
    """The base game's tiles with those of the gates."""
    path = tmp_path / "mine.txt"
    path.write_text(BASE.read_text(encoding="utf-8") + GATES, encoding="utf-8")
    return path


def gate(code: str, x: int, y: int, degrees: int = 0) -> dict[str, Any]:
    return lay(f"City-Gates/{code}", x, y, degrees)


def bridge(x: int, y: int, location: str) -> dict[str, Any]:
    place = {"position": [x, y], "location": location, "feature": "Road"}
    return move("PLACE_TOKEN", token="BRIDGE", pointer=place)


# As the five scenarios have it, with the points that they assert.
SCENARIOS = {
    "a city with four gates": (
        [gate("gggg", 1, 0), deploy("0.small.1", 1, 0, "City", "I"), commit()],
        [4, 0],
    ),
    "a gate that is placed ends a road": (
        [
            *[gate("cfrg", 1, 0, 90), deploy("0.small.1", 1, 0, "Road", "W"), commit()],
            *[gate("fcrg", -1, 0, 180), *skip()],
        ],
        [2, 0],
    ),
    "a road ends at a gate, and its city has no coat of arms": (
        [
            *[gate("ccrg+", 0, -1, 90), deploy("0.small.1", 0, -1, "City", "S"), commit()],
            *[gate("cgrc+", 0, -2), deploy("1.small.1", 0, -2, "Road", "S"), commit()],
        ],
        [4, 1],
    ),
    "a bridge between two gates": (
        [
            *[gate("ccrg+", 0, -1, 180), *skip(), lay("BA/RFr", 1, 0), *skip()],
            *[lay("BA/RFr", 2, 0), *skip(), gate("fcfg", 2, -1), *skip()],
            *[lay("BA/L", 1, -1), bridge(1, -1, "WE")],
            *[deploy("0.small.1", 1, -1, "Road", "WE"), commit()],
        ],
        [1, 0],
    ),
    "a bridge that two gates end": (
        [
            *[lay("BA/RFr", 1, 0), bridge(1, 0, "NS")],
            *[deploy("0.small.1", 1, 0, "Road", "NS"), commit()],
            *[gate("cgrr", 1, -1, 90), *skip(), gate("rcrg", 1, 1, 90), *skip()],
        ],
        [1, 0],
    ),
}


def game_of(moves: list[dict[str, Any]]) -> str:
    with_bridge = any(one["type"] == "PLACE_TOKEN" for one in moves)
    elements: dict[str, object] = {"bridge": 1} if with_bridge else {}
    return text_of(saved(*moves, sets=["city-gates"], elements=elements))


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_game_is_played_with_the_tiles_of_the_file(name: str, tiles: Path) -> None:
    moves, points = SCENARIOS[name]
    (imported,) = import_games(game_of(moves), tiles=[tiles])
    assert imported.end.scores == points
    assert State.from_dict(imported.end.to_dict(), imported.end.rules) == imported.end


def test_the_command_takes_a_tile_file_and_the_record_is_replayed_with_it(
    tiles: Path, run: Run
) -> None:
    moves, _ = SCENARIOS["a city with four gates"]
    Path("gates.jcz").write_text(game_of(moves), encoding="utf-8")
    assert "the tiles of 'city-gates', which carc cannot import" in refused(
        run("import", "gates.jcz")
    )
    assert run("import", "gates.jcz", "--tiles", str(tiles))[0] == 0
    assert run("replay", "--verify", "gates.jsonl", "--tiles", str(tiles))[0] == 0


def test_a_tile_file_is_for_games_of_jcloisterzone(tiles: Path) -> None:
    with pytest.raises(BadRecord, match="tile files are for saved games of JCloisterZone"):
        import_games("# a log of another form", tiles=[tiles])


def test_a_tile_that_the_file_lacks_is_named(tiles: Path) -> None:
    moves = [gate("cccc", 1, 0), *skip()]
    with pytest.raises(BadRecord, match=r"base has no tile 'City-Gates/cccc'"):
        import_games(game_of(moves), tiles=[tiles])
