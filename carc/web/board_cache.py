"""Leaderboards as pages show them, cached beside the ledger as `board.json`."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import attrs

import carc
from carc.bounded import parse_json, read_text
from carc.files import replaced
from carc.structured import structured
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.rating.history import HistoryPoint
from carc.tournaments.rating.ratings import Leaderboard, Range, Standing
from carc.tournaments.reports.board_table import Heading

FILE = "board.json"

Stamp = tuple[tuple[int, int], ...]
"""Times and sizes of the ledger's files. It changes when the ledger does."""


@attrs.frozen
class GameRow:
    """A row of the list of games.

    Attributes:
        id: The game.
        seats: The bots, by seat.
        scores: Their points.
        ranks: Their ranks: 0 is best, equal is tied. Nobody has one in a game that is void.
        verdict: `ok`, or `void`: it does not count.
        verdicts: `ok`, or what the bot of a seat did wrong.
        finished: When it ended (UTC).
    """

    id: str
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    verdict: str
    verdicts: tuple[str, ...]
    finished: str

    @classmethod
    def of(cls, game: Outcome) -> GameRow:
        """Return the row of a game."""
        return cls(*(getattr(game, field.name) for field in attrs.fields(cls)))

    @property
    def standings(self) -> list[tuple[str, int | str]]:
        """Names and scores, best first; only names if the game was not played."""
        if not self.ranks:
            return [(name, "") for name in self.seats]
        order = sorted(range(len(self.seats)), key=lambda seat: self.ranks[seat])
        return [(self.seats[seat], self.scores[seat]) for seat in order]

    @property
    def margin(self) -> int:
        """The difference of the two best scores."""
        scores = sorted(self.scores, reverse=True)
        return scores[0] - scores[1] if len(scores) > 1 else 0


@attrs.frozen
class Board:
    """A leaderboard as plain data.

    Attributes:
        heading: The line above it.
        rows: One row for each bot, best first.
        ahead: `ahead[a][b]` is the share of their common games in which `a` ranked ahead of `b`.
        difference: `difference[a][b]` is by how much `a` is better than `b`, in what the board is
            ordered by.
        better: `better[a][b]` is the probability that `a` is better than `b`.
        by_score: Whether it is ordered by score instead of strength.
        notes: Lines below it.
        played: The games that were played.
        total: The most games there can be.
        history: The strengths while the tournament was played.
    """

    heading: str
    rows: tuple[Standing, ...]
    ahead: Mapping[str, Mapping[str, Range]]
    difference: Mapping[str, Mapping[str, Range]]
    better: Mapping[str, Mapping[str, float]]
    by_score: bool
    notes: tuple[str, ...]
    played: int
    total: int
    history: tuple[HistoryPoint, ...] = ()

    @property
    def verdict(self) -> str:
        """Who is first and how certain that is; empty if nobody can be compared."""
        first = self.rows[0].bot if self.rows else ""
        differences = self.difference.get(first, {})
        if not differences:
            return ""
        rivals = [bot for bot, each in differences.items() if each.low <= 0]
        if not rivals:
            return f"{first} is the best bot."
        names = f"{rivals[0]} may" if len(rivals) == 1 else f"{len(rivals)} others may"
        return f"{first} is first, but {names} be as good."

    @classmethod
    def of(
        cls,
        board: Leaderboard,
        heading: Heading,
        notes: tuple[str, ...],
        history: Iterable[HistoryPoint] = (),
    ) -> Board:
        """Return a leaderboard as plain data."""
        return cls(
            heading=str(heading),
            rows=tuple(attrs.evolve(each, seats={}) for each in board.standings),
            ahead=board.ahead,
            difference=board.difference,
            better=board.better,
            by_score=board.by_score,
            notes=notes,
            played=heading.played,
            total=heading.total,
            history=tuple(history),
        )


@attrs.frozen
class Snapshot:
    """A tournament at one moment.

    Attributes:
        stamp: The state of its ledger.
        board: The leaderboard.
        games: The games, latest first; None if they have not been read.
        rough: Whether intervals and TrueSkill are missing.
        made: When the board was made (UTC, ISO 8601).
    """

    stamp: Stamp
    board: Board
    games: tuple[GameRow, ...] | None
    rough: bool
    made: str

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing."""
        return self.games is not None and not self.rough


@attrs.frozen
class _Saved:
    """What the file holds."""

    carc_version: str
    stamp: Stamp
    board: Board
    made: str


def save(folder: Path, stamp: Stamp, board: Board, made: str) -> None:
    """Save a board beside the ledger, if the folder can be written to."""
    data = attrs.asdict(_Saved(carc.__version__, stamp, board, made))
    with contextlib.suppress(OSError), replaced(folder / FILE) as file:
        file.write(json.dumps(data).encode())


def load(folder: Path) -> Snapshot | None:
    """Return the saved board, or None if there is none of this version."""
    try:
        saved = structured(_Saved, parse_json(read_text(folder / FILE)), "a saved board")
    except (OSError, ValueError):
        return None
    if saved.carc_version != carc.__version__:
        return None
    return Snapshot(saved.stamp, saved.board, None, rough=False, made=saved.made)
