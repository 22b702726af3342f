"""Landlock: which files a bot may open (Linux: Documentation/userspace-api/landlock.rst)."""

from __future__ import annotations

import ctypes
import os
import stat
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PATH_BENEATH: Final = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, IOCTL_DEVICE = 1 << 14, 1 << 15
OF_A_FILE: Final = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE
READ: Final = EXECUTE | READ_FILE | READ_DIR
# Making and removing plain files and folders, renaming within; no devices, sockets, pipes, or links
# to elsewhere.
WRITE: Final = (
    READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | sum(1 << bit for bit in (4, 5, 7, 8, 13))
)

# How many rights each version of the interface has; the highest one the kernel has counts.
RIGHTS: Final = {1: 13, 2: 14, 3: 15, 5: 16}
NET: Final = 3  # bind and connect by TCP, from version 4
SCOPES: Final = 3  # abstract sockets and signals, from version 6


def abi() -> int:
    """Return the version of the kernel's interface; 0 if there is none."""
    return max(0, int(ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, 1)))


def restrict(read: Sequence[int], write: Sequence[int]) -> None:
    """Let this process open only what is under these descriptors from now on.

    It needs no-new-privileges.

    Args:
        read: To read and execute.
        write: To read and write.

    Raises:
        OSError: The kernel refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    version = abi()

    def call(*arguments: object) -> int:
        result = int(libc.syscall(*arguments))
        if result < 0:
            raise OSError(ctypes.get_errno(), "Landlock: " + os.strerror(ctypes.get_errno()))
        return result

    if not version:
        raise OSError("the kernel has no Landlock")
    handled = (1 << RIGHTS[max(known for known in RIGHTS if known <= version)]) - 1
    attributes = struct.pack("Q", handled)
    if version >= 4:
        attributes += struct.pack("Q", NET)
    if version >= 6:
        attributes += struct.pack("Q", SCOPES)
    ruleset = call(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    for descriptors, rights in ((read, READ), (write, WRITE)):
        for descriptor in descriptors:
            allowed = rights & handled
            if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
                allowed &= OF_A_FILE
            rule = struct.pack("=Qi", allowed, descriptor)
            call(ADD_RULE, ruleset, PATH_BENEATH, rule, 0)
    call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
