"""Run in a bot's new process: closes the doors behind it and becomes the bot.

    python -I -S -B -c '...; launch.main()' HEX      (an `instructions.Launch`, marshalled)

It reports on a descriptor how far it came: `+` when only the bot's own command is left to be
executed, and any text after that is why it was not, with a `!` first where the host is to blame;
other text is what this host would not do.

Every bot's start waits for it. So it imports next to nothing, `os` and `ctypes` neither, and what
does not depend on the process the runner has made already.
"""

from __future__ import annotations

import _ctypes
import errno
import marshal
import sys

try:
    import posix
    import resource
except ImportError:  # as on Windows, where nothing is launched
    pass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NoReturn

    from .instructions import Confine, Launch

STACK: Final = 8 << 20
OPEN: Final = 65536  # more descriptors than a runner has open
CROWD: Final = (
    4096  # processes and threads a user's bots may have beyond what the user has; see `limits`
)

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 1, 22, 38, 47
SECCOMP_MODE_FILTER, CLEAR_ALL = 2, 4
CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID = 0x00020000, 0x10000000, 0x20000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 1 << 14, 1 << 18
MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, ATTR_RDONLY = 442, -100, 0x8000, 1
CREATE_RULESET, ADD_RULE, RESTRICT_SELF, PATH_BENEATH = 444, 445, 446, 1  # of Landlock
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


def main() -> NoReturn:
    """Become the bot."""
    launch: Launch = marshal.loads(bytes.fromhex(sys.argv[1]))
    report = launch["report"]
    posix.set_inheritable(report, False)
    try:
        command, environment = prepare(launch)
    except Exception as error:  # noqa: BLE001 (told to the runner, which decides)
        posix.write(report, f"{type(error).__name__}: {error}".encode())
        posix._exit(1)
    try:
        # `+` has to be said before, for afterwards nothing of this is left.
        posix.write(report, b"+")
        posix.execve(command[0], command, environment)
    except OSError as error:
        sign = "!" if error.errno in OF_THE_HOST else ""
        posix.write(report, f"{sign}{command[0]}: {error.strerror}".encode())
    posix._exit(1)


def prepare(launch: Launch) -> tuple[list[str], dict[str, str]]:
    """Do everything up to the bot's own command; return it with its environment."""
    info, confine = launch["info"], launch["confine"]
    uid = confine["uid"] if confine else 0
    close_all_but(0, 1, 2, launch["report"], info)
    posix.umask(0o077)
    parent = posix.getppid()
    alone, numbered = launch["alone"], False
    if confine and not alone:
        alone, numbered = enclosed()
    if alone:
        in_memory(launch)
    rules, hidden = allowed(confine) if confine else (-1, {})
    command = [through(hidden, word) for word in launch["command"]]
    environment = {key: through(hidden, value) for key, value in launch["environment"].items()}
    for name, path in launch["packages"].items():
        posix.symlink(through(hidden, path), f"{launch['links']}/{name}")
    if alone:
        sealed(launch["scratch"])
    limits(launch, uid, alone, numbered)
    # From here on little is done: what changes after a fork is copied, page by page.
    if numbered:
        end_with(parent)
        enter(info)
        parent = posix.getppid()
    if info:
        posix.close(info)
    if alone and not launch["alone"]:
        show_no_processes()
    posix.chdir(launch["folder"])
    if uid:
        posix.chown(launch["scratch"], uid, uid)
        posix.setgroups([])
        posix.setresgid(uid, uid, uid)
        posix.setresuid(uid, uid, uid)
    # Set last, because a change of user id clears it: the bot dies with the thread that started it.
    end_with(parent)
    if confine:
        done("no new privileges", call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        done("Landlock", call("syscall", RESTRICT_SELF, rules, 0))
        # As no root, the bot's own command has no capability that is not in this set.
        call("prctl", PR_CAP_AMBIENT, CLEAR_ALL, 0, 0, 0)
        filtered(confine["filter"].replace(confine["pid"], number(posix.getpid(), 4)))
    return command, environment


def call(name: str, *arguments: int | bytes | None) -> int:
    """Call a function of the C library, with numbers of machine words, bytes, or null pointers.

    `ctypes` can do it, too; to import that takes as long as all else here together.
    """
    program = _ctypes.dlopen(None, 0)  # type: ignore[arg-type]
    function = _Function(_ctypes.dlsym(program, name))
    words = (_Word(word) if isinstance(word, int) else word for word in arguments)
    return int(function(*words))


class _Int(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "i"


class _Word(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "l"


class _Address(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "z"


class _Function(_ctypes.CFuncPtr):
    _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
    _restype_ = _Int


def done(what: str, result: int) -> int:
    """Return the result of a call; raise `OSError` if it is an error."""
    if result < 0:
        error = _ctypes.get_errno()
        raise OSError(error, f"{what}: {posix.strerror(error)}")
    return result


def number(value: int, size: int = 8) -> bytes:
    """Return a number as it lies in memory."""
    return value.to_bytes(size, sys.byteorder)


def enclosed() -> tuple[bool, bool]:
    """Return whether the host grants own namespaces, for mounts and, to a user, user ids.

    The second answer is whether it also grants one for the processes that this one will make.
    Raises `OSError` if the host grants half of it.
    """
    user, group = posix.geteuid(), posix.getegid()
    if call("unshare", CLONE_NEWNS | (CLONE_NEWUSER if user else 0)):
        return False, False
    if user:
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
                file.write(text)
    if call("mount", None, b"/", None, MS_REC | MS_PRIVATE, None):
        return False, False
    # Last, because a process can make no threads until it has a child in such a namespace.
    return True, not call("unshare", CLONE_NEWPID)


def enter(info: int) -> None:
    """Go on as the second process of the namespace that was made for this one's children.

    This one names the first process and the second, waits for the second, and ends as it does. The
    first ends with this one, and with the first all that are in the namespace.
    """
    outer, proc = posix.getpid(), posix.open("/proc", posix.O_PATH)
    first = posix.fork()
    if not first:
        last_as_long_as(outer, proc)
    second = posix.fork()
    if second:
        posix.write(info, b'{"child-pid": %d, "bot-pid": %d}' % (first, second))
        stand_in(second)


def last_as_long_as(outer: int, proc: int) -> NoReturn:
    """Hold nothing open, and end with the parent, which has this id there and none in here."""
    call("prctl", PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    stat = posix.read(posix.open("self/stat", posix.O_RDONLY, dir_fd=proc), 1 << 10)
    posix.closerange(0, OPEN)
    if int(stat.rpartition(b")")[2].split()[1]) == outer:
        call("pause")
    posix._exit(1)


def stand_in(child: int) -> NoReturn:
    """Hold nothing open, and end when and as a child does.

    The child's id stays its own until the runner has waited for it.
    """
    posix.closerange(0, OPEN)
    ended = posix.waitid(posix.P_PID, child, posix.WEXITED | posix.WNOWAIT)
    assert ended is not None
    posix._exit(ended.si_status + (0 if ended.si_code == posix.CLD_EXITED else 128))


def end_with(parent: int) -> None:
    """End when this process's parent does, or at once if it has another one by now."""
    call("prctl", PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if posix.getppid() != parent:
        posix._exit(1)


def close_all_but(*kept: int) -> None:
    """Close all descriptors but some."""
    for low, high in zip([-1, *sorted(kept)], [*sorted(kept), OPEN], strict=True):
        if low + 1 < high:
            posix.closerange(low + 1, high)


def allowed(confine: Confine) -> tuple[int, dict[str, int]]:
    """Return the rules of Landlock, and descriptors of what is in closed folders, by path."""
    ruleset = confine["ruleset"]
    rules = done("Landlock", call("syscall", CREATE_RULESET, ruleset, len(ruleset), 0))
    hidden = {}
    for path, rights in confine["rights"].items():
        fd = posix.open(path, posix.O_PATH)
        rule = number(rights) + number(fd, 4)
        done(f"Landlock: {path}", call("syscall", ADD_RULE, rules, PATH_BENEATH, rule, 0))
        # Once the user id is dropped, what lies in a closed folder (an interpreter below root's
        # home) cannot be reached by its path; through the open descriptor it can.
        if path in confine["closed"]:
            posix.set_inheritable(fd, True)
            hidden[path] = fd
        else:
            posix.close(fd)
    return rules, hidden


def filtered(code: bytes) -> None:
    """Filter the system calls of this process, its threads to come, and what it executes."""
    # struct sock_fprog; the address is good while the code is there.
    program = number(len(code) // 8) + bytes(_Address(code))
    done("seccomp", call("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0))


def sealed(scratch: str) -> None:
    """Make everything but the scratch folder read-only, access times included.

    Before Linux 5.12 it does nothing.
    """
    for path, flags, to_set, to_clear in (
        ("/", AT_RECURSIVE, ATTR_RDONLY, 0),
        (scratch, 0, 0, ATTR_RDONLY),
    ):
        attributes = number(to_set) + number(to_clear) + number(0) + number(0)
        words = (AT_FDCWD, path.encode(), flags, attributes, len(attributes))
        if call("syscall", MOUNT_SETATTR, *words) and _ctypes.get_errno() != errno.ENOSYS:
            done("mount_setattr", -1)


def in_memory(launch: Launch) -> None:
    """Make the scratch folder a file system in memory, with room for so many bytes and files."""
    options = f"mode=0700,size={launch['scratch_size']},nr_inodes={launch['files'] + 1}"
    mount("tmpfs", launch["scratch"], options)


def show_no_processes() -> None:
    """Let the bot see no process but, where it is root that starts it, its own."""
    if posix.geteuid():
        mount("tmpfs", "/proc", "mode=0755,size=4k,nr_inodes=4", MS_RDONLY)
    else:
        mount("proc", "/proc", "hidepid=2", MS_RDONLY)


def mount(kind: str, place: str, options: str, flags: int = 0) -> None:
    """Mount a file system of the kernel's own; raise `OSError` if it refuses."""
    flags |= MS_NOSUID | MS_NODEV | MS_NOEXEC
    name = kind.encode()
    done(kind, call("mount", name, place.encode(), name, flags, options.encode()))


def limits(launch: Launch, uid: int, alone: bool, numbered: bool) -> None:
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
    if launch["confine"] and (uid or alone):
        # A user's bot shares them with the namespace's first process, and with who waits for that;
        # bubblewrap waits outside.
        beside = 0 if uid else 1 if launch["alone"] else 2 if numbered else 0
        wanted[resource.RLIMIT_NPROC] = launch["threads"] + beside
        # In a user namespace of its own, too, what a bot queues counts for the user outside.
        wanted[resource.RLIMIT_SIGPENDING] = launch["threads"]
    elif launch["confine"]:
        # The limit counts all that the user has, so it is wide, or bots would take each other's:
        # the runner ends a bot with too many threads. Queued signals would show in the same way.
        wanted[resource.RLIMIT_NPROC] = tasks(posix.getuid()) + CROWD
        wanted[resource.RLIMIT_SIGPENDING] = 0
    for limit, most in wanted.items():
        hard = resource.getrlimit(limit)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (value, value))


def tasks(uid: int) -> int:
    """Return how many processes and threads a user has."""
    count = 0
    for entry in posix.scandir("/proc"):
        if entry.name.isdecimal():
            try:
                if entry.stat().st_uid == uid:
                    count += len(posix.listdir(f"{entry.path}/task"))
            except OSError:
                continue  # it has ended meanwhile
    return count


def through(hidden: dict[str, int], text: str) -> str:
    """Return the text with hidden beginnings of paths replaced by their open descriptors.

    The text is one path, or several with colons between.
    """
    words = text.split(":")
    for at, word in enumerate(words):
        for path in sorted(hidden, key=len, reverse=True):
            if word == path or word.startswith(path + "/"):
                words[at] = f"/proc/self/fd/{hidden[path]}{word[len(path) :]}"
                break
    return ":".join(words)
