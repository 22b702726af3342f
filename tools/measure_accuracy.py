"""Compare the accuracy of bots with their ratings, over the games of a tournament.

Usage: `carc tournament --config tournaments/league.toml --out runs/accuracy`, then
`python tools/measure_accuracy.py runs/accuracy`. Each game is analysed as `carc analyse --quick`
does. The analyses are saved in the folder, so an interrupted run continues.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean

from intervals import half_interval

from carc.analysis.game import QUICK_PLAYOUTS, analyse_game
from carc.analysis.results import PlayerAnalysis
from carc.analysis.saved import save_analysis, saved_analysis
from carc.match import read_saved_game
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.tournament import board

MEASURES = ("accuracy", "points lost")


def measured(player: PlayerAnalysis) -> tuple[float, float]:
    """Return the accuracy of a player in a game, and the points that a move lost, negated."""
    return player.accuracy, -player.points_lost / max(player.moves, 1)


def games_of(folder: Path, most: int) -> dict[str, list[tuple[float, float]]]:
    """Return what each bot achieved in each of its games, analysing games if need be.

    Args:
        folder: The folder of the tournament.
        most: Games with two bots that both have so many are left out.
    """
    achieved: dict[str, list[tuple[float, float]]] = defaultdict(list)
    with Ledger.reading(folder) as ledger:
        outcomes = [ledger.outcome(each.id) for each in ledger.outcomes()]
    for number, outcome in enumerate(outcomes, start=1):
        if all(len(achieved[bot]) >= most for bot in outcome.seats):
            continue
        analysis = saved_analysis(folder, outcome.id)
        if analysis is None:
            match, _ = read_saved_game(outcome.record, outcome.id)
            analysis = analyse_game(match, playouts=QUICK_PLAYOUTS, source=outcome.id)
            save_analysis(folder, outcome.id, analysis)
            print(f"{number} of {len(outcomes)}", flush=True)
        for bot, player in zip(outcome.seats, analysis.players, strict=True):
            achieved[bot].append(measured(player))
    return achieved


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value from 1, the highest first; equal values share their mean."""
    ordered = sorted(values, reverse=True)
    return [ordered.index(each) + (ordered.count(each) + 1) / 2 for each in values]


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's rank correlation."""
    first, second = ranks(one), ranks(other)
    mean = (len(one) + 1) / 2
    top = sum((a - mean) * (b - mean) for a, b in zip(first, second, strict=True))
    squares = [sum((each - mean) ** 2 for each in some) for some in (first, second)]
    return float(top / (squares[0] * squares[1]) ** 0.5)


def interval(values: Sequence[float], digits: int) -> str:
    """Return a mean with its 95 % interval."""
    mean, half = fmean(values), half_interval(values)
    return f"{mean:.{digits}f} [{mean - half:.{digits}f}, {mean + half:.{digits}f}]"


def table(strengths: dict[str, float], achieved: dict[str, list[tuple[float, float]]]) -> str:
    """Return a Markdown table of the bots, the strongest first, and the rank correlations."""
    bots = sorted(strengths, key=lambda bot: -strengths[bot])
    lines = ["| bot | games | strength, log odds | accuracy | points lost a move |"]
    lines.append("|---|---|---|---|---|")
    for bot in bots:
        accuracies, lost = zip(*achieved[bot], strict=True)
        lines.append(
            f"| `{bot}` | {len(accuracies)} | {strengths[bot]:.1f} | {interval(accuracies, 1)} |"
            f" {interval([-each for each in lost], 2)} |"
        )
    for at, name in enumerate(MEASURES):
        means = [fmean(each[at] for each in achieved[bot]) for bot in bots]
        correlation = rank_correlation([strengths[bot] for bot in bots], means)
        lines.append(f"\nRank correlation of strength and {name}: {correlation:.2f}")
    return "\n".join(lines)


def main(words: Iterable[str] | None = None) -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=10_000, help="games of each bot")
    options = parser.parse_args(None if words is None else list(words))
    achieved = games_of(options.folder, options.games)
    strengths = {each.bot: each.strength.value for each in board(str(options.folder)).standings}
    print(table({bot: strengths[bot] for bot in strengths if bot in achieved}, achieved))


if __name__ == "__main__":
    main()
