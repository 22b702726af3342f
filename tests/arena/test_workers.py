"""The processes that play beside the service, and what they leave alone."""

import socket
from pathlib import Path

import pytest
from support.remote_bots import Hall, Talk, beside, faults_of, short_game

from carc.match import Void
from carc.tournaments.players import remote
from carc.tournaments.running.pool import LocalPool, WorkerDied


def played(*names: str) -> dict[int, str]:
    return faults_of(short_game(*names))


def test_games_are_played_in_processes_of_a_pool(hall: Hall) -> None:
    talk = Talk(hall)
    with LocalPool(1) as pool, talk.socket:
        for _ in range(2):
            with beside(talk.play):
                hall.await_present("ann/x@1")
                assert pool.submit(played, "random", "ann/x@1").result(timeout=20) == {}


def test_a_connection_that_the_service_ends_is_over_while_a_worker_lives(hall: Hall) -> None:
    """The worker, a copy of the service, has inherited it."""
    host, port = hall.url.removeprefix("http://").split(":")
    with LocalPool(1) as pool, socket.create_connection((host, int(port)), timeout=10) as line:
        line.sendall(b"GET /arena/ladders HTTP/1.1\r\nHost: x\r\n\r\n")
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 200")
        assert pool.submit(abs, -1).result(timeout=20) == 1
        line.sendall(b"GET /arena/ladders HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        while line.recv(1 << 16):
            pass


def test_a_worker_that_dies_is_no_fault_of_the_bot_it_asked(hall: Hall) -> None:
    talk = Talk(hall)
    with LocalPool(1) as pool, talk.socket:
        game = pool.submit(played, "random", "ann/x@1")
        while talk.hear()["type"] != "choose":
            talk.answer(talk.received[-1])
        pool.kill()
        assert talk.ended() == "void: the game could not be played to its end"
        with pytest.raises(WorkerDied):
            game.result()


def test_without_the_relay_a_game_is_void(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "path", str(tmp_path / "none"))
    with pytest.raises(Void, match="the arena's relay is not there"):
        short_game("random", "ann/x@1")


def test_nobody_sits_at_two_games_at_once(hall: Hall) -> None:
    talk = Talk(hall)

    def again() -> None:
        while talk.hear()["type"] != "choose":
            talk.answer(talk.received[-1])
        with pytest.raises(Void, match="the arena's relay is gone"):
            short_game("random", "ann/x@1")
        talk.answer(talk.received[-1])
        talk.play()

    with talk.socket, beside(again):
        hall.await_present("ann/x@1")
        assert played("random", "ann/x@1") == {}
