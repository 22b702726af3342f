"""Levels of isolation: the same play at each, nothing lower than what was asked for, whose fault a late answer is."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import sleep

import pytest
from submission.playing import STRONG, gone, requires

from carc import Rules, play
from carc.bots import by_name
from carc.match import BotFault, Void
from carc.tournaments.isolation import host, landlock, sandbox, seccomp
from carc.tournaments.isolation.clock import BadClock, Clock
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Program
from carc.tournaments.isolation.sandbox import NoIsolation
from carc.tournaments.protocol import Table

ALL = [pytest.param("process", marks=requires("process"), id="process"), *STRONG]


@pytest.mark.parametrize("level", ALL)
@pytest.mark.parametrize("rules", ["base", "base+ghosts"])
def test_the_same_bot_plays_the_same_game_in_the_process_and_isolated(
    level: str, rules: str
) -> None:
    """With the same seeds; so its own state, made from the actions it was told, is the runner's."""
    named = Rules.named(rules)
    inside = play(named, [by_name("random", 1), by_name("random", 2)], seed=3, names=["a", "b"])
    program = Program(sandbox.python("-m", "carc.bots.sdk", "random"), None, level)
    with Table(Clock()) as table:
        bot = table.start(program, seat=1, seed=2)
        isolated = play(
            named,
            [by_name("random", 1), bot],
            seed=3,
            names=["a", "b"],
            watch=table.watch,
        )
        table.over(isolated)
    assert isolated == inside
    assert len(bot.times) == sum(move.player == 1 for move in isolated.moves)
    assert all(wall > 0 and cpu >= 0 for wall, cpu in bot.times)


@pytest.mark.parametrize("level", STRONG)
def test_a_bot_dies_with_its_runner(level: str) -> None:
    """Killed with SIGKILL, the runner cannot clean up; the kernel does."""
    text = f"""
import os, sys, time
from carc.tournaments.isolation import sandbox
from carc.tournaments.isolation.process import Process
from carc.tournaments.isolation.program import Program
bot = Process(Program(sandbox.python("-c", "import time; print(1, flush=True); time.sleep(1000)"), None, {level!r}))
bot.launched()
bot._line(time.monotonic() + 20)
bot._find()
print(bot._pid, bot._room, flush=True)
time.sleep(1000)
"""
    runner = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
    assert runner.stdout is not None
    with runner.stdout:
        pid, room = runner.stdout.readline().split()
    assert Path(f"/proc/{pid}").exists()
    runner.send_signal(signal.SIGKILL)
    runner.wait()
    shutil.rmtree(room)

    def alive() -> bool:
        try:
            return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
        except OSError:
            return False

    assert gone(alive)


def test_a_level_the_host_lacks_is_an_error_and_never_a_lower_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *args, **named: None)
    host.missing.cache_clear()
    try:
        with pytest.raises(
            NoIsolation, match="'namespaces' cannot be had on this host: bubblewrap"
        ):
            host.require("namespaces")
        monkeypatch.setattr(landlock, "abi", lambda: 0)
        host.missing.cache_clear()
        with pytest.raises(NoIsolation, match="the kernel offers no Landlock"):
            host.require("confined")
        with pytest.raises(NoIsolation, match="strangers' bots need isolation"):
            host.strongest()
    finally:
        host.missing.cache_clear()
    with pytest.raises(NoIsolation, match="levels are none, process, confined, namespaces"):
        host.require("total")


@pytest.mark.parametrize("level", STRONG)
def test_a_command_that_is_not_there_fails_to_start(level: str) -> None:
    bot = Process(Program(["no-such-program"], None, level))
    try:
        with pytest.raises(BotFault, match="failed to start: no-such-program: No such file"):
            bot.launched()
    finally:
        bot.close()


def test_a_sandbox_that_does_not_come_about_is_no_fault_of_the_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox, "DEVICES", ("/proc/self/fd/9999",))
    monkeypatch.setattr(sandbox, "start", lambda *args, **named: ["/bin/false"])
    bot = Process(Program(["true"], None, "confined"))
    try:
        with pytest.raises(Void, match="did not come about"):
            bot.launched()
    finally:
        bot.close()


@pytest.mark.parametrize(
    "cpu, waited, verdict",
    [
        (0.9, 0.05, "timeout"),
        (0.5, 0.4, "timeout"),
        (0.1, 0.85, "void"),
        (0.3, 0.6, "void"),
        (0.0, 0.0, "stall"),
        (0.1, 0.3, "stall"),
    ],
)
def test_whose_fault_a_late_answer_is(
    monkeypatch: pytest.MonkeyPatch, cpu: float, waited: float, verdict: str
) -> None:
    """Of a second's wall time: CPU time had, and time that one of its threads waited for a core."""
    bot = Process(Program(["/bin/true"], None, "process"))
    with closing(bot):
        monkeypatch.setattr(Process, "_waited", lambda self: {"1": waited + 5, "2": waited / 2})
        found = bot._late(1.0, cpu, {"1": 5.0}, "1 s")
    assert (found.verdict if isinstance(found, BotFault) else "void") == verdict


@pytest.mark.parametrize("machine", list(seccomp.ARCHITECTURES))
def test_the_filter_refuses_what_it_lists_and_allows_the_rest(machine: str) -> None:
    """Its instructions carried out here, for every number: a jump gone astray would show."""
    column = seccomp.ARCHITECTURES[machine][0]
    refused = {numbers[column] for numbers in seccomp.REFUSED.values()} - {-1}
    pid = 4321
    code = seccomp.program(pid, machine)

    def run(number: int, *arguments: int) -> int:
        return _bpf(code, seccomp.ARCHITECTURES[machine][1], number, arguments)

    allow, eperm, enosys = 0x7FFF0000, 0x00050001, 0x00050026
    special = {
        table[column]
        for table in (seccomp.CLONE, seccomp.CLONE3, seccomp.PRLIMIT, seccomp.PRCTL, seccomp.MMAP)
    } | {table[column] for table in seccomp.OWN_ONLY}
    for number in set(range(seccomp.LAST + 1)) - special:
        assert run(number) == (eperm if number in refused else allow), number
    assert run(seccomp.LAST + 1) == enosys
    assert run(0x40000000 + 57) == enosys
    assert run(seccomp.CLONE3[column]) == enosys
    assert run(seccomp.CLONE[column], 0x11) == eperm
    assert run(seccomp.CLONE[column], 0x3D0F00) == allow
    for table in seccomp.OWN_ONLY:
        assert run(table[column], pid) == allow
        assert run(table[column], 1) == eperm
        assert run(table[column], 0) == eperm
    assert [run(seccomp.PRLIMIT[column], who) for who in (0, pid, 1)] == [allow, allow, eperm]
    assert run(seccomp.PRCTL[column], seccomp.PR_SET_PDEATHSIG) == eperm
    assert run(seccomp.PRCTL[column], 15) == allow
    assert run(seccomp.MMAP[column], 0, 0, 0, 0x21) == eperm
    assert run(seccomp.MMAP[column], 0, 0, 0, 0x22) == allow
    assert _bpf(code, 0x40000003, 20, ()) == 0x80000000, "another architecture's calls"


def _bpf(code: bytes, arch: int, number: int, arguments: tuple[int, ...]) -> int:
    import struct

    data = struct.pack("<iIQ6Q", number, arch, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    at = accumulator = 0
    while True:
        operation, if_true, if_false, k = struct.unpack_from("HBBI", code, 8 * at)
        at += 1
        match operation:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, k)
            case 0x54:
                accumulator &= k
            case 0x06:
                return int(k)
            case _:
                holds = {
                    0x15: accumulator == k,
                    0x25: accumulator > k,
                    0x45: bool(accumulator & k),
                }[operation]
                at += if_true if holds else if_false


def test_clocks_are_written_as_they_are_read() -> None:
    assert str(Clock.named("cap=2, bank=30")) == "bank=30,increment=0.1,cap=2,start=10"
    assert Clock.named(str(Clock(bank=5))) == Clock(bank=5)
    for text in ("60", "bank=x", "cap=0", "bank=-1", "bank=nan", "time=3"):
        with pytest.raises(BadClock, match="is no part of a clock"):
            Clock.named(text)


def test_a_stopped_process_is_gone_when_closed() -> None:
    bot = Process(Program(sandbox.python("-c", "print(input()); input()"), None, "process"))
    with closing(bot):
        bot.launched()
        assert bot.ask(b"x\n", 20, "20 s") == b"x"
        pid = bot._pid
        sleep(0.01)
        assert Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
