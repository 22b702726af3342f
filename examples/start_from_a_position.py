"""Start a match in the middle of another one: a position is text, and a match may begin from it."""

from carc import Rules, State, play
from carc.bots import by_name

rules = Rules.from_spec("base", players=2)
first = play(rules, [by_name("random", 1), by_name("random", 2)], seed=1)
middle = rules.start()
for text in first.actions[:60]:
    middle.apply(middle.check(rules.parse(text)))
again = State.from_text(middle.to_text())
match = play(rules, [by_name("greedy", 1), by_name("random", 2)], seed=5, start=again)
print(again == middle, match.result.scores)
