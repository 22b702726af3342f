"""The network of the example inside `strong`: as prior of lines, as value of leaves."""

from typing import Any

import numpy as np
import pytest
from support.values import decisions

from carc import Rules
from carc.base.evaluation.learned_weights import best_evaluation
from carc.bots.lookahead import Lookahead

BASE = Rules.cached("base", 2)


def advised(example: Any, monkeypatch: pytest.MonkeyPatch, judge: Any, name: str) -> Any:
    monkeypatch.setattr(example.bot, "judge_of", lambda _: judge)
    settings = {"width": 12, "max_lines": 24, "turns": 2, "max_placements": 8, "prior_weight": 8.0}
    return getattr(example.bot, name)(Lookahead(BASE, best_evaluation(BASE)), **settings)


@pytest.mark.parametrize("name", ["PriorByNetwork", "BothByNetwork"])
def test_in_a_search_lines_begin_better_where_the_network_finds_their_first_action_better(
    example: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    state = decisions(30)[20]
    gains = np.zeros(state.count_actions())
    said = example.search.Judged(gains, gains, gains, 0, gains)
    playouts = advised(example, monkeypatch, lambda _: [said], name)
    plain = {str(line.actions): line.prior for line in playouts.start(state, 1)}
    liked = playouts.start(state, 1)[-1].actions[0]
    gains[[str(each) for each in state.legal_actions()].index(str(liked))] = 50  # of 1 in 100
    found = playouts.start(state, 1)
    assert found[0].actions[0] == liked
    assert [line.prior for line in found] == sorted((line.prior for line in found), reverse=True)
    for line in found:
        more = 0.5 if line.actions[0] == liked else 0
        assert line.prior == pytest.approx(plain[str(line.actions)] + more)


def test_in_a_search_the_network_says_who_wins_where_a_playout_ends(
    example: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, gains = [], np.zeros(1)

    def judge(states: Any) -> list[Any]:
        asked.extend(states)
        return [example.search.Judged(gains, gains, np.array([0.2, 0.7]), 0, gains)]

    playouts = advised(example, monkeypatch, judge, "LeafByNetwork")
    state = decisions(30)[20]
    (line, *_) = playouts.start(state, 1)
    for _ in range(3):
        playouts.play(line)
    assert line.visits == 3
    assert line.total == pytest.approx(3 * [0.2, 0.7][state.current_player])
    assert {end.tiles_left for end in asked} == {state.tiles_left - 3}  # two turns, and a tile
    assert all(end.current_player >= 0 for end in asked)
    assert len({end.tile_in_hand for end in asked}) > 1


def test_in_a_search_the_winner_counts_where_a_playout_ends_the_game(
    example: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    playouts = advised(example, monkeypatch, None, "LeafByNetwork")
    state = next(state for state in decisions(93) if state.tiles_left == 2)
    (line, *_) = playouts.start(state, 1)
    playouts.play(line)
    assert line.total in {0, 0.5, 1}
