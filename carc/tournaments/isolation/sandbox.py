"""What a bot may see of the host, and the command that starts it."""

import importlib.util
import marshal
import os
import secrets
import shutil
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import attrs

from carc.base.expansions.spec import registered
from carc.errors import CarcError
from carc.tournaments.isolation import command, landlock, seccomp
from carc.tournaments.isolation.command import PATH
from carc.tournaments.isolation.instructions import Confine, Launch
from carc.tournaments.isolation.program import Program

# Read-only for every bot: programs and libraries, and the little of /etc that they look for.
SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
FILES: Final = ("/etc/ld.so.cache", "/etc/localtime", "/etc/ssl/openssl.cnf")
DEVICES: Final = ("/dev/null", "/dev/random", "/dev/urandom")

UIDS: Final = 1_610_612_736  # user ids for bots, from here on


class NoIsolation(CarcError):
    """A level of isolation that this host does not have."""


@attrs.frozen
class Runtime:
    """The Python that bots run in: this one."""

    python: str
    home: str
    sites: tuple[str, ...]
    """Folders of installed packages."""
    packages: dict[str, str]
    """Packages that are not in one of them: carc itself where it runs from its sources."""
    shared: tuple[str, ...]
    """What every bot may read, as far as this host has it."""


@lru_cache(maxsize=1)
def runtime() -> Runtime:
    """Return the Python that bots run in; `NoIsolation` if showing it would show a home folder."""
    home = Path(sys.base_prefix).resolve()
    if Path.home().is_relative_to(home) and home != Path("/usr"):
        raise NoIsolation(f"Python is installed in {home}, which holds private files as well")
    sites = tuple(
        path
        for path in sys.path
        if Path(path).name in ("site-packages", "dist-packages") and Path(path).is_dir()
    )
    packages = {}
    for name in {"carc", *(point.module.split(".")[0] for point in registered().values())}:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            origin = Path(spec.origin).resolve()
            place = origin.parent if spec.submodule_search_locations else origin
            if not _within(str(place), sites):
                packages[place.name] = str(place)
    shared = tuple(
        path for path in (*SYSTEM, *FILES, *DEVICES, str(home), *sites) if Path(path).exists()
    )
    return Runtime(os.path.realpath(sys.executable), str(home), sites, packages, shared)


def python(*arguments: str) -> list[str]:
    """Return the command that runs this Python for a bot.

    Its search path holds only what `environment` puts there.
    """
    return [runtime().python, "-S", "-s", "-P", "-B", *arguments]


def environment(packages: str, scratch: str, program: str) -> dict[str, str]:
    """Return everything that a bot finds in its environment.

    Args:
        packages: The folder with links to Python packages.
        scratch: The folder that it may write to.
        program: What is started. Only this Python is told where it is installed: another one, such
            as the system's `python3`, would look for its own modules there.
    """
    here = runtime()
    known = {
        "PATH": PATH,
        "HOME": scratch,
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
        "PYTHONPATH": ":".join([packages, *here.sites]),
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        # One thread a bot, also in numerical libraries.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    if program == here.python and not _within(here.home, SYSTEM):
        known["PYTHONHOME"] = here.home
        known["LD_LIBRARY_PATH"] = f"{here.home}/lib"
    return known


def start(program: Program, room: Path, report: int, info: int) -> list[str]:
    """Return the command that starts a bot's program.

    Args:
        program: What is started.
        room: A new folder for this process alone, with `scratch` and `packages` in it.
        report: The descriptor on which the launcher reports how far it came.
        info: The descriptor on which the first process of its namespace is named, if it has one.
    """
    here = runtime()
    namespaces = program.level == "namespaces"
    shared = here.shared
    word = program.command[0]
    if Path(word).is_absolute() and Path(word).is_file():
        shared = (*shared, word)
    launch = _launch(program, room, report, 0 if namespaces else info, shared)
    # Not by its full name, which would import carc: every start waits for it.
    code = "/launch" if namespaces else str(Path(__file__).parent)
    run = f"import sys; sys.path.append({code!r}); import launch; launch.main()"
    words = [here.python, "-I", "-S", "-B", "-c", run, marshal.dumps(dict(launch)).hex()]
    if not namespaces:
        return words
    folder = [] if program.folder is None else ["--ro-bind", str(program.folder), "/bot"]
    return [*_bubblewrap(shared), *folder, "--info-fd", str(info), "--", *words]


def _launch(
    program: Program, room: Path, report: int, info: int, shared: tuple[str, ...]
) -> Launch:
    """Return the launcher's instructions; what is shared may be read."""
    folder, limits = program.folder, program.limits
    here = runtime()
    namespaces = program.level == "namespaces"
    scratch, packages, inside = (
        ("/scratch", "/packages", "/bot")
        if namespaces
        else (f"{room}/scratch", f"{room}/packages", str(folder))
    )
    own = {packages: landlock.READ, scratch: landlock.WRITE}
    if folder is not None:
        own[inside] = landlock.READ
    return Launch(
        confine=None if program.level == "process" else _confine(shared, own, namespaces),
        alone=namespaces,
        command=list(program.command),
        environment=environment(packages, scratch, program.command[0]),
        folder=scratch if folder is None else inside,
        packages={} if namespaces else here.packages,
        links=packages,
        scratch=scratch,
        scratch_size=limits.scratch,
        files=limits.files,
        memory=limits.memory,
        threads=limits.threads,
        file_size=limits.file_size,
        cpu=limits.cpu,
        report=report,
        info=info,
    )


def _confine(shared: tuple[str, ...], own: dict[str, int], namespaces: bool) -> Confine:
    """Return what a bot may do: read what is shared, and use folders of its own by these rights."""
    rights, closed = _shared(shared if namespaces else (*shared, *runtime().packages.values()))
    as_root = os.getuid() == 0
    if not command.reachable(next(iter(own))):
        closed = [*closed, *own]
    return Confine(
        uid=UIDS + secrets.randbelow(UIDS // 4) if as_root else 0,
        ruleset=_ruleset(),
        rights=rights | {path: landlock.rights(wanted, True) for path, wanted in own.items()},
        closed=closed if as_root and not namespaces else [],
        filter=_filter(),
        pid=seccomp.PID.to_bytes(4, sys.byteorder),
    )


@lru_cache(maxsize=64)
def _shared(paths: tuple[str, ...]) -> tuple[dict[str, int], list[str]]:
    """Return the rights of all bots, by path, and those of the paths that are in closed folders."""
    rights = {}
    for path in paths:
        wanted = landlock.READ | (landlock.WRITE if path == "/dev/null" else 0)
        rights[path] = landlock.rights(wanted, Path(path).is_dir())
    return rights, [path for path in paths if not command.reachable(path)]


@lru_cache(maxsize=1)
def _ruleset() -> bytes:
    return landlock.ruleset()


@lru_cache(maxsize=1)
def _filter() -> bytes:
    return seccomp.program()


def bubblewrap() -> str | None:
    """Return where bubblewrap is, if it is installed; never in the current folder."""
    folders = os.environ.get("PATH", PATH).split(":")
    return shutil.which("bwrap", path=":".join(each for each in folders if each.startswith("/")))


@lru_cache(maxsize=64)
def _bubblewrap(shared: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command for bubblewrap, up to what belongs to a single bot."""
    bwrap = bubblewrap()
    if bwrap is None:
        raise NoIsolation("bubblewrap (the program bwrap) is not installed")
    words = [bwrap, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--die-with-parent"]
    if os.getuid() == 0:
        # The launcher drops the user id, with every capability, when the mounts are made.
        words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        words += ["--cap-add", "CAP_CHOWN"]
    else:
        words += ["--unshare-user"]
    # To mount the scratch folder.
    words += ["--cap-add", "CAP_SYS_ADMIN"]
    binds = {path: path for path in shared}
    binds |= {path: f"/packages/{name}" for name, path in runtime().packages.items()}
    binds[str(Path(__file__).parent)] = "/launch"
    # Folders that bubblewrap makes on the way would be open to root alone.
    for above in sorted(
        {str(up) for path in [*binds.values(), "/packages/any"] for up in Path(path).parents}
    ):
        if above != "/" and not _within(above, SYSTEM):
            words += ["--perms", "0755", "--dir", above]
    for source, path in sorted(binds.items(), key=lambda bind: len(Path(bind[1]).parts)):
        if source == path and Path(path).is_symlink():
            words += ["--symlink", str(Path(path).readlink()), path]
        elif path in DEVICES:
            words += ["--dev-bind", source, path]
        elif not _within(path, SYSTEM) or path in SYSTEM:
            words += ["--ro-bind", source, path]
    words += ["--proc", "/proc"]
    words += ["--perms", "0755", "--dir", "/scratch"]
    return (*words, "--chdir", "/")


def _within(path: str, folders: Sequence[str]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)
