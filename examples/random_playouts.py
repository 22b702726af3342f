"""Monte Carlo: how often each seat wins when all play at random."""

import random

from carc import Rules, playout

rules = Rules.from_spec("base", players=3)
rng = random.Random(1)
wins = [0] * rules.players
for _ in range(100):
    state = rules.start()
    playout(state, rng)
    for winner in state.winners:
        wins[winner] += 1
print(wins)
