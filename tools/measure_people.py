"""Measure people and bots by stronger play: how many points a turn each bot gains on people.

Usage: `python tools/measure_people.py GAMES --bots greedy,people`. GAMES are files or folders of
games of people, in any form that `carc import` reads. In some of their positions, chosen at random,
each bot chooses a turn. `--by` plays on from it and from the turn of the person to the end, on the
same deals. A line of the table: the bot, how often it plays the turn that was played, and by how
many points its turns end ahead, with a 95 % interval over the positions.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from intervals import half_interval

from carc import CHANCE, Match, Rules, State
from carc.bots import by_name
from carc.bots.ladder import ladder
from carc.commands.game_files import read_games
from carc.match.record import begin_replay, recorded_action
from carc.puzzles.deeper import Contender
from carc.puzzles.turns import look_of, turn_of, turn_played


def decisions(name: str, match: Match) -> Iterator[tuple[State, tuple[str, ...]]]:
    """Yield the positions of a game in which a player has drawn a tile, with the turn played."""
    state = begin_replay(match, Rules.cached(match.rules, match.players), name)
    for number, move in enumerate(match.moves):
        if state.current_player != CHANCE and state.step.name == "place" and state.tiles_left:
            yield state.copy(), turn_played(match, number)
        state.apply(recorded_action(state, move, name))


def gains(
    state: State, played: tuple[str, ...], bots: Sequence[str], by: str, deals: Sequence[int]
) -> list[float | None]:
    """Return by how many points the turn of each bot ends ahead; None if it is the same turn."""
    known: dict[object, float | None] = {look_of(state, played): None}
    theirs = Contender(state, played)
    theirs.play_on(by, deals)
    found = []
    for bot in bots:
        turn = turn_of(by_name(bot, deals[0]), state)
        look = look_of(state, turn)
        if look not in known:
            other = Contender(state, turn)
            other.play_on(by, deals)
            known[look] = other.advantage(theirs).mean
        found.append(known[look])
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table."""
    levels = [level.bot_among(2) for level in ladder()]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+", type=Path)
    parser.add_argument("--bots", default=",".join(levels), help="with a comma between two")
    parser.add_argument("--by", default="mcts:10", help="the bot that plays on")
    parser.add_argument("--positions", type=int, default=80)
    parser.add_argument("--deals", type=int, default=8, help="of each position, two at least")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    bots = options.bots.split(",")
    every = [one for name, game in read_games(options.games) for one in decisions(name, game.match)]
    some = random.Random(options.seed).sample(every, min(options.positions, len(every)))
    rows = []
    for number, (state, played) in enumerate(some):
        first = options.seed + number * options.deals
        deals = range(first, first + options.deals)
        rows.append(gains(state, played, bots, options.by, deals))
        print(f"{number + 1} of {len(some)} positions", flush=True)
    print("| bot | the same turn | points a turn ahead |\n|---|---|---|")
    for bot, column in zip(bots, zip(*rows, strict=True), strict=True):
        same = fmean(each is None for each in column)
        points = [each or 0.0 for each in column]
        mean, error = fmean(points), half_interval(points)
        print(f"| `{bot}` | {same:.0%} | {mean:+.2f} [{mean - error:.2f}, {mean + error:.2f}] |")


if __name__ == "__main__":
    main()
