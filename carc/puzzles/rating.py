"""TrueSkill of puzzles and of those who solve them: an attempt is a match of the two."""

import random
from collections.abc import Callable, Sequence
from typing import Final

import attrs

from carc.bots import by_name
from carc.bots.ladder import ladder
from carc.puzzles.puzzle import BEGINNING, Puzzle
from carc.puzzles.turns import turn_of

Rating = tuple[float, float]
"""Mean and deviation."""
ATTEMPTS: Final = 1
"""How often the bot of each level tries each puzzle."""


def rate(solver: Rating, puzzle: Rating, is_solved: bool) -> tuple[Rating, Rating]:
    """Return the ratings of a solver and a puzzle after an attempt.

    The solver has won if the puzzle is solved, else the puzzle.
    """
    import trueskill  # noqa: PLC0415 (only ratings need it)

    environment = trueskill.TrueSkill(tau=0, draw_probability=0)
    pair = [(environment.create_rating(*each),) for each in (solver, puzzle)]
    ranks = (0, 1) if is_solved else (1, 0)
    (solver_after,), (puzzle_after,) = environment.rate(pair, ranks)
    return (solver_after.mu, solver_after.sigma), (puzzle_after.mu, puzzle_after.sigma)


def rate_puzzles(
    puzzles: Sequence[Puzzle],
    *,
    seed: int = 0,
    attempts: int = ATTEMPTS,
    progress: Callable[[int, int], None] | None = None,
) -> list[Puzzle]:
    """Return puzzles rated by the bots of all levels that try them.

    Args:
        puzzles: The puzzles.
        seed: The seed of the bots and of the order of the attempts.
        attempts: How often the bot of each level tries each puzzle.
        progress: Called after each puzzle with how many are done, and how many there are.
    """
    rng = random.Random(seed)
    tried: list[tuple[int, str, bool]] = []
    for number, puzzle in enumerate(puzzles):
        state = puzzle.position()
        for level in ladder():
            for _ in range(attempts):
                bot = by_name(level.bot_for(state.rules), rng.getrandbits(32))
                tried.append((number, level.id, puzzle.is_solved_by(turn_of(bot, state))))
        if progress is not None:
            progress(number + 1, len(puzzles))
    rng.shuffle(tried)
    solvers: dict[str, Rating] = {}
    ratings = [BEGINNING] * len(puzzles)
    for number, level_id, is_solved in tried:
        solver = solvers.get(level_id, BEGINNING)
        solvers[level_id], ratings[number] = rate(solver, ratings[number], is_solved)
    return [
        attrs.evolve(puzzle, rating=(round(rating[0], 2), round(rating[1], 2)))
        for puzzle, rating in zip(puzzles, ratings, strict=True)
    ]
