"""Tables on disk, so that a restart of the server loses no game. One file of JSON each.

A file holds the seed of the deal and the keys of the seats: only the server's user may read it.
"""

import json
import logging
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from carc.bounded import parse_json, read_plain
from carc.web.visitors import forgotten

FOLDER = ".tables"
"""The folder of the tables inside that of the tournaments."""
MOST_FILES = 10_000
"""Tables that are kept; the oldest are removed."""

_ID = re.compile(r"[A-Za-z0-9_-]{12}")
_log = logging.getLogger(__name__)


class TableStore:
    """Tables saved as files."""

    def __init__(self, folder: Path, seconds: float) -> None:
        """Use a folder, made with the first table; remove those that nobody touched for so long."""
        self._folder = folder
        self._seconds = seconds
        self._is_broken = False
        self.prune()

    def save(self, name: str, data: dict[str, Any]) -> None:
        """Save a table. If the folder cannot be written to, log that once."""
        path = self._folder / f"{name}.json"
        new = path.with_suffix(".new")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            new.touch(mode=0o600)
            new.write_text(json.dumps(data), encoding="utf-8")
            new.replace(path)
        except OSError as error:
            if not self._is_broken:
                _log.warning("tables are not saved: %s", error)
            self._is_broken = True

    def load(self, name: str) -> dict[str, Any] | None:
        """Return a saved table; None if there is none that can be read."""
        if not _ID.fullmatch(name):
            return None
        try:
            data = parse_json(read_plain(self._folder / f"{name}.json"))
        except (OSError, ValueError):
            return None
        return data if isinstance(data, dict) else None

    def prune(self) -> None:
        """Remove the tables that nobody touched for long, and the oldest if there are too many."""
        with suppress(OSError):
            files = [path for path in self._folder.iterdir() if path.is_file()]
            for path in forgotten(files, MOST_FILES, self._seconds):
                path.unlink(missing_ok=True)
