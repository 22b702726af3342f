"""`Endgame`: its values are those of a search without bounds, order or memory."""

import pickle
import random
from functools import cache

import pytest
from support.modes import LONG_WHEN_INTERPRETED
from support.notation import do

from carc import CHANCE, Action, Expansion, ExpansionState, Rules, State
from carc.base.evaluation.evaluation import Evaluation
from carc.base.expansions.estimates import Estimates
from carc.base.game.outcome import results
from carc.base.game.playout import random_action
from carc.bots.endgame import Endgame
from carc.bots.lookahead import Lookahead, same_rotations
from carc.bots.mcts import MCTS
from carc.bots.team_mcts import TeamMCTS
from carc.bots.team_search import RootAction
from carc.errors import BadBot, CarcError

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
    assert solution.values == pytest.approx(values, abs=1e-9)
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
        ("C B U", "draw:E place:0,-1,2 pass"),  # the same, and then one of two comes
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


def team(spec: str, players: int, tiles: str, left: int, score: int) -> State:
    """A position of a team with these tiles in the bag, of which so many are drawn yet."""
    state = small(tiles, spec=spec, players=players)
    state.tiles_left = left
    state.scores = [score] * len(state.scores)
    return state


@pytest.mark.parametrize(("score", "value"), [(47, -1.0), (48, 1 / 3)])
def test_a_team_may_need_luck(score: int, value: float) -> None:
    """One of three tiles is drawn. Two of them complete a road, for 2 points; 50 are needed."""
    state = team("mists:1", 2, "M03 M12 M30", 1, score)
    solution = Endgame(state.rules).solve(state)
    assert solution is not None
    assert solution.values == pytest.approx([value, value])


@pytest.mark.parametrize(
    ("spec", "players", "tiles", "score"),
    [
        pytest.param("mists:1", 1, "M03 M12 M30", 46, marks=pytest.mark.long),
        ("mists:1", 1, "M03 M30", 46),
        ("mists:1", 2, "M03 M12 M30", 43),
        pytest.param("mists:1", 3, "M03 M12 M25 M30 M31", 46, marks=pytest.mark.long),
        pytest.param("mists:2", 2, "M03 M12 M30", 72, marks=pytest.mark.long),
        ("mists:2", 3, "M03 M12 M30", 70),
    ],
)
def test_a_team_plays_as_if_everything_were_tried(
    spec: str, players: int, tiles: str, score: int
) -> None:
    state = team(spec, players, tiles, 2, score)
    check(state)
    state.apply(state.rules.parse(f"draw:{tiles.split()[1]}"))
    check(state)


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


def test_rivals_are_no_team_though_points_do_not_say_who_wins() -> None:
    """With the last tile a city of 4 points is closed, as above."""

    class Chances(Estimates):
        def win_chances(self, state: State, chances: list[float]) -> list[float]:
            return list(chances)

    class Prize(Expansion[ExpansionState]):
        """Others than the points may say who wins; here they do not."""

        def returns(self, state: State, returns: list[float]) -> list[float]:
            return list(returns)

        def estimates(self) -> Estimates:
            return Chances()

    rules = Rules([Prize()], 2, "base+prize")
    solution = Endgame(rules).solve(with_bag(rules.start(), "E"))
    assert solution is not None
    assert solution.values == [4.0, -4.0]
    with pytest.raises(BadBot, match="games of a team"):
        TeamMCTS(1, "1").choose(do(with_bag(rules.start(), "E"), "draw:E"))


def test_a_search_solves_the_end() -> None:
    state, bot = late("base", 2, 1, 1), MCTS(1, "400")
    chosen = bot.choose(state)
    assert bot.iterations == 0  # it needed no playout
    assert brute(after(state, chosen), "win") == pytest.approx(brute(state, "win"))


def solved(state: State, bot: TeamMCTS) -> Action | None:
    """What a bot chooses without a search, if it does."""

    class Searched(Exception):
        pass

    class Search:
        def actions(self, state: State) -> list[RootAction]:
            raise Searched

    bot._search_of = lambda rules: Search()  # type: ignore[assignment,method-assign,return-value]
    try:
        return bot.choose(state)
    except Searched:
        return None


@pytest.mark.parametrize("score", [43, 44, 46])
def test_a_team_solves_the_end_unless_all_is_lost(score: int) -> None:
    """With two tiles to come and at least one road, the team scores 6 at best."""
    state = do(team("mists:1", 3, "M03 M12 M30", 2, score), "draw:M03")
    chosen = solved(state, TeamMCTS(1, "100"))
    if score < 44:
        assert chosen is None
    else:
        assert brute(after(state, chosen)) == pytest.approx(brute(state))


def test_a_team_searches_where_the_end_is_too_far_or_the_budget_too_small() -> None:
    state = do(team("mists:1", 3, "M03 M12 M30", 2, 44), "draw:M03")
    assert solved(state, TeamMCTS(1, "1")) is None
    # The road of the tile in the hand brings the 2 points that are needed.
    state = do(team("mists:1", 3, "M03 M12 M30 M31 M33 M34", 5, 48), "draw:M03")
    assert solved(state, TeamMCTS(1, "100")) is None
    state.tiles_left = 3
    assert solved(state, TeamMCTS(1, "100")) is not None


def test_a_team_that_has_lost_still_plays_for_points() -> None:
    """The last tile can complete a road, for 2 points."""
    state, bot = do(team("mists:1", 2, "M03 M30", 1, 20), "draw:M03"), TeamMCTS(1, "16")
    while not state.is_terminal:
        state.apply(bot.choose(state))
    assert state.scores[0] == 22


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
