"""Bots of one author do not speak to each other at a table, nor one to itself in the next game."""

import json
import os
from pathlib import Path

import attrs
import pytest
from support.channels import CHANNELS, COMMON, HEARS, SAYS, SPACES, TOGETHER
from support.playing import STRONG, Against, attempts, grants_mounts, needs_mounts, refused

from carc.tournaments.isolation import host, sandbox

pytestmark = pytest.mark.parametrize("level", STRONG)


def is_open(channel: str, level: str) -> bool:
    """Whether a host that grants less leaves it open, as docs/security.md says."""
    if channel in ("threads", "descriptors", "access times"):
        return level == "confined" and not grants_mounts()
    return channel == "ids of threads" and not host.numbered_apart(level)


@pytest.mark.parametrize("first", range(0, len(CHANNELS), TOGETHER))
def test_bots_do_not_hear_each_other(against: Against, level: str, first: int) -> None:
    names = [name for name in [*CHANNELS][first : first + TOGETHER] if not is_open(name, level)]
    text = f"{COMMON}CODES = {[CHANNELS[name] for name in names]!r}\n{SPACES}"
    played = against(level, text + HEARS, "cap=9,start=9", opponent=text + SAYS)
    assert played.verdict == "ok", played.detail
    heard = json.loads(played.stderr.strip().splitlines()[-1])
    told = dict(zip(names, heard, strict=True))
    assert min(len(each) for each in heard) >= 8
    assert {name: each for name, each in told.items() if each.count(each[0]) < len(each)} == {}


def test_processes_are_not_seen(against: Against, level: str) -> None:
    needs_mounts(level)
    tries = f"""
for pid in {[1, 2, os.getpid(), os.getppid()]}:
    for name in ("", "/task", "/fd", "/exe"):
        attempt(pid, lambda: 1 / (os.stat(f"/proc/{{pid}}" + name).st_nlink * foreign(pid)))
"""
    # In a namespace of processes the numbers 1 and 2 are of its first one and its own.
    foreign = "foreign = lambda pid: int(pid > 2 or os.getpid() != 2)\n"
    refused(against(level, foreign + attempts(tries)), 16)


def test_ways_to_speak_or_take_from_others_are_refused(against: Against, level: str) -> None:
    tries = f"""
import array, fcntl, mmap, resource, struct
X86 = os.uname().machine == "x86_64"
def call(x86, arm, *arguments):
    if libc.syscall(x86 if X86 else arm, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")
own = open("bot.py")
attempt("F_SETOWN", lambda: fcntl.fcntl(own, 8, {os.getpid()}))
attempt("F_SETOWN_EX", lambda: fcntl.fcntl(own, 15, struct.pack("ii", 1, {os.getpid()})))
attempt("F_SETSIG", lambda: fcntl.fcntl(own, 10, signal.SIGKILL))
attempt("pipe size", lambda: fcntl.fcntl(os.pipe()[0], 1031, 1 << 20))
attempt("FIOSETOWN", lambda: fcntl.ioctl(own, 0x8901, struct.pack("i", {os.getpid()})))
attempt("flags", lambda: fcntl.ioctl(own, 0x40086602, struct.pack("l", 0)))
attempt("version", lambda: fcntl.ioctl(own, 0x40087602, struct.pack("l", 7)))
attempt("datagrams", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
attempt("packets", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))
one, other = socket.socketpair()
attempt("sendto", lambda: one.sendto(b"x", "/dev/log"))
attempt("sendmsg", lambda: one.sendmsg([b"x"]))
attempt("io_setup", lambda: call(206, 0, 8, ctypes.byref(ctypes.c_ulong())))
anonymous = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
attempt("growsdown", lambda: mmap.mmap(-1, 1 << 20, flags=anonymous | 0x100))
attempt("huge pages", lambda: mmap.mmap(-1, 1 << 21, flags=anonymous | 0x40000))
attempt("zero", lambda: open("/dev/zero"))
attempt("fadvise", lambda: os.posix_fadvise(own.fileno(), 0, 0, os.POSIX_FADV_DONTNEED))
attempt("mbind", lambda: call(237, 235, 0, 0, 0, 0, 0, 0))
attempt("get_mempolicy", lambda: call(239, 236, 0, 0, 0, 0, 0))
attempt("set_mempolicy", lambda: call(238, 237, 0, 0, 0))
attempt("set_mempolicy_home_node", lambda: call(450, 450, 0, 0, 0, 0))
attempt("preadv2", lambda: os.preadv(own.fileno(), [bytearray(10)], 0, 8))
attempt("mincore", lambda: call(27, 232, 0, 4096, ctypes.create_string_buffer(1)))
attempt("readahead", lambda: call(187, 213, own.fileno(), ctypes.c_long(0), ctypes.c_size_t(4096)))
attempt("cachestat", lambda: call(451, 451, own.fileno(), 0, 0, 0))
def sysinfo():
    refused = call(99, 179, ctypes.create_string_buffer(200))
    return 0 if refused else os.sysconf("SC_AVPHYS_PAGES")
attempt("sysinfo", sysinfo)
attempt("statfs", lambda: os.statvfs("/usr"))
attempt("clock", lambda: time.clock_gettime((~{os.getpid()} << 3) | 2))
attempt("vmsplice", lambda: call(278, 75, os.pipe()[1], ctypes.create_string_buffer(16), 1, 0))
attempt("landlock", lambda: call(444, 444, struct.pack("Q", 1), 8, 0))
attempt("wake", lambda: call(202, 98, ctypes.create_string_buffer(8), 1, 1, 0, 0, 0))
attempt("sync", lambda: call(306, 267, own.fileno()))
attempt("merge", lambda: mmap.mmap(-1, 4096, flags=anonymous).madvise(12))
mapped = dict(prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE)
attempt("pageout", lambda: mmap.mmap(own.fileno(), 0, **mapped).madvise(21))
"""
    refused(against(level, attempts(tries)), 33)


def test_reading_leaves_no_trace_in_access_times(
    against: Against, level: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a file that all bots may read, as those of the system."""
    needs_mounts(level)
    place = folder / "common"
    place.mkdir()
    file = place / "file"
    file.write_text("common")
    os.utime(file, (0, 0))
    here = sandbox.runtime()
    here = attrs.evolve(here, shared=(*here.shared, str(file)))
    monkeypatch.setattr(sandbox, "runtime", lambda: here)
    text = f"play(lambda m: (note(open({str(file)!r}).read()), reply(m)))"
    assert "common" in against(level, text).stderr
    assert file.stat().st_atime == 0
    file.read_text()
    if file.stat().st_atime == 0:
        pytest.skip("here no reading leaves a trace")


def test_each_game_has_a_copy_of_the_bots_folder_of_its_own(
    against: Against, level: str, folder: Path
) -> None:
    """So nothing stays in memory of what was read of it, and no time tells that it was read."""
    text = """
def choose(m):
    if len(messages) == 3:
        note(json.dumps([os.stat("bot.py").st_ino, os.stat("bot.py").st_ctime_ns]))
    reply(m)
play(choose)"""
    told = [json.loads(against(level, text).stderr) for _ in range(2)]
    assert folder.joinpath("bot", "bot.py").stat().st_ino not in [inode for inode, _ in told]
    assert told[0][1] != told[1][1]


CALLS = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
import platform
column = 0 if platform.machine() == "x86_64" else 1
buffer = ctypes.create_string_buffer(1024)
def answers(who):
    \"\"\"What each call says of a process: all must say the same, whoever it is.\"\"\"
    numbers = [number.to_bytes(4, "little") for number in (0x20080522, who)]
    header = ctypes.create_string_buffer(b"".join(numbers))
    def call(numbers, *arguments):
        ctypes.set_errno(0)
        result = libc.syscall(numbers[column], *arguments)
        return result if result >= 0 else -ctypes.get_errno()
    word = ctypes.c_int32(who)
    return (
        call((121, 155), who), call((124, 156), who), call((145, 120), who),
        call((143, 121), who, buffer), call((204, 123), who, 128, buffer),
        call((315, 275), who, buffer, 48, 0), call((148, 127), who, buffer),
        call((274, 100), who, buffer, buffer), call((125, 90), header, buffer),
        call((140, 141), 0, who), call((140, 141), 1, who), call((252, 31), 1, who),
        call((252, 31), 2, who), call((109, 154), who, who), call((62, 129), who, 0),
        call((302, 261), who, 7, None, buffer), call((202, 98), ctypes.byref(word), 134, 0, None),
        call((202, 98), ctypes.byref(word), 136, 0, None), call((434, 434), who, 0),
    )
def choose(m):
    if len(messages) == 3:
        me, parent = os.getpid(), os.getppid()
        seen = {answers(who) for who in range(2, 5000) if who not in (me, parent)}
        seen.add(answers(1))
        note(len(seen), seen)
    reply(m)
play(choose)
"""


def test_other_processes_are_not_to_be_asked_after(against: Against, level: str) -> None:
    """docs/security.md, promise 4: of no id does a call say whether there is such a process."""
    played = against(level, CALLS, clock="cap=20")
    assert played.verdict == "ok", played.detail
    assert played.stderr.startswith("1 "), played.stderr
