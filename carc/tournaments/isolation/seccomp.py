"""A seccomp filter: which system calls a bot may make.

Allowed is what the kernel's own permission checks, Landlock and the resource limits keep harmless
for a process without privileges. Refused (EPERM) is what is listed here: making processes and
sockets; touching or asking after other processes; files' owners and modes; memory that no limit
counts; what could wake a stopped process; what bots could speak to each other by; and whatever
needs a privilege anyway. Calls with many uses (`ioctl`, `fcntl`, `prctl`, ...) are allowed by use.
Unknown, newer calls do not exist (ENOSYS).

The program is classic BPF (Linux: Documentation/userspace-api/seccomp_filter.rst), with the numbers
of the kernel's `asm/unistd_64.h` (x86-64) and `asm-generic/unistd.h` (AArch64).
"""

from __future__ import annotations

import errno
import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

LAST: Final = 450  # the newest call this table was written against

# name: number on x86-64, on AArch64 (-1: does not exist there)
REFUSED: Final = {
    # processes; `clone` is looked at below
    "fork": (57, -1),
    "vfork": (58, -1),
    # network; of `socketpair` streams stay, which reach nobody else
    "socket": (41, 198),
    "accept": (43, 202),
    "accept4": (288, 242),
    "bind": (49, 200),
    "listen": (50, 201),
    "connect": (42, 203),
    "setsockopt": (54, 208),
    "sendmsg": (46, 211),  # to any address, and descriptors on their way are counted by user
    "sendmmsg": (307, 269),
    # other processes; `kill`, `tgkill` and `prlimit64` are looked at below
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "mbind": (237, 235),  # moves pages that others have mapped, too
    "get_mempolicy": (239, 236),  # where a page of a common file lies
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "setpriority": (141, 140),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122),
    "ioprio_set": (251, 30),
    "capget": (125, 90),  # of any process: which one cannot be seen from here
    # files, where Landlock does not watch: modes, owners, times, attributes, truncation by name,
    # notification, handles
    "chmod": (90, -1),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "chown": (92, -1),
    "fchown": (93, 55),
    "lchown": (94, -1),
    "fchownat": (260, 54),
    "utime": (132, -1),
    "utimes": (235, -1),
    "utimensat": (280, 88),
    "futimesat": (261, -1),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "truncate": (76, 45),
    "fallocate": (285, 47),  # takes room that nobody has written to
    "flock": (73, 32),  # on a file of the system it is seen by others
    "mknod": (133, -1),
    "mknodat": (259, 33),
    "inotify_init": (253, -1),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # memory that no resource limit counts, or that others could share; shared anonymous `mmap` is
    # looked at below
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "mq_timedsend": (242, 182),
    "mq_timedreceive": (243, 183),
    "mq_getsetattr": (245, 185),
    "remap_file_pages": (216, 234),
    # timers and notices whose signal could be SIGCONT, which undoes SIGSTOP
    "timer_create": (222, 107),
    "mq_notify": (244, 184),
    # what is in memory of the files that all bots read, and its coming and going
    "fadvise64": (221, 223),
    "mincore": (27, 232),
    "readahead": (187, 213),
    # what the whole host has left, of memory, processes and disc; what all must wait for
    "sysinfo": (99, 179),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "ustat": (136, -1),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "io_setup": (206, 0),
    # the kernel's memory, which is nobody's
    "vmsplice": (278, 75),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
    # large parts of the kernel that no bot needs
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "personality": (135, 92),
    "seccomp": (317, 277),
    "modify_ldt": (154, -1),
    "uselib": (134, -1),
    "sysfs": (139, -1),
    "_sysctl": (156, -1),
    # what needs a privilege, or would give one inside a namespace
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "lookup_dcookie": (212, 18),
}
CLONE3: Final = (
    435,
    435,
)  # its flags cannot be seen from here: without it the C library takes `clone`

ARCHITECTURES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

PID: Final = 0x7FFF1D1D  # stands in a filter for the id of its process, and is nobody's
OWN: Final = -1  # stands for it in the tables
SIGCONT: Final = 18

# Allowed with these values of an argument (call: numbers, which argument, values), refused with all
# others.
ONLY: Final = {
    # FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, and whether it is a terminal: TCGETS, TIOCGWINSZ
    "ioctl": ((16, 29), 1, (0x541B, 0x5421, 0x5450, 0x5451, 0x5401, 0x5413)),
    # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_DUPFD_CLOEXEC, F_GETPIPE_SZ; not
    # signals, leases, hints, seals
    "fcntl": ((72, 25), 1, (0, 1, 2, 3, 4, 5, 1030, 1032)),
    # PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_CAPBSET_READ, PR_GET_NO_NEW_PRIVS, PR_SET_VMA
    "prctl": ((157, 167), 0, (3, 15, 16, 23, 39, 0x53564D41)),
    # Not MADV_MERGEABLE, MADV_COLD, MADV_PAGEOUT: they change what others find in memory.
    "madvise": ((28, 233), 2, (0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 102, 103)),
    "prlimit64": ((302, 261), 0, (0, OWN)),
    "tgkill": ((234, 131), 0, (OWN,)),
    "kill": ((62, 129), 0, (OWN,)),
    # QUERY, and those of its own threads; the others wait for all of the host.
    "membarrier": ((324, 283), 0, (0, 8, 16, 32, 64, 128, 256)),
    # Not RWF_NOWAIT, which tells what is in memory, nor any other flag.
    "preadv2": ((327, 286), 5, (0,)),
    "pwritev2": ((328, 287), 5, (0,)),
    # Not of other processes: whether they exist, how many threads they have, what they may do.
    "getpgid": ((121, 155), 0, (0, OWN)),
    "setpgid": ((109, 154), 0, (0, OWN)),
    "getsid": ((124, 156), 0, (0, OWN)),
    "sched_getscheduler": ((145, 120), 0, (0, OWN)),
    "sched_getparam": ((143, 121), 0, (0, OWN)),
    "sched_getattr": ((315, 275), 0, (0, OWN)),
    "sched_rr_get_interval": ((148, 127), 0, (0, OWN)),
    "get_robust_list": ((274, 100), 0, (0, OWN)),
    # PRIO_PROCESS and IOPRIO_WHO_PROCESS; not of groups and users
    "getpriority": ((140, 141), 0, (0,)),
    "getpriority of a process": ((140, 141), 1, (0, OWN)),
    "ioprio_get": ((252, 31), 0, (1,)),
    "ioprio_get of a process": ((252, 31), 1, (0, OWN)),
    # AF_UNIX, SOCK_STREAM: a datagram could be sent to any path.
    "socketpair": ((53, 199), 0, (1,)),
    "socketpair of streams": ((53, 199), 1, (1, 1 | 0o4000, 1 | 0o2000000, 1 | 0o2004000)),
    "sendto": ((44, 206), 5, (0,)),
    # SO_REUSEADDR, TYPE, ERROR, SNDBUF, RCVBUF, KEEPALIVE, LINGER, PASSCRED, PEERCRED, RCVLOWAT,
    # SNDLOWAT, RCVTIMEO, SNDTIMEO, ACCEPTCONN, PROTOCOL, DOMAIN. Not cookies and process
    # descriptors, which are numbered for the whole host.
    "getsockopt": ((55, 209), 2, (2, 3, 4, 7, 8, 9, 13, 16, 17, 18, 19, 20, 21, 30, 38, 39)),
    # Not the clocks of other processes, whose numbers are negative.
    "clock_gettime": ((228, 113), 0, tuple(range(12))),
    "clock_getres": ((229, 114), 0, tuple(range(12))),
    "clock_nanosleep": ((230, 115), 0, tuple(range(12))),
}
# The C library asks for the cores of a thread by its id, which cannot be told from a process's. It
# does without if the call does not exist.
AFFINITY: Final = (204, 123)
# FUTEX_LOCK_PI, UNLOCK_PI, TRYLOCK_PI, WAIT_REQUEUE_PI, CMP_REQUEUE_PI, LOCK_PI2: the kernel looks
# for a thread by the id in the futex, whosever it is.
BY_OWNER: Final = (6, 7, 8, 11, 12, 13)
FUTEX_FLAGS: Final = 128 | 256
# Refused with this value of an argument.
NOT: Final = {
    # A thread that wakes its process again and again could not be stopped.
    "kill": ((62, 129), 1, SIGCONT),
    "tgkill": ((234, 131), 2, SIGCONT),
}
# Refused with all of these bits set in an argument.
NOT_BITS: Final = {
    "mmap of shared memory": ((9, 222), 3, 0x21),  # MAP_SHARED, MAP_ANONYMOUS
    "mmap of a stack": ((9, 222), 3, 0x100),  # MAP_GROWSDOWN: no limit counts it
    "mmap of huge pages": ((9, 222), 3, 0x40000),
}
FUTEX: Final = (202, 98)
FUTEX_PRIVATE: Final = 128
# FUTEX_WAIT, FUTEX_WAIT_BITSET, on the clock: to join a thread. A wake that is not private would
# reach other bots through the pages of any file that all read.
SHARED_WAITS: Final = (0, 9, 256 | 9)
CLONE: Final = (56, 220)
CLONE_THREAD: Final = 0x00010000
CLONE_PIDFD: Final = 0x00001000  # its inode counts all threads of the host
FCNTL: Final = (72, 25)
# F_SETLK, F_SETLKW always grant the lock, which is true: no other process has a file that a bot may
# write. A lock that was really set, on /dev/null for one, would be seen by other bots.
LOCKS: Final = (6, 7)

_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_ERROR: Final = 0x00050000
_REFUSE: Final = _ERROR | errno.EPERM
_ABSENT: Final = _ERROR | errno.ENOSYS

_LOAD, _EQUAL, _ABOVE, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x54, 0x06
_JUMP = 0x05
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data


class _Filter:
    """A filter in the making, for one machine."""

    def __init__(self, column: int) -> None:
        self.lines: list[tuple[int, int, int, int]] = []
        self._column = column

    def add(self, code: int, k: int, if_true: int = 0, if_false: int = 0) -> None:
        """Add one instruction."""
        self.lines.append((code, if_true, if_false, k))

    def answer(self, call: tuple[int, int], answer: int) -> None:
        """Answer a call whatever its arguments are, if the machine has it."""
        if call[self._column] >= 0:
            self.add(_EQUAL, call[self._column], 0, 1)
            self.add(_RETURN, answer)

    def block(
        self, call: tuple[int, int], index: int, test: list[tuple[int, int, int, int]]
    ) -> None:
        """Test the low half of an argument of a call.

        The test returns, or falls through to what follows.
        """
        self.add(_EQUAL, call[self._column], 0, len(test) + 2)
        self.add(_LOAD, _ARGUMENTS + 8 * index)
        self.lines.extend(test)
        self.add(_LOAD, _NUMBER)


def program(machine: str | None = None) -> bytes:
    """Return the filter for a process, in which `PID` stands for its id.

    Raises `OSError` if there is no table for the machine.
    """
    machine = machine or os.uname().machine
    if machine not in ARCHITECTURES:
        raise OSError(f"no system call table for {machine}; there are {', '.join(ARCHITECTURES)}")
    column, audit = ARCHITECTURES[machine]
    made = _Filter(column)
    made.add(_LOAD, _ARCH)
    made.add(_EQUAL, audit, 1, 0)
    made.add(_RETURN, _KILL)
    made.add(_LOAD, _NUMBER)
    made.add(_ABOVE, LAST, 0, 1)  # x32's numbers, on x86-64, are far above
    made.add(_RETURN, _ABSENT)
    made.answer(CLONE3, _ABSENT)
    threads = (_AND, 0, 0, CLONE_THREAD | CLONE_PIDFD)
    made.block(CLONE, 0, [threads, (_EQUAL, 1, 0, CLONE_THREAD), (_RETURN, 0, 0, _REFUSE)])
    _threads(made)
    for lock in LOCKS:
        made.block(FCNTL, 1, [(_EQUAL, 0, 1, lock), (_RETURN, 0, 0, _ERROR)])
    for call, index, value in NOT.values():
        made.block(call, index, [(_EQUAL, 0, 1, value), (_RETURN, 0, 0, _REFUSE)])
    for call, index, bits in NOT_BITS.values():
        masked = (_AND, 0, 0, bits)
        made.block(call, index, [masked, (_EQUAL, 0, 1, bits), (_RETURN, 0, 0, _REFUSE)])
    for call, index, values in ONLY.values():
        allowed = [PID if value == OWN else value for value in values]
        tests = [(_EQUAL, len(allowed) - n, 0, value) for n, value in enumerate(allowed)]
        made.block(call, index, [*tests, (_RETURN, 0, 0, _REFUSE)])
    for numbers in REFUSED.values():
        made.answer(numbers, _REFUSE)
    made.add(_RETURN, _ALLOW)
    return b"".join(struct.pack("HBBI", *line) for line in made.lines)


def _threads(made: _Filter) -> None:
    """Add what is asked of threads by id, and of futexes."""
    absent = (_RETURN, 0, 0, _ABSENT)
    made.block(AFFINITY, 0, [(_EQUAL, 2, 0, 0), (_EQUAL, 1, 0, PID), absent])
    owners = [(_EQUAL, len(BY_OWNER) - n, 0, call) for n, call in enumerate(BY_OWNER)]
    command = (_AND, 0, 0, ~FUTEX_FLAGS & 0xFFFFFFFF)
    made.block(FUTEX, 1, [command, *owners, (_JUMP, 0, 0, 1), absent])
    waits = [(_EQUAL, len(SHARED_WAITS) - n, 0, wait) for n, wait in enumerate(SHARED_WAITS)]
    private = (_ANY_BIT, len(waits) + 1, 0, FUTEX_PRIVATE)
    made.block(FUTEX, 1, [private, *waits, (_RETURN, 0, 0, _REFUSE)])
