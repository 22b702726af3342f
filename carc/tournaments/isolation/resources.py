"""What the bots of a game may use, compared with what the host has left.

A bot may use all that its limits allow. If the host has less, a fair bot would be blamed for it, so
this is looked at before any bot starts.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

from carc.tournaments.isolation.launch import tasks
from carc.tournaments.isolation.program import Program

SANDBOX_TASKS: Final = 4  # processes of a sandbox beside the bot's own threads
LEAST_OF_A_FILE: Final = 4096  # bytes of disk

# Limit and use of a control group's memory, of both versions.
_MEMORY: Final = (
    ("memory.max", "memory.current"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes"),
)
_OWN_MOUNTS: Final = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
granted = libc.unshare(0x20000 | (0x10000000 if os.getuid() else 0)) == 0
sys.exit(not (granted and libc.mount(None, b"/", None, 1 << 14 | 1 << 18, None) == 0))
"""


def shortage(programs: Sequence[Program], games: int = 1) -> str:
    """Return in a sentence what the host lacks for so many games of these programs, if anything."""
    if not programs:
        return ""
    return (
        _not_executable(programs)
        or _too_few_tasks(programs, games)
        or _too_little_memory(programs, games)
        or _too_little_disk(programs, games)
    )


def _not_executable(programs: Sequence[Program]) -> str:
    place = tempfile.gettempdir()
    if any(program.folder is not None for program in programs) and (
        os.statvfs(place).f_flag & os.ST_NOEXEC
    ):
        return (
            f"the temporary folder {place} is mounted noexec, so no bot's own programs run there; "
            "set TMPDIR to another"
        )
    return ""


def _too_few_tasks(programs: Sequence[Program], games: int) -> str:
    wanted = games * sum(program.limits.threads + SANDBOX_TASKS for program in programs)
    for left, what in _tasks_left():
        if left < wanted:
            return f"{what} leaves room for {max(0, left)} processes and threads, not {wanted}"
    return ""


def _too_little_memory(programs: Sequence[Program], games: int) -> str:
    wanted = games * sum(program.limits.memory + program.limits.scratch for program in programs)
    for left, what in _memory_left():
        if left < wanted:
            return f"{what} leaves {max(0, left) >> 20} MB of memory, not {wanted >> 20} MB"
    return ""


def _too_little_disk(programs: Sequence[Program], games: int) -> str:
    size = files = 0
    for program in programs:
        folder_size, folder_files = _extent(program.folder)
        size += folder_size
        files += folder_files
        if not _scratch_in_memory(program.level):
            size += program.limits.scratch
            files += program.limits.files
    place = tempfile.gettempdir()
    room = os.statvfs(place)
    left = room.f_bavail * room.f_frsize
    if left < games * size:
        return (
            f"the temporary folder {place} has {left >> 20} MB left, not {games * size >> 20} MB; "
            "set TMPDIR to another"
        )
    if room.f_files and room.f_favail < games * files:
        return (
            f"the temporary folder {place} has room for {room.f_favail} files, not "
            f"{games * files}; set TMPDIR to another"
        )
    return ""


def _tasks_left() -> Iterator[tuple[int, str]]:
    """Yield how many more processes and threads there may be, and by what limit."""
    user = os.getuid()
    if user:
        import resource  # noqa: PLC0415 (Windows has no such module)

        most = resource.getrlimit(resource.RLIMIT_NPROC)[0]
        if most != resource.RLIM_INFINITY:
            yield most - tasks(user), "this user's limit of processes (ulimit -u)"
    for most, used in _group_limits("pids", "pids.max", "pids.current"):
        yield most - used, "the control group's pids.max"
    running = int(Path("/proc/loadavg").read_bytes().split()[3].partition(b"/")[2])
    for name in ("threads-max", "pid_max"):
        with suppress(OSError, ValueError):
            most = int(Path(f"/proc/sys/kernel/{name}").read_bytes())
            yield most - running, f"kernel.{name}"


def _memory_left() -> Iterator[tuple[int, str]]:
    """Yield how many more bytes of memory there are, and by what limit."""
    kilobytes = {}
    for line in Path("/proc/meminfo").read_bytes().splitlines():
        key, _, value = line.partition(b":")
        kilobytes[key] = int(value.split()[0])
    yield (kilobytes[b"MemAvailable"] + kilobytes.get(b"SwapFree", 0)) << 10, "this machine"
    for limit, used in _MEMORY:
        for most, so_far in _group_limits("memory", limit, used):
            yield most - so_far, f"the control group's {limit}"


def memory_bound() -> int:
    """Return the bytes to which control groups limit this process's memory; 0 if none does.

    The limit includes what the kernel keeps for a process, such as names looked up in vain.
    """
    total = int(Path("/proc/meminfo").read_bytes().split()[1]) << 10
    limits = [most for limit, used in _MEMORY for most, _ in _group_limits("memory", limit, used)]
    return min([most for most in limits if most < total], default=0)


def _group_limits(controller: str, limit: str, used: str) -> Iterator[tuple[int, int]]:
    """Yield the limit of each control group this process is in, and what is used of it."""
    for folder in _groups(controller):
        with suppress(OSError, ValueError):  # no limit is the word "max"
            most = int((folder / limit).read_bytes())
            yield most, int((folder / used).read_bytes()) - _cached(folder)


def _cached(folder: Path) -> int:
    """Return the bytes of cached files that a control group counts as used."""
    cached = 0
    with suppress(OSError):
        for line in (folder / "memory.stat").read_bytes().splitlines():
            key, _, value = line.partition(b" ")
            if key in (b"inactive_file", b"active_file"):
                cached += int(value)
    return cached


@lru_cache(maxsize=4)
def _groups(controller: str) -> tuple[Path, ...]:
    """Return the folders of the control groups this process is in, of both versions."""
    folders: list[Path] = []
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(errors="replace").splitlines():
            number, names, path = line.split(":", 2)
            if number == "0" or controller in names.split(","):
                top = Path("/sys/fs/cgroup") / ("" if number == "0" else controller)
                place = top / path.lstrip("/")
                folders += [each for each in (place, *place.parents) if each.is_relative_to(top)]
    return tuple(each for each in folders if each.is_dir())


@lru_cache(maxsize=256)
def _extent(folder: Path | None) -> tuple[int, int]:
    """Return how many bytes of disk and files a copy of a folder takes."""
    size = files = 0
    for place, folders, names in os.walk(folder) if folder is not None else ():
        files += len(folders) + len(names)
        size += sum(max(LEAST_OF_A_FILE, (Path(place) / name).lstat().st_size) for name in names)
    return size, files


@lru_cache(maxsize=4)
def _scratch_in_memory(level: str) -> bool:
    """Return whether the scratch folder of a bot is a file system in memory."""
    if level != "confined":
        return level == "namespaces"
    return not subprocess.run(
        [sys.executable, "-I", "-S", "-c", _OWN_MOUNTS], check=False
    ).returncode
