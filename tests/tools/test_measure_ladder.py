"""`tools/measure_ladder.py`: the share of its opponents that a level is ahead of."""

from types import SimpleNamespace

import measure_ladder
import pytest
from measure_ladder import main, share_ahead, step

from carc import Rules
from carc.bots.ladder import ladder


@pytest.mark.parametrize("players", [2, 3])
def test_the_share_of_the_opponents(players: int) -> None:
    rules = Rules.cached("base", players)
    for seat in range(players):
        assert share_ahead(rules, "greedy", "random", 1, seat) == 1.0
        assert share_ahead(rules, "random", "greedy", 1, seat) == 0.0


@pytest.mark.parametrize(("seat", "share"), [(0, 0.75), (1, 0.75), (2, 0.0)])
def test_a_tie_counts_half(seat: int, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    match = SimpleNamespace(result=SimpleNamespace(ranks=(0, 0, 2)))
    monkeypatch.setattr(measure_ladder, "play", lambda *_, **__: match)
    assert share_ahead(Rules.cached("base", 3), "random", "random", 1, seat) == share


def test_a_step_plays_each_deal_on_all_seats_against_the_level_below(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = Rules.cached("base", 3)
    asked = []

    def ahead(_: Rules, bot: str, below: str, deal: int, seat: int) -> float:
        asked.append((bot, below, deal, seat))
        return 1.0 if deal else 0.5

    monkeypatch.setattr(measure_ladder, "share_ahead", ahead)
    assert step(rules, 2, 4).startswith("75% [")
    bots = ladder()[1].bot_for(rules), ladder()[0].bot_for(rules)
    assert asked == [(*bots, deal, seat) for deal in range(2) for seat in range(3)]


def test_a_line_for_each_spec(capsys: pytest.CaptureFixture[str]) -> None:
    main(["base", "base+river", "--games", "2", "--levels", "3,6"])
    head, _, *lines = capsys.readouterr().out.splitlines()
    assert head == "| rules | 3 | 6 |"
    assert [line.split(" | ")[0] for line in lines] == ["| `base`", "| `base+river`"]
    assert all(line.count("%") == 2 for line in lines)
