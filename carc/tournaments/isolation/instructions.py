"""`Launch`: what `sandbox` tells `launch`, in a bot's new process."""

from typing import TypedDict


class Confine(TypedDict):
    """What a bot may do, at the levels for strangers' bots."""

    uid: int
    """The user to become; 0 to stay the same."""
    ruleset: bytes
    """What Landlock is to watch."""
    rights: dict[str, int]
    """What it is to allow, by path."""
    closed: list[str]
    """Those of these paths that the user to become cannot reach."""
    filter: bytes
    """The seccomp filter."""
    pid: bytes
    """What stands in the filter for the process's own id."""


class Launch(TypedDict):
    """The launcher's instructions. Paths are absolute, as seen from inside."""

    confine: Confine | None
    """None for limits only."""
    alone: bool
    """Whether it is in own namespaces already."""
    command: list[str]
    environment: dict[str, str]
    folder: str
    """Where it starts."""
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
