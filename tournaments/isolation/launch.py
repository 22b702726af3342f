"""Run in a bot's new process: closes the doors behind it and becomes the bot.

    python -I -S -B -c '...; launch.main()' HEX      (a `sandbox.Launch`, marshalled)

Says on the descriptor `report` how far it came: `+` when only the bot's own command is left to be executed, and any
text after that is why it was not; other text is what this host would not do.

Imports next to nothing: every bot's start waits for it.
"""

# ruff: noqa: PTH116, PTH120, PTH208, PTH211
from __future__ import annotations

import ctypes
import marshal
import os
import resource
import stat
import sys

from . import landlock, seccomp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NoReturn

    from .sandbox import Launch

THREADS: Final = 64
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
SIGKILL: Final = 9


def main() -> NoReturn:
    launch: Launch = marshal.loads(bytes.fromhex(sys.argv[1]))
    report = launch["report"]
    os.set_inheritable(report, False)
    try:
        command, environment = prepare(launch)
    except Exception as error:  # noqa: BLE001 (told to the runner, which decides)
        os.write(report, f"{type(error).__name__}: {error}".encode())
        os._exit(1)
    os.write(report, b"+")
    try:
        os.execve(command[0], command, environment)
    except OSError as error:
        os.write(report, f"{command[0]}: {error.strerror}".encode())
    os._exit(1)


def prepare(launch: Launch) -> tuple[list[str], dict[str, str]]:
    """Everything up to the bot's own command, which is returned with its environment."""
    parent = os.getppid()
    libc = ctypes.CDLL(None, use_errno=True)
    os.closerange(3, launch["report"])
    os.closerange(launch["report"] + 1, 65536)
    os.umask(0o077)
    uid = launch["uid"]
    command, environment = launch["command"], launch["environment"]
    read: dict[str, int] = {}
    write: dict[str, int] = {}
    hidden: dict[str, int] = {}
    if launch["confine"]:
        read = {path: os.open(path, os.O_PATH) for path in launch["read"]}
        write = {path: os.open(path, os.O_PATH) for path in launch["write"]}
        # Once the user id is dropped, what lies in a closed folder (an interpreter below root's home) cannot be
        # reached by its path; through the open descriptor it can.
        hidden = {path: fd for path, fd in (read | write).items() if uid and not reachable(path)}
        for fd in hidden.values():
            os.set_inheritable(fd, True)
        command = [through(hidden, word) for word in command]
        environment = {key: through(hidden, value) for key, value in environment.items()}
    for name, path in launch["packages"].items():
        os.symlink(through(hidden, path), f"{launch['links']}/{name}")
    os.chdir(launch["folder"])
    limits(launch)
    if uid:
        for path, fd in write.items():
            if stat.S_ISDIR(os.fstat(fd).st_mode) and not launch["alone"]:
                os.chown(path, uid, uid)
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    # Set last, for a change of user id clears it: the bot goes when the thread that started it does.
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
    if launch["confine"]:
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise OSError("no-new-privileges is refused")
        landlock.restrict(list(read.values()), list(write.values()))
        for path, fd in (read | write).items():
            if path not in hidden:
                os.close(fd)
        seccomp.install()
    return command, environment


def limits(launch: Launch) -> None:
    """Resource limits; nothing inside can raise them again."""
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_FSIZE: launch["file_size"],
        resource.RLIMIT_CPU: launch["cpu"],
        resource.RLIMIT_DATA: launch["memory"],
        # Runtimes reserve far more addresses than they use memory.
        resource.RLIMIT_AS: 4 * launch["memory"],
    }
    if launch["confine"]:
        # The limit counts all that the user has, not this process's alone.
        others = 0 if launch["uid"] or launch["alone"] else tasks(os.getuid())
        wanted[resource.RLIMIT_NPROC] = others + THREADS
    for limit, most in wanted.items():
        hard = resource.getrlimit(limit)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (value, value))


def tasks(uid: int) -> int:
    """How many processes and threads a user has."""
    count = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            try:
                if entry.stat().st_uid == uid:
                    count += len(os.listdir(f"{entry.path}/task"))
            except OSError:
                continue  # it has ended meanwhile
    return count


def reachable(path: str) -> bool:
    """Whether any user may go to a path: all folders above it are open to others."""
    while path != "/":
        path = os.path.dirname(path)
        if not os.stat(path).st_mode & stat.S_IXOTH:
            return False
    return True


def through(hidden: dict[str, int], text: str) -> str:
    """The text, one path or more with colons between, with hidden beginnings replaced by their open descriptors."""
    words = text.split(":")
    for number, word in enumerate(words):
        for path in sorted(hidden, key=len, reverse=True):
            if word == path or word.startswith(path + "/"):
                words[number] = f"/proc/self/fd/{hidden[path]}{word[len(path) :]}"
                break
    return ":".join(words)
