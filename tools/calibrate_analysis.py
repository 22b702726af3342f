"""Fit and test the chances to win that `carc analyse` states.

`python tools/calibrate_analysis.py fit` plays games and prints the constants of
`carc/analysis/chances.py`. `python tools/calibrate_analysis.py test` plays other games, judges some
moves of each as `carc analyse --quick` does, and prints how often the players won. Both continue
where they were interrupted: what is played is in `--folder`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import attrs
import click
import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from plots import save_svg

from carc import Match, Rules, play
from carc.analysis.chances import SPREAD_AT_END, SPREADS, TURN_POINTS, kind
from carc.analysis.engines import engine_for
from carc.analysis.game import QUICK_PLAYOUTS, GameAnalyser
from carc.analysis.outlook import Appraiser
from carc.bots import by_name
from carc.tournaments.rating.ratings import wilson

Row = dict[str, Any]
Floats = npt.NDArray[np.float64]

MOVES: Final = 4  # judged in each game
ENDS: Final = 24  # playouts of a position that is fitted
FIRST_FITTED: Final = 1_000_000  # the deals from here on are for fitting, those before for testing
BINS: Final = 10
LEAST: Final = 0.5  # of every constant: a lead of half a point is never certain
FITTED: Final = (
    ("base", "greedy,greedy", 600),
    ("base", "greedy:0.006,greedy:0.006", 300),
    ("base", "greedy,mcts:10", 300),
    ("base", "greedy,greedy,greedy", 150),
    ("base+ghosts", "greedy,greedy", 40),
    ("base+inns+traders", "greedy,greedy", 25),
    ("base+dragon", "greedy,greedy", 25),
)
"""Rules, bots and number of games. The bots change seats after each game."""


# -- games --------------------------------------------------------------------------------------


def played(rules: Rules, bots: Sequence[str], deal: int) -> tuple[Match, list[float]]:
    """Play a game, and return it with each player's share of the win."""
    turn = deal % len(bots)
    names = [*bots[turn:], *bots[:turn]]
    players = [by_name(name, deal * 10 + seat) for seat, name in enumerate(names)]
    match = play(rules, players, seed=deal, names=names)
    ranks = match.result.ranks
    return match, [1 / ranks.count(0) if rank == 0 else 0.0 for rank in ranks]


def fitted_rows(rules: Rules, bots: Sequence[str], deal: int) -> Iterator[Row]:
    """Yield some moves of a game: the ends of playouts after each, and who won."""
    match, shares = played(rules, bots, deal)
    appraiser = Appraiser(rules)
    engine = engine_for(appraiser)
    analyser = GameAnalyser(match, rules, 1, 0, "game")
    for move in random.Random(deal).sample(analyser.moves, MOVES):
        after = move.before.copy()
        for action in move.actions:
            after.apply(action)
        engine.begin(after, deal)
        ends = []
        for index in range(ENDS):
            end = engine.end_of_playout(after, index)
            points = appraiser.lookahead.evaluation.players(end)
            tiles = -1 if end.is_terminal else end.tiles_left
            ends.append([tiles, end.active_player, *(round(each, 2) for each in points)])
        player = move.before.current_player
        yield {"kind": kind(rules), "player": player, "ends": ends, "won": shares[player]}


def tested_rows(rules: Rules, bots: Sequence[str], deal: int) -> Iterator[Row]:
    """Yield some moves of a game: the chances that a quick analysis states, and who won."""
    match, shares = played(rules, bots, deal)
    analyser = GameAnalyser(match, rules, QUICK_PLAYOUTS, deal, "game")
    for index in random.Random(deal).sample(range(len(analyser.moves)), MOVES):
        move = analyser.move(index)
        yield {
            "best": move.chance_before,
            "played": move.chance_after,
            "won": shares[move.player],
            "luck": move.luck.margin,
            "exact": move.exact,
        }


def kept(
    path: Path,
    spec: str,
    bots: Sequence[str],
    deals: range,
    make: Callable[[Rules, Sequence[str], int], Iterator[Row]],
) -> list[Row]:
    """Return the rows of games, each with its deal; what is not in the file is played."""
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    done = {row["deal"] for row in rows}
    rules = Rules.from_spec(spec, len(bots))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for deal in deals:
            if deal in done:
                continue
            new = [{"deal": deal, **row} for row in make(rules, bots, deal)]
            file.write("".join(json.dumps(row) + "\n" for row in new))
            file.flush()
            rows += new
    return [row for row in rows if row["deal"] in deals]


def file_of(folder: Path, what: str, spec: str, bots: str) -> Path:
    """Return the file with the games of some bots under some rules."""
    return folder / f"{what} {spec} {bots.replace(':', '-')}.jsonl"


# -- fit ----------------------------------------------------------------------------------------


@attrs.frozen
class Fitted:
    """The moves of a kind of game: the ends of their playouts, and who won."""

    tiles: Floats
    """By move and playout; -1 at the end of the game."""
    points: Floats
    """By move, playout and player."""
    active: Floats
    """By move, playout and player: 1 for the one whose turn begins, else 0."""
    player: npt.NDArray[np.int64]
    won: Floats

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Fitted:
        """Return the moves in rows of `fitted_rows`."""
        ends = np.array([row["ends"] for row in rows], dtype=float)
        seats = np.arange(ends.shape[2] - 2)
        return cls(
            ends[:, :, 0],
            ends[:, :, 2:],
            np.where(ends[:, :, :1] >= 0, ends[:, :, 1:2] == seats, False).astype(float),
            np.array([row["player"] for row in rows]),
            np.array([row["won"] for row in rows], dtype=float),
        )

    def log_loss(self, at_end: float, turn_points: float, spread: float) -> float:
        """Return the loss of the chances with these constants, over all moves."""
        points = self.points + turn_points * self.active
        scale = at_end + spread * np.sqrt(np.maximum(self.tiles, 0))
        odds = np.exp((points - points.max(axis=2, keepdims=True)) / scale[:, :, None])
        first = (self.points == self.points.max(axis=2, keepdims=True)).astype(float)
        odds = np.where(self.tiles[:, :, None] < 0, first, odds)
        shares = (odds / odds.sum(axis=2, keepdims=True)).mean(axis=1)
        chance = np.clip(shares[np.arange(len(self.player)), self.player], 1e-3, 1 - 1e-3)
        return float(-(self.won * np.log(chance) + (1 - self.won) * np.log(1 - chance)).sum())


def fit(groups: dict[str, list[Fitted]]) -> tuple[float, float, dict[str, float]]:
    """Return the constants with the least loss: at the end, of a turn, and of each kind.

    The first two are those of the base game for two.
    """

    def loss(name: str, values: Sequence[float]) -> float:
        return sum(each.log_loss(*values) for each in groups[name])

    at_end, turn_points, base = least(
        lambda values: loss("base", values), [SPREAD_AT_END, TURN_POINTS, SPREADS["base"]]
    )
    spreads = {"base": base}
    for name in groups:
        if name != "base":
            spread_alone = partial(_loss_of_spread, loss, name, at_end, turn_points)
            (spreads[name],) = least(spread_alone, [SPREADS[name]])
    return at_end, turn_points, spreads


def _loss_of_spread(
    loss: Callable[[str, list[float]], float],
    name: str,
    at_end: float,
    turn_points: float,
    spread: list[float],
) -> float:
    return loss(name, [at_end, turn_points, *spread])


def least(loss: Callable[[list[float]], float], values: list[float]) -> list[float]:
    """Return the values with the least loss, found by steps along each of them."""
    step, lowest = 0.4, loss(values)
    while step > 0.02:
        better = False
        for at in range(len(values)):
            for change in (-step, step):
                trial = [*values]
                trial[at] = max(trial[at] + change, LEAST)
                if loss(trial) < lowest - 1e-9:
                    values, lowest, better = trial, loss(trial), True
        if not better:
            step /= 2
    return values


# -- test ---------------------------------------------------------------------------------------


@attrs.frozen
class Bin:
    """The moves whose stated chance is in a tenth from 0 to 1, at most one of each game."""

    games: int
    stated: float
    won: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """Whether the mean stated chance is in the 95 % interval of the games won."""
        return self.low <= self.stated <= self.high


def bins(rows: Sequence[Row], what: str) -> list[Bin]:
    """Return the bins of a stated chance. Of each game, a bin has the first move only."""
    firsts: dict[tuple[int, Any], Row] = {}
    for row in rows:
        tenth = min(int(row[what] * BINS), BINS - 1)
        firsts.setdefault((tenth, (row["bots"], row["deal"])), row)
    made = []
    for tenth in range(BINS):
        some = [row for (each, _), row in firsts.items() if each == tenth]
        if some:
            won = sum(row["won"] for row in some) / len(some)
            interval = wilson(won, len(some))
            stated = sum(row[what] for row in some) / len(some)
            made.append(Bin(len(some), stated, won, interval.low, interval.high))
    return made


def table(made: Sequence[Bin]) -> str:
    """Return a Markdown table of bins."""
    lines = ["| games | stated | won | 95 % interval | holds |", "|---|---|---|---|---|"]
    for each in made:
        lines.append(
            f"| {each.games} | {each.stated:.1%} | {each.won:.1%} |"
            f" {each.low:.1%} to {each.high:.1%} | {'yes' if each.holds else 'no'} |"
        )
    return "\n".join(lines).replace("%", " %").replace("95  %", "95 %")


def picture(made: Sequence[Bin], title: str) -> Figure:
    """Return a picture of bins: the share of games won, by the chance stated."""
    figure = Figure(figsize=(4, 4), layout="constrained")
    axes = figure.subplots()
    won = [each.won for each in made]
    below = [each.won - each.low for each in made]
    above = [each.high - each.won for each in made]
    axes.plot([0, 1], [0, 1], color="grey", linestyle="--")
    axes.errorbar([each.stated for each in made], won, yerr=[below, above], fmt="o")
    axes.set(title=title, xlabel="chance stated", ylabel="games won", aspect="equal")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1))
    axes.grid(color="#ddd")
    return figure


# -- commands -----------------------------------------------------------------------------------

folder_option = click.option(
    "--folder", type=click.Path(path_type=Path), default="runs/calibration", show_default=True
)


@click.group(help=__doc__)
def main() -> None:
    """Fit or test."""


@main.command("fit")
@folder_option
@click.option("--share", default=1.0, show_default=True, help="Of the games.")
def fit_command(*, folder: Path, share: float) -> None:
    """Print the constants that fit games best."""
    groups: dict[str, list[Fitted]] = {}
    for spec, bots, games in FITTED:
        deals = range(FIRST_FITTED, FIRST_FITTED + max(1, round(games * share)))
        path = file_of(folder, "fit", spec, bots)
        rows = kept(path, spec, bots.split(","), deals, fitted_rows)
        groups.setdefault(rows[0]["kind"], []).append(Fitted.of(rows))
        click.echo(f"{spec}, {bots}: {len(deals)} games", err=True)
    at_end, turn_points, spreads = fit(groups)
    click.echo(f"SPREAD_AT_END = {at_end:.2f}")
    click.echo(f"TURN_POINTS = {turn_points:.2f}")
    click.echo(f"SPREADS = { {name: round(each, 2) for name, each in spreads.items()} }")


@main.command("test")
@folder_option
@click.option("--rules", "spec", default="base", show_default=True)
@click.option(
    "--bots",
    "pairings",
    default="greedy,greedy greedy-1,greedy-1 greedy:0.006,greedy:0.006 greedy,mcts:10",
    show_default=True,
    help="Tables of bots, separated by spaces.",
)
@click.option("--games", default=1000, show_default=True, type=click.IntRange(1), help="In all.")
@click.option("--first", default=0, show_default=True, help="The first deal.")
@click.option("--svg", type=click.Path(path_type=Path), help="Write a picture.")
def test_command(
    *, folder: Path, spec: str, pairings: str, games: int, first: int, svg: Path | None
) -> None:
    """Print how often the stated chances hold."""
    rows: list[Row] = []
    tables = pairings.split()
    for number, bots in enumerate(tables):
        deals = range(first, first + (games + len(tables) - 1 - number) // len(tables))
        path = file_of(folder, "test", spec, bots)
        some = kept(path, spec, bots.split(","), deals, tested_rows)
        rows += [{"bots": bots, **row} for row in some]
        luck = np.array([row["luck"] for row in some])
        click.echo(
            f"{bots}: {len(deals)} games, mean luck of a draw {luck.mean():+.3f} points"
            f" (standard error {luck.std() / len(luck) ** 0.5:.3f})"
        )
    for what in ("played", "best"):
        made = bins(rows, what)
        click.echo(f"\nThe chance with the {what} move:\n\n{table(made)}")
    if svg is not None:
        title = f"{spec}: {games} games, {len(rows)} moves"
        save_svg(picture(bins(rows, "played"), title), svg)


if __name__ == "__main__":
    main()
