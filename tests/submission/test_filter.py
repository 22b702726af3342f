"""The filter of system calls, instruction by instruction, for every architecture."""

import signal
import sys

import pytest

from carc.tournaments.isolation import seccomp

ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026


class Filter:
    """The program for an architecture, carried out here: a jump gone astray would show."""

    PID = 4321

    def __init__(self, machine: str) -> None:
        self.column, self.architecture = seccomp.ARCHITECTURES[machine]
        own, pid = (each.to_bytes(4, sys.byteorder) for each in (seccomp.PID, self.PID))
        self.code = seccomp.program(machine).replace(own, pid)
        self.by_argument = {
            name: numbers[self.column]
            for table in (seccomp.ONLY, seccomp.NOT, seccomp.NOT_BITS)
            for name, (numbers, _, _) in table.items()
        }

    def run(self, number: int, *arguments: int) -> int:
        return _bpf(self.code, self.architecture, number, arguments)

    def call(self, name: str, *arguments: int) -> int:
        return self.run(self.by_argument[name], *arguments)


@pytest.fixture(params=list(seccomp.ARCHITECTURES))
def filtered(request: pytest.FixtureRequest) -> Filter:
    return Filter(request.param)


def test_the_filter_refuses_what_it_lists_and_allows_the_rest(filtered: Filter) -> None:
    """Every number there is."""
    run, column = filtered.run, filtered.column
    refused = {numbers[column] for numbers in seccomp.REFUSED.values()} - {-1}
    special = set(filtered.by_argument.values())
    special |= {seccomp.CLONE[column], seccomp.CLONE3[column], seccomp.FUTEX[column]}
    special.add(seccomp.AFFINITY[column])
    for number in set(range(seccomp.LAST + 1)) - special:
        assert run(number) == (EPERM if number in refused else ALLOW), number
    assert run(seccomp.LAST + 1) == ENOSYS
    assert run(0x40000000 + 57) == ENOSYS
    assert run(seccomp.CLONE3[column]) == ENOSYS
    assert run(seccomp.CLONE[column], 0x11) == EPERM
    assert run(seccomp.CLONE[column], 0x3D0F00) == ALLOW
    assert run(seccomp.CLONE[column], 0x3D1F00) == EPERM, "a thread with a process descriptor"
    queue = {"x86_64": 244, "aarch64": 184}  # mq_notify, if there ever is a queue
    assert run(queue[list(seccomp.ARCHITECTURES)[column]]) == EPERM
    assert _bpf(filtered.code, 0x40000003, 20, ()) == 0x80000000, "another architecture's calls"


def test_the_filter_looks_at_arguments(filtered: Filter) -> None:
    run, call, column, pid = filtered.run, filtered.call, filtered.column, filtered.PID
    # Joining a thread; what is private; a wake that is not, by each of its calls
    for what in (0, 9, 265, 128, 129, 393):
        assert run(seccomp.FUTEX[column], 0, what) == ALLOW
    for what in (1, 3, 4, 5, 10, 257):
        assert run(seccomp.FUTEX[column], 0, what) == EPERM
    # Locks that the kernel looks for the owner of, by thread id
    for what in (6, 7, 8, 11, 12, 13, 134, 140, 396):
        assert run(seccomp.FUTEX[column], 0, what) == ENOSYS
    affinity = [run(seccomp.AFFINITY[column], who) for who in (0, pid, 1, pid + 1)]
    assert affinity == [ALLOW, ALLOW, ENOSYS, ENOSYS]
    for name in seccomp.ONLY:
        if (
            seccomp.OWN in seccomp.ONLY[name][2]
            and " of " not in name
            and 0 in seccomp.ONLY[name][2]
        ):
            assert [call(name, who) for who in (0, pid, 1)] == [ALLOW, ALLOW, EPERM], name
    for name, which in (("getpriority", 0), ("ioprio_get", 1)):
        for who, answer in ((0, ALLOW), (pid, ALLOW), (1, EPERM)):
            assert call(name, which, who) == answer
        assert call(name, 2, 0) == EPERM, "all of a user's"
    assert [call("kill", who, 15) for who in (pid, 1, 0, 0xFFFFFFFF)] == [ALLOW, *[EPERM] * 3]
    assert [call("tgkill", who, 7, 15) for who in (pid, 1, 0)] == [ALLOW, EPERM, EPERM]
    assert call("kill", pid, signal.SIGCONT) == call("tgkill", pid, 7, signal.SIGCONT) == EPERM
    assert [call("prlimit64", who) for who in (0, pid, 1)] == [ALLOW, ALLOW, EPERM]
    assert [call("prctl", what) for what in (15, 1, 4, 22, 36)] == [ALLOW, *[EPERM] * 4]
    assert call("mmap of a stack", 0, 0, 0, 0x22) == ALLOW
    for flags in (0x21, 0x122, 0x40022):
        assert call("mmap of a stack", 0, 0, 0, flags) == EPERM
    assert call("mmap of a stack", 0, 0, 0, 0x1) == ALLOW, "a file"
    assert [call("fcntl", 3, what) for what in seccomp.LOCKS] == [0x00050000] * 2, "had, not set"
    # F_SETOWN, F_SETSIG, F_SETOWN_EX, open file description locks, leases, notices, pipe sizes,
    # hints
    for what in (8, 10, 15, 36, 37, 38, 1024, 1026, 1031, 1033, 1036, 1038):
        assert call("fcntl", 3, what) == EPERM
    assert [call("fcntl", 3, what) for what in (1, 3, 4, 1030)] == [ALLOW] * 4
    # FS_IOC_SETFLAGS, FS_IOC_SETVERSION, FICLONE, FIOSETOWN, SIOCSPGRP, FIOASYNC
    for what in (0x40086602, 0x40087602, 0x40049409, 0x8901, 0x8902, 0x5452):
        assert call("ioctl", 3, what) == EPERM
    assert call("ioctl", 3, 0x5401) == ALLOW
    # SO_ERROR, SO_PEERCRED, SO_COOKIE, SO_NETNS_COOKIE, SO_PEERPIDFD
    for what, answer in ((4, ALLOW), (17, ALLOW), (57, EPERM), (71, EPERM), (77, EPERM)):
        assert call("getsockopt", 3, 1, what) == answer
    assert [call("membarrier", what) for what in (8, 16, 1, 2, 4)] == [ALLOW] * 2 + [EPERM] * 3
    assert [call("madvise", 0, 0, what) for what in (4, 12, 20, 21)] == [ALLOW, *[EPERM] * 3]
    for name in ("preadv2", "pwritev2", "sendto"):
        assert [call(name, 0, 0, 0, 0, 0, last) for last in (0, 8)] == [ALLOW, EPERM]
    for kind in ((1, 1), (1, 0o2000001)):
        assert call("socketpair", *kind) == ALLOW
    for kind in ((1, 2), (2, 1), (1, 5)):
        assert call("socketpair", *kind) == EPERM
    for name in ("clock_gettime", "clock_getres", "clock_nanosleep"):
        assert [call(name, clock) for clock in (1, 2)] == [ALLOW] * 2
        assert call(name, (~1 << 3 | 2) & 0xFFFFFFFF) == EPERM


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
            case 0x05:
                at += k
            case _:
                holds = {
                    0x15: accumulator == k,
                    0x25: accumulator > k,
                    0x45: bool(accumulator & k),
                }[operation]
                at += if_true if holds else if_false
