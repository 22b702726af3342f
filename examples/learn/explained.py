"""How much of what playouts find a network knows, in decisions of greedy's games.

python explained.py runs/first/network.npz --games 50     # five CPU minutes

In some decisions the best actions have many playouts, in two independent halves. A line for each
kind of decision tells by how much greedy's evaluation is wrong about them, how much of that the
network explains, and what one gains who adds it to greedy's values; beside it what an exact look at
the next player's best reply to each tile explains, and what half of the playouts gain by the other.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from bot import load
from games import Teacher, play_on
from network import SAME
from search import Array, judge_by

from carc import CHANCE, Place, Rules, State
from carc.bots.mcts_playouts import Line

SHARE = 0.15  # of decisions that are compared


class Compared(NamedTuple):
    """A decision: by action, all as logits."""

    places: bool  # or claims
    prior: Array  # greedy's value
    one: Array  # what half of the playouts find more
    other: Array  # the other half
    reply: Array  # an exact look at the next player's reply
    network: Array  # the network's gain


def compare(teacher: Teacher, state: State, judge: Any, count: int, rng: random.Random) -> Compared:
    """Compare the best actions of a decision by so many playouts of each."""
    lines, names = teacher.lines(state, rng)
    best = [lines[name] for name in names]
    halves = [[teacher.gain(line, count // 2) for line in best]]
    teacher.playouts.reseed(rng.getrandbits(32))
    halves.append([teacher.gain(line, count // 2) for line in best])
    actions = [str(action) for action in state.legal_actions()]
    (judged,) = judge([state])
    return Compared(
        isinstance(best[0].actions[0], Place),
        np.array([line.prior / SAME for line in best]),
        *map(np.array, halves),
        np.array([reply(teacher, line, state.current_player) for line in best]),
        judged.gains[[actions.index(name) for name in names]],
    )


def reply(teacher: Teacher, line: Line, player: int) -> float:
    """Return by how much a line is better when the next player's reply to each tile is known."""
    if line.after.current_player != CHANCE:
        return 0.0
    total = 0.0
    for drawn, chance in line.after.chance_outcomes():
        after = line.after.copy()
        after.apply(drawn)
        if after.current_player < 0:  # a tile that fits nowhere
            total += chance * line.prior
            continue
        valued = teacher.lookahead.action_values(after)
        best = max(valued, key=lambda each: each.values[after.current_player])
        total += chance * best.values[player]
    return (total - line.prior) / SAME


def explained(compared: Sequence[Compared], name: str) -> tuple[float, float, Array]:
    """Return the variance that playouts find, the share explained, and the gain of each decision.

    Actions count the more the better greedy finds them. The gain is in hundredths of a game.
    """
    signal = left = 0.0
    gained = []
    for each in compared:
        weight = np.exp((each.prior - each.prior.max()) / 4)
        weight /= weight.sum()
        said = each.one if name == "one" else getattr(each, name)
        true = each.other if name == "one" else (each.one + each.other) / 2
        one, other, guess = (x - weight @ x for x in (each.one, each.other, said))
        signal += weight @ (one * other)
        left += weight @ ((one - guess) * (other - guess))
        worth = each.prior + true
        gained.append(worth[(each.prior + said).argmax()] - worth[each.prior.argmax()])
    return signal / len(compared), 1 - left / signal, np.array(gained)


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", type=Path)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--playouts", type=int, default=48, help="of each action")
    parser.add_argument("--turns", type=int, default=4, help="of a playout")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rules, rng = Rules.cached("base", 2), random.Random(options.seed)
    judge = judge_by(*load(options.network, rules))
    teacher = Teacher(rules, {"own": 0, "compared": 0.0, "turns": options.turns}, judge)
    found: list[Compared] = []
    for game in range(options.games):
        state, deal = rules.start(), rules.deal(f"explained {options.seed} {game}")
        while play_on(state, deal):
            if teacher.is_open(state) and state.count_actions() > 1 and rng.random() < SHARE:
                found.append(compare(teacher, state, judge, options.playouts, rng))
            (judged,) = teacher([state], [0], rng)
            state.apply(state.action_at(judged.action))
    for name, places in (("placements", True), ("claims", False)):
        some = [each for each in found if each.places == places and len(each.prior) > 1]
        for what in ("network", "reply", "one"):
            signal, share, gained = explained(some, what)
            if what == "network":
                print(f"{len(some)} {name}, variance {signal:.2f}")
            by = "half of the playouts" if what == "one" else f"{what}, explains {share:.1%}"
            error = gained.std() / len(gained) ** 0.5
            print(f"  {by}: gains {gained.mean():.3f} ± {error:.3f} of 100 games a decision")


if __name__ == "__main__":
    main()
