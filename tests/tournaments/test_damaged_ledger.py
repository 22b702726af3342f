"""Ledgers that are none, damaged, on a full disk or in a folder that may not be written."""

import os
import sqlite3
import sys
from pathlib import Path

import pytest
from support.flips import Ending, Make, schedule
from support.program import python

from carc.tournaments.ledger.file import writable
from carc.tournaments.ledger.ledger import BadLedger, Ledger
from carc.tournaments.outcomes.outcome import row

FULL = """
import resource, sys
from pathlib import Path
sys.path[:0] = {path!r}
from carc.errors import CarcError
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.schedule.configuration import Configuration
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
try:
    with Ledger.writing(Path({folder!r}), Configuration.from_dict({data!r})):
        pass
except CarcError as error:
    sys.exit(str(error))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of files")
def test_a_disk_that_is_full_at_the_start_stops_no_later_try(
    tmp_path: Path, configuration: Make
) -> None:
    """Wherever it is full: no more bytes of a file can be written than so many."""
    made = configuration("ab", mirrored=False)
    told = []
    for size in (0, 1000, 20_000, 40_000, 60_000, 80_000, 120_000, 160_000):
        text = FULL.format(path=sys.path, size=size, folder=str(tmp_path), data=made.to_dict())
        told.append(python(text).stderr)
        if (tmp_path / "ledger.sqlite").exists():
            with Ledger.reading(tmp_path) as ledger:
                assert ledger.configuration == made
    assert not any("Traceback" in each for each in told)
    assert told[0].endswith("cannot be used as a ledger: disk I/O error\n")
    assert told[-1] == ""
    with Ledger.writing(tmp_path, made) as ledger:
        assert ledger.configuration == made


def test_a_ledger_has_its_name_when_it_knows_its_tournament(tmp_path: Path) -> None:
    """The disk is full between the two: there is no ledger, so that the next try makes one."""

    def full(connection: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    path = tmp_path / "ledger.sqlite"
    with pytest.raises(BadLedger, match="database or disk is full"), writable(path, full):
        pass
    assert not path.exists()


def test_files_that_are_no_ledger(tmp_path: Path, configuration: Make) -> None:
    def refused(sentence: str) -> None:
        with pytest.raises(BadLedger, match=sentence), Ledger.reading(tmp_path):
            pass

    refused("there is no tournament in")
    file = tmp_path / "ledger.sqlite"
    file.write_text("The quick brown fox jumps over the lazy dog. " * 100)
    refused("cannot be used as a ledger: file is not a database")
    with (
        pytest.raises(BadLedger, match="file is not a database"),
        Ledger.writing(tmp_path, configuration()),
    ):
        pass
    file.write_bytes(b"")
    refused("is empty: its games are lost; remove it to begin anew")
    with (
        pytest.raises(BadLedger, match="is empty: its games are lost; remove it to begin anew"),
        Ledger.writing(tmp_path, configuration()),
    ):
        pass
    file.unlink()
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE cats (name TEXT)")
    connection.close()
    refused("cannot be used as a ledger: no such table: meta")
    # What SQLite says of this is itself no text.
    damaged = file.read_bytes().replace(b"cats", b"c\xffts").replace(b"TEXT)", b"TEXT ")
    file.write_bytes(damaged)
    refused("cannot be used as a ledger")


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE games SET ranks = '[1, 0]' WHERE id = ?", "game .* is not what was written"),
        ("UPDATE games SET verdict = 'void' WHERE id = ?", "game .* is not what was written"),
        ("UPDATE records SET record = 'x' WHERE id = ?", "game .* is not what was written"),
        ("UPDATE meta SET value = '2' WHERE key = 'seed' AND ? != ''", "its configuration is not"),
    ],
)
def test_damage_is_noticed(
    tmp_path: Path,
    configuration: Make,
    outcome: Ending,
    statement: str,
    sentence: str,
) -> None:
    made = configuration("ab")
    with Ledger.writing(tmp_path, made) as ledger:
        ledger.add(row(outcome(game, (0, 1))) for game in schedule(made))
    connection = sqlite3.connect(tmp_path / "ledger.sqlite")
    with connection:
        connection.execute(statement, [schedule(made)[0].id])
    connection.close()
    with pytest.raises(BadLedger, match=sentence), Ledger.reading(tmp_path) as ledger:
        for each in ledger.outcomes():
            ledger.outcome(each.id)


def test_a_text_that_a_flipped_bit_made_a_number_is_damage(
    tmp_path: Path, configuration: Make
) -> None:
    with Ledger.writing(tmp_path, configuration("ab")):
        pass
    connection = sqlite3.connect(tmp_path / "ledger.sqlite")
    with connection:
        connection.executescript(
            "CREATE TABLE was AS SELECT * FROM meta; DROP TABLE meta; CREATE TABLE meta "
            "(key, value);"
            "INSERT INTO meta SELECT * FROM was; DROP TABLE was;"
            "UPDATE meta SET value = 7 WHERE key = 'seed'"
        )
    connection.close()
    with pytest.raises(BadLedger, match="its configuration is not"), Ledger.reading(tmp_path):
        pass


def test_a_folder_that_may_not_be_written_is_read(
    tmp_path: Path, configuration: Make, outcome: Ending, monkeypatch
) -> None:
    made = configuration("ab")
    denied = {tmp_path}
    access = os.access
    monkeypatch.setattr(os, "access", lambda p, mode: p not in denied and access(p, mode))
    with Ledger.writing(tmp_path, made) as ledger:
        ledger.add(row(outcome(game, (0, 1))) for game in schedule(made))
        with Ledger.reading(tmp_path) as other:  # while it runs, too
            assert other.ids() == ledger.ids() != set()
    before = sorted(tmp_path.iterdir())
    with Ledger.reading(tmp_path) as other:
        assert len(list(other.outcomes())) == 2
    assert sorted(tmp_path.iterdir()) == before
