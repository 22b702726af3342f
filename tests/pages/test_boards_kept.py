"""Boards of tournaments that are shown at once: rough ones, and those that were kept."""

import json
import os
import signal
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from support.cups import cells, read
from support.waiting import until

import carc
from carc.web import board_cache, tournament_reader
from carc.web.app import make_app


class Never(tournament_reader.ReaderPool):
    """Reads and does not come to an end."""

    def submit(self, *asked: Any) -> Future[Any]:
        self.asked = asked
        return Future()


def test_a_rough_board_comes_before_the_rated_one(tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob", "cid"], deals=4)
    rough, rated = (tournament_reader.read(tmp_path / "cup", (), one) for one in (True, False))
    assert (
        tournament_reader.ROUGH in rough.board.notes
        and tournament_reader.ROUGH not in rated.board.notes
    )
    assert not rough.is_complete and rated.is_complete
    assert [one.strength.value for one in rough.board.rows] == [
        one.strength.value for one in rated.board.rows
    ]
    assert rough.board.rows[0].mu is None and rated.board.rows[0].mu is not None
    assert rough.games == rated.games
    (tmp_path / "cup" / board_cache.FILE).unlink()
    app = make_app(tmp_path, hosts=["testserver"])
    app.state.tournaments.reader.submit = lambda *asked: Future()
    with TestClient(app) as client:
        one = app.state.tournaments.find("cup")
        assert "Reading the games" in client.get("/t/cup").text
        one._latest = rough
        board = [row for row in cells(client.get("/t/cup").text) if len(row) == 10]
        assert [row[1] for row in board] == ["bot", "ann", "bob", "cid"]
        assert [(row[3], row[7]) for row in board[1:]] == [("", "")] * 3  # ranks, TrueSkill
        assert not any("[" in cell for row in board for cell in row)


def test_what_was_rated_last_is_shown_at_once(client: TestClient, tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob"], deals=2)
    rated = read(client, "/t/cup")
    again = tournament_reader.WatchedTournament("cup", tmp_path / "cup", reader := Never())
    found, wrong = again.latest()
    assert found is not None and not wrong
    assert [line.bot for line in found.board.rows] == ["ann", "bob"]
    assert found.board.heading in rated
    assert found.games is None and reader.asked[2] is True  # these are still to be read
    fresh = make_app(tmp_path, hosts=["testserver"])
    fresh.state.tournaments.reader.submit = lambda *asked: Future()
    with TestClient(fresh) as other:
        assert cells(other.get("/t/cup").text) == cells(rated)
        assert "Reading the games" in other.get("/t/cup/games").text


def test_a_board_that_is_kept_is_not_taken_for_that_of_other_games(
    tmp_path: Path, cup: Any
) -> None:
    cup(["ann", "bob"])
    folder = tmp_path / "cup"
    one = tournament_reader.TournamentFolder(tmp_path).find("cup")
    assert one is not None
    try:
        until(lambda: (found := one.latest()[0]) is not None and found.is_complete)
        assert one.latest()[0].board.rows[0].games == 2  # type: ignore[union-attr]
        cup(["ann", "bob"], deals=5)
        later = tournament_reader.WatchedTournament("cup", folder, one._reader)
        assert later.latest()[0].board.rows[0].games == 2  # type: ignore[union-attr]
        until(lambda: (found := later.latest()[0]) is not None and found.is_complete)
        assert later.latest()[0].board.rows[0].games == 10  # type: ignore[union-attr]
    finally:
        one._reader.close()


@pytest.mark.parametrize(
    "kept",
    [
        "",
        "no json",
        "[]",
        "{}",
        '{"carc_version": "0", "stamp": [], "board": {}}',
        json.dumps(
            {"carc_version": carc.__version__, "stamp": [[1, 2]], "board": {"rows": [{"rank": 1}]}}
        ),
    ],
)
def test_a_kept_board_that_is_not_understood_is_left_alone(tmp_path: Path, kept: str) -> None:
    (tmp_path / board_cache.FILE).write_text(kept)
    assert board_cache.load(tmp_path) is None


def test_where_nothing_may_be_written_no_board_is_kept(tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob"])
    board = tournament_reader.read(tmp_path / "cup", (), True).board
    board_cache.save(tmp_path / "none", (), board, "")
    assert not (tmp_path / "none").exists()
    board_cache.save(tmp_path, ((1, 2),), board, "2026")
    kept = board_cache.load(tmp_path)
    assert kept is not None and (kept.board, kept.stamp, kept.made) == (board, ((1, 2),), "2026")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [board_cache.FILE]


def test_a_reading_does_not_hold_up_the_end_of_the_service(tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob"], deals=1)
    reader, before = tournament_reader.ReaderPool(), set(active_children())
    reader.submit(tmp_path / "cup", (), True).result(60)
    (process,) = set(active_children()) - before
    os.kill(process.pid or 0, signal.SIGSTOP)
    reading = reader.submit(tmp_path / "cup", (), True)  # takes for ever
    until(reading.running)
    reader.close()
    with pytest.raises(BrokenProcessPool):  # it has ended, and who is stopped can only be killed
        reading.result(30)
