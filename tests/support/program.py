"""The program called in this process, as the fixture `run` of all tests does, or a new one."""

import os
import subprocess
import sys
from collections.abc import Callable

from support.warm import PYTHONPATH

Called = tuple[int, str, str]
Run = Callable[..., Called]
"""Calls the program with some words, and perhaps with lines `typed`: exit code, stdout, stderr."""


def refused(called: Called) -> str:
    """Return the one sentence with which a call was refused."""
    code, out, err = called
    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith("carc: ")
    return line


def python(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a Python of its own, with the carc that is tested."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": PYTHONPATH},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
