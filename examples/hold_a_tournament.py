"""Play a small tournament, a gauntlet of one bot against the others, and print who is how good."""

import tempfile

from carc.tournaments.schedule.configuration import configure
from carc.tournaments.tournament import board, run_tournament

bots = ["random", "greedy", "greedy-blind"]
cup = configure("base", bots, [2], deals=1, seed=1, format="gauntlet", against="greedy")
with tempfile.TemporaryDirectory() as folder:
    held = run_tournament(cup, folder, jobs=1)
    found = board(folder)
print(held.played, "games")
for line in found.standings:
    print(line.rank, line.bot, f"{line.strength.low:.1f} to {line.strength.high:.1f}")
