"""What is found of stated losses: sums counted by hand, and playing on from a real game."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from measure_analysis import Measure, Row, found, interval, main, played_on, report
from support.late_games import before_draw, match_from

from carc.analysis import analyse_game
from carc.formats.imported import Imported


def row(points: float, *lost: float) -> Row:
    """A marked move: what is stated, and what was found on each deal."""
    ahead = [[each, each / 100] for each in lost]
    return {"game": "a", "number": 1, "points": points, "chance": points / 100, "found": ahead}


def test_the_report_says_what_share_of_the_stated_loss_was_found() -> None:
    """Stated 3 and 5, found 1 and 5: 3 of 4. The better line is ahead on three deals and level."""
    rows = [row(3.0, 2.0, 0.0), row(5.0, 4.0, 6.0), {"game": "a", "number": 0, "moves": 9}]
    head, points, chance, ahead = report(rows)
    assert head == "2 marked moves, 4 deals played on twice, 1 games complete"
    assert points.startswith("stated 4.00 points, found 3.00 [1.00, 5.00], ratio 0.75 [0.33, 1.00]")
    assert chance.startswith("stated 4.00 %, found 3.00 [1.00, 5.00], ratio 0.75 [0.33, 1.00]")
    assert ahead == "the better line ends ahead in 88% [75%, 100%] of the deals"
    assert list(report([])) == ["no marked move yet"]


def test_the_interval_is_that_of_the_moves() -> None:
    """100 values of a spread of 1: the standard error of their mean is 0.1."""
    low, high = interval([-1.0, 1.0] * 50)
    assert low == pytest.approx(-0.196, abs=0.03)
    assert high == pytest.approx(0.196, abs=0.03)


def test_both_lines_are_played_on_with_the_same_deals_and_seeds() -> None:
    state = before_draw("base", 2, 5, 3)
    one = played_on(state, "greedy:0.1", 1, 0)
    assert one == played_on(state, "greedy:0.1", 1, 0)
    assert one != played_on(state, "greedy:0.1", 2, 0)
    (margin, win), (other, lost) = one, played_on(state, "greedy:0.1", 1, 1)
    assert (margin + other, win + lost) == pytest.approx((0, 1))


def test_an_exact_loss_is_found() -> None:
    """A move with few tiles left that lost the game: whoever plays on, it has lost."""
    match = match_from(1, "random,random")
    for move in analyse_game(match, playouts=30).moves:
        if move.exact and move.chance_lost == 1.0:
            ahead = found(match, move, Measure("mcts:20", 4, 1))
            assert sum(win for _, win in ahead) / 4 == pytest.approx(1.0, abs=0.3)


def test_an_interrupted_run_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second run finds everything done: it adds nothing and reports the same."""
    game = tmp_path / "game.jsonl"
    game.touch()
    match = match_from(3, "random,random")
    games = [("game.jsonl", Imported(match, True, before_draw("base", 2, 3, 4)))]
    monkeypatch.setattr("measure_analysis.read_games", lambda _: games)
    out = tmp_path / "out"
    words = [str(game), "--out", str(out), "--bot", "greedy", "--deals", "2", "--playouts", "8"]
    first = CliRunner().invoke(main, words)
    assert first.exit_code == 0
    rows = (out / "1-1.jsonl").read_text(encoding="utf-8")
    assert all(len(json.loads(line).get("found", [0, 0])) == 2 for line in rows.splitlines())
    again = CliRunner().invoke(main, words)
    assert again.output == first.output
    assert (out / "1-1.jsonl").read_text(encoding="utf-8") == rows
    assert CliRunner().invoke(main, [*words, "--report-only"]).output == first.output
