"""Check an installed wheel: play a game, compiled, and print how long it took.

Usage: `python tools/first_game.py`, where nothing else is installed.
"""

import time

started = time.perf_counter()

from carc import Rules, play  # noqa: E402 (what is measured)
from carc.base.game import state  # noqa: E402
from carc.bots import by_name  # noqa: E402

match = play(Rules.from_spec("base"), [by_name("greedy", 1), by_name("random", 1)], seed=1)
print(f"first game after {time.perf_counter() - started:.2f} s: {match.result.scores}")
assert not str(state.__file__).endswith(".py"), "the wheel is not compiled"
assert Rules.from_spec("base+ghosts+inns").version
