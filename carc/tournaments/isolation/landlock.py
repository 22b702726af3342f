"""Landlock: which files a bot may open (Linux: Documentation/userspace-api/landlock.rst)."""

import ctypes
import struct
from typing import Final

CREATE_RULESET: Final = 444

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


def ruleset() -> bytes:
    """Return what is to be watched: all that the kernel can watch; `OSError` if it can nothing."""
    version = abi()
    if not version:
        raise OSError("the kernel has no Landlock")
    attributes = struct.pack("Q", _handled(version))
    if version >= 4:
        attributes += struct.pack("Q", NET)
    if version >= 6:
        attributes += struct.pack("Q", SCOPES)
    return attributes


def rights(wanted: int, folder: bool) -> int:
    """Return those of the rights, `READ` and `WRITE`, that there are for a file or a folder."""
    known = wanted & _handled(abi())
    return known if folder else known & OF_A_FILE


def _handled(version: int) -> int:
    return (1 << RIGHTS[max(known for known in RIGHTS if known <= version)]) - 1
