"""A bot's program on its author's machine, for one game."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs

from carc.bots.session import PROTOCOL, line_of
from carc.bounded import parse_json, shortly
from carc.errors import BadBot
from carc.tournaments.outcomes import remedies

READY: Final = 30.0  # seconds for a bot to be ready, where it is tried first


class Program:
    """A bot's process for one game.

    Args:
        command: What is started.
        folder: Where.
        hear: Called with each line that it writes, and with an empty one at its end; in a thread.
    """

    def __init__(
        self, command: Sequence[str], folder: Path | None, hear: Callable[[Program, bytes], None]
    ) -> None:
        self._hear = hear
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0,  # so that Ctrl-C does not end it in the middle of a game
        )
        self._is_ending = False
        self._kept_back = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout:
            for line in self._process.stdout:
                if self._is_ending and not self._kept_back:
                    self._kept_back = line
                self._hear(self, line)
        self._hear(self, b"")

    def tell(self, line: bytes) -> None:
        """Send a line, if it still listens."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def end(self) -> int:
        """End it, by force if it is not quick, and return its exit code."""
        assert self._process.stdin is not None
        self._is_ending = True
        with suppress(OSError):
            self._process.stdin.close()
        try:
            return self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    @property
    def kept_back(self) -> str:
        """What it wrote only when it was ended, in words; empty if nothing."""
        self._reader.join(0.5)
        return remedies.kept_back(self._kept_back) if self._kept_back else ""


@attrs.frozen
class Bot:
    """What plays, and under which name."""

    name: str
    version: str
    command: tuple[str, ...]
    folder: Path | None = None
    knows_rules: bool = True
    """Whether it plays by the rules of this carc, and not by its own."""

    def check(self) -> None:
        """Raise `BadBot` if it cannot be started."""
        said: list[bytes] = []
        came = threading.Event()

        def hear(_: Program, line: bytes) -> None:
            said.append(line)
            came.set()

        try:
            program = Program(self.command, self.folder, hear)
        except OSError as error:
            raise BadBot(f"{self.command[0]} cannot be started: {error.strerror}") from None
        program.tell(line_of(type="hello", protocol=PROTOCOL))
        came.wait(READY)
        first = said[0] if said else None
        program.end()
        with suppress(ValueError, LookupError, TypeError):
            if first and parse_json(first)["type"] == "ready":
                return
        if first is None:
            what = f"says nothing within {READY:g} s"
            what += f": {program.kept_back}" if program.kept_back else ""
        elif text := first.decode(errors="replace").strip():
            what = f"answers {shortly(text)} where ready was wanted; {remedies.LOG}"
        else:
            what = "ends before it is ready"
        raise BadBot(f"{' '.join(self.command):.200} {what}")
