"""Golden playthroughs: whole random games as records, made by `make docs`, reviewed in the diff."""

import random
from pathlib import Path

from carc import Match, Rules, State, play
from carc.base.turn.actions import Action

FOLDER = Path(__file__).parent.parent / "golden"
SPECS = {
    "base": ("base", 2),
    "base-5": ("base", 5),
    "ghosts": ("base+ghosts", 3),
    "ghosts-circles": ("base+ghosts+spellcircles", 2),
    "mists-1": ("mists:1", 4),
    "mists-3": ("mists:3", 2),
    "mists-6-circles": ("mists:6+spellcircles", 1),
}


class Drawer:
    """Chooses at random, the same on every Python: only `random()` is promised to stay."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def choose(self, state: State) -> Action:
        legal = state.legal_actions()
        return legal[int(self._rng.random() * len(legal))]


def playthrough(name: str) -> Match:
    spec, players = SPECS[name]
    return play(Rules.from_spec(spec, players), [Drawer(i) for i in range(players)], seed=1)


def write_all() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in SPECS:
        playthrough(name).write(FOLDER / f"{name}.jsonl")
