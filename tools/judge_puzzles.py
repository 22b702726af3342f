"""Let other bots judge puzzles: who plays the answers, and the margins on fresh deals.

`python tools/judge_puzzles.py --file puzzles.jsonl --bots greedy,mcts:200 --margins mcts:20` prints
the share of puzzles that each bot solves, and by how much the answers end ahead of the turns that
come closest when another bot plays on, with a 95 % interval over the puzzles.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

from carc.bots import by_name
from carc.puzzles import Puzzle, shipped_puzzles
from carc.puzzles.deeper import Contender
from carc.puzzles.puzzle import read_puzzles
from carc.puzzles.turns import turn_of

_FRESH = 1 << 50  # deals from here on found no puzzle


def shares(puzzles: Sequence[Puzzle], bots: Sequence[str]) -> None:
    """Print how many puzzles each bot solves, and how many of those that `greedy` misses."""
    missed = [not puzzle.is_solved_by(puzzle.greedy) for puzzle in puzzles]
    print(f"{len(puzzles)} puzzles, of which greedy missed {sum(missed)} when they were found")
    for bot in bots:
        solved = [
            puzzle.is_solved_by(turn_of(by_name(bot, seed), puzzle.position()))
            for seed, puzzle in enumerate(puzzles)
        ]
        hard = sum(one and other for one, other in zip(solved, missed, strict=True))
        print(f"{bot}: solves {sum(solved)}, of those that greedy missed {hard}", flush=True)


def margins(puzzles: Sequence[Puzzle], bot: str, deals: int) -> None:
    """Print the margins as another bot finds them, beside those that are stated."""
    found = []
    for number, puzzle in enumerate(puzzles):
        state = puzzle.position()
        answer, rival = (Contender(state, turn) for turn in (puzzle.answer, puzzle.rivals[0].turn))
        first = _FRESH + number * deals
        for each in (answer, rival):
            each.play_on(bot, range(first, first + deals))
        found.append(answer.advantage(rival).mean)
        print(f"{puzzle.id}: stated {puzzle.margin:.1f}, found {found[-1]:.1f}", flush=True)
    error = 1.96 * stdev(found) / sqrt(len(found))
    stated = fmean(puzzle.margin for puzzle in puzzles)
    print(f"mean: stated {stated:.1f}, found {fmean(found):.1f} ± {error:.1f}")


def main() -> None:
    """Judge the puzzles of a file, or those that ship with carc."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--bots", default="greedy,mcts:200")
    parser.add_argument("--margins", metavar="BOT")
    parser.add_argument("--deals", type=int, default=16)
    parser.add_argument("--most", type=int, default=20, help="puzzles whose margins are measured")
    words = parser.parse_args()
    puzzles = read_puzzles(words.file) if words.file else list(shipped_puzzles())
    shares(puzzles, words.bots.split(","))
    if words.margins:
        margins(puzzles[: words.most], words.margins, words.deals)


if __name__ == "__main__":
    main()
