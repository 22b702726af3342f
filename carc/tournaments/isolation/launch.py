"""Run in a bot's new process: closes the doors behind it and becomes the bot.

    python -I -S -B -c '...; launch.main()' HEX      (an `instructions.Launch`, marshalled)

It reports on a descriptor how far it came: `+` when only the bot's own command is left to be
executed, and any text after that is why it was not, with a `!` first where the host is to blame;
other text is what this host would not do.

Imports next to nothing: every bot's start waits for it.
"""

# ruff: noqa: PTH110, PTH116, PTH120, PTH208, PTH211
from __future__ import annotations

import ctypes
import errno
import marshal
import os
import stat
import struct
import sys

from . import landlock, seccomp

try:  # noqa: SIM105 (contextlib is slow to start with)
    import resource
except ImportError:  # as on Windows, where nothing is launched
    pass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NoReturn

    from .instructions import Launch

STACK: Final = 8 << 20
CROWD: Final = (
    4096  # processes and threads a user's bots may have beyond what the user has; see `limits`
)

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, CLEAR_ALL = 1, 38, 47, 4
CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID = 0x00020000, 0x10000000, 0x20000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 1 << 14, 1 << 18
MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, ATTR_RDONLY = 442, -100, 0x8000, 1
SIGKILL: Final = 9
# Of executing a program: too many processes or open files, no memory, a file that somebody still
# writes to. Not EIO: a program that is cut off brings it about.
OF_THE_HOST: Final = (
    errno.EAGAIN,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.ETXTBSY,
)


_libc = ctypes.CDLL(None, use_errno=True)


def main() -> NoReturn:
    """Become the bot."""
    launch: Launch = marshal.loads(bytes.fromhex(sys.argv[1]))
    report = launch["report"]
    os.set_inheritable(report, False)
    try:
        command, environment = prepare(launch)
    except Exception as error:  # noqa: BLE001 (told to the runner, which decides)
        os.write(report, f"{type(error).__name__}: {error}".encode())
        os._exit(1)
    try:
        # `+` has to be said before, for afterwards nothing of this is left.
        os.write(report, b"+")
        os.execve(command[0], command, environment)
    except OSError as error:
        sign = "!" if error.errno in OF_THE_HOST else ""
        os.write(report, f"{sign}{command[0]}: {error.strerror}".encode())
    os._exit(1)


def prepare(launch: Launch) -> tuple[list[str], dict[str, str]]:
    """Do everything up to the bot's own command; return it with its environment."""
    info = launch["info"]
    close_all_but(0, 1, 2, launch["report"], info)
    os.umask(0o077)
    uid = launch["uid"]
    command, environment = launch["command"], launch["environment"]
    alone = launch["alone"] or (launch["confine"] and enclosed(info))
    if info:
        os.close(info)
    parent = os.getppid()
    read: dict[str, int] = {}
    write: dict[str, int] = {}
    hidden: dict[str, int] = {}
    if launch["confine"]:
        if alone:
            in_memory(launch)
        read = {path: os.open(path, os.O_PATH) for path in launch["read"]}
        write = {path: os.open(path, os.O_PATH) for path in launch["write"]}
        # Once the user id is dropped, what lies in a closed folder (an interpreter below root's
        # home) cannot be reached by its path; through the open descriptor it can.
        hidden = {path: fd for path, fd in (read | write).items() if uid and not reachable(path)}
        for fd in hidden.values():
            os.set_inheritable(fd, True)
        command = [through(hidden, word) for word in command]
        environment = {key: through(hidden, value) for key, value in environment.items()}
    for name, path in launch["packages"].items():
        os.symlink(through(hidden, path), f"{launch['links']}/{name}")
    if alone:
        sealed(launch["scratch"])
    os.chdir(launch["folder"])
    limits(launch, alone)
    if uid:
        os.chown(launch["scratch"], uid, uid)
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    # Set last, because a change of user id clears it: the bot dies with the thread that started it.
    end_with(parent)
    if launch["confine"]:
        if _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise OSError("no-new-privileges is refused")
        landlock.restrict(list(read.values()), list(write.values()))
        for path, fd in (read | write).items():
            if path not in hidden:
                os.close(fd)
        # As no root, the bot's own command has no capability that is not in this set.
        _libc.prctl(PR_CAP_AMBIENT, CLEAR_ALL, 0, 0, 0)
        seccomp.install(launch["filter"])
    return command, environment


def enclosed(info: int) -> bool:
    """Return whether the host grants own namespaces, for mounts and, to a user, user ids.

    No process is visible in them. Where it grants one for processes too, and tells who is whose
    child, this goes on in it, as another process.

    Raises:
        OSError: The host grants half of it.
    """
    parent = os.getppid()
    user, group = os.geteuid(), os.getegid()
    wanted = CLONE_NEWNS | (CLONE_NEWUSER if user else 0)
    numbered = os.path.exists("/proc/thread-self/children") and not _libc.unshare(
        wanted | CLONE_NEWPID
    )
    if not numbered and _libc.unshare(wanted):
        return False
    if user:
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
                file.write(text)
    if _libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None):
        return False
    if numbered:
        end_with(parent)
        enter(info)
    if user:
        mount("tmpfs", "/proc", "mode=0755,size=4k,nr_inodes=4", MS_RDONLY)
    else:
        mount("proc", "/proc", "hidepid=2")
    return True


def enter(info: int) -> None:
    """Go on as the second process of the namespace that was made for this one's children.

    As bubblewrap does it: this one names the first process and waits for it, the first one waits
    for the second. Each ends as the one that it waits for; with it end all that come after it.
    """
    outer = os.getpid()
    first = os.fork()
    if first:
        os.write(info, b'{"child-pid": %d}' % first)
        stand_in(first)
    _libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    # Its parent has no id in here; /proc is still that of outside.
    with open("/proc/self/stat", "rb") as file:  # noqa: PTH123
        if int(file.read().rpartition(b")")[2].split()[1]) != outer:
            os._exit(1)
    second = os.fork()
    if second:
        stand_in(second)


def stand_in(child: int) -> NoReturn:
    """Hold nothing open, and end when and as a child does."""
    close_all_but()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os._exit(code if code >= 0 else 128 - code)


def end_with(parent: int) -> None:
    """End when this process's parent does, or at once if it has another one by now."""
    _libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def close_all_but(*kept: int) -> None:
    """Close all descriptors but some."""
    for low, high in zip([-1, *sorted(kept)], [*sorted(kept), 65536], strict=True):
        if low + 1 < high:
            os.closerange(low + 1, high)


def sealed(scratch: str) -> None:
    """Make everything but the scratch folder read-only, access times included.

    Before Linux 5.12 it does nothing.
    """
    for path, flags, to_set, to_clear in (
        ("/", AT_RECURSIVE, ATTR_RDONLY, 0),
        (scratch, 0, 0, ATTR_RDONLY),
    ):
        attributes = struct.pack("QQQQ", to_set, to_clear, 0, 0)
        size = ctypes.c_size_t(len(attributes))
        if _libc.syscall(MOUNT_SETATTR, AT_FDCWD, path.encode(), flags, attributes, size):
            error = ctypes.get_errno()
            if error != errno.ENOSYS:
                raise OSError(error, f"mount_setattr: {os.strerror(error)}")


def in_memory(launch: Launch) -> None:
    """Make the scratch folder a file system in memory, with room for so many bytes and files."""
    options = f"mode=0700,size={launch['scratch_size']},nr_inodes={launch['files'] + 1}"
    mount("tmpfs", launch["scratch"], options)


def mount(kind: str, place: str, options: str, flags: int = 0) -> None:
    """Mount a file system of the kernel's own; raise `OSError` if it refuses."""
    flags |= MS_NOSUID | MS_NODEV | MS_NOEXEC
    if _libc.mount(kind.encode(), place.encode(), kind.encode(), flags, options.encode()):
        raise OSError(ctypes.get_errno(), f"{kind}: {os.strerror(ctypes.get_errno())}")


def limits(launch: Launch, alone: bool) -> None:
    """Set the resource limits; nothing inside can raise them again."""
    wanted = {
        # Not 0, at which a program of the host that takes core dumps would be started.
        resource.RLIMIT_CORE: 1,
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_FSIZE: launch["file_size"],
        resource.RLIMIT_CPU: launch["cpu"],
        resource.RLIMIT_DATA: launch["memory"],
        resource.RLIMIT_STACK: STACK,
        # Runtimes reserve far more addresses than they use memory.
        resource.RLIMIT_AS: 4 * launch["memory"],
    }
    if launch["confine"] and (launch["uid"] or alone):
        # A user's bot shares them with the namespace's first process, and with who waits for that;
        # bubblewrap waits outside.
        beside = (
            0 if launch["uid"] or os.getpid() != seccomp.SECOND else 1 if launch["alone"] else 2
        )
        wanted[resource.RLIMIT_NPROC] = launch["threads"] + beside
        # In a user namespace of its own, too, what a bot queues counts for the user outside.
        wanted[resource.RLIMIT_SIGPENDING] = launch["threads"]
    elif launch["confine"]:
        # The limit counts all that the user has, so it is wide, or bots would take each other's:
        # the runner ends a bot with too many threads. Queued signals would show in the same way.
        wanted[resource.RLIMIT_NPROC] = tasks(os.getuid()) + CROWD
        wanted[resource.RLIMIT_SIGPENDING] = 0
    for limit, most in wanted.items():
        hard = resource.getrlimit(limit)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (value, value))


def tasks(uid: int) -> int:
    """Return how many processes and threads a user has."""
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
    """Return whether any user may go to a path: all folders above it are open to others."""
    while path != "/":
        path = os.path.dirname(path)
        if not os.stat(path).st_mode & stat.S_IXOTH:
            return False
    return True


def through(hidden: dict[str, int], text: str) -> str:
    """Return the text with hidden beginnings of paths replaced by their open descriptors.

    The text is one path, or several with colons between.
    """
    words = text.split(":")
    for number, word in enumerate(words):
        for path in sorted(hidden, key=len, reverse=True):
            if word == path or word.startswith(path + "/"):
                words[number] = f"/proc/self/fd/{hidden[path]}{word[len(path) :]}"
                break
    return ":".join(words)
