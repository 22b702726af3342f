"""Games with tiles that carc lacks, from a user's tile file."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from support.program import Run, refused
from support.saved_games import Move, commit, deploy, lay, saved, skip, text_of

import carc
from carc import State
from carc.errors import BadRecord
from carc.formats import import_games

BASE = Path(carc.__file__).with_name("base") / "tiles" / "base.txt"
# A city with walls all around, as a tile of fans might have it: an edge fits any, and ends there.
FORT = """
tile Fort 1 ????
  city coat_of_arms=1
  symbol jcz=Fans/fort
"""
MOVES = [lay("Fans/fort", 1, 0), deploy("0.small.1", 1, 0, "City", "I"), commit()]


@pytest.fixture
def tiles(tmp_path: Path) -> Path:
    """The base game's tiles with that one."""
    path = tmp_path / "mine.txt"
    path.write_text(BASE.read_text(encoding="utf-8") + FORT, encoding="utf-8")
    return path


def game_of(moves: Sequence[Move | list[Move]]) -> str:
    return text_of(saved(*moves, sets=["of-fans"]))


def test_a_game_is_played_with_the_tiles_of_the_file(tiles: Path) -> None:
    (imported,) = import_games(game_of(MOVES), tiles=[tiles])
    assert imported.end.scores == [4, 0]
    assert State.from_dict(imported.end.to_dict(), imported.end.rules) == imported.end


def test_the_command_takes_a_tile_file_and_the_record_is_replayed_with_it(
    tiles: Path, run: Run
) -> None:
    Path("fort.jcz").write_text(game_of(MOVES), encoding="utf-8")
    assert "the tiles of 'of-fans', which carc cannot import" in refused(run("import", "fort.jcz"))
    assert run("import", "fort.jcz", "--tiles", str(tiles))[0] == 0
    assert run("replay", "--verify", "fort.jsonl", "--tiles", str(tiles))[0] == 0


def test_a_tile_file_is_for_games_of_jcloisterzone(tiles: Path) -> None:
    with pytest.raises(BadRecord, match="tile files are for saved games of JCloisterZone"):
        import_games("# a log of another form", tiles=[tiles])


def test_a_tile_that_the_file_lacks_is_named(tiles: Path) -> None:
    moves = [lay("Fans/inn", 1, 0), *skip()]
    with pytest.raises(BadRecord, match=r"base has no tile 'Fans/inn'"):
        import_games(game_of(moves), tiles=[tiles])
