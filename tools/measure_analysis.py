"""Measure whether what `carc analyse` marks was lost: stronger players play on from there.

Usage: `python tools/measure_analysis.py GAMES...`, with records or what `carc import` reads. Each
game is analysed. From each marked move, and from the line that was better, a bot plays all seats to
the end, both times with the same deals and seeds. The mean difference is what the move lost. What
the draws brought is taken off, as `carc analyse` tells luck: on average that is nothing, and less
is left to chance.

What is measured is kept in `--out`, so that an interrupted run continues. Several runs may share
the work: `--part 1/2` and `--part 2/2`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import attrs
import click

from carc import CHANCE, Match, Rules, State
from carc.analysis import MoveAnalysis, analyse_game
from carc.analysis.game import PLAYOUTS
from carc.analysis.outlook import Appraiser, lead
from carc.analysis.position import Comparison
from carc.analysis.saved import save_analysis, saved_analysis
from carc.base.game.outcome import results
from carc.bots import by_name
from carc.commands.game_files import read_games
from carc.match.record import begin_replay, recorded_action
from carc.puzzles.turns import after_turn

Row = dict[str, Any]

SAMPLES: Final = 10_000  # of the bootstrap


@attrs.frozen
class Measure:
    """Who plays on, and how often."""

    bot: str
    deals: int
    playouts: int
    """Of the analysis."""


def played_on(state: State, bot: str, deal: int, player: int) -> tuple[float, float]:
    """Return the final margin of a player and the share of the win, less what the draws brought."""
    state = state.copy()
    chance = state.rules.deal(deal)
    comparison = Comparison(Appraiser(state.rules))
    lucky_margin = lucky_chance = 0.0
    bots = [by_name(bot, 100 * deal + seat) for seat in range(state.rules.players)]
    while not state.is_terminal:
        if state.current_player == CHANCE:
            outcome = chance.choose(state)
            luck = comparison.luck(state, outcome, player)
            lucky_margin += luck.margin
            lucky_chance += luck.chance
            state.apply(outcome)
        else:
            state.apply(bots[state.current_player].choose(state))
    margin = lead(results(state), player)
    share = 0.5 if margin == 0 else float(margin > 0)
    return margin - lucky_margin, share - lucky_chance


def position_before(match: Match, rules: Rules, move: MoveAnalysis) -> State:
    """Return the position before a move."""
    state = begin_replay(match, rules, "game")
    for recorded in match.moves[: move.first_action]:
        state.apply(recorded_action(state, recorded, "game"))
    return state


def found(match: Match, move: MoveAnalysis, measure: Measure) -> list[list[float]]:
    """Return for each deal how far the better line is ahead: in the margin and in wins."""
    before = position_before(match, Rules.from_spec(match.rules, match.players), move)
    better, played = (after_turn(before, line) for line in (move.best, move.played))
    ahead = []
    for deal in range(measure.deals):
        one, other = (played_on(each, measure.bot, deal, move.player) for each in (better, played))
        ahead.append([round(one[0] - other[0], 3), round(one[1] - other[1], 4)])
    return ahead


def rows_of_game(
    name: str, match: Match, measure: Measure, out: Path, done: set[tuple[str, int]]
) -> Iterator[Row]:
    """Yield a row for each marked move of a game that is not done, and one for the game."""
    analysis = saved_analysis(out, name)
    if analysis is None or analysis.playouts_per_move != measure.playouts:
        analysis = analyse_game(match, playouts=measure.playouts, source=name)
        save_analysis(out, name, analysis)
    for move in analysis.moves:
        if move.mark and (name, move.number) not in done:
            yield {
                "game": name,
                "number": move.number,
                "mark": move.mark,
                "points": move.points_lost,
                "points_error": move.points_error,
                "chance": move.chance_lost,
                "chance_error": move.chance_error,
                "found": found(match, move, measure),
            }
    yield {"game": name, "number": 0, "moves": len(analysis.moves)}


# -- sums ---------------------------------------------------------------------------------------


def interval(values: Sequence[float], weights: Sequence[float] | None = None) -> list[float]:
    """Return the 95 % interval of a mean, or of a ratio to weights, bootstrapped by move."""
    rng = random.Random(0)
    places = range(len(values))
    weights = weights or [1.0] * len(values)
    means = []
    for _ in range(SAMPLES):
        some = rng.choices(places, k=len(values))
        means.append(sum(values[at] for at in some) / sum(weights[at] for at in some))
    means.sort()
    return [means[round(0.025 * SAMPLES)], means[round(0.975 * SAMPLES) - 1]]


def report(rows: Sequence[Row]) -> Iterator[str]:
    """Yield lines that say what was stated and what was found."""
    games = sum(row["number"] == 0 for row in rows)
    rows = [row for row in rows if row["number"]]
    if not rows:
        yield "no marked move yet"
        return
    pairs = sum(len(row["found"]) for row in rows)
    yield f"{len(rows)} marked moves, {pairs} deals played on twice, {games} games complete"
    for at, (what, unit, scale) in enumerate((("points", "points", 1), ("chance", "%", 100))):
        stated = [scale * row[what] for row in rows]
        lost = [scale * fmean(each[at] for each in row["found"]) for row in rows]
        low, high = interval(lost)
        least, most = interval(lost, stated)
        yield (
            f"stated {fmean(stated):.2f} {unit}, found {fmean(lost):.2f} [{low:.2f}, {high:.2f}],"
            f" ratio {fmean(lost) / fmean(stated):.2f} [{least:.2f}, {most:.2f}]"
        )
    better = [fmean((m > 0) + (m == 0) / 2 for m, _ in row["found"]) for row in rows]
    low, high = interval(better)
    yield f"the better line ends ahead in {fmean(better):.0%} [{low:.0%}, {high:.0%}] of the deals"


@click.command(help=__doc__)
@click.argument("games", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--bot", default="strong:100", show_default=True, help="Who plays on.")
@click.option("--deals", default=6, show_default=True, type=click.IntRange(1), help="Of a move.")
@click.option("--playouts", default=PLAYOUTS, show_default=True, help="Of the analysis.")
@click.option("--part", default="1/1", show_default=True, help="Of the games.")
@click.option("--out", default="runs/measured", show_default=True, type=click.Path(path_type=Path))
@click.option("--report-only", is_flag=True, help="Print what was measured up to now.")
def main(
    *,
    games: tuple[Path, ...],
    bot: str,
    deals: int,
    playouts: int,
    part: str,
    out: Path,
    report_only: bool,
) -> None:
    """Measure, or print what was measured."""
    out.mkdir(parents=True, exist_ok=True)
    number, parts = map(int, part.split("/"))
    measure = Measure(bot, deals, playouts)
    if not report_only:
        done = {(row["game"], row["number"]) for row in kept(out)}
        with (out / f"{number}-{parts}.jsonl").open("a", encoding="utf-8") as file:
            for at, (name, game) in enumerate(read_games(games)):
                if at % parts == number - 1 and (name, 0) not in done:
                    for row in rows_of_game(name, game.match, measure, out, done):
                        file.write(json.dumps(row) + "\n")
                        file.flush()
    for line in report(kept(out)):
        click.echo(line)


def kept(folder: Path) -> list[Row]:
    """Return the rows measured up to now."""
    return [
        json.loads(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


if __name__ == "__main__":
    main()
