"""Games that visitors have brought to be reviewed. Each visitor has a folder of records."""

import re
import secrets
import shutil
from pathlib import Path
from typing import Final

import attrs

from carc.bounded import read_plain
from carc.drawing.history import with_scores
from carc.errors import CarcError
from carc.files import write_file
from carc.formats import Imported, import_games
from carc.match.record import read_saved_game
from carc.web.visitors import forgotten, is_token, new_token

FOLDER: Final = ".reviews"
"""The folder of the visitors' folders inside that of the tournaments."""
MOST_VISITORS: Final = 1000
"""Visitors whose games are kept; those who came longest ago are forgotten."""
MOST_GAMES: Final = 100
"""Games of a visitor that are kept; the oldest are removed."""
MOST_AT_ONCE: Final = 20
"""Games that can be brought at a time."""
_GAME: Final = re.compile(r"[A-Za-z0-9_-]{12}")


@attrs.frozen
class Review:
    """A game that a visitor has brought: its name in addresses, its folder, its record."""

    id: str
    folder: Path
    record: str

    @property
    def title(self) -> str:
        """The players, with their scores if the game is over."""
        match, _ = read_saved_game(self.record, "the game")
        return with_scores(match.seats, match.result.scores)


class Reviews:
    """The games of all visitors, on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def folder(self, visitor: str) -> Path | None:
        """Return the folder of a visitor; None if nobody has this token."""
        if not is_token(visitor):
            return None
        folder = self._folder / visitor
        return folder if folder.is_dir() else None

    def games(self, visitor: str) -> list[Review]:
        """Return the games of a visitor, the latest first."""
        folder = self.folder(visitor)
        names = [] if folder is None else [path.stem for path in _records(folder)]
        found = [self.find(visitor, name) for name in names]
        return [each for each in found if each is not None]

    def find(self, visitor: str, game: str) -> Review | None:
        """Return a game of a visitor; None if there is none of this name."""
        folder = self.folder(visitor)
        if folder is None or not _GAME.fullmatch(game):
            return None
        try:
            return Review(game, folder, read_plain(folder / f"{game}.jsonl"))
        except (OSError, ValueError):
            return None

    def remove(self, visitor: str, game: str) -> None:
        """Forget a game of a visitor."""
        review = self.find(visitor, game)
        if review is not None:
            _remove(review.folder / f"{game}.jsonl")

    def add(self, visitor: str, games: list[Imported]) -> tuple[str, list[str]]:
        """Keep games of a visitor; return the token, a new one if it was nobody's, and names.

        Raises `CarcError` if they cannot be written.
        """
        if self.folder(visitor) is None:
            visitor = new_token()
        folder = self._folder / visitor
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            names = [secrets.token_urlsafe(9) for _ in games]
            for name, game in zip(names, games, strict=True):
                write_file(folder / f"{name}.jsonl", game.to_text())
            self._prune(folder)
        except OSError as error:
            raise CarcError(f"the game cannot be kept: {error.strerror}") from None
        return visitor, names

    def _prune(self, folder: Path) -> None:
        """Remove what is too much of a visitor's games, and of visitors."""
        for path in _records(folder)[MOST_GAMES:]:
            _remove(path)
        for path in forgotten(self._folder.iterdir(), MOST_VISITORS):
            shutil.rmtree(path, ignore_errors=True)


def read_games(texts: list[tuple[str, str]]) -> list[Imported]:
    """Return the games in texts, each with what messages call it.

    Raises `CarcError` if one cannot be read, if there is none, or if there are too many.
    """
    games = [game for source, text in texts for game in import_games(text, source)]
    if not games:
        raise CarcError("paste a link, or choose the file of a game")
    if len(games) > MOST_AT_ONCE:
        raise CarcError(f"these are {len(games)} games; bring at most {MOST_AT_ONCE} at a time")
    return games


def _records(folder: Path) -> list[Path]:
    """Return the files of a visitor's games, the latest first."""
    return sorted(folder.glob("*.jsonl"), key=lambda path: -path.stat().st_mtime_ns)


def _remove(record: Path) -> None:
    record.unlink(missing_ok=True)
    (record.parent / "analyses" / f"{record.stem}.json").unlink(missing_ok=True)
