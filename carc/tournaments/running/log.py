"""One log file for the program and all its workers."""

import logging
import multiprocessing
import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path

from multiprocessing_logging import MultiProcessingHandler

from carc.errors import CarcError
from carc.escape import escape_unprintable

KEPT = 5  # log files beside the one that is written
FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


class _Visible(logging.Formatter):
    """Formats records so that the file can be shown on a terminal, whatever a bot said."""

    def format(self, record: logging.LogRecord) -> str:
        return escape_unprintable(super().format(record), keep="\n\t")


class _Into(logging.Handler):
    """Hands records on to the file, which stays open when a channel is closed."""

    def __init__(self, file: logging.Handler) -> None:
        super().__init__()
        self.setFormatter(file.formatter)
        self._file = file

    def emit(self, record: logging.LogRecord) -> None:
        self._file.handle(record)


def _require_semaphores() -> None:
    try:
        multiprocessing.Queue()  # what a channel is made with
    except OSError as error:
        raise CarcError(
            f"the system grants no semaphores ({error.strerror}); processes need a /dev/shm that "
            "can be written"
        ) from None


class Log:
    """The open log file, which after `most` bytes is moved to one of `KEPT` others; 0: it grows.

    Workers write to it through channels, one each, because a worker killed in the middle of a line
    leaves its channel unusable. What they print they append to it themselves. Raises `CarcError` if
    the system grants no channels.
    """

    def __init__(self, path: Path, most: int = 0) -> None:
        _require_semaphores()
        if path.is_symlink():  # the folder may be a stranger's
            raise CarcError(f"{path} is a link: a log is a file in the tournament's folder")
        self.path = path
        self.file = RotatingFileHandler(path, maxBytes=most, backupCount=KEPT, encoding="utf-8")
        self.file.rotator = _emptied
        self.file.setFormatter(_Visible(FORMAT))
        self._closing: list[threading.Thread] = []

    def channel(self) -> MultiProcessingHandler:
        """Return a handler for one worker; call it before the worker is forked.

        Raises `CarcError` if the system grants no channels.
        """
        _require_semaphores()  # a handler that fails half made fails again when the program ends
        return MultiProcessingHandler("log", sub_handler=_Into(self.file))

    def write(self, lines: str) -> None:
        """Add lines that were logged elsewhere, as they are."""
        if lines:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(lines)

    def retire(self, channel: MultiProcessingHandler, patience: float) -> None:
        """Close the channel of a worker that has ended, as soon as all its lines have arrived.

        The last lines of a killed worker may never arrive: they are awaited for `patience` seconds.
        """
        thread = threading.Thread(target=_close, args=(channel, patience))
        thread.start()
        self._closing.append(thread)

    def close(self) -> None:
        """Close the file when all retired channels are closed."""
        for thread in self._closing:
            thread.join()
        self.file.close()


def _emptied(path: str, copy: str) -> None:
    """Move what a log holds to a copy; the file stays where workers append to it."""
    shutil.copyfile(path, copy)
    os.truncate(path, 0)


def _close(channel: MultiProcessingHandler, patience: float) -> None:
    end = time.monotonic() + patience
    while channel.queue.qsize() and time.monotonic() < end:
        time.sleep(0.01)
    if channel.queue.qsize():  # lost lines: closing would wait for them for seconds
        threading.Thread(target=channel.close, daemon=True).start()
    else:
        channel.close()


@contextmanager
def logging_to(path: Path, most: int = 0) -> Iterator[Log]:
    """Log everything to a file meanwhile, as `Log`, what this process logs included."""
    log = Log(path, most)
    root = logging.getLogger()
    level = root.level
    root.addHandler(log.file)
    root.setLevel(logging.INFO)
    try:
        yield log
    finally:
        root.setLevel(level)
        root.removeHandler(log.file)
        log.close()
