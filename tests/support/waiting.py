"""Waiting for what comes by and by."""

import time
from collections.abc import Callable


def until(met: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until this holds."""
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end, "it never comes"
        time.sleep(0.01)
