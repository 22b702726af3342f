"""Measure what random games of each expansion cost per tile, in base games' cost per tile.

    python tools/measure_costs.py --rounds 7 dragon tower dragon+tower

Without names: each expansion that adds to the base game, then all together. The games of the base
game are measured before and after those of the expansion, so a busy machine slows both. Printed are
the least, the median and the greatest ratio of CPU times.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import time

from carc import Rules, playout

NAMES = (
    "abbey abbot bigtop bridges buildings count crops cult darmstadt dragon ferries festival flier"
    " ghosts gold gq11 hills inns king labyrinth mage monasteries phantom river russian siege"
    " city_gates son spiel_doch tower traders tunnel watchtowers windroses"
)
APART = ("count", "son")  # not in the mixture: a city of its own at the start; no tiles


def cost(rules: Rules, games: int, seed: int) -> float:
    """Return the CPU seconds of random games for each tile laid."""
    gc.collect()
    tiles = 0
    began = time.process_time()
    for game in range(games):
        state = rules.start()
        playout(state, random.Random(seed * 1000 + game))
        tiles += state.board.tile_count
    return (time.process_time() - began) / tiles


def games_in(rules: Rules, seconds: float) -> int:
    """Return about how many random games are played in a time, at least 2."""
    cost(rules, 2, 0)  # what is made once
    began = time.process_time()
    cost(rules, 4, 0)
    return max(2, int(4 * seconds / (time.process_time() - began)))


def main() -> None:
    """Print a line for each expansion."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="expansions, joined by + for several together")
    parser.add_argument("--rounds", type=int, default=7, help="how often each is measured")
    parser.add_argument("--seconds", type=float, default=0.2, help="of CPU time each time")
    options = parser.parse_args()
    base = Rules.from_spec("base")
    base_games = games_in(base, options.seconds)
    gc.disable()
    every = NAMES.split()
    together = "+".join([*(name for name in every if name not in APART), "spellcircles"])
    for name in options.names or [*every, together]:
        rules = Rules.from_spec(f"base+{name}")
        games = games_in(rules, options.seconds)
        ratios: list[float] = []
        for seed in range(options.rounds):
            before = cost(base, base_games, seed)
            with_expansion = cost(rules, games, seed)
            after = cost(base, base_games, seed)
            ratios.append(2 * with_expansion / (before + after))
        label = "all together" if name == together else name
        least, middle, most = min(ratios), statistics.median(ratios), max(ratios)
        print(f"{label:14} {least:.2f} {middle:.2f} {most:.2f}", flush=True)


if __name__ == "__main__":
    main()
