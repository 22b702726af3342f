"""The faults of first bots: their authors are told what came, and the remedy."""

from functools import partial
from pathlib import Path

import pytest
from support.late_games import before_draw
from support.playing import Carc
from support.remote_bots import faults_of

from carc import play
from carc.bots import by_name
from carc.tournaments.isolation import sandbox
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Program
from carc.tournaments.players.protocol import Table

# It is fair, but for {what} in place of the printing of its answer.
BOT = """
import json, sys
asked = []
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"type": "ready", "protocol": 1}}), flush=True)
    elif message["type"] == "choose":
        asked.append(message["id"])
        answer = {{"type": "action", "id": message["id"], "action": message["legal"][0]}}
        {what}
"""
MANIFEST = 'name = "mine"\nversion = "1"\ncommand = ["python3", "bot.py"]\n'
SAY = "print(json.dumps(answer), flush=True)"
BOTH = "print(json.dumps(answer) + '\\n' + {}, flush=True)"  # before the runner stops it


def fault(what: str, clock: str = "start=20,cap=9") -> str:
    """The fault of a bot in a process of its own in the last turns of a game; empty if none."""
    start = before_draw("base", 2, 6, 4)
    program = Program(sandbox.python("-c", BOT.format(what=what)), None, "process")
    with Table(Clock.named(clock)) as table:
        bot = table.seat(partial(Process, program), 1, 1)
        match = play(
            start.rules, [by_name("random", seed=1), bot], seed=3, watch=table.watch, start=start
        )
        table.over(match)
    return faults_of(match).get(1, "")


FAULTS = {
    "text on stdout": (
        f"print('thinking...'); {SAY}",
        "malformed: not a line of JSON in UTF-8: 'thinking...': text for people belongs on stderr",
    ),
    "text after an answer": (
        BOTH.format("'that was easy'"),
        r"malformed: it spoke unasked: 'that was easy\n': text for people belongs on stderr",
    ),
    "a Python dict": (
        "print(answer, flush=True)",
        "this is how Python prints a dict; write json.dumps(message)",
    ),
    "a message on several lines": (
        "print(json.dumps(answer, indent=1), flush=True)",
        "malformed: not a line of JSON in UTF-8: '{': write a message on one line",
    ),
    "an empty line before it": (
        f"print(); {SAY}",
        "malformed: not a line of JSON in UTF-8: '': an answer is one line, without empty ones",
    ),
    "an empty line after it": (
        BOTH.format("''"),
        r"malformed: it spoke unasked: '\n': end an answer with one newline, not two",
    ),
    "UTF-16": (
        "sys.stdout.buffer.write((json.dumps(answer) + '\\n').encode('utf-16-be')); "
        "sys.stdout.flush()",
        "this is UTF-16 or binary; write UTF-8",
    ),
    "capitals": (
        "answer['action'] = answer['action'].upper(); " + SAY,
        "is no action: write it as \"legal\" has it, '",
    ),
    "a number for an action": (
        "answer['action'] = 0; " + SAY,
        'malformed: "action" is notation, not 0: give the text in "legal", not its place',
    ),
    "an older question": (
        "answer['id'] = asked[0]; " + SAY,
        ": that request is older; answer each once, when it comes",
    ),
    "another's id": (
        "answer['id'] += 1; " + SAY,
        ": repeat the id of the request",
    ),
    "an id as text": (
        "answer['id'] = str(answer['id']); " + SAY,
        ": an id is a number",
    ),
    "no id": (
        "del answer['id']; " + SAY,
        'malformed: an answer without an "id": repeat that of the request, ',
    ),
    "an answer twice": (
        BOTH.format("json.dumps(answer)"),
        ": answer each request once, when it comes",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FAULTS)
def test_what_came_and_the_remedy_are_told(what: str) -> None:
    code, told = FAULTS[what]
    assert told in fault(code)


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        ("print(json.dumps(answer))", "when its input was closed: flush stdout after each answer"),
        (
            "sys.stdout.write(json.dumps(answer)); sys.stdout.flush()",
            "and no newline: end each answer with one",
        ),
    ],
    ids=["not flushed", "no newline"],
)
def test_an_answer_that_did_not_arrive_is_shown(code: str, remedy: str) -> None:
    told = fault(code, clock="start=20,cap=0.2")
    assert told.startswith("stall: no answer within 0.2 s")
    assert """; it wrote '{"type": "action", "id": """ in told
    assert told.endswith(remedy)


def test_a_check_tells_them_too(carc: Carc) -> None:
    Path("mine").mkdir()
    Path("mine/bot.py").write_text(BOT.format(what="print('thinking...', flush=True)"))
    Path("mine/bot.toml").write_text(MANIFEST)
    told = carc("check mine --games 1 --isolation process").out
    assert "FAIL  plays 1 games of base: malformed: not a line of JSON in UTF-8: 'think" in told
    assert "thinking...': text for people belongs on stderr (game 1 of 1" in told


@pytest.mark.parametrize(
    "code",
    [
        "sys.stdout.buffer.write(b'\\xef\\xbb\\xbf' + json.dumps(answer).encode() + b'\\n'); "
        "sys.stdout.flush()",
        "print(json.dumps(answer), end='\\r\\n', flush=True)",
    ],
    ids=["a byte order mark", "CRLF"],
)
def test_what_some_systems_write_does_no_harm(code: str) -> None:
    assert fault(code) == ""
