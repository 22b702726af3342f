"""Who solves puzzles, and the ratings of solvers and puzzles, on disk."""

import json
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import attrs

from carc.bounded import parse_json, read_plain
from carc.errors import CarcError
from carc.files import write_file
from carc.puzzles import Puzzle, shipped_puzzles
from carc.puzzles.puzzle import BEGINNING
from carc.puzzles.rating import Rating, rate
from carc.structured import structured
from carc.web.visitors import forgotten, is_token, new_token

FOLDER: Final = ".puzzles"
"""The folder of the solvers inside that of the tournaments."""
MOST_SOLVERS: Final = 10_000
"""Solvers that are kept; those who tried longest ago are forgotten."""
_RATINGS: Final = "ratings.json"


@attrs.frozen
class Attempt:
    """The turn that a solver played, and the solver's rating before and after it."""

    turn: tuple[str, ...]
    before: Rating
    after: Rating


@attrs.frozen
class Solver:
    """A visitor who solves puzzles, with TrueSkill, and the attempts by the id of the puzzle."""

    rating: Rating = BEGINNING
    attempts: Mapping[str, Attempt] = attrs.field(factory=dict)


class Solvers:
    """The solvers and the ratings of the puzzles. Thread-safe."""

    def __init__(self, folder: Path, puzzles: Sequence[Puzzle] | None = None) -> None:
        """Use a folder, made with the first attempt, and puzzles, by default the shipped ones."""
        self._folder = folder
        self._given = puzzles
        self._lock = threading.Lock()

    @cached_property
    def puzzles(self) -> Mapping[str, Puzzle]:
        """The puzzles by id."""
        puzzles = shipped_puzzles() if self._given is None else self._given
        return {puzzle.id: puzzle for puzzle in puzzles}

    def solver(self, token: str) -> Solver:
        """Return the solver of a token; one who has not tried yet if nobody has it."""
        data = self._read(f"{token}.json") if is_token(token) else {}
        try:
            return structured(Solver, data, "a solver")
        except ValueError:
            return Solver()

    def rating(self, puzzle: Puzzle) -> Rating:
        """Return the rating of a puzzle: its own, until somebody has tried it here."""
        try:
            return _rating(self._read(_RATINGS)[puzzle.id])
        except (KeyError, TypeError, ValueError):
            return puzzle.rating

    def next(self, token: str) -> Puzzle | None:
        """Return the puzzle nearest to a solver's strength of those not tried yet; None if none."""
        solver = self.solver(token)
        new = [each for each in self.puzzles.values() if each.id not in solver.attempts]
        mean = solver.rating[0]
        return min(new, key=lambda each: abs(self.rating(each)[0] - mean), default=None)

    def attempt(self, token: str, puzzle: Puzzle, turn: tuple[str, ...]) -> str:
        """Rate a solver and a puzzle by an attempt. Only the first one at a puzzle counts.

        Args:
            token: The token of the solver; that of nobody makes a new solver.
            puzzle: The puzzle.
            turn: The turn, which is legal.

        Returns:
            The token of the solver.

        Raises:
            CarcError: It cannot be written.
        """
        with self._lock:
            if not (is_token(token) and (self._folder / f"{token}.json").is_file()):
                token = new_token()
            solver = self.solver(token)
            if puzzle.id in solver.attempts:
                return token
            own, others = rate(solver.rating, self.rating(puzzle), puzzle.is_solved_by(turn))
            attempts = {**solver.attempts, puzzle.id: Attempt(turn, solver.rating, own)}
            ratings = {**self._read(_RATINGS), puzzle.id: others}
            try:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_file(
                    self._folder / f"{token}.json",
                    json.dumps(attrs.asdict(Solver(own, attempts))),
                )
                write_file(self._folder / _RATINGS, json.dumps(ratings))
                self._prune()
            except OSError as error:
                raise CarcError(f"the attempt cannot be kept: {error.strerror}") from None
            return token

    def _read(self, name: str) -> dict[str, Any]:
        try:
            data = parse_json(read_plain(self._folder / name))
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}

    def _prune(self) -> None:
        """Forget solvers who came long ago, and the oldest if there are too many."""
        files = [path for path in self._folder.iterdir() if is_token(path.stem)]
        for path in forgotten(files, MOST_SOLVERS):
            path.unlink(missing_ok=True)


def _rating(value: Any) -> Rating:
    mean, deviation = value
    return float(mean), float(deviation)
