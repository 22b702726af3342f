"""One log file for the program and all its workers.

Each appends to it in pieces that the system keeps whole: no process spoils a line of another's, and
what one said that was killed is there.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from carc.errors import CarcError
from carc.escape import escape_unprintable

FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


class _Visible(logging.Formatter):
    """Formats records so that the file can be shown on a terminal, whatever a bot said."""

    def format(self, record: logging.LogRecord) -> str:
        return escape_unprintable(super().format(record), keep="\n\t")


class Log(logging.FileHandler):
    """The log file, open in this process.

    Raises:
        CarcError: It is a link.
    """

    def __init__(self, path: Path) -> None:
        if path.is_symlink():  # the folder may be a stranger's
            raise CarcError(f"{path} is a link: a log is a file in the tournament's folder")
        super().__init__(path, mode="a", encoding="utf-8")
        self.setFormatter(_Visible(FORMAT))
        self.path = path

    def write(self, lines: str) -> None:
        """Add lines that were logged elsewhere, as they are."""
        if lines:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(lines)


@contextmanager
def logging_to(path: Path) -> Iterator[Log]:
    """Log everything to a file meanwhile, what this process logs included."""
    log = Log(path)
    root = logging.getLogger()
    level = root.level
    root.addHandler(log)
    root.setLevel(logging.INFO)
    try:
        yield log
    finally:
        root.setLevel(level)
        root.removeHandler(log)
        log.close()
