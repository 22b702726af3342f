"""What a line is ahead of another: counted by hand, confirmed by samples that chose nothing."""

from collections import defaultdict
from math import sqrt

import pytest
from support.late_games import before_draw, match_from

from carc import State
from carc.analysis import Difference, analyse, analyse_game, compare_lines
from carc.analysis.difference import CONFIDENCE
from carc.analysis.engines import Candidate, Engine, engine_for
from carc.analysis.game import GameAnalyser
from carc.analysis.outlook import Appraiser, Outlook
from carc.analysis.position import Comparison
from carc.errors import CarcError


def to_decide(tiles: int = 6, seed: int = 3) -> State:
    """A position of a random game in which a player has a tile in hand."""
    state = before_draw("base", 2, tiles + 1, seed).copy()
    state.apply(state.rules.deal(seed).choose(state))
    return state


def outlooks(*margins: float) -> list[Outlook]:
    """Outlooks in which a lead of ten points is a tenth of the chance to win."""
    return [Outlook((0.5 + m / 100, 0.5 - m / 100), (m, -m)) for m in margins]


# -- numbers ------------------------------------------------------------------------------------


def test_a_difference_is_the_mean_of_the_pairs_with_its_error() -> None:
    """Pairs 1, 2, 3, 2 apart: mean 2, standard error sqrt(2/3/4); a far prior leaves them alone."""
    found = Difference.of(outlooks(1, 7, 3, 9), outlooks(0, 5, 0, 7), 0, 1.0)
    assert found.margin == pytest.approx(2, rel=0.05)
    assert found.margin_error == pytest.approx(1.96 * sqrt(1 / 6), rel=0.05)
    assert found.chance == pytest.approx(0.02, rel=0.01)
    assert found.chance_error == pytest.approx(0.0196 * sqrt(1 / 6), rel=0.01)
    assert found.pairs == 4
    other = Difference.of(outlooks(1, 7, 3, 9), outlooks(0, 5, 0, 7), 1, 1.0)
    assert (other.margin, other.chance) == pytest.approx((-found.margin, -found.chance))


def test_only_the_share_that_is_left_counts() -> None:
    whole, part = (
        Difference.of(outlooks(4.0, 4.1, 3.9), outlooks(0.0, 0.0, 0.0), 0, left)
        for left in (1.0, 0.5)
    )
    assert (whole.margin, part.margin) == pytest.approx((4, 2), rel=0.01)
    assert whole.chance == pytest.approx(2 * part.chance, rel=0.01)
    assert whole.margin_error == pytest.approx(2 * part.margin_error, rel=0.01)


def test_the_less_certain_a_difference_is_the_more_it_is_drawn_to_nothing() -> None:
    """The posterior of a normal mean: 4 points with an error as large as the prior are 2."""
    spread = 2.0 * sqrt(2)  # of two pairs, so that the standard error is 2, as the prior
    ahead = outlooks(4 + spread / sqrt(2), 4 - spread / sqrt(2))
    found = Difference.of(ahead, outlooks(0, 0), 0, 1.0)
    assert found.margin == pytest.approx(2)
    assert found.margin_error == pytest.approx(1.96 * 2 / sqrt(2))


@pytest.mark.parametrize(
    ("chance", "error", "margin", "margin_error", "gain"),
    [
        (0.06, 0.05, 2.0, 3.0, True),
        (0.06, 0.05, -1.0, 0.5, True),  # to win comes first
        (0.04, 0.05, 2.0, 1.0, True),
        (-0.01, 0.05, 2.0, 1.0, False),
        (0.04, 0.05, 2.0, 2.0, False),
        (0.05, 0.05, 1.0, 2.0, False),
        (0.0, 0.0, 1.0, 0.0, True),  # exact
        (0.5, 0.0, -3.0, 0.0, True),
        (0.0, 0.0, 0.0, 0.0, False),
    ],
)
def test_a_line_is_better_if_it_is_ahead_by_more_than_the_error(
    chance: float, error: float, margin: float, margin_error: float, gain: bool
) -> None:
    found = Difference(chance, margin, error, margin_error, 9)
    assert found.is_gain == gain
    assert found.certain_chance == (chance if abs(chance) > error else 0)
    assert found.certain_margin == (margin if abs(margin) > margin_error else 0)


@pytest.mark.parametrize(
    ("found", "decided"),
    [
        (Difference(0.2, 8.0, 0.09, 3.5, 32), True),  # half of the interval is less than a half
        (Difference(0.2, 8.0, 0.11, 3.5, 32), False),
        (Difference(0.2, 8.0, 0.09, 4.5, 32), False),
        (Difference(0.01, 0.5, 0.03, 1.4, 32), True),  # too little for a mark
        (Difference(0.01, 0.5, 0.05, 1.4, 32), False),
        (Difference(-0.3, -9.0, 0.2, 8.0, 32), True),  # certainly worse
    ],
)
def test_it_is_decided_when_the_numbers_are_close_or_hardly_worth_telling(
    found: Difference, decided: bool
) -> None:
    assert found.is_decided == decided


# -- samples ------------------------------------------------------------------------------------


class Logged:
    """An engine that notes which playouts it made, and may add points to a player's line."""

    def __init__(self, engine: Engine, turns: str, log: dict[bytes, list[tuple[str, int]]]) -> None:
        self.engine, self.turns, self.log = engine, turns, log
        self.prior_weight = engine.prior_weight
        self.lines, self.begin, self.settle = engine.lines, engine.begin, engine.settle

    def end_of_playout(self, state: State, index: int) -> State:
        self.log[state.key()].append((self.turns, index))
        return self.engine.end_of_playout(state, index)


def logged(comparison: Comparison) -> dict[bytes, list[tuple[str, int]]]:
    """Have the playouts of a comparison noted, by the position they begin from."""
    log: dict[bytes, list[tuple[str, int]]] = defaultdict(list)
    comparison.engine = Logged(comparison.engine, "near", log)
    comparison.far_engines = [Logged(each, "far", log) for each in comparison.far_engines]
    return log


def test_no_playout_is_used_twice_and_both_lines_have_the_same_ones() -> None:
    match = match_from(6, "random,random")
    analyser = GameAnalyser(match, before_draw("base", 2, 6, 4).rules, 40, 0, "x")
    log = logged(analyser.comparison)
    confirmed = 0
    for index, played in enumerate(analyser.moves):
        log.clear()
        move = analyser.move(index)
        for made in log.values():
            assert len(made) == len(set(made))
            # Those that choose, that measure and that confirm have numbers of their own.
            chosen = {number for kind, number in made if kind == "near" and number < 1000}
            rest = [number for kind, number in made if number >= 1000]
            assert len(rest) == len(set(rest))
            assert chosen.isdisjoint(rest)
        far = [[each for each in made if each[0] == "far"] for made in log.values()]
        far = [made for made in far if made]
        assert len(far) in (0, 2)
        if far:
            confirmed += 1
            assert far[0] == far[1]
        elif not move.exact:
            assert move.points_lost == move.chance_lost == 0
        assert played.first == move.first_action
    assert confirmed


def test_a_line_is_not_ahead_of_itself() -> None:
    """Both have the same draws, so that nothing is left to luck."""
    state = to_decide()
    actions = analyse(state, playouts=4).lines[0].actions
    found = compare_lines(state, actions, actions, playouts=40)
    assert (found.chance, found.margin, found.chance_error, found.margin_error) == (0, 0, 0, 0)


def test_the_draws_of_a_pair_are_the_same() -> None:
    """So the error is smaller than that of as many playouts each with draws of its own."""
    state = to_decide(tiles=10)
    player = state.current_player
    comparison = Comparison(Appraiser(state.rules))
    first, second = comparison.candidates(state, 1)[:2]
    paired = comparison.difference(first, second, player, 64, 1)
    far = engine_for(comparison.appraiser, 20)
    far.begin(state, 1)
    ends = [
        [comparison.appraiser.outlook(far.end_of_playout(line.after, at)) for at in range(64)]
        for line in (first, second)
    ]
    alone = [[end.margins[player] for end in some] for some in ends]
    variances = [sum((x - sum(some) / 64) ** 2 for x in some) / 63 / 64 for some in alone]
    assert paired is not None
    assert paired.margin_error < CONFIDENCE * 0.75 * sqrt(sum(variances))


def test_lines_that_are_close_are_measured_longer() -> None:
    clear: list[Difference] = []
    close: list[Difference] = []
    for seed, found in ((5, clear), (9, close)):
        state = to_decide(tiles=22, seed=seed)
        best, other = (line.actions for line in analyse(state, playouts=40, lines=2).lines)
        for pair in ((best, other), (other, best)):
            found.append(compare_lines(state, *pair, playouts=64))
    assert [each.is_gain for each in clear] == [True, False]
    assert max(each.pairs for each in clear) < max(each.pairs for each in close)
    for each in (*clear, *close):
        assert each.pairs == 64 or each.is_decided
    assert compare_lines(state, best, other, playouts=33).pairs <= 33


def test_the_seed_decides_and_turned_round_the_sign_changes() -> None:
    state = to_decide(tiles=8)
    first, second = (line.actions for line in analyse(state, playouts=20).lines[:2])
    before = state.key()
    one = compare_lines(state, first, second, playouts=10, seed=1)
    assert one == compare_lines(state, first, second, playouts=10, seed=1)
    assert one != compare_lines(state, first, second, playouts=10, seed=2)
    back = compare_lines(state, second, first, playouts=10, seed=1)
    assert (back.chance, back.margin) == pytest.approx((-one.chance, -one.margin))
    assert state.key() == before


def test_with_the_last_tile_the_difference_is_that_of_the_final_scores() -> None:
    state = to_decide(tiles=0)
    lines = analyse(state, lines=1000).lines
    finals = []
    for line in (lines[0], lines[-1]):
        after = state.copy()
        for action in line.actions:
            after.apply(after.rules.parse(action))
        finals.append(after.scores[state.current_player] - after.scores[1 - state.current_player])
    found = compare_lines(state, lines[0].actions, lines[-1].actions)
    assert (found.margin, found.margin_error, found.pairs) == (finals[0] - finals[1], 0, 0)


def test_with_few_tiles_left_the_difference_is_exact() -> None:
    state = to_decide(tiles=1)
    lines = analyse(state, playouts=100).lines
    found = compare_lines(state, lines[0].actions, lines[1].actions, playouts=100)
    assert (found.pairs, found.chance_error, found.margin_error) == (0, 0, 0)
    assert found.margin == pytest.approx(lines[0].margin - lines[1].margin)


def stated_and_measured(tiles: int, monkeypatch: pytest.MonkeyPatch) -> tuple[float, float]:
    """How far the best line is ahead of the worst: as stated, and after so many turns.

    Nothing is drawn towards nothing.
    """
    monkeypatch.setattr("carc.analysis.difference._PRIOR_POINTS", 1e9)
    state = to_decide(tiles, seed=8)
    lines = analyse(state, playouts=40, lines=1000).lines
    first, second = lines[0].actions, lines[-1].actions
    stated = compare_lines(state, first, second, playouts=16)
    monkeypatch.setattr("carc.analysis.position._LEFT", 1.0)
    return stated.margin, compare_lines(state, first, second, playouts=16).margin


def test_of_a_difference_that_is_left_only_a_share_is_stated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of one with 21 tiles to draw, when the playouts end one turn before the game does."""
    stated, measured = stated_and_measured(21, monkeypatch)
    assert 1 < stated == pytest.approx(0.65 * measured)


def test_all_is_left_where_playouts_last_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    stated, measured = stated_and_measured(20, monkeypatch)
    assert 1 < stated == measured


@pytest.mark.parametrize("playouts", [1, 0, "x"])
def test_less_than_two_pairs_say_nothing(playouts: object) -> None:
    state = to_decide(tiles=1)
    with pytest.raises(CarcError, match="playouts"):
        compare_lines(state, (), (), playouts=playouts)  # type: ignore[arg-type]
    with pytest.raises(CarcError, match="no player decides"):
        compare_lines(before_draw("base", 2, 6, 3), (), ())


# -- losses -------------------------------------------------------------------------------------


def test_a_loss_within_its_error_is_no_loss() -> None:
    analysis = analyse_game(match_from(10, "random,random"), playouts=24)
    lost = [move for move in analysis.moves if move.chance_lost or move.points_lost]
    assert 2 < len(lost) < len(analysis.moves)
    for move in analysis.moves:
        assert (move in lost) == (move.best != move.played)
        if move.chance_lost:
            assert move.chance_lost > move.chance_error
        if move.points_lost:
            assert move.points_lost > move.points_error
        if move not in lost:
            assert (move.mark, move.chance_error, move.points_error) == ("", 0, 0)
    assert any(move.chance_error and not move.exact for move in lost)
    assert any(move.points_error and not move.exact for move in lost)
    assert not any(move.chance_error or move.points_error for move in lost if move.exact)


def test_only_what_seems_lost_is_measured_further(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two per cent or a point, by the playouts that did not choose."""
    seen: list[tuple[float, float]] = []

    def difference(_: Comparison, ahead: Candidate, behind: Candidate, *more: int) -> None:
        (chance, margin), (less, lower) = ahead.mean(more[0]), behind.mean(more[0])
        seen.append((chance - less, margin - lower))

    monkeypatch.setattr(Comparison, "difference", difference)
    analysis = analyse_game(match_from(9, "random,random"), playouts=24)
    assert all(chance >= 0.02 or margin >= 1.0 for chance, margin in seen)
    assert 0 < len(seen) < len(analysis.moves)
    assert all(move.best == move.played for move in analysis.moves)


def test_what_longer_playouts_do_not_confirm_is_not_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A difference that short playouts find stands for nothing alone."""
    match = match_from(9, "random,random")
    assert any(move.mark and not move.exact for move in analyse_game(match, playouts=24).moves)
    doubtful = Difference(0.2, 9.0, 0.21, 9.5, 32)
    monkeypatch.setattr(Comparison, "difference", lambda *_: doubtful)
    for move in analyse_game(match, playouts=24).moves:
        assert (move.mark, move.points_lost) == ("", 0)
        assert move.best == move.played


def test_of_chance_and_points_only_what_is_certain_is_stated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = Difference(0.9, 9.0, 0.1, 9.5, 32)
    monkeypatch.setattr(Comparison, "difference", lambda *_: found)
    lost = [m for m in analyse_game(match_from(9, "random,random"), playouts=24).moves if m.mark]
    assert lost
    for move in lost:
        assert (move.points_lost, move.points_error) == (0, 9.5)
        assert move.chance_before == min(move.chance_after + 0.9, 1.0)
