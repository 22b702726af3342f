"""`team-mcts`: plays every level as its rules want it, and sees what wins at once."""

from __future__ import annotations

import random

import pytest

from carc import CHANCE, Rules
from carc.bots.team import TeamJudge, TeamMCTS
from carc.errors import BadBot


@pytest.mark.parametrize("level", [1, 3, 5, 6])
def test_it_plays_every_level(level: int) -> None:
    state = Rules.named(f"mists:{level}", 2).start()
    luck, bot = random.Random(1), TeamMCTS(1, "3")
    decisions = 0
    while decisions < 5 and not state.is_terminal:
        if state.current_player == CHANCE:
            state.apply(state.random_action(luck))
        else:
            before = state.to_dict()
            action = bot.choose(state)
            assert state.to_dict() == before
            state.apply(state.check(action))
            decisions += 1
    assert bot.iterations in (0, 3)


def test_a_game_won_is_worth_most_and_one_lost_nothing_to_all() -> None:
    rules = Rules.named("mists:1", 3)
    found = set()
    for seed in range(6):
        state, luck = rules.start(), random.Random(seed)
        judge = TeamJudge(rules)
        judge.begin(state)
        assert all(0.0 < value < 1.0 for value in judge.values(state))
        while not state.is_terminal:
            state.apply(state.random_action(luck))
        won = float(len(state.winners) == 3)
        assert judge.values(state) == [won] * 3
        found.add(won)
    assert 0.0 in found


def test_it_plays_no_other_game() -> None:
    state = Rules.named("base", 2).start()
    state.apply(state.random_action(random.Random(1)))
    with pytest.raises(BadBot, match="team-mcts plays mists:1 to mists:6 only"):
        while True:
            state.apply(TeamMCTS(1, "2").choose(state))
            state.apply(state.random_action(random.Random(1)))
