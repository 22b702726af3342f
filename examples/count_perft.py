"""Count the sequences of actions from a position: the fingerprint of a set of rules."""

from carc import Rules
from carc.testing import perft

state = Rules.from_spec("base").start()
for text in ("draw:D", "place:1,0,0", "pass", "draw:U"):
    state.apply(state.rules.parse(text))
counts = perft(state, depth=3)
for action, count in counts.items():
    print(f"{action}: {count}")
print("together", sum(counts.values()))
