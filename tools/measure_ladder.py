"""Measure the steps of the ladder: how often each level is ahead of the one below.

    python tools/measure_ladder.py base base+ghosts --games 120

One player of a level sits at a table with players of the level below, on each seat in turn of the
same deal. A line of the table: the rules, and for each level the share of these opponents that it
was ahead of, in percent, with a 95 % interval; a tie counts half. Equal players have 50 %.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import fmean

from carc import Rules, play
from carc.bots import by_name
from carc.bots.ladder import ladder
from carc.tournaments.rating.ratings import wilson


def share_ahead(rules: Rules, bot: str, below: str, deal: int, seat: int) -> float:
    """Return the share of its opponents that a bot is ahead of in one game, ties half.

    Args:
        rules: The rules.
        bot: The bot.
        below: The bot of all other seats.
        deal: The seed of the deal. With the seat it gives the seeds of the bots.
        seat: The seat of the bot.
    """
    names = [bot if at == seat else below for at in range(rules.players)]
    seeds = [(deal * rules.players + seat) * rules.players + at for at in range(rules.players)]
    bots = [by_name(name, seed) for name, seed in zip(names, seeds, strict=True)]
    ranks = play(rules, bots, seed=deal).result.ranks
    others = [rank for at, rank in enumerate(ranks) if at != seat]
    return fmean(0.5 if rank == ranks[seat] else float(rank > ranks[seat]) for rank in others)


def step(rules: Rules, level: int, games: int) -> str:
    """Return the share of a level against the one below, with its interval.

    Args:
        rules: The rules.
        level: The number of the level, from 2.
        games: At least how many games to play; every deal is played on all seats.
    """
    bot, below = (ladder()[level - back].bot_for(rules) for back in (1, 2))
    deals = -(-games // rules.players)
    shares = [
        share_ahead(rules, bot, below, deal, seat)
        for deal in range(deals)
        for seat in range(rules.players)
    ]
    # The opponents of one game share its luck, so it counts as one trial.
    share = wilson(fmean(shares), len(shares))
    return f"{share.value:.0%} [{100 * share.low:.0f}, {100 * share.high:.0f}]"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the steps under each spec."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("specs", nargs="+", help="rules, such as base+ghosts")
    parser.add_argument("--players", type=int, default=2, help="how many at a table")
    parser.add_argument("--games", type=int, default=120, help="how many games for each step")
    parser.add_argument("--levels", default="2,3,4,5,6", help="with a comma between two")
    options = parser.parse_args(arguments)
    levels = [int(level) for level in options.levels.split(",")]
    print(f"| rules | {' | '.join(map(str, levels))} |")
    print("|---" * (1 + len(levels)) + "|")
    for spec in options.specs:
        rules = Rules.from_spec(spec, options.players)
        steps = [step(rules, level, options.games) for level in levels]
        print(f"| `{spec}` | {' | '.join(steps)} |", flush=True)


if __name__ == "__main__":
    main()
