"""Somebody kills a bot's process: no bot's fault, and nothing that a bot gains by."""

import os
import signal

import pytest
from support.playing import STRONG, Against

from carc import Action, State
from carc.bots import by_name
from carc.match import Void
from carc.tournaments.isolation import sandbox
from carc.tournaments.players.protocol import RemoteBot

pytestmark = pytest.mark.parametrize("level", ["process", *STRONG])

# It draws lots, so that who forgets what it was asked plays differently.
LOTS = """
import random
rng = random.Random(5)
play(lambda m: reply(m, rng.choice(m["legal"])))"""


class Killing:
    """Kills the bot's process at some of its own moves, and may cut its clock's bank then."""

    def __init__(self, *when: int, bank: float | None = None) -> None:
        self.bot = by_name("random", seed=1)
        self.watched: list[RemoteBot] = []
        self.when = when
        self.bank = bank
        self.moves = 0

    def choose(self, state: State) -> Action:
        self.moves += 1
        if self.moves in self.when:
            (bot,) = self.watched
            os.kill(bot._process.meter.pid, signal.SIGKILL)
            if self.bank is not None:
                bot._bank = self.bank
        return self.bot.choose(state)


def test_it_goes_on_where_it_was(against: Against, level: str) -> None:
    quiet = against(level, LOTS, "cap=9", opponent=Killing())
    opponent = Killing(7)
    played = against(level, LOTS, "cap=9", opponent=opponent, inspect=opponent.watched.append)
    assert played.verdict == "ok", played.detail
    assert "[killed, started again]" in played.stderr
    assert played.match == quiet.match


@pytest.mark.parametrize("times", [1, 2])
def test_killed_before_its_own_command_runs_it_is_started_once_more(
    against: Against, level: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is killed then is not the bot's; where it happens again the machine is to blame."""
    start = sandbox.start
    left = [sandbox.python("-c", "import os; os.kill(os.getpid(), 9)")] * times
    monkeypatch.setattr(sandbox, "start", lambda *all: left.pop() if left else start(*all))
    if times > 1:
        with pytest.raises(Void, match="did not come about"):
            against(level, LOTS, "cap=9")
        return
    assert against(level, LOTS, "cap=9").verdict == "ok"
    assert not left


def test_a_second_time_is_its_crash(against: Against, level: str) -> None:
    opponent = Killing(5, 9)
    played = against(level, LOTS, "cap=9", opponent=opponent, inspect=opponent.watched.append)
    assert (played.verdict, "SIGKILL" in played.detail) == ("crash", True)


def test_a_bot_that_sees_to_it_itself_has_no_other_game(against: Against, level: str) -> None:
    """It ends as if killed (in a namespace of its own, a number) whenever it moved ten times."""
    text = """
import os, signal
def choose(m):
    if len(messages) > 12:
        try:
            os.kill(os.getpid(), signal.SIGKILL)
        except OSError:
            pass
        os._exit(137)
    reply(m)
play(choose)"""
    played = against(level, text, "cap=9", opponent=Killing())
    assert played.verdict == "crash"
    assert sum(move.player == 1 for move in played.match.moves) > 10


def test_what_it_is_asked_again_is_on_its_clock(against: Against, level: str) -> None:
    """Its first six answers take 0.2 s each, and so they do again: more than the 1.1 s left."""
    slow = """
import time
play(lambda m: (len(messages) < 9 and time.sleep(0.2), reply(m)))"""
    for bank, verdicts in ((None, ("ok",)), (1.1, ("stall", "timeout"))):
        opponent = Killing(7, bank=bank)
        played = against(level, slow, "cap=9", opponent=opponent, inspect=opponent.watched.append)
        assert played.verdict in verdicts, played.detail
    assert "asked again" in played.detail
