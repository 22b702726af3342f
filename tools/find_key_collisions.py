"""Do keys of positions collide?

`python tools/find_key_collisions.py --rules base --positions 10000000`.

All positions of so many random games; those with one key must have one text, and the others have
others by their keys alone.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator

import numpy as np

from carc import Rules, State


def game(rules: Rules, seed: int, number: int) -> Iterator[State]:
    """The positions of one random game, in place."""
    rng = random.Random(f"{seed} {number}")
    state = rules.start()
    yield state
    while not state.is_terminal:
        state.apply(state.random_action(rng))
        yield state


def keys(rules: Rules, seed: int, wanted: int) -> tuple[np.ndarray, np.ndarray]:
    """The keys of so many positions, two numbers each, and at which of them each game begins."""
    told = bytearray()
    begins = []
    number = 0
    while len(told) < 16 * wanted:
        begins.append(len(told) // 16)
        for state in game(rules, seed, number):
            told += state.key()
        number += 1
    found = np.frombuffer(told, np.uint64).reshape(-1, 2)
    return found, np.array(begins)


def repeated(found: np.ndarray) -> np.ndarray:
    """Which positions have the key of another."""
    order = np.lexsort((found[:, 1], found[:, 0]))
    same = (found[order[1:]] == found[order[:-1]]).all(axis=1)
    return np.unique(np.concatenate([order[1:][same], order[:-1][same]]))


def collisions(rules: Rules, seed: int, wanted: int) -> tuple[int, int, int]:
    """Positions looked at, those whose key came more than once, and those of them that are not the
    same position.
    """
    found, begins = keys(rules, seed, wanted)
    again = repeated(found)  # the start is among them, for every game has it
    texts: dict[bytes, str] = {}
    wrong = 0
    numbers = np.searchsorted(begins, again, side="right") - 1
    for some in np.split(again, np.flatnonzero(np.diff(numbers)) + 1):
        number = np.searchsorted(begins, some[0], side="right") - 1
        places = {int(at - begins[number]) for at in some}
        for place, state in enumerate(game(rules, seed, int(number))):
            if place in places:
                wrong += texts.setdefault(state.key(), state.to_text()) != state.to_text()
            if place >= max(places):
                break
    return len(found), len(again), wrong


def main() -> None:
    """The program; fails if keys collide."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rules", default="base")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    said = parser.parse_args()
    start = time.monotonic()
    rules = Rules.named(said.rules, said.players)
    looked, again, wrong = collisions(rules, said.seed, said.positions)
    print(
        f"{rules.spec}: {looked} positions, {again} with the key of another, "
        f"{wrong} of them another position"
        f" ({time.monotonic() - start:.0f} s)"
    )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
