"""Says whether carc is compiled, and insists on what CARC_MODE asks for."""

import os
import signal

import pytest

from carc.commands.bench import is_compiled


def pytest_report_header() -> str:
    return f"carc is {_mode()}"


def _mode() -> str:
    return "compiled" if is_compiled() else "interpreted"


def pytest_configure(config: pytest.Config) -> None:
    # A shell's background job ignores Ctrl-C, and so would every program that the tests start and
    # stop by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    wanted = os.environ.get("CARC_MODE")
    if wanted and wanted != _mode():
        raise pytest.UsageError(f"CARC_MODE asks for {wanted}, but carc is {_mode()}")
