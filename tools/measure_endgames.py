"""Measure `Endgame`: how many tiles it solves in a second, and what bots lose against it.

    python tools/measure_endgames.py reach --specs base,base+ghosts --players 2,3
    python tools/measure_endgames.py loss --bots greedy,mcts:0.2s --ends 500

An end is a position with a tile in the hand and few to draw, from games of `greedy` against itself;
for `reach` of any bot. The loss of a turn is what it costs its player of the expected final margin,
if both play perfectly afterwards.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator
from functools import partial
from multiprocessing import Pool
from time import process_time

from intervals import half_interval

from carc import CHANCE, Rules, State
from carc.bots import by_name
from carc.bots.endgame import Endgame

LARGEST_REACH = 6


def ends(rules: Rules, deal_seed: str, most_left: int, bot_spec: str = "greedy") -> Iterator[State]:
    """Yield the positions of a game of a bot with a tile in the hand and few to draw."""
    state, deal, bot = rules.start(), rules.deal(deal_seed), by_name(bot_spec, 1)
    while not state.is_terminal:
        if state.current_player == CHANCE:
            state.apply(deal.choose(state))
            continue
        if state.step.name == "place" and state.tiles_left <= most_left:
            yield state.copy()
        state.apply(bot.choose(state.copy()))


def reach(options: argparse.Namespace, spec: str, players: int) -> list[str]:
    """Return for each number of tiles in how many games it was solved in time.

    Where fewer games had such an end, their number is added: `7 of 8`. A team may have won before;
    tiles may be set aside.
    """
    rules = Rules.from_spec(spec, players)
    came, solved = ([0] * LARGEST_REACH for _ in range(2))
    for number in range(options.games):
        last_first = reversed(list(ends(rules, f"reach {number}", LARGEST_REACH - 1, options.bot)))
        in_time = True
        for to_draw, state in {state.tiles_left: state for state in last_first}.items():
            came[to_draw] += 1
            in_time = in_time and Endgame(rules).solve(state, options.seconds) is not None
            solved[to_draw] += in_time
    return [
        f"{n}" if of == options.games else f"{n} of {of}" if of else "-"
        for n, of in zip(solved, came, strict=True)
    ]


def measure_reach(options: argparse.Namespace) -> None:
    """Print a table, row by row, of how many games' ends were solved in time."""
    numbers = list(range(1, LARGEST_REACH + 1))
    print("|", " | ".join(["rules", "players", *map(str, numbers)]), "|")
    print("|" + "---|" * (LARGEST_REACH + 2), flush=True)
    for players in map(int, options.players.split(",")):
        for spec in options.specs.split(","):
            cells = reach(options, spec, players)
            print("|", " | ".join([f"`{spec}`", f"{players}", *cells]), "|", flush=True)


def loss(endgame: Endgame, state: State, bot_spec: str, seed: int) -> tuple[float, float]:
    """Return what a bot's turn loses in points, and its CPU time."""
    player, solution = state.current_player, endgame.solve(state)
    assert solution is not None
    bot, after = by_name(bot_spec, seed), state.copy()
    begun = process_time()
    while after.current_player == player:
        after.apply(bot.choose(after.copy()))
    took = process_time() - begun
    rest = endgame.solve(after)
    assert rest is not None
    return solution.values[player] - rest.values[player], took


def game_losses(
    options: argparse.Namespace, number: int
) -> list[tuple[int, list[tuple[float, float]]]]:
    """Return the losses in the ends of a game that can be solved with so many positions.

    Returns:
        For each end the tiles left, and for each bot what it loses and its CPU time.
    """
    rules = Rules.from_spec(options.spec, int(options.players))
    endgame = Endgame(rules)
    bots = options.bots.split(",")
    return [
        (state.tiles_left + 1, [loss(endgame, state, bot, number) for bot in bots])
        for state in ends(rules, f"loss {number}", options.tiles - 1)
        if endgame.solve(state, nodes=options.nodes) is not None
    ]


def measure_losses(options: argparse.Namespace) -> None:
    """Print the mean loss of each bot, by the number of tiles left."""
    measured: list[tuple[int, list[tuple[float, float]]]] = []
    with Pool(options.jobs) as pool:
        for losses in pool.imap(partial(game_losses, options), range(options.ends)):
            measured.extend(losses)
            print(f"{len(measured)} of {options.ends} ends", file=sys.stderr, flush=True)
            if len(measured) >= options.ends:
                break
    del measured[options.ends :]
    for at, bot in enumerate(options.bots.split(",")):
        of_bot = [(tiles, *each[at]) for tiles, each in measured]
        together = [lost for _, lost, _ in of_bot]
        by_tiles = ", ".join(
            f"{n}: {_interval([lost for tiles, lost, _ in of_bot if tiles == n])}"
            for n in sorted({tiles for tiles, _, _ in of_bot})
        )
        perfect = sum(lost < 1e-6 for lost in together) / len(together)
        seconds = statistics.fmean([took for _, _, took in of_bot])
        print(
            f"{bot}: {_interval(together)} points a turn; {perfect:.0%} perfect;"
            f" {seconds:.3f} s a turn; by tiles {by_tiles}"
        )


def _interval(values: list[float]) -> str:
    """Return the mean with a 95 % interval."""
    mean, half = statistics.fmean(values), half_interval(values)
    return f"{mean:.2f} [{max(mean - half, 0.0):.2f}, {mean + half:.2f}]"


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["reach", "loss"])
    parser.add_argument("--specs", default="base", help="for reach, separated by commas")
    parser.add_argument("--spec", default="base", help="for loss")
    parser.add_argument("--players", default="2", help="for reach, separated by commas")
    parser.add_argument("--bot", default="greedy", help="for reach, whose games")
    parser.add_argument("--games", type=int, default=10, help="for reach, of each row")
    parser.add_argument("--seconds", type=float, default=1.0, help="for reach, CPU time an end")
    parser.add_argument("--nodes", type=int, default=150_000, help="for loss, positions an end")
    parser.add_argument("--bots", default="strong,mcts,expectimax,greedy,random")
    parser.add_argument("--ends", type=int, default=500)
    parser.add_argument("--tiles", type=int, default=4, help="most tiles left, one in the hand")
    parser.add_argument("--jobs", type=int, default=1, help="processes, for loss")
    options = parser.parse_args()
    if options.what == "reach":
        measure_reach(options)
    else:
        measure_losses(options)


if __name__ == "__main__":
    main()
