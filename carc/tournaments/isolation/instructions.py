"""`Launch`: what `sandbox` tells `launch`, in a bot's new process."""

from __future__ import annotations

from typing import TypedDict


class Launch(TypedDict):
    """The launcher's instructions. Paths are absolute, as seen from inside."""

    confine: bool
    """Whether to do more than limits: user id, seccomp, Landlock."""
    filter: bytes
    """The seccomp filter of a bot in a namespace of processes, made once for all."""
    uid: int
    """The user to become; 0 to stay the same."""
    alone: bool
    """Whether it is in own namespaces already."""
    command: list[str]
    environment: dict[str, str]
    folder: str
    """Where it starts."""
    read: list[str]
    write: list[str]
    packages: dict[str, str]
    """Python packages for the folder `links`, by name."""
    links: str
    scratch: str
    scratch_size: int
    files: int
    memory: int
    threads: int
    file_size: int
    cpu: int
    report: int
    info: int
    """The descriptor on which to name the first process of a namespace; 0 if bubblewrap does."""
