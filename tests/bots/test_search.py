"""`mcts`, `strong`, `greedy:R`: what they choose by, what they are told by their names."""

import json
import os
from collections import Counter
from time import thread_time
from types import SimpleNamespace

import pytest
from librt.vecs import vec
from mypy_extensions import i64
from support.late_games import before_draw
from support.notation import do

from carc import CHANCE, Place, Rules, State
from carc.base.evaluation.evaluation import Evaluation
from carc.base.evaluation.learned import LearnedEvaluation
from carc.base.evaluation.learned_weights import best_evaluation
from carc.base.expansions.estimates import Estimates
from carc.base.expansions.expansion import Expansion
from carc.base.position.expansion_state import ExpansionState
from carc.bots import by_name, search_budget
from carc.bots.end_solver import EndSolver
from carc.bots.lookahead import Lookahead, outcome_at
from carc.bots.mcts import MCTS, Strong, Strong1
from carc.bots.mcts_playouts import Line, Playouts
from carc.bots.search_budget import SearchTimer
from carc.bots.session import Clock

SPECS = (
    "base",
    "base(fields=off)",
    "base+ghosts",
    "base+inns",
    "base+ghosts+spellcircles",
    "mists:2",
)


def begin(spec: str = "base", players: int = 2) -> State:
    return Rules.from_spec(spec, players).start()


def turns(state: State, bot: MCTS, decisions: int) -> list[str]:
    """What the bot chooses in every seat, each choice checked."""
    deal = state.rules.deal(5)
    chosen: list[str] = []
    while len(chosen) < decisions and not state.is_terminal:
        if state.current_player == CHANCE:
            state.apply(deal.choose(state))
        else:
            action = state.check(bot.choose(state.copy()))
            chosen.append(str(action))
            state.apply(action)
    return chosen


def small_playouts(state: State, turns: int, prior_weight: float) -> Playouts:
    return Playouts(
        Lookahead(state.rules, Evaluation(state.rules)),
        width=2,
        max_lines=2,
        turns=turns,
        max_placements=2,
        prior_weight=prior_weight,
    )


def test_it_finishes_its_own_city() -> None:
    state = do(begin(), "draw:G place:0,-1,0 claim:0,meeple draw:U place:1,0,1 pass draw:E")
    for seed in range(2):
        assert str(MCTS(seed, "12").choose(state)) == "place:0,-2,2"


@pytest.mark.parametrize("spec", SPECS)
def test_it_plays_every_game(spec: str) -> None:
    assert len(turns(begin(spec), MCTS(1, "1"), 8)) == 8


@pytest.mark.parametrize("players", [3, 5])
def test_it_plays_at_larger_tables(players: int) -> None:
    assert len(turns(begin(players=players), MCTS(1, "1"), 6)) == 6


def test_iterations_are_repeatable_from_the_seed() -> None:
    assert turns(begin(), MCTS(3, "4"), 6) == turns(begin(), MCTS(3, "4"), 6)


def test_it_searches_as_often_as_it_is_told() -> None:
    state, bot = do(begin(), "draw:U"), MCTS(1, "17")
    bot.choose(state)
    assert bot.iterations == 17


def test_two_processes_search_twice_as_often() -> None:
    state, bot = do(begin(), "draw:U"), Strong(1, "12:jobs=2")
    state.check(bot.choose(state))
    assert bot.iterations == 24


def test_a_process_that_is_killed_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    killed = SimpleNamespace(dumps=lambda _: os._exit(1), loads=json.loads)
    monkeypatch.setattr("carc.bots.mcts.json", killed)
    state, bot = do(begin(), "draw:U"), Strong(1, "12:jobs=3")
    state.check(bot.choose(state))
    assert bot.iterations == 12


def test_it_takes_its_time_and_less_where_time_is_short() -> None:
    state, bot = do(begin(), "draw:U"), MCTS(1, "50s")
    bot.clock = Clock(bank=0.1, limit=0.1)
    bot.choose(state)  # the test would last
    assert bot.iterations > 0


class Steps:
    """A clock that has gone on by a step whenever it is read."""

    def __init__(self, step: float) -> None:
        self.step, self.now = step, 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.mark.parametrize("name", ["mcts:0.05s", "strong:0.05s", "uct:0.05s", "mcts-rave:0.05s"])
def test_seconds_are_cpu_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, wall time passes a thousand times as fast."""
    monkeypatch.setattr(search_budget, "thread_time", Steps(0.001))
    monkeypatch.setattr(search_budget, "perf_counter", Steps(1.0))
    state, bot = do(begin(), "draw:U"), by_name(name)
    bot.choose(state)
    assert 40 <= bot.iterations <= 50  # type: ignore[attr-defined]


def test_a_short_clock_counts_wall_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_budget, "thread_time", Steps(0.0))
    monkeypatch.setattr(search_budget, "perf_counter", Steps(0.001))
    state, bot = do(begin(), "draw:U"), MCTS(1, "50s")
    bot.clock = Clock(bank=0.1, limit=0.1)
    bot.choose(state)
    assert 40 <= bot.iterations <= 50


@pytest.mark.parametrize(
    ("name", "searches"), [("mcts:12", 1), ("strong:12", 1), ("strong-1:12", 2)]
)
def test_a_turn_is_searched_once(name: str, searches: int) -> None:
    state, bot = do(begin(), "draw:V"), by_name(name, 1)
    playouts = 0
    while state.current_player == 0:
        state.apply(state.check(bot.choose(state.copy())))
        playouts += bot.iterations  # type: ignore[attr-defined]
    assert playouts == 12 * searches


def test_it_searches_again_if_the_turn_went_another_way() -> None:
    state, bot = do(begin(), "draw:V"), MCTS(1, "12")
    chosen = bot.choose(state)
    state.apply(next(action for action in state.legal_actions() if action != chosen))
    state.check(bot.choose(state))
    assert bot.iterations == 12


def test_what_it_is_given_stays_as_it_was() -> None:
    state = do(begin("base+ghosts"), "draw:U")
    before = state.to_dict()
    MCTS(1, "8").choose(state)
    assert state.to_dict() == before


def test_equal_shares_and_the_better_half_goes_on() -> None:
    state, bot = do(begin(), "draw:U"), MCTS(1, "240")
    bot.max_lines, bot.turns = 12, 1
    bot.choose(state)
    visits = sorted((line.visits for line in bot.tried), reverse=True)
    assert len(visits) == 12
    assert sum(visits) == 240
    assert visits[6:] == [5] * 6  # 60 of 240 for 12; then for 6, for 3, for 2
    assert visits[3:6] == [15] * 3
    assert visits[2] == 35
    assert sum(visits[:2]) == 130


def test_every_line_meets_the_same_luck() -> None:
    state = do(begin(), "draw:U")
    playouts = small_playouts(state, turns=3, prior_weight=1.0)
    line = playouts.start(state, 7)[0]
    twin = Line(line.actions, line.after, line.prior, 1.0)
    for _ in range(4):
        playouts.play(line)
    for _ in range(4):
        playouts.play(twin)
    assert line.mean() == twin.mean()
    playouts.reseed(8)
    other = Line(line.actions, line.after, line.prior, 1.0)
    for _ in range(4):
        playouts.play(other)
    assert other.mean() != line.mean()


def test_the_next_playout_of_a_line_meets_other_luck() -> None:
    state = do(begin(), "draw:U")
    playouts = small_playouts(state, turns=1, prior_weight=0.0)
    line = playouts.start(state, 7)[0]
    brought = []
    for _ in range(6):
        before = line.total
        playouts.play(line)
        brought.append(round(line.total - before, 9))
    assert len(set(brought)) > 3


def test_luck_spread_evenly_brings_each_tile_as_often_as_the_bag_holds_it() -> None:
    state = begin()
    came = Counter(outcome_at(state, (n + 0.5) / state.tiles_left) for n in range(state.tiles_left))
    assert {str(draw): times for draw, times in came.items()} == {
        str(draw): round(chance * state.tiles_left) for draw, chance in state.chance_outcomes()
    }


def test_what_a_line_promises_counts_as_some_playouts() -> None:
    line = Line([], begin(), prior=0.4, prior_weight=8.0)
    assert line.mean() == pytest.approx(0.4)
    line.total, line.visits = 1.8, 2
    assert line.mean() == pytest.approx(0.5)


def test_playouts_leave_out_what_looked_worse_but_not_beside_what_was_laid() -> None:
    state = do(begin(), "draw:U")
    playouts = small_playouts(state, turns=3, prior_weight=1.0)
    playouts.start(state, 7)
    state.apply(state.rules.parse("place:1,0,1"))
    do(state, "pass draw:V")
    legal = state.legal_actions()
    placements = [each for each in legal if isinstance(each, Place)]
    (worse,) = (each for each in placements if str(each) == "place:-1,0,2")
    (beside,) = (each for each in placements if str(each) == "place:2,0,0")
    few = playouts._narrow(
        state, legal, vec[i64]([each.cell * 4 + each.rotation for each in (worse, beside)])
    )
    assert set(map(str, few)) == set(map(str, legal)) - {str(worse)}


def test_what_one_playout_blocks_is_tried_in_the_next() -> None:
    """Where nothing is left out, a playout ends as it does if none came before it."""
    state = before_draw("base", 2, 20, 1)
    many, fresh = (
        Playouts(
            Lookahead(state.rules, best_evaluation(state.rules)),
            width=2,
            max_lines=2,
            turns=8,
            max_placements=1000,
            prior_weight=1.0,
        )
        for _ in range(2)
    )
    many.begin(state, 3)
    for index in range(6):
        fresh.begin(state, 3)
        end = fresh.end_of_playout(state, index)
        assert many.end_of_playout(state, index).key() == end.key()


def test_where_every_line_begins_alike_nothing_is_tried() -> None:
    """A city on four sides fits in one place, however turned; claims are decided when it lies."""
    state, bot = do(begin(), "draw:C"), MCTS(1, "12")
    state.check(bot.choose(state))
    assert bot.iterations == 0


@pytest.mark.parametrize(("to_draw", "budgets"), [(0, 0.5), (1, 0.5), (2, 3.0), (3, 3.0)])
def test_an_end_with_several_tiles_to_draw_may_take_more_than_a_budget(
    to_draw: int, budgets: float
) -> None:
    state = do(Rules.from_spec("base", 2).start(), "draw:E")
    state.tiles_left = to_draw
    asked: list[tuple[float, int]] = []

    class Unsolved:
        rules = state.rules

        def solve(self, state: State, seconds: float, nodes: int) -> None:
            asked.append((seconds, nodes))

    for nodes, seconds in ((0, 0.2), (1000, 0.0)):
        ends = EndSolver(nodes, seconds, 3)
        ends._endgame = Unsolved()  # type: ignore[assignment]
        assert ends.best_action(state, SearchTimer(1.0), None) is None
        assert asked.pop() == pytest.approx((seconds * budgets, nodes * budgets))
        if seconds:  # and at most a quarter of what the clock allows
            ends.best_action(state, SearchTimer(1.0), Clock(bank=9.0, limit=0.1))
            assert asked.pop() == pytest.approx((0.025, 0))


def test_after_an_end_it_cannot_solve_a_bot_still_searches_for_its_whole_time() -> None:
    state = do(Rules.from_spec("base", 2).start(), "draw:E")
    state.tiles_left = 3

    class Unsolved:
        rules = state.rules

        def solve(self, state: State, seconds: float, nodes: int) -> None:
            end = thread_time() + seconds
            while thread_time() < end:
                pass

    bot = Strong(1, "0.05s")
    bot._ends._endgame = Unsolved()  # type: ignore[assignment]
    bot.choose(state)
    assert bot.iterations > 1


def test_a_search_goes_by_what_was_learned_except_for_teams_and_the_yardstick() -> None:
    def evaluation(bot: MCTS, spec: str) -> type[Evaluation]:
        return type(bot._playouts_of(Rules.from_spec(spec, 2)).lookahead.evaluation)

    assert evaluation(Strong(1, "1"), "base+ghosts") is LearnedEvaluation
    assert evaluation(Strong(1, "1"), "mists:1") is Evaluation
    assert evaluation(Strong1(1, "1"), "base+ghosts") is Evaluation


@pytest.mark.parametrize(
    ("team", "hopeful"), [(True, True), (True, False), (False, True), (False, False)]
)
def test_points_say_nothing_of_a_teams_chances_where_its_expansion_does(team, hopeful) -> None:
    class Hope(Estimates):
        def win_chances(self, state: State, chances: list[float]) -> list[float]:
            return list(chances)

    class Crew(Expansion[ExpansionState]):
        TEAM = team

        def estimates(self) -> Estimates:
            return Hope() if hopeful else Estimates()

    rules = Rules([Crew()], 2, "base+crew")
    state = do(rules.start(), "draw:U place:1,0,1 claim:0,meeple draw:U")
    values = Lookahead(rules, Evaluation(rules)).values(state)
    assert (values == [0.5, 0.5]) is (team and hopeful)
