"""`tools/tune_descriptors.py`: the weights of what an expansion describes, by games of `greedy`."""

from statistics import fmean

import pytest
import tune_descriptors
from click.testing import CliRunner
from tune_descriptors import STEPS, Weights, duel, main, stepped

from carc import Rules

WEIGHTS: Weights = {"fairy": (1.0, 0.0, 2.0, -4.0)}


def test_a_step_changes_some_knots_of_one_descriptor() -> None:
    larger, smaller = STEPS
    assert stepped(WEIGHTS, "fairy", range(2), larger) == {"fairy": (1.5, 0.5, 2.0, -4.0)}
    assert stepped(WEIGHTS, "fairy", range(2, 4), smaller) == {"fairy": (1.0, 0.0, 1.0, -2.0)}


@pytest.mark.long
def test_whoever_overrates_the_fairy_loses() -> None:
    """With 20 points for her company, a player does little else than to call her."""
    rules = Rules.from_spec("base+dragon", 2)
    sober: Weights = {"fairy": (1.0,) * 4}
    blinded: Weights = {"fairy": (20.0,) * 4}
    assert fmean(duel(rules, sober, blinded, 4, "x")) > 20
    assert fmean(duel(rules, blinded, sober, 4, "x")) < -20


def test_only_what_wins_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A larger builder, late in the game, wins each deal of the first round by 3 to 5 points.

    What else is tried wins and loses by a point. After a round without a win the tuning ends.
    """
    rounds: list[str] = []

    def played(rules: Rules, one: Weights, other: Weights, deals: int, seed: str) -> list[float]:
        rounds.append(seed)
        won = seed.startswith("0 1") and one["builder"][0] > other["builder"][0]
        return [(3.0 if won else -1.0) + deal % 3 for deal in range(deals)]

    monkeypatch.setattr(tune_descriptors, "duel", played)
    result = CliRunner().invoke(main, ["traders", "--rounds", "9"])
    assert result.exit_code == 0, result.output
    assert "builder (3.0, 3.0, 2.0, 2.0): +4.0 ± 0.1 points, kept" in result.output
    assert "round 1: 1 changes kept" in result.output
    assert '"builder": (3, 3, 2, 2),' in result.output
    assert "round 2: 0 changes kept" in result.output
    assert "round 3" not in result.output
    assert len(set(rounds)) == len(rounds)  # each trial has deals of its own


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gold"], "gold has no DESCRIPTORS in base+gold"),
        (["dragon", "--rules", "base+gold"], "dragon has no DESCRIPTORS in base+gold"),
        (["nothing"], "unknown rules 'nothing'"),
    ],
)
def test_what_cannot_be_tuned_is_refused(words: list[str], said: str) -> None:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert said in result.output
