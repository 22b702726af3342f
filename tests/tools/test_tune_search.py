"""`tools/tune_search.py`: settings of the search, tuned by games."""

import pytest
import tune_search
from click.testing import CliRunner
from tune_search import SHIPPED, bot, main

from carc import Rules


def test_settings_reach_the_search() -> None:
    """Two lines with a playout each are all that it may look at."""
    rules = Rules.from_spec("base", 2)
    state, deal = rules.start(), rules.deal("settings")
    state.apply(deal.choose(state))
    strong = bot({**SHIPPED, "max_lines": 1.6, "prior_weight": 2.5}, 0.01, 1)
    strong.choose(state)
    assert len(strong.tried) == 2
    assert {line.prior_weight for line in strong.tried} == {2.5}


def test_the_climb_goes_to_what_wins_and_a_duel_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot with the larger weight of the prior is made to win by that many points."""

    class Settled(tune_search.Tally):
        def add_deal(self, rules, one, other, deal):
            lead = 10 * (one(0).prior_weight - other(0).prior_weight)
            self.margins.append(lead)
            self.ahead.append((lead > 0) + 0.5 * (lead == 0))
            self.games += 2

    monkeypatch.setattr(tune_search, "Tally", Settled)
    result = CliRunner().invoke(main, ["--steps", "40", "--deals", "1"])
    assert result.exit_code == 0, result.output
    *_, found, duel = result.output.splitlines()
    assert float(found.rpartition(" ")[2]) > SHIPPED["prior_weight"] + 1
    assert duel.startswith("against width 24.0, max_lines 48.0,")
    assert "ahead in 2 of 2 games" in duel
