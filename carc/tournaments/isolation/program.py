"""A bot as a program: what is to be run, where, at which level of isolation, within which limits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs


@attrs.frozen
class Limits:
    """What a bot's process may use; in bytes and seconds."""

    memory: int = 1 << 30
    """Resident, by whatever mapping."""
    threads: int = 64
    file_size: int = 8 << 20
    """Of any file it writes, its stderr included."""
    scratch: int = 64 << 20
    """Of its scratch folder."""
    files: int = 1000
    """In its scratch folder, folders included."""
    cpu: int = 3600
    """In all; the clock says much less."""
    reply: int = 64 << 10
    """Of one line it says."""


@attrs.frozen
class Program:
    """Made once, by whoever knows the bot; all that comes after takes it as it is."""

    command: Sequence[str]
    """As `command.resolve` or `sandbox.python` gives it: a program of the host, or one in the bot's folder."""
    folder: Path | None
    """The bot's own, of which each game has a copy; None for a bot that is part of carc."""
    level: str
    """`process`, `confined` or `namespaces`."""
    limits: Limits = Limits()
