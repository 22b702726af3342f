"""`Endgame`: its values are those of a search without bounds, order or memory."""

from __future__ import annotations

import pickle
import random
from functools import cache

import pytest
from support.modes import LONG_WHEN_INTERPRETED
from support.notation import do

from carc import CHANCE, Rules, State
from carc.base.evaluation.evaluation import Evaluation
from carc.base.game.outcome import results
from carc.base.game.playout import random_action
from carc.bots.endgame import Endgame
from carc.bots.lookahead import Lookahead, same_rotations
from carc.bots.mcts import MCTS
from carc.errors import CarcError

pytestmark = [*LONG_WHEN_INTERPRETED]


def with_bag(state: State, tiles: str) -> State:
    """Leave only these tiles in the bag."""
    names = tiles.split()
    state.bag = [names.count(name) for name in state.rules.tile_names]
    state.tiles_left = len(names)
    assert sum(state.bag) == len(names)
    return state


def small(tiles: str, history: str = "", spec: str = "base", players: int = 2) -> State:
    """A position with few tiles on the table and few in the bag."""
    return with_bag(do(Rules.from_spec(spec, players).start(), history), tiles)


def late(spec: str, players: int, left: int, seed: int) -> State:
    """A position with so many tiles left and one drawn, reached by random play."""
    state, luck = Rules.from_spec(spec, players).start(), random.Random(seed)
    while not state.is_terminal and (state.tiles_left > left or state.step.name != "place"):
        state.apply(random_action(state, luck))
    return state


@cache
def lookahead(rules: Rules) -> Lookahead:
    return Lookahead(rules, Evaluation(rules))


def final(state: State, objective: str) -> list[float]:
    if state.rules.spec.startswith("mists"):
        return state.returns()
    if objective == "win":
        return lookahead(state.rules).values(state)
    points = results(state)
    margins = [float(p - max(points[:i] + points[i + 1 :])) for i, p in enumerate(points)]
    if objective == "margin":
        return margins
    return [
        margin + (1e6 / len(state.winners) if player in state.winners else 0.0)
        for player, margin in enumerate(margins)
    ]


def brute(state: State, objective: str = "margin") -> list[float]:
    """The values, by trying everything."""
    if state.is_terminal:
        return final(state, objective)
    if state.current_player == CHANCE:
        means = [0.0] * state.rules.players
        for outcome, chance in state.chance_outcomes():
            for player, value in enumerate(brute(after(state, outcome), objective)):
                means[player] += chance * value
        return means
    best: list[float] = []
    for action in state.legal_actions():
        values = brute(after(state, action), objective)
        player = state.current_player
        if not best or values[player] > best[player] + 1e-9:
            best = values
    return best


def after(state: State, action: object) -> State:
    state = state.copy()
    state.apply(action)  # type: ignore[arg-type]
    return state


def check(state: State, objective: str = "margin") -> None:
    values = brute(state, objective)
    before = state.to_dict()
    solution = Endgame(state.rules, objective).solve(state)
    assert solution is not None
    assert solution.values == pytest.approx(values)
    assert state.to_dict() == before
    if state.current_player == CHANCE:
        assert solution.action is None
    else:
        assert solution.action is not None
        assert brute(after(state, solution.action), objective) == pytest.approx(values)


@pytest.mark.parametrize(
    ("tiles", "history"),
    [
        ("E", "draw:E"),
        ("E C", "draw:E"),
        ("C C", ""),
        ("E C M", ""),  # three outcomes, then two
        ("E E C", ""),  # the same tile twice: one outcome of two thirds
        ("C B", "draw:E place:0,-1,2 pass"),  # the city is closed: a `C` fits nowhere
        ("C C C", ""),
    ],
)
@pytest.mark.parametrize("players", [2, 3])
def test_small_positions_of_the_base_game(tiles: str, history: str, players: int) -> None:
    check(small(tiles, history, players=players))


def test_a_tile_that_fits_nowhere_changes_nothing() -> None:
    """It is replaced by the next one (BASE-04)."""
    closed = "draw:E place:0,-1,2 pass"
    with_it, without = (
        Endgame(Rules.from_spec("base", 2)).solve(small(tiles, closed)) for tiles in ("C B", "B")
    )
    assert with_it is not None
    assert without is not None
    assert with_it.values == without.values


@pytest.mark.long
def test_positions_that_come_about_in_several_ways() -> None:
    check(small("C C C C"))


def test_to_win_is_another_objective() -> None:
    check(small("E C M"), "win")
    check(small("E C", "draw:E", players=3), "win")


def test_to_win_first_and_then_by_much_is_a_third_objective() -> None:
    check(small("E C M"), "win-then-margin")
    check(small("E C", "draw:E", players=3), "win-then-margin")


@pytest.mark.parametrize(
    ("spec", "players", "left", "seed"),
    [
        ("base", 2, 1, 1),
        ("base", 3, 1, 4),
        ("base+ghosts", 2, 0, 1),
        ("base+inns+traders", 2, 1, 2),
        ("base+inns", 3, 0, 1),
        ("base+dragon", 2, 0, 2),
        ("base+flier", 2, 0, 3),
    ],
)
def test_ends_of_games(spec: str, players: int, left: int, seed: int) -> None:
    check(late(spec, players, left, seed))


@pytest.mark.parametrize(("score", "value"), [(41, -1.0), (42, 1.0)])
def test_a_team_wins_if_it_can(score: int, value: float) -> None:
    """With two tiles left it can still score 8 of the 50 points of level 1."""
    state = small("M03 M05", spec="mists:1")
    state.scores = [score] * 4
    check(state)
    solution = Endgame(state.rules).solve(state)
    assert solution is not None
    assert solution.values == [value, value]


def test_the_value_of_a_known_end() -> None:
    """The last tile closes a city of two tiles, which scores 4 for whoever claims it."""
    solution = Endgame(Rules.from_spec("base", 2)).solve(small("E"))
    assert solution is not None
    assert solution.values == [4.0, -4.0]


def test_it_gives_up_when_the_budget_is_used() -> None:
    endgame = Endgame(Rules.from_spec("base", 2))
    assert endgame.solve(small("E C M"), nodes=20) is None
    assert endgame.solve(small("E C M"), seconds=1e-9) is None
    assert endgame.solve(small("E C M")) is not None


def test_what_was_solved_is_remembered() -> None:
    endgame = Endgame(Rules.from_spec("base", 2))
    first, second = (endgame.solve(small("E C M")) for _ in range(2))
    assert first is not None
    assert second is not None
    assert second.nodes < 5 < first.nodes
    assert second.values == first.values
    again = pickle.loads(pickle.dumps(endgame)).solve(small("E C M"))
    assert again.nodes == first.nodes


def test_wrong_questions() -> None:
    with pytest.raises(CarcError, match="'win-then-margin'; not 'points'"):
        Endgame(Rules.from_spec("base", 2), "points")
    with pytest.raises(CarcError, match="the position has the rules"):
        Endgame(Rules.from_spec("base", 3)).solve(small("E"))


def test_a_search_solves_the_end() -> None:
    state, bot = late("base", 2, 1, 1), MCTS(1, "400")
    chosen = bot.choose(state)
    assert bot.iterations == 0  # it needed no playout
    assert brute(after(state, chosen), "win") == pytest.approx(brute(state, "win"))


@pytest.mark.parametrize(
    ("spec", "tile", "same"),
    [
        ("base", "C", [0, 0, 0, 0]),
        ("base", "U", [0, 1, 0, 1]),
        ("base", "D", [0, 1, 2, 3]),
        ("base+traders", "TB14", [0, 1, 2, 3]),  # its two cities have different goods
        ("base+flier", "FL01", [0, 1, 2, 3]),  # the flier points somewhere
        ("base+hills", "HS06", [0, 1, 0, 1]),  # a hill does not
    ],
)
def test_rotations_that_are_the_same_in_play(spec: str, tile: str, same: list[int]) -> None:
    catalogue = Rules.from_spec(spec, 2).catalogue
    assert same_rotations(catalogue, catalogue.index[tile]) == same
