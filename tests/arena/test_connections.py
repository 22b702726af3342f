"""What remote bots do to their connections, and who pays for it."""

import asyncio
import threading
import time
from collections.abc import Callable
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
    until_closed,
)
from support.waiting import until

from carc.arena.seats import Bot, Connection, Fault, Seat
from carc.arena.stopwatch import Stopwatch

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
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with arena(tmp_path) as hall:
        match = against_a_fair_bot(
            hall, at_first("choose", lambda talk, _: talk.socket.send(b"\xff\xfe", text=True))
        )
    assert faults_of(match)[1] == "malformed: a text that is not UTF-8"
    assert "Traceback" not in capfd.readouterr().err


def test_an_answer_before_the_question_is_malformed(hall: Hall) -> None:
    def early(talk: Talk, message: Message) -> None:
        talk.answer(message)
        talk.say(type="action", id=1, action="pass")

    match = against_a_fair_bot(hall, at_first("hello", early))
    fault = faults_of(match)[1]
    unasked = "malformed: it spoke unasked"
    # It may come when the question is on its way.
    assert fault.startswith((unasked, "malformed: it answered request 1", "failed to start"))


def test_an_answer_given_twice_is_malformed(hall: Hall) -> None:
    def twice(talk: Talk, message: Message) -> None:
        talk.answer(message)
        talk.answer(message)

    match = against_a_fair_bot(hall, at_first("choose", twice))
    assert faults_of(match)[1].startswith("malformed: it")


def test_who_lost_by_a_fault_is_there_for_another_game_before_this_one_is_over(hall: Hall) -> None:
    fair, talk = Talk(hall, "fair", "eve"), Talk(hall)
    cut_off = threading.Event()

    def culprit() -> None:
        while (message := talk.hear())["type"] != "choose":
            talk.answer(message)
        talk.answer(message)
        talk.say(type="hello")
        assert talk.ended().startswith("malformed: it spoke unasked")
        cut_off.set()
        again = Talk(hall)
        with again.socket:
            again.play()
        assert [message["type"] for message in again.received if message["type"] != "ping"] == []

    def patient() -> None:
        while (message := fair.hear())["type"] != "over":
            if message["type"] == "choose" and cut_off.wait(0.02):
                hall.await_present(CULPRIT)
            fair.answer(message)
        hall.loop.call_soon_threadsafe(hall.connection(CULPRIT).end)

    with fair.socket, talk.socket, beside(patient), beside(culprit):
        hall.await_present(FAIR, CULPRIT)
        match = short_game(FAIR, CULPRIT, clock="cap=9", tiles=12)
    assert faults_of(match)[1].startswith("malformed")


def test_who_comes_back_with_no_memory_and_speaks_unasked_loses(hall: Hall) -> None:
    fair, talk = Talk(hall, "fair", "eve"), Talk(hall)
    cut_off = threading.Event()

    def culprit() -> None:
        while (message := talk.hear())["type"] != "choose":
            talk.answer(message)
        talk.answer(message)
        talk.socket.close()
        again = Talk(hall)
        with again.socket:
            again.say(type="hello")
            assert again.ended().startswith("malformed: it spoke unasked")
        cut_off.set()

    def patient() -> None:
        while (message := fair.hear())["type"] != "over":
            if message["type"] == "choose" and talk.received[-1]["type"] == "choose":
                assert cut_off.wait(20)
            fair.answer(message)

    with fair.socket, talk.socket, beside(patient), beside(culprit):
        hall.await_present(FAIR, CULPRIT)
        match = short_game(FAIR, CULPRIT, clock="cap=9", tiles=12)
    assert faults_of(match)[1].startswith("malformed: it spoke unasked")


def test_who_plays_is_given_no_other_game(hall: Hall) -> None:
    there = []

    def look(talk: Talk, message: Message) -> None:
        there.append(CULPRIT in {bot.removeprefix("remote:") for bot in hall.relay.present()})
        talk.answer(message)

    assert faults_of(against_a_fair_bot(hall, at_first("choose", look))) == {}
    assert there == [False]


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
    told: list[str] = []
    match = against_a_fair_bot(
        hall,
        at_first("hello", lambda talk, _: told.append(talk.ended())),
        clock="bank=2,increment=0.1,cap=0.3,start=0.2",
    )
    assert faults_of(match)[1].startswith("failed to start: timeout")
    assert told == ["timeout: no answer within 0.2 s from its start"]


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
    with fair.socket, talk.socket, beside(fair.play), beside(lambda: until_closed(lost, talk)):
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


def test_who_comes_only_when_its_game_has_begun_may_still_forget_it_once(hall: Hall) -> None:
    def late() -> None:
        until(lambda: f"remote:{CULPRIT}" in hall.relay._bots)
        talk = Talk(hall, session="first")
        until_closed(at_first("choose", back(hall, "second", answered=False)), talk)

    with beside(late):
        match = short_game("random", CULPRIT, clock="cap=9,start=9")
    assert faults_of(match) == {}


def test_who_comes_back_twice_in_a_session_is_told_the_game_once() -> None:
    """The second time it may not have been asked again yet."""

    async def asked() -> list[bytes | Fault]:
        bot, watch, told = Bot("x"), Stopwatch(), list[bytes | Fault]()
        seat = Seat(bot)

        async def ask(act: Callable[[], object]) -> None:
            asking = asyncio.ensure_future(seat.ask(b"hello", watch.now() + 9, watch))
            await asyncio.sleep(0)
            act()
            told.append(await asking)

        bot.connection = Connection("x", "first", ())
        await ask(lambda: seat.take(b"ready"))
        await ask(lambda: seat.come_back("second"))
        seat.come_back("second")
        await ask(lambda: seat.take(b"ready"))
        return told

    first, forgot, again = asyncio.run(asked())
    assert isinstance(forgot, Fault)
    assert first == again == b"ready"


def test_the_newer_of_two_connections_is_the_bots(hall: Hall) -> None:
    old, new = Talk(hall), Talk(hall)
    with old.socket, new.socket:
        assert old.ended().startswith("replaced: ")
        with beside(new.play):
            hall.await_present(CULPRIT)
            assert faults_of(short_game("random", CULPRIT)) == {}


def test_what_an_older_connection_says_harms_nobody(hall: Hall) -> None:
    """It may be on its way still when the newer one comes."""
    old = Talk(hall)
    until(lambda: CULPRIT in {spec.removeprefix("remote:") for spec in hall.relay._bots})
    older = hall.connection(CULPRIT)
    new = Talk(hall)
    with old.socket, new.socket, beside(new.play):
        hall.await_present(CULPRIT)
        hall.loop.call_soon_threadsafe(hall.relay.hear, older, b"junk")
        hall.loop.call_soon_threadsafe(hall.relay.fault, older, "malformed", "no UTF-8")
        assert faults_of(short_game("random", CULPRIT)) == {}
