"""The numbers of an analysis, counted by hand: chances, marks, losses, accuracy, sums."""

from math import exp

import attrs
import pytest

from carc import Rules
from carc.analysis import BLUNDER, INACCURACY, MISTAKE, Luck, MoveAnalysis
from carc.analysis.chances import SPREADS, chances, kind
from carc.analysis.outlook import Appraiser, Outlook, mean_outlook
from carc.analysis.results import GameAnalysis, summarise


def move(
    *,
    player: int = 0,
    chance: tuple[float, float] = (0.5, 0.5),
    margin: tuple[float, float] = (0.0, 0.0),
    choices: int = 2,
    luck: tuple[float, float] = (0.0, 0.0),
) -> MoveAnalysis:
    """A move with the chance and the margin of the best line, and of the one played."""
    return MoveAnalysis(
        number=1,
        player=player,
        first_action=1,
        last_action=2,
        played=("place:0,1,0",),
        best=("place:0,2,0",),
        chance_before=chance[0],
        chance_after=chance[1],
        margin_before=margin[0],
        margin_after=margin[1],
        choices=choices,
        exact=False,
        luck=Luck(*luck),
        playouts=2,
    )


@pytest.mark.parametrize(
    ("lost", "mark"),
    [
        (0.0, ""),
        (0.04, ""),
        (0.05, "inaccuracy"),
        (0.09, "inaccuracy"),
        (0.10, "mistake"),
        (0.14, "mistake"),
        (0.15, "blunder"),
        (0.9, "blunder"),
    ],
)
def test_a_move_is_marked_by_the_chance_it_gave_up(lost: float, mark: str) -> None:
    assert move(chance=(lost, 0.0)).mark == mark
    assert (INACCURACY, MISTAKE, BLUNDER) == (0.05, 0.10, 0.15)  # as the documentation says


def test_what_is_lost_is_never_less_than_nothing() -> None:
    better = move(chance=(0.4, 0.5), margin=(1.0, 3.5))
    worse = move(chance=(0.5, 0.4), margin=(3.5, 1.0))
    assert (better.chance_lost, better.points_lost) == (0, 0)
    assert worse.chance_lost == pytest.approx(0.1)
    assert worse.points_lost == 2.5


def test_what_is_lost_is_told_with_its_error_unless_it_is_exact() -> None:
    measured = attrs.evolve(
        move(chance=(0.5, 0.38), margin=(9.0, 3.6)), chance_error=0.052, points_error=1.84
    )
    assert (measured.chance_lost_text, measured.points_lost_text) == ("12 ± 5 %", "5.4 ± 1.8")
    exact = move(chance=(1.0, 0.5), margin=(2.0, -1.0))
    assert (exact.chance_lost_text, exact.points_lost_text) == ("50 %", "3.0")
    tiny = attrs.evolve(measured, chance_error=0.001, points_error=0.01)
    assert (tiny.chance_lost_text, tiny.points_lost_text) == ("12 ± 1 %", "5.4 ± 0.1")
    of_points_only = attrs.evolve(measured, chance_before=0.38)
    assert of_points_only.chance_lost_text == "0 %"


def test_accuracy_is_100_for_the_best_move_and_falls_with_the_points_lost() -> None:
    """2 points lost are 72, 6 points 37; a move without a choice does not count."""
    for points, accuracy in ((0.0, 100.0), (2.0, 71.65), (6.0, 36.79)):
        moves = [move(margin=(points, 0.0)), move(margin=(50.0, 0.0), choices=1)]
        found = summarise(0, "a", moves, team=False)
        assert found.moves == 1
        assert found.accuracy == pytest.approx(accuracy, abs=0.01)
    half = summarise(0, "a", [move(), move(margin=(6.0, 0.0))], team=False)
    assert half.accuracy == pytest.approx(68.39, abs=0.01)
    assert summarise(0, "a", [], team=False).accuracy == 100
    team = summarise(0, "a", [move(chance=(0.5, 0.4), margin=(9.0, 0.0))], team=True)
    assert team.accuracy == pytest.approx(36.79, abs=0.01)


def test_a_summary_adds_up_the_moves_of_its_player() -> None:
    moves = [
        move(chance=(0.5, 0.3), margin=(4.0, 1.0), luck=(0.1, 3.0)),
        move(chance=(0.5, 0.44), margin=(2.0, 1.0), luck=(-0.2, -5.0)),
        move(chance=(0.5, 0.38)),
        move(player=1, chance=(0.9, 0.1), margin=(90.0, 0.0), luck=(0.5, 50.0)),
    ]
    found = summarise(0, "a", moves, team=False)
    assert (found.inaccuracies, found.mistakes, found.blunders) == (1, 1, 1)
    assert (found.points_lost, found.luck.margin) == (4.0, -2.0)
    assert found.chance_lost == pytest.approx(0.38)
    assert found.luck.chance == pytest.approx(-0.1)


@pytest.mark.parametrize(
    ("luck", "lost", "margin", "cause"),
    [
        ((5.0, -1.0), (2.0, 5.0), 10, "Mostly luck"),  # 6 by luck, 3 by moves
        ((5.0, 0.0), (2.0, 5.0), 10, "Luck and moves"),
        ((-1.0, 5.0), (0.0, 4.0), 1, "Mostly moves"),
        ((-1.0, 5.0), (0.0, 4.0), 2, "Why is unclear"),  # 4 by moves, and 4 by nothing known
        ((-1.0, 5.0), (1.0, 0.0), 3, "Why is unclear"),
    ],
)
def test_luck_and_moves_explain_who_came_in_ahead(
    luck: tuple[float, float], lost: tuple[float, float], margin: int, cause: str
) -> None:
    moves = [move(player=seat, margin=(lost[seat], 0.0), luck=(0.0, luck[seat])) for seat in (0, 1)]
    players = tuple(summarise(seat, "x", moves, team=False) for seat in (0, 1))
    game = GameAnalysis("base", ("x", "x"), False, True, 1, 0, tuple(moves), players)
    names = ["red", "green"]
    gained, better = luck[0] - luck[1], lost[1] - lost[0]
    assert game.reason([0, 1], [margin + 7, 7], names) == (
        f"{cause}: compared with green, the tiles brought red {gained:+.0f} points,"
        f" the moves {better:+.0f}, the rest {margin - gained - better:+.0f}."
    )
    assert "the tiles brought green" in game.reason([1, 0], [7, 9], names)
    assert game.reason([0, 0], [7, 7], names) == "" == game.reason([], [], names)
    assert attrs.evolve(game, team=True).reason([0, 1], [9, 7], names) == ""


def test_a_lead_makes_odds_that_fall_with_the_tiles_left() -> None:
    """A lead of 0.5 points has the odds e at the end, one of 0.5 + 2 s points with 4 tiles left."""
    assert chances([7.0, 7.0, 7.0], 30, 2.0) == pytest.approx([1 / 3] * 3)
    for tiles, spread, lead in ((0, 2.0, 0.5), (4, 2.0, 4.5), (9, 1.5, 5.0)):
        first, second = chances([30.0 + lead, 30.0], tiles, spread)
        assert first / second == pytest.approx(exp(1))
        assert first + second == pytest.approx(1)
    assert chances([500.0, 0.0], 1, 1.0) == pytest.approx([1, 0])


def test_a_lead_is_surer_in_a_game_with_less_to_come() -> None:
    assert kind(Rules.from_spec("base", 2)) == "base"
    assert kind(Rules.from_spec("base", 3)) == "base, many"
    assert kind(Rules.from_spec("base+ghosts", 2)) == "ghosts"
    assert kind(Rules.from_spec("base+inns", 2)) == "other"
    assert SPREADS["base"] < SPREADS["ghosts"] < SPREADS["other"]


def test_of_two_alike_the_one_to_draw_has_the_better_chance() -> None:
    outlook = Appraiser(Rules.cached("base", 2)).outlook(Rules.cached("base", 2).start())
    assert outlook.margins[0] == -outlook.margins[1] > 0
    assert 0.5 < outlook.chances[0] < 0.6
    assert sum(outlook.chances) == pytest.approx(1)


def test_a_mean_weighs_each_outlook() -> None:
    certain, lost = Outlook((1.0, 0.0), (8.0, -8.0)), Outlook((0.0, 1.0), (-4.0, 4.0))
    mean = mean_outlook([(certain, 0.75), (lost, 0.25)])
    assert mean == Outlook((0.75, 0.25), (5.0, -5.0))
