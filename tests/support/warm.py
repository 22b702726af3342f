"""The program `carc` as a process of its own, forked from one that has imported it.

A new Python imports for a third of a second, which is most of what a call takes; a fork begins at
once. It has its own session, folder, environment and streams. Where Python itself is told something
by the environment, a new one is started.
"""

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO

import carc

HOME = str(Path(carc.__file__).resolve().parents[1])  # what is tested: sources or a build
# Packages may be in it alone, as for an ordinary user whose Python is another one.
PYTHONPATH = os.pathsep.join(filter(None, [HOME, os.environ.get("PYTHONPATH")]))
MAIN = "from carc.commands.main import main; main()"
SERVER = (
    "import sys; sys.path.insert(1, sys.argv[2]); from support import warm; del sys.path[1]; "
    f"warm.serve(int(sys.argv[1])); {MAIN}"
)
NUMBER = struct.Struct("i")
REQUEST = 1 << 20  # bytes at most
Done = subprocess.CompletedProcess[str]


class Process:
    """A call of the program, with what tests use of `subprocess.Popen`."""

    def __init__(self, words: Sequence[str], cwd: Path, env: Mapping[str, str]) -> None:
        self.args = ["carc", *words]
        self.returncode: int | None = None
        self._streams: list[IO[bytes]] = [tempfile.TemporaryFile() for _ in (1, 2)]  # noqa: SIM115
        self._told: list[str] = []
        self._status, theirs = socket.socketpair()
        out, err = (stream.fileno() for stream in self._streams)
        asked = json.dumps([list(words), str(cwd), dict(env)]).encode()
        with theirs:
            socket.send_fds(_server(), [asked], [out, err, theirs.fileno()])
        self.pid = self._number()

    def _number(self) -> int:
        told = self._status.recv(NUMBER.size)
        assert told, "the server of the program has ended"
        return int(NUMBER.unpack(told)[0])

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self.returncode = os.waitstatus_to_exitcode(self._number())
            self._status.close()
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """What it has printed, once it has ended."""
        self.wait(timeout)
        for stream in self._streams:
            with stream:
                stream.seek(0)
                self._told.append(stream.read().decode())
        self._streams.clear()
        out, err = self._told
        return out, err

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def start(
    words: Sequence[str], cwd: Path, env: Mapping[str, str] | None = None
) -> Process | subprocess.Popen[str]:
    """Start the program with these words in a folder, in a session of its own."""
    env = {**(os.environ if env is None else env), "PYTHONPATH": PYTHONPATH}
    if _of_python(env) == _of_python({**_environment(), "PYTHONPATH": PYTHONPATH}):
        return Process(words, cwd, env)
    return subprocess.Popen(
        [sys.executable, "-c", MAIN, *words],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def run(
    words: Sequence[str], cwd: Path, env: Mapping[str, str] | None = None, timeout: float = 300
) -> Done:
    """Call the program, and return what it printed and its exit code."""
    return finished(start(words, cwd, env), timeout)


def finished(process: Process | subprocess.Popen[str], timeout: float) -> Done:
    """Await a call of the program, and return what it printed and its exit code."""
    out, err = process.communicate(timeout=timeout)
    assert process.returncode is not None
    return Done(process.args, process.returncode, out, err)


def _of_python(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith("PYTHON")}


@cache
def _environment() -> dict[str, str]:
    """The environment when the first program is started."""
    return dict(os.environ)


@cache
def _server() -> socket.socket:
    mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for one in (mine, theirs):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, REQUEST)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(theirs.fileno()), str(Path(__file__).parents[1])],
            cwd="/",
            env={**_environment(), "PYTHONPATH": PYTHONPATH},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )

    def end() -> None:
        process.terminate()
        process.wait()
        mine.close()

    atexit.register(end)
    return mine


# -- in the server --------------------------------------------------------------------------------


def serve(fd: int) -> None:
    """Fork for each request. Returns in the forked process, which is then as asked for."""
    from carc.commands.main import MODULES

    for name in {*MODULES.values(), "carc.bots.mcts", "carc.tournaments.tournament"}:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # what is shared stays so
    channel, (ended, wake) = socket.socket(fileno=fd), socket.socketpair()
    for end in (ended, wake):
        end.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    running: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([channel, ended], [], [])
        if ended in ready:
            ended.recv(4096)
            _tell(running)
        if channel in ready:
            asked, fds, _, _ = socket.recv_fds(channel, REQUEST, 3)
            if not asked:
                os._exit(0)  # the tests have ended
            *streams, told = fds
            pid = os.fork()
            if not pid:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for end in (channel, ended, wake):
                    end.close()
                words, cwd, env = json.loads(asked)
                _become(words, cwd, env, streams)
                for descriptor in (*streams, told, *running.values()):
                    os.close(descriptor)
                return
            running[pid] = told
            os.write(told, NUMBER.pack(pid))
            for stream in streams:
                os.close(stream)


def _tell(running: dict[int, int]) -> None:
    """Tell who asked how the programs ended."""
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        told = running.pop(pid)
        os.write(told, NUMBER.pack(status))
        os.close(told)


def _become(words: list[str], cwd: str, env: dict[str, str], streams: Sequence[int]) -> None:
    """Become a process that was started with these words in this folder."""
    os.setsid()
    for number, stream in enumerate(streams, start=1):
        os.dup2(stream, number)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv[1:] = words
