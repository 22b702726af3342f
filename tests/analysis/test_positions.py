"""`analyse`: positions whose value is known by a count, and what it promises of the rest."""

import random

import pytest
from support.late_games import before_draw

from carc import CHANCE, Rules, State, playout
from carc.analysis import analyse
from carc.errors import CarcError


def late(spec: str = "base", players: int = 2, tiles: int = 0, seed: int = 1) -> State:
    """A position of a random game in which a player has a tile in hand and so many are left."""
    state = before_draw(spec, players, tiles + 1, seed).copy()
    deal = state.rules.deal(seed)
    while state.current_player == CHANCE:
        state.apply(deal.choose(state))
    return state


def best_final_margin(state: State, player: int) -> float:
    """The highest margin that a player can reach: every way to end the game is tried."""
    if state.is_terminal:
        others = [score for seat, score in enumerate(state.scores) if seat != player]
        return state.scores[player] - max(others)
    margins = []
    for action in state.legal_actions():
        after = state.copy()
        after.apply(action)
        margins.append(best_final_margin(after, player))
    return max(margins)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_last_tile_is_exact_and_needs_no_playout(players: int) -> None:
    state = late(players=players)
    analysis = analyse(state)
    player = state.current_player
    assert (analysis.exact, analysis.playouts, analysis.player) == (True, 0, player)
    best = best_final_margin(state, player)
    winning = analysis.chances[player]
    assert winning == (1.0 if best > 0 else 0.5 if best == 0 else 0.0)
    assert analysis.margins[player] == analysis.lines[0].margin == best


def test_of_lines_that_win_alike_the_one_with_more_points_comes_first() -> None:
    lines = analyse(late(), lines=1000).lines
    assert len(lines) > 5
    keys = [(line.chance, line.margin) for line in lines]
    assert keys == sorted(keys, reverse=True)


def test_with_the_last_tile_every_placement_is_looked_at() -> None:
    state = late(seed=2)
    ends = set()
    for action in state.legal_actions():
        after = state.copy()
        after.apply(action)
        ends.add(after.key())
    assert len(ends) > 24  # as many as are looked at before
    assert len({line.actions[0] for line in analyse(state, lines=1000).lines}) == len(ends)


@pytest.mark.parametrize(
    ("spec", "tiles"), [("base", 4), ("base+ghosts", 4), ("base+inns+dragon", 4), ("mists:2", 58)]
)
@pytest.mark.parametrize("players", [2, 4])
def test_chances_are_chances_and_margins_belong_to_each_other(
    spec: str, tiles: int, players: int
) -> None:
    state = late(spec, players, tiles)
    analysis = analyse(state, playouts=6)
    chance, margin = analysis.chances, analysis.margins
    assert len(chance) == len(margin) == players
    if spec == "mists:2":  # all win or lose together
        assert len({*chance}) == len({*margin}) == 1
        assert 0 <= chance[0] <= 1
    else:
        assert sum(chance) == pytest.approx(1)
        assert sum(each >= 0 for each in margin) <= 1 or max(margin) == pytest.approx(0)
    assert 0 < analysis.playouts <= 6
    line = analysis.lines[0]
    after = state.copy()
    for action in line.actions:
        after.apply(after.check(state.rules.parse(action)))


def test_the_team_is_measured_by_the_goal_of_its_level() -> None:
    state = Rules.from_spec("mists:2", 2).start()
    playout(state, random.Random(1))
    analysis = analyse(state)
    assert analysis.margins == (state.scores[0] - 75,) * 2  # COOP-02: level 2
    assert analysis.chances == ((1.0 if state.outcome["won"] else 0.0),) * 2


def test_no_more_playouts_are_made_than_allowed() -> None:
    assert 50 < analyse(late(tiles=4), playouts=100).playouts <= 100


def test_a_position_before_a_draw_is_valued_without_lines() -> None:
    state = late(tiles=3)
    while state.current_player != CHANCE:
        state.apply(state.legal_actions()[-1])
    analysis = analyse(state, playouts=5)
    assert (analysis.player, analysis.lines, analysis.playouts) == (-1, (), 5)
    assert sum(analysis.chances) == pytest.approx(1)


def test_the_same_seed_gives_the_same_analysis_and_the_state_is_left_alone() -> None:
    state = late(tiles=4)
    before = state.key()
    assert analyse(state, playouts=8, seed=2) == analyse(state, playouts=8, seed=2)
    assert analyse(state, playouts=8, seed=2) != analyse(state, playouts=8, seed=3)
    assert state.key() == before


@pytest.mark.parametrize(("name", "value"), [("playouts", 0), ("lines", 0), ("playouts", "x")])
def test_a_number_out_of_range_is_refused(name: str, value: object) -> None:
    with pytest.raises(CarcError, match=name):
        analyse(late(), **{name: value})  # type: ignore[arg-type]
