"""Measure whether what `carc analyse` marks was lost: stronger players play on from there.

Usage: `python tools/measure_analysis.py GAMES...`, with records or what `carc import` reads. Each
game is analysed. From some of the marked moves, chosen at random, and from the lines that were
better, a bot plays all seats to the end, both times with the same deals and seeds. The mean
difference is what the moves lost. What the draws brought is taken off, as `carc analyse` tells
luck: on average that is nothing, and less is left to chance. With `--turns` the bot plays so many
turns, and playouts go on to the end: their mean varies much less than the end of one game.

What is measured is kept in `--out`, so that an interrupted run continues and more deals can be
added. Several runs may share the work: `--part 1/2` and `--part 2/2`.
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
from carc.analysis import GameAnalysis, MoveAnalysis, analyse_game
from carc.analysis.engines import engine_for
from carc.analysis.game import PLAYOUTS
from carc.analysis.outlook import Appraiser
from carc.analysis.position import Comparison
from carc.analysis.saved import save_analysis, saved_analysis
from carc.bots import by_name
from carc.commands.game_files import read_games
from carc.match.record import begin_replay, recorded_action
from carc.puzzles.turns import after_turn

Row = dict[str, Any]

SAMPLES: Final = 10_000  # of the bootstrap
PLAYOUTS_TO_END: Final = 24  # after `--turns`
ALL_TURNS: Final = 1000  # more than a game has


@attrs.frozen
class Players:
    """Who plays on, and for how many turns; then playouts go on."""

    bot: str
    turns: int

    def __str__(self) -> str:
        """Return what tells them from others in a row."""
        return self.bot if self.turns >= ALL_TURNS else f"{self.bot} {self.turns}"


@attrs.frozen
class Marked:
    """A marked move, and the game in which it was played."""

    name: str
    match: Match
    move: MoveAnalysis

    @property
    def key(self) -> list[Any]:
        """What is compared: the place in the game, and the line that was better there."""
        return [self.name, self.move.number, " ".join(self.move.best)]

    def order(self, seed: int) -> float:
        """Return a random number: a mark more or less does not change which others are chosen."""
        return random.Random(f"{seed} {self.name} {self.move.number}").random()


def played_on(state: State, players: Players, deal: int, player: int) -> tuple[float, float]:
    """Return the final margin of a player and the share of the win, less what the draws brought."""
    state = state.copy()
    chance = state.rules.deal(deal)
    comparison = Comparison(Appraiser(state.rules))
    lucky_margin = lucky_chance = 0.0
    bots = [by_name(players.bot, 100 * deal + seat) for seat in range(state.rules.players)]
    turns = players.turns
    while not state.is_terminal:
        if state.current_player == CHANCE:
            if state.step.name == "draw":
                if turns == 0:
                    break
                turns -= 1
            outcome = chance.choose(state)
            luck = comparison.luck(state, outcome, player)
            lucky_margin += luck.margin
            lucky_chance += luck.chance
            state.apply(outcome)
        else:
            state.apply(bots[state.current_player].choose(state))
    ends = [state]
    if not state.is_terminal:
        engine = engine_for(comparison.appraiser, ALL_TURNS)
        engine.begin(state, deal)
        ends = [engine.end_of_playout(state, index) for index in range(PLAYOUTS_TO_END)]
    outlooks = [comparison.appraiser.outlook(end) for end in ends]
    return (
        fmean(each.margins[player] for each in outlooks) - lucky_margin,
        fmean(each.chances[player] for each in outlooks) - lucky_chance,
    )


def position_before(match: Match, rules: Rules, move: MoveAnalysis) -> State:
    """Return the position before a move."""
    state = begin_replay(match, rules, "game")
    for recorded in match.moves[: move.first_action]:
        state.apply(recorded_action(state, recorded, "game"))
    return state


def found(marked: Marked, players: Players, deal: int) -> Row:
    """Return how far the better line is ahead on a deal: in points and in wins."""
    match, move = marked.match, marked.move
    before = position_before(match, Rules.from_spec(match.rules, match.players), move)
    better, played = (after_turn(before, line) for line in (move.best, move.played))
    one, other = (played_on(each, players, deal, move.player) for each in (better, played))
    points, chance = one[0] - other[0], one[1] - other[1]
    return {
        "of": marked.key,
        "by": str(players),
        "deal": deal,
        "points": round(points, 3),
        "chance": round(chance, 4),
    }


def analysed(name: str, match: Match, playouts: int, out: Path) -> GameAnalysis:
    """Return the analysis of a game: the kept one, or a new one, which is kept."""
    analysis = saved_analysis(out, name)
    if analysis is None or analysis.playouts_per_move != playouts:
        analysis = analyse_game(match, playouts=playouts, source=name)
        save_analysis(out, name, analysis)
    return analysis


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


def report(moves: Sequence[Marked], rows: Sequence[Row]) -> Iterator[str]:
    """Yield lines that say what was stated of moves, and what was found of those played on."""
    of = [[row for row in rows if row["of"] == each.key] for each in moves]
    tried = [(each.move, found) for each, found in zip(moves, of, strict=True) if found]
    if not tried:
        yield "no marked move yet"
        return
    deals = sum(len(found) for _, found in tried)
    yield f"{len(tried)} of {len(moves)} marked moves, {deals} deals played on twice"
    for what, unit, scale in (("points", "points", 1), ("chance", "%", 100)):
        stated = [scale * getattr(move, f"{what}_lost") for move, _ in tried]
        lost = [scale * fmean(row[what] for row in found) for _, found in tried]
        low, high = interval(lost)
        least, most = interval(lost, stated)
        yield (
            f"stated {fmean(stated):.2f} {unit}, found {fmean(lost):.2f} [{low:.2f}, {high:.2f}],"
            f" ratio {fmean(lost) / fmean(stated):.2f} [{least:.2f}, {most:.2f}]"
        )
    better = [fmean((row["points"] > 0) + (row["points"] == 0) / 2 for row in f) for _, f in tried]
    low, high = interval(better)
    yield f"the better line ends ahead in {fmean(better):.0%} [{low:.0%}, {high:.0%}] of the deals"


@click.command(help=__doc__)
@click.argument("games", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--bot", default="strong:100", show_default=True, help="Who plays on.")
@click.option("--turns", default=ALL_TURNS, type=click.IntRange(1), help="Played by it.")
@click.option("--deals", default=6, show_default=True, type=click.IntRange(1), help="Of a move.")
@click.option("--moves", default=100, show_default=True, type=click.IntRange(1), help="To choose.")
@click.option("--seed", default=0, show_default=True, help="Of the choice.")
@click.option("--playouts", default=PLAYOUTS, show_default=True, help="Of the analysis.")
@click.option("--part", default="1/1", show_default=True, help="Of the moves.")
@click.option("--out", default="runs/measured", show_default=True, type=click.Path(path_type=Path))
@click.option("--report-only", is_flag=True, help="Print what was measured up to now.")
def main(
    *,
    games: tuple[Path, ...],
    bot: str,
    turns: int,
    deals: int,
    moves: int,
    seed: int,
    playouts: int,
    part: str,
    out: Path,
    report_only: bool,
) -> None:
    """Measure, or print what was measured."""
    out.mkdir(parents=True, exist_ok=True)
    number, parts = map(int, part.split("/"))
    players = Players(bot, turns)
    marked = [
        Marked(name, game.match, move)
        for name, game in read_games(games)
        for move in analysed(name, game.match, playouts, out).moves
        if move.mark
    ]
    chosen = sorted(marked, key=lambda each: each.order(seed))[:moves]
    if not report_only:
        done = [(row["of"], row["deal"]) for row in kept(out, players)]
        with (out / f"{number}-{parts}.jsonl").open("a", encoding="utf-8") as file:
            # All moves on one deal, then on the next: an interrupted run knows something of each.
            for deal in range(deals):
                for each in chosen[number - 1 :: parts]:
                    if (each.key, deal) not in done:
                        file.write(json.dumps(found(each, players, deal)) + "\n")
                        file.flush()
    for line in report(chosen, kept(out, players)):
        click.echo(line)


def kept(folder: Path, players: Players) -> list[Row]:
    """Return the rows that these players played up to now."""
    rows = [
        json.loads(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [row for row in rows if row["by"] == str(players)]


if __name__ == "__main__":
    main()
