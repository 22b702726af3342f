"""The small tile set that the ghosts' scenarios play on, and the shipped ones."""

from pathlib import Path

import pytest
from support.notation import tile_file

from carc import tilesets
from carc.base.tiles.tile import TileSet

TILES = tile_file(
    "mists",
    """
tile QNW 1 FFFF: field E S; mist N W ghosts=2
tile QNE 1 FFFF: field S W; mist N E ghosts=1
tile QSE 1 FFFF: field N W; mist E S
tile QSW 1 FFFF: field N E; mist S W
tile PLAIN 30 FFFF: field N E S W
tile MIST1 12 FFFF: field N E W; mist S ghosts=1
tile MIST2 8 FFFF: field E W; mist N S ghosts=2
tile MIST4 8 FFFF: mist N E S W ghosts=3
tile BAND 4 FFFF: field W; field E; mist N S
tile TWOMISTS 2 FFFF: field E W; mist N ghosts=1; mist S ghosts=1
tile MISTROAD 4 RFRF: road N S; field E; field W; mist N S ghosts=1
tile ROAD 6 RFRF: road N S; field NR E SL; field NL SR W
tile END 6 FFRF: road S; field N E SL SR W
tile CITY 6 CFFF: city N; field E S W touches=0
tile LONG 4 CFCF: city N S; field E touches=0; field W touches=0
tile HUB 1 CCFC: city N E W; field S touches=0
tile CASTLE 3 FFFF: castle; field E S W; mist N
tile BARE 1 FFFF: castle; field N E S W
tile GATE 1 CFRF: city N; road S; field E SL touches=0; field SR W touches=0
tile GRAVE 5 FFFF: cemetery; field N E S W
start QNW 0,0
start QNE 1,0
start QSE 1,1
start QSW 0,1
""",
)


@pytest.fixture
def tiles(tmp_path: Path) -> Path:
    path = tmp_path / "mists.txt"
    path.write_text(TILES)
    return path


@pytest.fixture(scope="module")
def mists() -> TileSet:
    return tilesets.by_name("mists")


@pytest.fixture(scope="module")
def circles() -> TileSet:
    return tilesets.by_name("circles")


@pytest.fixture(scope="module")
def base() -> TileSet:
    return tilesets.by_name("base")
