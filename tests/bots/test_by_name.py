"""Bots by their names: what a name may say, and that each is a value between decisions."""

import copy
import pickle
from math import sqrt

import pytest
from support.modes import thinned
from support.notation import do

from carc import CHANCE, Rules, State
from carc.base.evaluation.learned_weights import best_evaluation
from carc.bots import SHIPPED, by_name
from carc.bots.lookahead import Lookahead
from carc.errors import BadBot


def begin(spec: str = "base", players: int = 2) -> State:
    return Rules.from_spec(spec, players).start()


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mcts:soon", "'soon' is not a search budget"),
        ("mcts:0", "'0' is not a search budget"),
        ("mcts:0s", "'0s' is not a search budget"),
        ("strong:-1s", "'-1s' is not a search budget"),
        ("strong:jobs=0", "'jobs=0' does not give a number of processes"),
        ("strong:1sjobs=2", "'1sjobs=2' does not give a number of processes"),
        ("greedy:2", "'2' is not a temperature"),
        ("greedy:nan", "'nan' is not a temperature"),
        ("greedy:overlook=", "'overlook=' gives no probability"),
        ("greedy:overlook=0", "'overlook=0' gives no probability"),
        ("greedy:overlook=1.5", "'overlook=1.5' gives no probability"),
        ("greedy:overlook=nan", "'overlook=nan' gives no probability"),
        ("mcst", "greedy"),
    ],
)
def test_a_wrong_name_is_answered_in_a_sentence(spec: str, said: str) -> None:
    with pytest.raises(BadBot) as told:
        by_name(spec)
    assert said in str(told.value)
    assert "\n" not in str(told.value)


def test_all_that_is_shipped_can_be_made() -> None:
    for name in [
        *SHIPPED,
        "mcts:10",
        "mcts:0.05s",
        "strong:2s",
        "strong:jobs=2",
        "strong:0.5s:jobs=3",
        "greedy:0.1",
        "greedy:overlook=0.3",
        "greedy-1:overlook=1",
        "people:1",
        "people:overlook=0.3",
    ]:
        assert callable(by_name(name, 1).choose)


def test_with_a_temperature_worse_actions_are_chosen_at_times() -> None:
    state = do(begin(), "draw:G place:0,-1,0 claim:0,meeple draw:U place:1,0,1 pass draw:E")
    chosen = {str(by_name("greedy:1", seed).choose(state)) for seed in range(20)}
    assert len(chosen) > 3


def test_an_action_is_overlooked_with_the_probability_given() -> None:
    """Then the best of the others is chosen. Whether one of equal actions is chosen depends on how
    many they are, and how many are better. The bounds are four standard deviations away.
    """
    state = do(begin(), "draw:G place:0,-1,0 claim:0,meeple draw:U place:1,0,1 pass draw:E")
    values = Lookahead(state.rules, best_evaluation(state.rules)).action_values(state)
    worth = {str(each.action): each.values[state.current_player] for each in values}
    chosen = [str(by_name("greedy:overlook=0.4", seed).choose(state)) for seed in range(300)]
    for value in sorted(worth.values())[-2:]:
        equal = sum(each == value for each in worth.values())
        better = sum(each > value for each in worth.values())
        chance = 0.4**better * (1 - 0.4**equal)
        times = sum(worth[action] == value for action in chosen)
        assert abs(times - 300 * chance) < 4 * sqrt(300 * chance * (1 - chance))


def test_a_bot_that_overlooks_everything_takes_any_action() -> None:
    state = do(begin(), "draw:G place:0,-1,0 claim:0,meeple draw:U place:1,0,1 pass draw:E")
    chosen = {str(by_name("greedy:overlook=1", seed).choose(state)) for seed in range(60)}
    assert len(chosen) > 10


@pytest.mark.parametrize(
    ("name", "spec"),
    thinned(
        [
            *((name, "base") for name in ("random", "greedy:0.1", "expectimax:1", "mcts:9")),
            *((name, "base") for name in ("uct:9", "greedy:overlook=0.5", "people:0.5")),
            ("mcts-rave:9", "base"),
            ("careful", "mists:2"),
            ("team-mcts:2", "mists:2"),
        ],
        3,
    ),
)
def test_a_bot_is_copied_and_pickled_between_decisions(name: str, spec: str) -> None:
    """Each goes its own way from there: asked in turn they decide as one alone."""
    bot = by_name(name, seed=3)
    state, deal = begin(spec), Rules.cached(spec, 2).deal(4)
    for _ in range(12):
        state.apply(deal.choose(state) if state.current_player == CHANCE else bot.choose(state))
    while state.current_player == CHANCE or state.count_actions() < 2:
        state.apply(deal.choose(state) if state.current_player == CHANCE else bot.choose(state))
    bots = [bot, copy.deepcopy(bot), pickle.loads(pickle.dumps(bot))]
    told = [[str(one.choose(state)) for one in bots] for _ in range(4)]
    assert all(len(set(each)) == 1 for each in told)
