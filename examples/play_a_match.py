"""Play one match between shipped bots and print what was scored and who won."""

from carc import Rules, play
from carc.bots import by_name

rules = Rules.from_spec("base", players=3)
names = ["greedy", "random", "random"]
bots = [by_name(name, seed=seat) for seat, name in enumerate(names)]
match = play(rules, bots, seed=7, names=names)
for move in match.moves:
    for scored in move.scored:
        print(f"seat {scored.owner} scored {scored.text}")
print(match.result.scores, "won by", match.result.winners)
