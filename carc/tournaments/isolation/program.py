"""A bot as a program: what is run, where, at which level of isolation, within which limits."""

from collections.abc import Sequence
from pathlib import Path

import attrs


@attrs.frozen
class Limits:
    """What a bot's process may use; in bytes and seconds."""

    memory: int = 1 << 30
    """Resident memory, by whatever mapping."""
    threads: int = 64
    file_size: int = 8 << 20
    """Of any file it writes, and of its stderr in all."""
    scratch: int = 64 << 20
    """Of all files in its scratch folder."""
    files: int = 1000
    """Files in its scratch folder, folders included."""
    cpu: int = 3600
    """Seconds in all; the clock allows much less."""
    reply: int = 64 << 10
    """Of a line it answers."""


@attrs.frozen
class Program:
    """A program, made once by whoever knows the bot."""

    command: Sequence[str]
    """As from `command.resolve` or `sandbox.python`: a program of the host, or of the bot."""
    folder: Path | None
    """The bot's own, copied for each game; None for a bot that is part of carc."""
    level: str
    """`process`, `confined` or `namespaces`."""
    limits: Limits = Limits()
