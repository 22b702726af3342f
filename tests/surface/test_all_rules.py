"""What holds for all rules (`carc.testing.check`), of every spec that ships, alone and together.

Copies, notation, chance, conservation of tiles and figures, replays.
"""

from itertools import combinations

import pytest
from support.fuzzed import CLASSICS

from carc import Rules
from carc.testing import check

# Spec, players, one of how many states is checked.
MATRIX = [
    *(("base", players, 5) for players in (2, 4)),
    *(("base+ghosts", players, 5) for players in (2, 4)),
    *(("base+ghosts+spellcircles", players, 5) for players in (2, 4)),
    *(("mists:5", players, 5) for players in (1, 2, 4)),
    *((f"base+{name}", 3, 20) for name in CLASSICS),
]
NAMES = ["ghosts", *CLASSICS]
# Any two are together in one of these: a half of all each time.
QUARTERS = [NAMES[at::4] for at in range(4)]
HALVES = ["+".join(["base", *sorted(a + b)]) for a, b in combinations(QUARTERS, 2)]
PAIRS = [
    *("+".join(["base", *sorted(pair)]) for pair in combinations(NAMES, 2)),
    *("+".join(["base", *sorted(["ghosts", "spellcircles", name])]) for name in CLASSICS),
]


@pytest.mark.parametrize(("spec", "players", "every"), MATRIX)
def test_what_holds_for_all_rules(spec: str, players: int, every: int) -> None:
    check(Rules.from_spec(spec, players), games=1, seed=3, every=every)


@pytest.mark.parametrize(
    ("spec", "players"), [(spec, 2 + number % 3) for number, spec in enumerate(HALVES)]
)
def test_any_two_go_together(spec: str, players: int) -> None:
    check(Rules.from_spec(spec, players), games=1, every=150)


@pytest.mark.long
@pytest.mark.parametrize("spec", PAIRS)
def test_each_goes_with_each_other(spec: str) -> None:
    made = Rules.from_spec(spec)
    assert made.spec == spec
    check(made, games=1, every=40)
