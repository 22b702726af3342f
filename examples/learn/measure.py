"""How good a network is: agreement with games, duels; and the curves of a training."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from games import read_games
from matplotlib.figure import Figure
from network import Network, Weights

from carc.bots.lookahead import same_rotations
from carc.files import whole_file, write_file
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.pairing import counted
from carc.tournaments.pairing.duel import verdict
from carc.tournaments.rating.tally import beaten

CALL = "from carc.commands.main import main; main()"


def agreement(network: Network, weights: Weights, file: Path) -> float:
    """Return how often what the network likes most looks like what was chosen in a dataset."""
    data, catalogue = read_games(file), network.rules.catalogue
    turn = data.seen.columns["actions"].index("rotation")
    same = [same_rotations(catalogue, kind) for kind in range(len(catalogue.tiles))]
    agreed = 0
    for some in np.array_split(np.arange(len(data)), -(-len(data) // 100)):
        seen = data.seen.take(some)
        logits = sum(network.forward(weights, network.batch(network.look(seen)))[:2])
        for n, chosen in enumerate(data.columns["chosen"][some]):
            first, count = seen.starts["actions"][n], seen.counts["actions"][n]
            best = logits[first : first + count].argmax()
            pair = seen.rows["actions"][first + np.array([best, chosen])]
            kind, _, held = seen.of(n)["bag"].T
            if held.any() and (pair[:, turn] >= 0).all():
                pair[:, turn] = np.array(same[kind[held == 1][0]])[pair[:, turn]]
            agreed += bool((pair[0] == pair[1]).all())
    return agreed / len(data)


def duel(weights: Path, out: Path, other: str, *options: str) -> tuple[float, int, float]:
    """Play the network without a search against a bot, as `carc duel` does with these options.

    Returns:
        The share of games won, how many pairs there are, and the log likelihood ratio.
    """
    command = [sys.executable, "-c", CALL, "duel", "bot:ByPolicy", other, "--mirrored"]
    subprocess.run(
        [*command, "--out", str(out.resolve()), *options],
        cwd=Path(__file__).parent,
        env={**os.environ, "CARC_NETWORK": str(weights.resolve())},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    with Ledger.reading(out) as ledger:
        configuration = ledger.configuration
        games = counted(configuration, ledger)
    known = verdict(configuration.elo, games, configuration.against)
    won = [beaten(game.ranks)[game.seats.index(configuration.against)] for game in games]
    return float(np.mean(won)), known.pairs, known.llr


def draw(curves: list[dict[str, Any]], folder: Path) -> None:
    """Write the curves as CSV and as a picture."""
    names = list(dict.fromkeys(name for curve in curves for name in curve))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(curves)
    write_file(folder / "curves.csv", text.getvalue())
    figure = Figure(figsize=(9, 3.5), layout="constrained")
    losses, shares = figure.subplots(1, 2)
    for name in names:
        shown = [(curve["round"], curve[name]) for curve in curves if name in curve]
        if name in ("policy", "points", "chances"):
            losses.plot(*zip(*shown, strict=True), label=name)
        elif name.startswith(("agreement", "won")):
            shares.plot(*zip(*shown, strict=True), "o-", label=name)
    losses.set(xlabel="round", ylabel="loss")
    shares.set(xlabel="round", ylabel="share", ylim=(0, 1))
    losses.legend()
    shares.legend() if shares.lines else None
    with whole_file(folder / "curves.svg") as file:
        figure.savefig(file, format="svg")
