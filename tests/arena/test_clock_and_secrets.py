"""The clock of remote bots, and what they are not told."""

import json
import time
from typing import Any

import pytest
from support.remote_bots import (
    CLOCK,
    CULPRIT,
    FAIR,
    HASHES,
    RULES,
    TOKENS,
    Hall,
    Message,
    Talk,
    against_a_fair_bot,
    at_first,
    beside,
    faults_of,
    short_game,
)
from support.waiting import until

from carc.arena import relay
from carc.tournaments.players.protocol import RemoteBot
from carc.tournaments.running.playing import play_one
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game

# -- the clock -------------------------------------------------------------------------------------


def seconds_of(hall: Hall, away: float, **more: Any) -> float:
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
        game = {"clock": "cap=9", "bots": watched, **more}
        assert faults_of(short_game("random", CULPRIT, **game)) == {}
    return max(wall for wall, _ in watched[0].times)


def test_the_network_is_not_on_the_clock(hall: Hall) -> None:
    """As measured, up to a bound: who pretends to be far away gains no more than that."""
    assert seconds_of(hall, 0.1) < 0.08
    hall.relay.latency, before = 0.05, hall.relay.latency
    try:
        assert 0.05 < seconds_of(hall, 0.1) < 0.25
    finally:
        hall.relay.latency = before


def test_who_is_far_away_has_the_whole_cap(hall: Hall) -> None:
    assert seconds_of(hall, 0.2, clock="cap=0.15", tiles=2) < 0.15


@pytest.mark.parametrize("answers", [0.1, 0.8])
def test_time_in_which_the_service_stands_still_is_on_no_clock(hall: Hall, answers: float) -> None:
    """Whether the answer comes meanwhile or later."""

    def stop(talk: Talk, message: Message) -> None:
        hall.loop.call_soon_threadsafe(time.sleep, 0.7)
        time.sleep(answers)
        talk.answer(message)

    match = against_a_fair_bot(hall, at_first("choose", stop), clock="bank=0.7,increment=0,start=2")
    assert faults_of(match) == {}


# -- what is sent ----------------------------------------------------------------------------------


def test_nothing_secret_is_sent(hall: Hall) -> None:
    """No seed of the deal or of another, id of the game, name, token, or tile still to come."""
    seeds = (123_456_789_123, 321_987_654_321)
    game = Game(
        id="5ec7e7" * 4,
        rules="base",
        seats=tuple(
            Entrant(f"{name}@1", f"remote:{author}/{name}@1", "d1935e" * 4, "remote")
            for author, name in (("ann", "x"), ("eve", "fair"))
        ),
        deal=0,
        deal_seed=987_654_321_987,
        bot_seeds=seeds,
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
            str(seeds[1 - seat]),
        ):  # fmt: skip
            assert secret not in sent
        assert str(seeds[seat]) in sent
        seen: list[str] = []
        state = RULES.start()
        for message in talk.received:
            for action in message.get("actions", []):
                seen.append(action)
                state.apply(state.rules.parse(action))
            assert seen == actions[: len(seen)]
            if message["type"] == "choose":
                assert movers[len(seen)] == str(seat)  # nothing that comes after its own turn
                assert message["state"] == json.loads(json.dumps(state.to_dict()))


def test_what_one_bot_said_is_told_to_no_other(hall: Hall) -> None:
    """Nor why it lost; the others see only that it passes."""

    def culprit(talk: Talk, _: Message) -> None:
        talk.socket.send("my secret thoughts")
        talk.ended()

    fair, talk = Talk(hall, "fair", "eve"), Talk(hall)
    with (
        fair.socket,
        talk.socket,
        beside(fair.play),
        beside(lambda: at_first("choose", culprit)(talk)),
    ):
        hall.await_present(FAIR, CULPRIT)
        assert 1 in faults_of(short_game(FAIR, CULPRIT))
    assert "my secret thoughts" in json.dumps(talk.received[-1])
    for word in ("secret", "malformed", "ann", "fault"):
        assert word not in json.dumps(fair.received)
