"""Ratings of puzzles and solvers."""

from math import erf, exp, pi, sqrt

import pytest
from support.puzzles import puzzle

from carc import State
from carc.bots.ladder import Level
from carc.puzzles import rating
from carc.puzzles.rating import BEGINNING, rate, rate_puzzles


def expected(winner: tuple[float, float], loser: tuple[float, float]) -> list[float]:
    """TrueSkill of two without draws, from the formulas of Herbrich, Minka and Graepel (2007)."""
    beta = 25 / 6
    c = sqrt(2 * beta**2 + winner[1] ** 2 + loser[1] ** 2)
    t = (winner[0] - loser[0]) / c
    v = exp(-t * t / 2) / sqrt(2 * pi) / ((1 + erf(t / sqrt(2))) / 2)
    w = v * (v + t)
    after = []
    for (mean, deviation), sign in ((winner, 1), (loser, -1)):
        after += [mean + sign * deviation**2 / c * v, deviation * sqrt(1 - deviation**2 / c**2 * w)]
    return after


@pytest.mark.parametrize("is_solved", [True, False])
def test_an_attempt_is_a_match_that_the_solver_wins_by_solving(is_solved: bool) -> None:
    solver, other = (28.0, 3.0), (21.0, 5.0)
    after = rate(solver, other, is_solved)
    if is_solved:
        assert [*after[0], *after[1]] == pytest.approx(expected(solver, other))
    else:
        assert [*after[1], *after[0]] == pytest.approx(expected(other, solver))


def test_what_weak_bots_solve_is_rated_below_what_only_strong_ones_solve(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    easy, hard = puzzle(10), puzzle(30)
    levels = [Level(name, name, "", name, "") for name in ("weak", "middle", "strong")]
    monkeypatch.setattr(rating, "ladder", lambda: levels)
    monkeypatch.setattr(rating, "by_name", lambda name, seed: name)

    def turn(bot: str, state: State) -> tuple[str, ...]:
        one = easy if state.key() == easy.position().key() else hard
        solves = bot == "strong" or (bot == "middle" and one is easy)
        return one.answer if solves else one.rivals[0].turn

    monkeypatch.setattr(rating, "turn_of", turn)
    told: list[tuple[int, int]] = []
    rated = rate_puzzles([easy, hard], attempts=6, progress=lambda *n: told.append(n))
    assert rated[0].rating[0] < rated[1].rating[0]
    assert all(each.rating[1] < BEGINNING[1] for each in rated)
    assert [each.id for each in rated] == [easy.id, hard.id]
    assert told == [(1, 2), (2, 2)]
    assert rated == rate_puzzles([easy, hard], attempts=6)
