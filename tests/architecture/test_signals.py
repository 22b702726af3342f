"""No test ends the program that runs the tests, whatever process id it takes for a bot's."""

import os
import signal

import pytest


def test_signals_that_would_reach_the_test_runner_are_refused() -> None:
    """SIGCONT, which would do no harm."""
    for pid in (0, -os.getpgrp(), os.getpid(), os.getppid()):
        with pytest.raises(AssertionError, match="would reach the test runner"):
            os.kill(pid, signal.SIGCONT)
    for group in (0, os.getpgrp()):
        with pytest.raises(AssertionError, match="would reach the test runner"):
            os.killpg(group, signal.SIGCONT)
    os.kill(os.getpid(), 0)
