"""What a page shows of a tournament, as plain data; what was rated last is kept beside the ledger."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

import carc
from carc.tournaments.ratings import Leaderboard, Range

FILE = "board.json"

Stamp = tuple[tuple[int, int], ...]
Interval = tuple[float, float, float]  # a figure and the ends of its 95 % interval


@attrs.frozen
class Game:
    """A line of the list of games."""

    id: str
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    verdict: str
    verdicts: tuple[str, ...]
    finished: str

    @property
    def placed(self) -> list[tuple[str, int | str]]:
        """Names and scores, the best first; of a game that was not played, names alone."""
        if not self.ranks:
            return [(name, "") for name in self.seats]
        order = sorted(range(len(self.seats)), key=lambda seat: self.ranks[seat])
        return [(self.seats[seat], self.scores[seat]) for seat in order]

    @property
    def margin(self) -> int:
        """By how much the best score is above the second."""
        scores = sorted(self.scores, reverse=True)
        return scores[0] - scores[1] if len(scores) > 1 else 0


@attrs.frozen
class Line:
    """A bot's line on the board, as `carc.tournaments.ratings.Standing` has it."""

    rank: int
    bot: str
    games: int
    wins: int
    score: Interval
    strength: Interval
    ranks: tuple[int, int]
    mu: float | None
    sigma: float | None
    wall: float
    faults: int


@attrs.frozen
class Board:
    """A leaderboard as it is shown."""

    heading: str
    lines: tuple[Line, ...]
    ahead: Mapping[str, Mapping[str, Interval]]
    """`ahead[a][b]`: share of the games of both in which a came in ahead of b."""
    by_score: bool
    notes: tuple[str, ...]

    @classmethod
    def of(cls, board: Leaderboard, heading: str, notes: tuple[str, ...]) -> Board:
        """What is shown of a leaderboard."""
        return cls(
            heading=heading,
            lines=tuple(
                Line(
                    rank=one.rank,
                    bot=one.bot,
                    games=one.games,
                    wins=one.wins,
                    score=_plain(one.score),
                    strength=_plain(one.strength),
                    ranks=one.ranks,
                    mu=one.mu,
                    sigma=one.sigma,
                    wall=one.wall,
                    faults=sum(one.verdicts.values()),
                )
                for one in board.standings
            ),
            ahead={
                bot: {other: _plain(share) for other, share in others.items()}
                for bot, others in board.ahead.items()
            },
            by_score=board.by_score,
            notes=notes,
        )


@attrs.frozen
class Found:
    """A tournament as it was at one moment."""

    stamp: Stamp
    board: Board
    games: tuple[Game, ...] | None
    """The latest first; None if they have not been read."""
    rough: bool
    """Whether it is not rated to the end."""

    @property
    def whole(self) -> bool:
        """Whether there is nothing more to know of these games."""
        return self.games is not None and not self.rough


def _plain(one: Range) -> Interval:
    return one.value, one.low, one.high


def put(folder: Path, stamp: Stamp, board: Board) -> None:
    """Keep a board beside the ledger; where that may not be written, go without."""
    place = folder / FILE
    new = place.with_suffix(f".{os.getpid()}.new")
    kept = {"carc_version": carc.__version__, "stamp": stamp, "board": attrs.asdict(board)}
    with contextlib.suppress(OSError):
        new.write_text(json.dumps(kept), encoding="utf-8")
        new.replace(place)


def get(folder: Path) -> Found | None:
    """The board that is kept there, if one is that can be understood."""
    try:
        kept = json.loads((folder / FILE).read_text(encoding="utf-8"))
        if kept["carc_version"] != carc.__version__:
            return None
        stamp = tuple((int(time), int(size)) for time, size in kept["stamp"])
        return Found(stamp, _board(kept["board"]), None, rough=False)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _board(kept: dict[str, Any]) -> Board:
    lines = tuple(
        Line(
            **{
                **one,
                "score": _interval(one["score"]),
                "strength": _interval(one["strength"]),
                "ranks": (int(one["ranks"][0]), int(one["ranks"][1])),
            }
        )
        for one in kept["lines"]
    )
    ahead = {
        str(bot): {str(other): _interval(share) for other, share in others.items()}
        for bot, others in kept["ahead"].items()
    }
    return Board(
        str(kept["heading"]), lines, ahead, bool(kept["by_score"]), tuple(map(str, kept["notes"]))
    )


def _interval(kept: list[float]) -> Interval:
    value, low, high = kept
    return float(value), float(low), float(high)
