"""Gymnasium's own check of environments, on ours; and a seat against bots."""

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from carc.bots import by_name
from carc.errors import CarcError, IllegalAction
from carc.gymnasium import Seat


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_it_passes_the_check() -> None:
    class Lenient(Seat):
        """Takes any action for one that is legal: the check steps at random, and knows no masks."""

        def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
            legal = np.flatnonzero(self.action_masks())
            return super().step(legal[action % len(legal)])

    env = Lenient("base", [lambda seed: by_name("random", seed)], size=9, render_mode="ansi")
    check_env(env, skip_render_check=True)


@pytest.mark.parametrize("seat", [0, 2])
def test_the_learner_has_its_seat_and_bots_the_others(seat: int) -> None:
    env = Seat("base", [lambda seed: by_name("greedy", seed)], players=3, seat=seat, size=15)
    seen, info = env.reset(seed=4)
    over = False
    rng = np.random.default_rng(2)
    reward = 0.0
    while not over:
        assert env.table.current_player == seat == info["seat"]
        assert (seen["action_mask"] == env.action_masks()).all()
        assert reward == 0.0
        seen, reward, over, cut, info = env.step(rng.choice(np.flatnonzero(env.action_masks())))
        assert not cut
    assert reward == env.table.returns()[seat]
    assert info["scores"] == env.table.scores
    assert max(env.table.scores[p] for p in range(3) if p != seat) > env.table.scores[seat]


def test_the_seed_decides_seat_deal_and_bots() -> None:
    def begun(seed: int) -> list[str]:
        env = Seat("base", [lambda seed: by_name("random", seed)])
        found = []
        env.reset(seed=seed)
        for _ in range(3):
            found.append(env.table.to_text())
            env.reset()
        return found

    assert begun(1) == begun(1) != begun(2)
    assert len({*begun(1)}) > 1


def test_wrong_opponents_and_actions_are_refused_in_a_sentence() -> None:
    with pytest.raises(CarcError, match="2 opponents are wanted"):
        Seat("base", players=3)
    with pytest.raises(CarcError, match="no seat 2: they are 0 to 1"):
        Seat("base", [lambda seed: by_name("random", seed)], seat=2)
    env = Seat("mists:1", players=1)
    env.reset(seed=1)
    before = env.table.copy()
    with pytest.raises(IllegalAction):
        env.step(int(np.flatnonzero(~env.action_masks())[0]))
    assert env.table == before
