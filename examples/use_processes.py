"""Play games in several processes: states are pickled in a few hundred bytes."""

import random
from concurrent.futures import ProcessPoolExecutor

from carc import Rules, State, playout


def end(seed: int) -> State:
    state = Rules.cached("base", 2).start()  # each process makes the rules once
    playout(state, random.Random(seed))
    return state


if __name__ == "__main__":
    with ProcessPoolExecutor(2) as pool:
        for state in pool.map(end, range(4)):
            print(state.scores, state.winners)
