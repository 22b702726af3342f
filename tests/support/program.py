"""The program called in this process, as the fixture `run` of all tests does."""

from collections.abc import Callable

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
