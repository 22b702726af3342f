"""What remote bots do to their connections, and who pays for it."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from support.remote_bots import (
    CLOCK,
    HASHES,
    TOKENS,
    Hall,
    Talk,
    arena,
    beside,
    faults_of,
    short_game,
    until,
)
from websockets.exceptions import ConnectionClosed

from carc import Match
from carc.arena import relay
from carc.tournaments.players.protocol import RemoteBot
from carc.tournaments.running.playing import play_one
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game

Message = dict[str, Any]
FAIR, CULPRIT = "eve/fair@1", "ann/x@1"


def against_a_fair_bot(hall: Hall, culprit: Callable[[Talk], None], **more: Any) -> Match:
    """A short game of a fair remote bot, which begins, and one that does what it likes."""
    fair, talk = Talk(hall, "fair", "eve"), Talk(hall)
    with fair.socket, talk.socket, beside(fair.play), beside(lambda: play(culprit, talk)):
        hall.await_present(FAIR, CULPRIT)
        match = short_game(FAIR, CULPRIT, **more)
    assert fair.received[-1]["type"] == "over"
    assert 0 not in faults_of(match)
    return match


def play(culprit: Callable[[Talk], None], talk: Talk) -> None:
    """Let a bot play until its connection is closed, by whomever."""
    with suppress(ConnectionClosed):
        culprit(talk)


def at_first(kind: str, act: Callable[[Talk, Message], object]) -> Callable[[Talk], None]:
    """A bot that does this with the first message of a kind, and is fair otherwise."""

    def culprit(talk: Talk) -> None:
        while (message := talk.hear())["type"] != kind:
            talk.answer(message)
        act(talk, message)
        talk.play()

    return culprit


def test_a_remote_bot_plays_game_after_game(hall: Hall) -> None:
    talk = Talk(hall)
    with talk.socket:
        for _ in range(2):
            with beside(talk.play):
                hall.await_present(CULPRIT)
                match = short_game("random", CULPRIT)
            assert faults_of(match) == {}
            assert talk.received[-1]["scores"] == list(match.result.scores)


LIES: dict[str, tuple[str | bytes, str]] = {
    "not JSON": ("thinking...", "malformed: it spoke"),
    "no object": ("[1, 2]", "malformed"),
    "empty": ("", "malformed"),
    "another type": ('{"type": "ready", "protocol": 1}', "malformed"),
    "another id": ('{"type": "action", "id": 5, "action": "pass"}', "malformed"),
    "no id": ('{"type": "action", "action": "pass"}', "malformed"),
    "no UTF-8": (b'{"type": "\xff"}', "malformed"),
    "a pong of no ping": ('{"type": "pong", "id": 1}', "malformed"),
    "a long line": ("x" * 70_000, "output limit: a line of more than 65536 bytes"),
    "a very long line": ("x" * 200_000, "output limit"),
    "deep": ("[" * 60_000, "malformed"),
}


@pytest.mark.parametrize("what", LIES)
def test_a_lie_about_the_protocol_loses_the_game(hall: Hall, what: str) -> None:
    lie, verdict = LIES[what]
    match = against_a_fair_bot(hall, at_first("choose", lambda talk, _: talk.socket.send(lie)))
    assert faults_of(match)[1].startswith(verdict.replace(": it spoke", ""))


def test_a_text_that_is_not_utf_8_is_malformed_and_leaves_no_traceback(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    match = against_a_fair_bot(
        hall, at_first("choose", lambda talk, _: talk.socket.send(b"\xff\xfe", text=True))
    )
    assert faults_of(match)[1] == "malformed: a text that is not UTF-8"
    assert [record for record in caplog.records if record.exc_info] == []


def test_an_answer_before_the_question_is_malformed(hall: Hall) -> None:
    def early(talk: Talk, message: Message) -> None:
        talk.answer(message)
        talk.say(type="action", id=1, action="pass")

    match = against_a_fair_bot(hall, at_first("hello", early))
    assert faults_of(match)[1].startswith(("malformed: it spoke unasked", "failed to start"))


def test_an_answer_given_twice_is_malformed(hall: Hall) -> None:
    def twice(talk: Talk, message: Message) -> None:
        talk.answer(message)
        talk.answer(message)

    match = against_a_fair_bot(hall, at_first("choose", twice))
    assert faults_of(match)[1].startswith("malformed: it")


def test_an_illegal_action_loses_the_game_and_keeps_the_connection(hall: Hall) -> None:
    def illegal(talk: Talk, message: Message) -> None:
        talk.say(type="action", id=message["id"], action="place:99,99,0")

    match = against_a_fair_bot(hall, at_first("choose", illegal))
    assert faults_of(match)[1].startswith("illegal")


def test_silence_is_a_timeout_at_the_clock(hall: Hall) -> None:
    begun = time.monotonic()
    match = against_a_fair_bot(hall, at_first("choose", lambda talk, _: talk.ended()))
    assert faults_of(match)[1] == "timeout: no answer within 0.3 s, the cap of a move"
    assert time.monotonic() - begun < 3


def test_who_answers_nothing_at_all_fails_to_start(hall: Hall) -> None:
    match = against_a_fair_bot(
        hall,
        at_first("hello", lambda talk, _: talk.ended()),
        clock="bank=2,increment=0.1,cap=0.3,start=0.2",
    )
    assert faults_of(match)[1].startswith("failed to start: timeout")


def test_nobody_holds_a_game_longer_than_his_bank(hall: Hall) -> None:
    def slow(talk: Talk) -> None:
        while (message := talk.hear())["type"] not in ("over", "end"):
            if message["type"] == "choose":
                time.sleep(0.2)
            talk.answer(message)

    match = against_a_fair_bot(hall, slow, clock="bank=0.3,increment=0,cap=0.3,start=1")
    assert faults_of(match)[1].startswith("timeout: no answer within 0.")
    assert faults_of(match)[1].endswith("the rest of its bank")


def test_an_answer_too_late_costs_the_next_game_nothing(hall: Hall) -> None:
    def late(talk: Talk, message: Message) -> None:
        time.sleep(0.6)
        talk.answer(message)

    assert faults_of(against_a_fair_bot(hall, at_first("choose", late)))[1].startswith("timeout")
    assert faults_of(against_a_fair_bot(hall, Talk.play)) == {}


def test_a_flood_ends_with_its_first_message(hall: Hall) -> None:
    def flood(talk: Talk, _: Message) -> None:
        for _number in range(5000):
            talk.socket.send("x" * 1000)

    match = against_a_fair_bot(hall, at_first("choose", flood))
    assert faults_of(match)[1].startswith("malformed")


def test_who_speaks_while_nothing_is_asked_of_him_is_cut_off(hall: Hall) -> None:
    talk = Talk(hall)
    with talk.socket:
        talk.say(type="action", id=1, action="pass")
        assert talk.ended().startswith("malformed: it spoke unasked: ")
    until(lambda: "remote:ann/x@1" not in hall.relay.present())


# -- connections that are lost ---------------------------------------------------------------------


def back(hall: Hall, session: str, answered: bool) -> Callable[[Talk, Message], None]:
    """Lose the connection, before or after an answer, and come back in this session."""

    def lose(talk: Talk, message: Message) -> None:
        if answered:
            talk.answer(message)
        talk.socket.close()
        again = Talk(hall, session=session)
        with again.socket:
            again.play()

    return lose


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("kind", ["hello", "game", "choose"])
@pytest.mark.parametrize("session", ["same", "other"])
def test_a_connection_that_is_lost_is_found_again(
    hall: Hall, kind: str, answered: bool, session: str
) -> None:
    """In the session that knows the game, or in another, which is told it from the beginning."""
    fair = Talk(hall, "fair", "eve")
    talk = Talk(hall, session="same")
    lost = at_first(kind, back(hall, session, answered))
    with fair.socket, talk.socket, beside(fair.play), beside(lambda: play(lost, talk)):
        hall.await_present(FAIR, CULPRIT)
        match = short_game(FAIR, CULPRIT, clock="bank=5,increment=0.1,cap=5,start=5")
    assert faults_of(match) == {}


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [("hello", "failed to start: crash"), ("choose", "crash: its connection was lost")],
)
def test_who_does_not_come_back_loses(hall: Hall, kind: str, verdict: str) -> None:
    match = against_a_fair_bot(hall, at_first(kind, lambda talk, _: talk.socket.close()))
    assert faults_of(match)[1].startswith(verdict)


def test_who_forgets_the_game_twice_loses(hall: Hall) -> None:
    def forget(talk: Talk, message: Message) -> None:
        talk.socket.close()
        for session in ("second", "third"):
            again = Talk(hall, session=session)
            with again.socket:
                while again.hear()["type"] != "hello":
                    pass

    match = against_a_fair_bot(hall, at_first("choose", forget), clock="cap=5,start=5")
    assert faults_of(match)[1].startswith("crash: it came back in another session")


def test_the_newer_of_two_connections_is_the_bots(hall: Hall) -> None:
    old, new = Talk(hall), Talk(hall)
    with old.socket, new.socket:
        assert old.ended().startswith("replaced: ")
        with beside(new.play):
            hall.await_present(CULPRIT)
            assert faults_of(short_game("random", CULPRIT)) == {}


# -- who is there ----------------------------------------------------------------------------------


def test_who_does_not_answer_a_ping_is_not_there(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(relay, "PING", 0.02)
        patch.setattr(relay, "SILENCE", 0.1)
        with arena(tmp_path) as hall:
            talk = Talk(hall, "mute")
            with talk.socket:
                assert talk.ended() == "closed: it did not answer a ping within 0.1 s"
                assert hall.relay.present() == frozenset()


def test_who_leaves_is_given_no_game(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay, "LEAVE", 0.05)
    talk = Talk(hall, "leaver")
    with talk.socket:
        talk.say(type="pong", id=json.loads(talk.socket.recv(timeout=20))["id"])
        hall.await_present("ann/leaver@1")
        talk.say(type="leave")
        until(lambda: "remote:ann/leaver@1" not in hall.relay.present())
        assert talk.ended() == "closed: it left"


def test_who_leaves_plays_the_game_that_he_has_to_its_end(hall: Hall) -> None:
    def leave(talk: Talk, message: Message) -> None:
        talk.say(type="leave")
        talk.answer(message)

    assert faults_of(against_a_fair_bot(hall, at_first("hello", leave))) == {}


# -- the clock -------------------------------------------------------------------------------------


def seconds_of(hall: Hall, away: float) -> float:
    """What a bot's longest answer took on its clock, with so long a way to it and back."""

    def far(talk: Talk) -> None:
        while (message := json.loads(talk.socket.recv(timeout=20)))["type"] != "over":
            time.sleep(away if message["type"] != "game" else 0)
            if message["type"] == "ping":
                talk.say(type="pong", id=message["id"])
            talk.answer(message)

    talk = Talk(hall)
    watched: list[RemoteBot] = []
    with talk.socket, beside(lambda: far(talk)):
        until(lambda: len(hall.connection(CULPRIT).round_trips) == relay.FIRST)
        assert faults_of(short_game("random", CULPRIT, clock="cap=9", bots=watched)) == {}
    return max(wall for wall, _ in watched[0].times)


def test_the_network_is_not_on_the_clock(hall: Hall) -> None:
    """As measured, up to a bound: who pretends to be far away gains no more than that."""
    assert seconds_of(hall, 0.1) < 0.08
    hall.relay.latency, before = 0.05, hall.relay.latency
    try:
        assert 0.05 < seconds_of(hall, 0.1) < 0.25
    finally:
        hall.relay.latency = before


def test_time_in_which_the_service_stands_still_is_on_no_clock(hall: Hall) -> None:
    def stop(talk: Talk, message: Message) -> None:
        hall.loop.call_soon_threadsafe(time.sleep, 0.6)
        time.sleep(0.1)
        talk.answer(message)

    match = against_a_fair_bot(hall, at_first("choose", stop), clock="cap=0.4,start=2")
    assert faults_of(match) == {}


# -- what is sent ----------------------------------------------------------------------------------


def test_nothing_secret_is_sent(hall: Hall) -> None:
    """No seed of the deal, id of the game, name, token, or tile that is still to come."""
    game = Game(
        id="5ec7e7" * 4,
        rules="base",
        seats=tuple(
            Entrant(f"{name}@1", f"remote:{author}/{name}@1", "d1935e" * 4, "remote")
            for author, name in (("ann", "x"), ("eve", "fair"))
        ),
        deal=0,
        deal_seed=987_654_321_987,
        bot_seeds=(1, 2),
        keeps_deal=True,
        rotation_set="5e75e7" * 4,
        clock=CLOCK,
    )
    x, fair = Talk(hall, state=True), Talk(hall, "fair", "eve", state=True)
    with x.socket, fair.socket, beside(x.play), beside(fair.play):
        hall.await_present(CULPRIT, FAIR)
        outcome = play_one(game)
    assert outcome.verdicts == ("ok", "ok")
    moves = json.loads(outcome.record.splitlines()[1])["moves"].split()
    movers, actions = moves[::2], moves[1::2]
    for seat, (talk, other) in enumerate([(x, "fair"), (fair, "x")]):
        sent = json.dumps(talk.received)
        for secret in (
            game.id, game.rotation_set, str(game.deal_seed), "d1935e", "remote", "arena.sock",
            *TOKENS.values(), *HASHES.values(), *(f'"{author}' for author in TOKENS), f"{other}@",
        ):  # fmt: skip
            assert secret not in sent
        seen: list[str] = []
        for message in talk.received:
            seen += message.get("actions", [])
            assert seen == actions[: len(seen)]
            if message["type"] == "choose":
                assert movers[len(seen)] == str(seat)  # nothing that comes after its own turn
