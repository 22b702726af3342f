"""PettingZoo's own tests of its environments, on ours; and what an agent sees and gets."""

import copy
import itertools
import pickle
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

import carc.learn.pettingzoo
from carc import Rules
from carc.errors import BadRules, CarcError, IllegalAction, NoGame

# It would rather have one plain array, and recommends much besides.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.mark.parametrize(
    ("rules", "players"), [("base", 2), ("base+ghosts", 3), ("mists:3", 2), ("mists:1", 1)]
)
def test_it_passes_the_api_test(rules: str, players: int) -> None:
    api_test(carc.learn.pettingzoo.env(rules, players), num_cycles=80)


def test_it_passes_the_api_test_with_tokens() -> None:
    api_test(carc.learn.pettingzoo.env("base+ghosts", 2, tokens=True), num_cycles=40)


def test_it_passes_the_seed_test() -> None:
    seed_test(lambda: carc.learn.pettingzoo.env("base"), num_cycles=60)


def test_it_runs_through_the_performance_benchmark(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """For some rounds, instead of five seconds: its clock goes a second further at each look."""
    clock = SimpleNamespace(time=itertools.count().__next__)
    monkeypatch.setattr(sys.modules["pettingzoo.test.performance_benchmark"], "time", clock)
    performance_benchmark(carc.learn.pettingzoo.env("base"))
    assert "turns per second" in capsys.readouterr().out


def test_a_game_is_played_to_its_end_and_pays_what_it_returns() -> None:
    env = carc.learn.pettingzoo.env("base", size=9, render_mode="ansi")
    env.reset(seed=3)
    rng = np.random.default_rng(1)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        paid[agent] += reward
        legal = np.flatnonzero(seen["action_mask"])
        if over:
            assert len(legal) == 0
            env.step(None)
            continue
        assert not cut
        assert env.game_state.current_player == env.possible_agents.index(agent)
        assert len(legal) == len(env.game_state.legal_actions())
        env.step(rng.choice(legal))
    assert env.agents == []
    assert list(paid.values()) == env.game_state.returns()
    assert env.game_state.is_terminal
    assert "the game is over" in str(env.render())


def test_a_game_begins_from_a_position_and_an_illegal_action_changes_nothing() -> None:
    env = carc.learn.pettingzoo.env("base+ghosts")
    state = Rules.cached("base+ghosts", 2).start()
    state.apply(state.rules.parse("draw:V"))
    env.reset(seed=1, options={"position": state.to_text()})
    assert env.game_state == state
    with pytest.raises(IllegalAction, match="code 0"):
        env.step(0)
    assert env.game_state == state
    with pytest.warns(UserWarning, match="unknown option 'place'; the only option is 'position'"):
        env.reset(options={"place": "here"})


def test_what_is_asked_amiss_is_refused_in_a_sentence() -> None:
    with pytest.raises(CarcError, match="'human'"):
        carc.learn.pettingzoo.env(render_mode="human")
    with pytest.raises(BadRules, match="base for 2 players, not 4"):
        carc.learn.pettingzoo.env(Rules.cached("base", 2), players=4)
    env = carc.learn.pettingzoo.env(size=9)
    assert env.agents == []
    for ask in (env.last, lambda: env.step(0), lambda: env.observe("player_0")):
        with pytest.raises(NoGame, match=r"before the first game: call reset\(\) first"):
            ask()
    for name in ("game_state", "agent_selection", "rewards", "terminations"):
        assert not hasattr(env, name)
        with pytest.raises(NoGame, match=f"there is no {name}"):
            getattr(env, name)
    env.reset(seed=np.int64(3))  # type: ignore[arg-type]
    legal = int(np.flatnonzero(env.last()[0]["action_mask"])[0])
    before = env.game_state.copy()
    for wrong in (legal + 0.5, str(legal), None):
        with pytest.raises(CarcError, match="an action's code is a whole number, not"):
            env.step(wrong)
    for of in (env.observe, env.action_space, env.observation_space):
        with pytest.raises(CarcError, match="no agent 'me'; agents are player_0, player_1"):
            of("me")
    assert env.game_state == before
    for _ in env.agent_iter():
        seen, _, over, _, _ = env.last()
        env.step(None if over else np.flatnonzero(seen["action_mask"])[0])
    for ask in (env.last, lambda: env.step(legal)):
        with pytest.raises(IllegalAction, match=r"the game is over: reset\(\) starts the next"):
            ask()


def test_a_copy_in_the_middle_of_a_game_goes_on_as_the_game_does() -> None:
    env = carc.learn.pettingzoo.env("base+flier", size=9)  # which throws a die besides
    env.reset(seed=4)
    for again in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        one = copy.deepcopy(env)
        for _ in range(60):
            for each in (one, again):
                each.step(np.flatnonzero(each.last()[0]["action_mask"])[-1])
        assert again.game_state == one.game_state != env.game_state
