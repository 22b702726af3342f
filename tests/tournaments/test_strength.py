"""The fit of strengths, whatever there is of games."""

import random
from collections import defaultdict

import numpy as np
import pytest

from carc.tournaments.rating.strength import Choices, choices


@pytest.mark.parametrize("games", [1e3, 1e7, 1e8])
@pytest.mark.parametrize(("bots", "size"), [("ab", 2), ("abc", 2)])
@pytest.mark.parametrize("seed", range(20))
def test_strengths_of_any_number_of_games_are_found(
    games: float, bots: str, size: int, seed: int
) -> None:
    rng = random.Random(seed)
    made: dict[tuple[int, tuple[str, ...]], float] = defaultdict(float)
    wins = np.zeros((1, len(bots)))
    for _ in range(200):
        seats = tuple(rng.sample(bots, size))
        often = rng.random() * games / 200
        of_game, won = choices(seats, tuple(rng.randrange(size) for _ in seats))
        for group, share in of_game:
            made[0, group] += share * often
        for bot, share in won:
            wins[0, bots.index(bot)] += share * often
    prior = np.array([rng.gauss(0, 3) for _ in bots])
    found = Choices.of(bots, made, wins).fit(np.ones((1, 1)), prior[np.newaxis])[0]
    assert found.sum() == pytest.approx(0, abs=1e-9)
    # Each came in first as often as its strength lets expect; a prior says little beside a thousand
    # games.
    odds = dict(zip(bots, np.exp(found), strict=True))
    for at, bot in enumerate(bots):
        expected = sum(
            often * odds[bot] / sum(odds[other] for other in group)
            for (_, group), often in made.items()
            if bot in group
        )
        assert expected == pytest.approx(wins[0, at], abs=1.0, rel=1e-6)


def test_samples_fitted_together_are_as_fitted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [("abc", (1, 2, 3)), ("ab", (1, 2)), ("bc", (2, 1)), ("ca", (1, 1)), ("cba", (2, 1, 2))]
    made: dict[tuple[int, tuple[str, ...]], float] = defaultdict(float)
    wins = np.zeros((len(games), 3))
    for unit, (seats, ranks) in enumerate(games):
        of_game, won = choices(tuple(seats), ranks)
        for group, share in of_game:
            made[unit, group] += share
        for bot, share in won:
            wins[unit, "abc".index(bot)] += share
    of = Choices.of("abc", made, wins)
    rng = np.random.default_rng(1)
    repeats, prior = rng.integers(4, size=(50, len(games))).astype(float), rng.normal(0, 3, (50, 3))
    together = of.fit(repeats, prior)
    assert len({tuple(row) for row in together.round(6)}) == 50
    for at in range(50):
        alone = of.fit(repeats[at : at + 1], prior[at : at + 1])
        assert together[at] == pytest.approx(alone[0], abs=1e-9)
    monkeypatch.setattr("carc.tournaments.rating.strength.CELLS", 60)
    assert of.fit(repeats, prior) == pytest.approx(together, abs=1e-9), "a few at once"
