"""Search random games for two positions with the same key.

Usage: `python tools/find_key_collisions.py --rules base --positions 10000000`. Positions with the
same key must have the same text.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator

import numpy as np

from carc import Rules, State
from carc.base.game.playout import random_action


def game(rules: Rules, seed: int, number: int) -> Iterator[State]:
    """Yield the positions of one random game, all in one state."""
    rng = random.Random(f"{seed} {number}")
    state = rules.start()
    yield state
    while not state.is_terminal:
        state.apply(random_action(state, rng))
        yield state


def keys(rules: Rules, seed: int, wanted: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the keys of positions, two numbers each, and the index at which each game begins."""
    data = bytearray()
    begins = []
    number = 0
    while len(data) < 16 * wanted:
        begins.append(len(data) // 16)
        for state in game(rules, seed, number):
            data += state.key()
        number += 1
    return np.frombuffer(data, np.uint64).reshape(-1, 2), np.array(begins)


def repeated(keys: np.ndarray) -> np.ndarray:
    """Return the indices of keys that occur more than once."""
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    same = (keys[order[1:]] == keys[order[:-1]]).all(axis=1)
    return np.unique(np.concatenate([order[1:][same], order[:-1][same]]))


def collisions(rules: Rules, seed: int, wanted: int) -> tuple[int, int, int]:
    """Look for collisions.

    Returns:
        How many positions there were, how many had the key of another, and how many of those were
        another position.
    """
    all_keys, begins = keys(rules, seed, wanted)
    again = repeated(all_keys)  # among them is the start of every game
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
    return len(all_keys), len(again), wrong


def main() -> None:
    """Run the search; fail if keys collide."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="base")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    start = time.monotonic()
    rules = Rules.from_spec(options.rules, options.players)
    looked, again, wrong = collisions(rules, options.seed, options.positions)
    print(
        f"{rules.spec}: {looked} positions, {again} with the key of another, "
        f"{wrong} of them another position"
        f" ({time.monotonic() - start:.0f} s)"
    )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
