"""Which remote bots are there for a game, and how they leave."""

import json
import time
from pathlib import Path

import pytest
from support.remote_bots import (
    CULPRIT,
    FAIR,
    Hall,
    Message,
    Talk,
    against_a_fair_bot,
    arena,
    at_first,
    beside,
    faults_of,
    short_game,
)
from support.waiting import until

from carc.arena import relay


def test_who_does_not_answer_a_ping_is_not_there(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(relay, "PING", 0.02)
        patch.setattr(relay, "SILENCE", 0.1)
        with arena(tmp_path) as hall:
            talk = Talk(hall, "mute")
            with talk.socket:
                assert talk.ended() == "closed: it did not answer a ping within 0.1 s"
                assert hall.relay.present() == frozenset()


def test_who_plays_need_not_answer_pings(tmp_path: Path) -> None:
    """Not even while it waits for others, as the answers show that it is there."""

    def slow(talk: Talk) -> None:
        while (message := talk.hear())["type"] != "over":
            time.sleep(0.1)
            talk.answer(message)

    def deaf(talk: Talk) -> None:
        while talk.hear()["type"] != "hello":
            pass
        talk.say(type="ready", protocol=1)
        while (message := json.loads(talk.socket.recv(timeout=20)))["type"] != "over":
            talk.answer(message)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(relay, "PING", 0.02)
        patch.setattr(relay, "SILENCE", 0.05)
        with arena(tmp_path) as hall:
            talk, fair = Talk(hall), Talk(hall, "fair", "eve")
            with talk.socket, fair.socket, beside(lambda: deaf(talk)), beside(lambda: slow(fair)):
                hall.await_present(CULPRIT, FAIR)
                assert faults_of(short_game(FAIR, CULPRIT, clock="cap=9,start=9")) == {}


def test_nobody_seems_far_away_because_he_thinks(tmp_path: Path) -> None:
    """Nobody is pinged meanwhile."""

    def slow(talk: Talk) -> None:
        while (message := talk.hear())["type"] != "over":
            if message["type"] == "choose":
                time.sleep(0.3)
            talk.answer(message)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(relay, "PING", 0.02)
        with arena(tmp_path) as hall:
            talk = Talk(hall)
            with talk.socket, beside(lambda: slow(talk)):
                hall.await_present(CULPRIT)
                short_game("random", CULPRIT, clock="cap=9,start=9", tiles=2)
                assert max(hall.connection(CULPRIT).round_trips) < 0.25


def test_a_pong_answers_the_ping_that_was_sent(hall: Hall) -> None:
    """So nobody seems near who answers before he is asked."""
    talk = Talk(hall, "guess")
    with talk.socket:
        number = json.loads(talk.socket.recv(timeout=20))["id"]
        assert "remote:ann/guess@1" not in hall.relay.present()
        talk.say(type="pong", id=number + 1)
        assert talk.ended().startswith("malformed: it spoke unasked")


@pytest.mark.parametrize(("patience", "told"), [(0.05, "closed: it left"), (60, "")])
def test_who_leaves_is_given_no_game(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, patience: float, told: str
) -> None:
    """From then on, though it may have been chosen for one just before."""
    monkeypatch.setattr(relay, "LEAVE", patience)
    talk = Talk(hall, "leaver")
    with talk.socket:
        talk.say(type="pong", id=json.loads(talk.socket.recv(timeout=20))["id"])
        hall.await_present("ann/leaver@1")
        talk.say(type="leave")
        until(lambda: "remote:ann/leaver@1" not in hall.relay.present())
        if told:
            assert talk.ended() == told


def test_who_leaves_and_was_chosen_for_a_game_waits_for_it(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it takes until the game begins."""
    monkeypatch.setattr(relay, "LEAVE", 0.02)
    monkeypatch.setattr(hall.relay, "is_chosen", {"remote:ann/x@1"}.__contains__)
    talk = Talk(hall)
    with talk.socket:
        talk.say(type="leave")
        with beside(talk.play):
            until(lambda: hall.connection("ann/x@1").round_trips)
            time.sleep(0.1)
            assert faults_of(short_game("random", "ann/x@1")) == {}
        monkeypatch.undo()
        assert talk.ended() == "closed: it left"


def test_who_leaves_and_comes_back_is_given_games(hall: Hall) -> None:
    old = Talk(hall)
    with old.socket:
        old.say(type="leave")
        new = Talk(hall)
        with new.socket, beside(new.play):
            hall.await_present("ann/x@1")
            assert faults_of(short_game("random", "ann/x@1")) == {}


def test_whoever_is_there_is_told_that_the_arena_stops(hall: Hall) -> None:
    talk = Talk(hall)
    with talk.socket:
        until(lambda: "remote:ann/x@1" in hall.relay._bots)
        hall.relay.dismiss()
        assert talk.ended() == "closed: the arena stops; come back later"


def test_who_leaves_twice_speaks_unasked(hall: Hall) -> None:
    talk = Talk(hall, "leaver")
    with talk.socket:
        talk.say(type="leave")
        talk.say(type="leave")
        assert talk.ended().startswith("malformed: it spoke unasked")


def test_who_leaves_plays_the_game_that_he_has_to_its_end(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "LEAVE", 0.01)

    def leave(talk: Talk, message: Message) -> None:
        talk.say(type="leave")
        time.sleep(0.1)
        talk.answer(message)

    assert faults_of(against_a_fair_bot(hall, at_first("hello", leave))) == {}
