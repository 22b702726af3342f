"""The last tiles: exact values, counted by hand or by trying everything."""

import pytest
from support.late_games import before_draw
from support.notation import do

from carc import CHANCE, Match, Rules, State
from carc.analysis import analyse, analyse_game
from carc.analysis.ends import Ends
from carc.analysis.outlook import Appraiser
from carc.bots.endgame import Endgame
from carc.match import Move, Result


def two_caps(players: int) -> State:
    """The first player is to draw one of two tiles `E`, a city on one side and else a field.

    Only the start tile lies, with its city in the north. Who draws first can

    - complete the city and claim it: 4 points. The next one claims the field around it: 3.
    - complete the city and claim the field: 3 points. The next one has a city of one tile: 1.
    - leave the city open: the next one completes it. So the second way is the best, by 2 points.
    """
    state = Rules.from_spec("base", players).start()
    names = state.rules.tile_names
    state.bag = [2 if name == "E" else 0 for name in names]
    state.tiles_left = 2
    return state


@pytest.mark.parametrize(
    ("players", "margins"), [(2, (2, -2)), (3, (2, -2, -3)), (5, (2, -2, -3, -3, -3))]
)
def test_the_second_last_tile_is_exact(players: int, margins: tuple[int, ...]) -> None:
    analysis = analyse(do(two_caps(players), "draw:E"))
    assert analysis.exact
    assert analysis.chances == (1.0,) + (0.0,) * (players - 1)
    assert analysis.margins == margins
    best = analysis.lines[0].actions
    assert best[0] == "place:0,-1,2"  # completes the city
    assert best[1].startswith("claim:")
    assert analysis.lines[1].margin <= 2
    before_it = analyse(two_caps(players))  # the draw is certain
    assert (before_it.exact, before_it.margins, before_it.playouts) == (True, margins, 0)


@pytest.mark.parametrize(
    ("choice", "margin", "mark"),
    [("place:0,-1,2 claim:0,meeple", 1, ""), ("place:0,1,1 claim:0,meeple", -3, "blunder")],
)
def test_what_a_move_before_the_end_lost_is_exact(choice: str, margin: int, mark: str) -> None:
    start = two_caps(2)
    played = do(start.copy(), f"draw:E {choice}")
    moves = [Move(CHANCE, "draw:E"), *(Move(0, action) for action in choice.split())]
    assert played.current_player == CHANCE
    none = Result((), (), (), ())
    match = Match(
        "base", start.rules.version, 2, ("a", "b"), 0, tuple(moves), none, start.to_text()
    )
    (move,) = analyse_game(match, playouts=48).moves
    assert (move.exact, move.margin_before, move.margin_after) == (True, 2, margin)
    assert (move.points_lost, move.mark) == (2 - margin, mark)
    assert (move.chance_before, move.chance_after) == (1.0, 1.0 if margin > 0 else 0.0)


@pytest.mark.parametrize(("spec", "players", "tiles"), [("base", 2, 2), ("base+ghosts", 2, 1)])
def test_the_outlook_is_that_of_the_solver(spec: str, players: int, tiles: int) -> None:
    """The solver knows one number: a million times the chance, and the margin."""
    state = before_draw(spec, players, tiles, 1)
    solution = Endgame(state.rules, "win-then-margin").solve(state)
    outlook = Ends(Appraiser(state.rules), 10**6).outlook(state)
    assert solution is not None
    for player in range(players):
        value = 1e6 * outlook.chances[player] + outlook.margins[player]
        assert solution.values[player] == pytest.approx(value, abs=1e-6)


def test_a_budget_that_is_too_small_gives_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    state = do(two_caps(2), "draw:E")
    monkeypatch.setattr("carc.analysis.position._NODES_PER_PLAYOUT", 1)
    estimate = analyse(state, playouts=20)
    assert (estimate.exact, estimate.playouts > 0) == (False, True)
    assert analyse(state, playouts=2000).exact
