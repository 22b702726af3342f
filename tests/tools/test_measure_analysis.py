"""What is found of stated losses: sums counted by hand, and playing on from a real game."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from measure_analysis import (
    ALL_TURNS,
    PLAYOUTS_TO_END,
    Marked,
    Players,
    Row,
    found,
    interval,
    main,
    played_on,
    report,
)
from support.late_games import before_draw, match_from

from carc import Action, State
from carc.analysis import Luck, MoveAnalysis, analyse_game
from carc.analysis.outlook import Appraiser
from carc.analysis.saved import saved_analysis
from carc.bots import by_name
from carc.formats.imported import Imported

LAST_MOVE = match_from(1, "random,random", seed=1)


def marked(number: int, points: float) -> Marked:
    """A marked move that lost so many points, and as many hundredths of the win."""
    move = MoveAnalysis(
        number=number,
        player=0,
        first_action=0,
        last_action=2,
        played=("a",),
        best=("b",),
        chance_before=points / 100,
        chance_after=0.0,
        margin_before=points,
        margin_after=0.0,
        chance_error=0.0,
        points_error=0.0,
        choices=2,
        exact=False,
        luck=Luck(0.0, 0.0),
        playouts=1,
    )
    return Marked("a", LAST_MOVE, move)


def rows(of: Marked, *lost: float) -> list[Row]:
    """What was found of a move on each deal."""
    return [{"of": of.key, "points": each, "chance": each / 100} for each in lost]


def test_the_report_says_what_share_of_the_stated_loss_was_found() -> None:
    """Stated 3 and 5, found 1 and 5: 3 of 4. The better line is ahead on three deals and level."""
    one, two, untried = marked(1, 3.0), marked(2, 5.0), marked(3, 9.0)
    measured = [*rows(one, 2.0, 0.0), *rows(two, 4.0, 6.0), *rows(marked(9, 1.0), 50.0)]
    head, points, chance, ahead = report([one, two, untried], measured)
    assert head == "2 of 3 marked moves, 4 deals played on twice"
    assert points.startswith("stated 4.00 points, found 3.00 [1.00, 5.00], ratio 0.75 [0.33, 1.00]")
    assert chance.startswith("stated 4.00 %, found 3.00 [1.00, 5.00], ratio 0.75 [0.33, 1.00]")
    assert ahead == "the better line ends ahead in 88% [75%, 100%] of the deals"
    assert list(report([one], [])) == ["no marked move yet"]


def test_the_interval_is_that_of_the_moves() -> None:
    """100 values of a spread of 1: the standard error of their mean is 0.1."""
    low, high = interval([-1.0, 1.0] * 50)
    assert low == pytest.approx(-0.196, abs=0.03)
    assert high == pytest.approx(0.196, abs=0.03)


def test_both_lines_are_played_on_with_the_same_deals_and_seeds() -> None:
    state = before_draw("base", 2, 5, 3)
    for players in (Players("greedy:0.1", ALL_TURNS), Players("greedy:0.1", 2)):
        one = played_on(state, players, 1, 0)
        assert one == played_on(state, players, 1, 0)
        assert one != played_on(state, players, 2, 0)
        (margin, win), (other, lost) = one, played_on(state, players, 1, 1)
        assert (margin + other, win + lost) == pytest.approx((0, 1))


def test_a_deal_decides_the_draws_and_the_seeds_of_the_bots(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = before_draw("base", 2, 5, 3)
    players = Players("greedy", ALL_TURNS)  # of equal moves the first: only the draws differ
    assert len({played_on(state, players, deal, 0) for deal in range(6)}) > 1
    seeds: list[int] = []
    monkeypatch.setattr(
        "measure_analysis.by_name", lambda bot, seed: seeds.append(seed) or by_name(bot, seed)
    )
    for deal in range(2):
        played_on(state, players, deal, 0)
    assert len(set(seeds)) == 4


def test_what_the_draws_brought_is_taken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """With five tiles to draw, each of which brings 10 points and a hundredth of the win."""
    state = before_draw("base", 2, 5, 3)
    players = Players("greedy", ALL_TURNS)
    ends = []
    for luck in (Luck(0.0, 0.0), Luck(chance=0.01, margin=10.0)):
        monkeypatch.setattr("measure_analysis.Comparison.luck", lambda *_, luck=luck: luck)
        ends.append(played_on(state, players, 1, 0))
    (margin, win), (less_margin, less_win) = ends
    assert (margin - less_margin, win - less_win) == pytest.approx((50, 0.05))


def test_the_better_line_is_ahead_on_the_same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    (move,) = [move for move in analyse_game(LAST_MOVE, playouts=8).moves if move.mark]
    monkeypatch.setattr("measure_analysis.after_turn", lambda _, line: line)
    monkeypatch.setattr(
        "measure_analysis.played_on",
        lambda line, _, deal, __: (100 * deal + (7, 5)[line == move.played], 0.5),
    )
    row = found(Marked("a", LAST_MOVE, move), Players("greedy", ALL_TURNS), 3)
    assert (row["points"], row["chance"], row["deal"]) == (2, 0, 3)


class Failing:
    """A bot that plays one turn and no more."""

    def __init__(self) -> None:
        self.turns = 1

    def choose(self, state: State) -> Action:
        self.turns -= state.step.name == "place"
        assert self.turns >= 0
        return state.legal_actions()[0]


def test_the_bot_plays_so_many_turns_and_playouts_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first bot plays the first turn, the second the second; the playouts reach the end."""
    monkeypatch.setattr("measure_analysis.by_name", lambda *_: Failing())
    outlooks: list[State] = []
    state = before_draw("base", 2, 5, 3)
    appraise = Appraiser.outlook
    monkeypatch.setattr(
        "measure_analysis.Appraiser.outlook",
        lambda self, end: outlooks.append(end) or appraise(self, end),
    )
    played_on(state, Players("any", 2), 1, 0)
    assert all(end.is_terminal for end in outlooks[-PLAYOUTS_TO_END:])


def test_an_exact_loss_is_found() -> None:
    """The last move of this game turned a win into a draw: whoever plays on, it lost half a win."""
    (move,) = [move for move in analyse_game(LAST_MOVE, playouts=8).moves if move.mark]
    assert move.exact
    assert move.chance_lost == 0.5
    for bot in ("random", "mcts:20"):
        players = Players(bot, ALL_TURNS)
        assert found(Marked("a", LAST_MOVE, move), players, 1)["chance"] == pytest.approx(0.5)


def test_other_marks_do_not_change_which_are_chosen() -> None:
    """Those with the lowest numbers are chosen; a number depends on the seed and the place only."""
    orders = [marked(number, 3.0).order(5) for number in range(50)]
    assert orders == [marked(number, 4.0).order(5) for number in range(50)]
    assert len(set(orders)) == 50
    assert orders != [marked(number, 3.0).order(6) for number in range(50)]


Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Measure two games with the same marked move; in a third one no move is marked."""
    matches = {"one": LAST_MOVE, "two": LAST_MOVE, "three": match_from(2, "random,random", seed=1)}
    files = [tmp_path / name for name in matches]
    for file in files:
        file.touch()
    end = before_draw("base", 2, 3, 4)
    games = [(name, Imported(match, True, end)) for name, match in matches.items()]
    monkeypatch.setattr("measure_analysis.read_games", lambda _: games)

    def run(*words: str) -> str:
        words = ("--out", str(tmp_path), "--bot", "greedy", "--playouts", "8", *words)
        result = CliRunner().invoke(main, [*map(str, files), *words])
        assert result.exit_code == 0, result.output
        return result.output

    return run


def kept(folder: Path) -> list[list[Row]]:
    return [
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted(folder.glob("*.jsonl"))
    ]


def test_an_interrupted_run_continues(tmp_path: Path, run: Run) -> None:
    """A second run adds nothing and reports the same; one with more deals adds those."""
    first = run("--deals", "2")
    (rows,) = kept(tmp_path)
    assert run("--deals", "2") == first == run("--report-only")
    assert kept(tmp_path) == [rows]
    run("--deals", "3")
    (more,) = kept(tmp_path)
    assert [row["deal"] for row in more] == [0, 0, 1, 1, 2, 2]
    assert more[:4] == rows


def test_only_marked_moves_are_chosen_and_parts_share_them(tmp_path: Path, run: Run) -> None:
    for part in ("1/2", "2/2"):
        run("--deals", "1", "--part", part)
    (one,), (two,) = kept(tmp_path)
    assert [one["of"][0], two["of"][0]] in (["one", "two"], ["two", "one"])
    assert one["of"][1:] == two["of"][1:]


def test_the_choice_is_random(tmp_path: Path, run: Run) -> None:
    """With one move of two, some seed chooses the first game's, another one the second's."""
    for seed in range(6):
        run("--deals", "1", "--moves", "1", "--seed", str(seed))
    (rows,) = kept(tmp_path)
    assert {row["of"][0] for row in rows} == {"one", "two"}


def test_what_others_played_on_does_not_count(run: Run) -> None:
    greedy = run("--deals", "1")
    run("--deals", "1", "--bot", "random")
    assert run("--deals", "1", "--report-only") == greedy
    assert run("--report-only", "--bot", "greedy:0.1").strip() == "no marked move yet"


def test_other_playouts_want_another_analysis(tmp_path: Path, run: Run) -> None:
    for playouts in (8, 9):
        run("--playouts", str(playouts), "--report-only")
        analysis = saved_analysis(tmp_path, "one")
        assert analysis is not None
        assert analysis.playouts_per_move == playouts
