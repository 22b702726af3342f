"""Gymnasium's own check of environments, on ours; and a seat against bots."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from support.notation import do, start

from carc import Rules
from carc.bots import by_name
from carc.bots.random import Random
from carc.errors import BadPosition, CarcError, IllegalAction, NoGame
from carc.learn.gymnasium import CarcassonneEnv


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("rules", "tokens"), [("base", False), ("mists:1", False), ("base", True)])
def test_it_passes_the_check(rules: str, tokens: bool) -> None:
    check_env(
        CarcassonneEnv(rules, "random", size=9, render_mode="ansi", illegal="loses", tokens=tokens)
    )


def test_where_an_illegal_action_loses_the_game_is_over_for_the_learner() -> None:
    env = CarcassonneEnv("base", illegal="loses", size=9)
    env.reset(seed=1)
    wrong = int(np.flatnonzero(~env.action_masks())[0])
    _, reward, over, cut, info = env.step(wrong)
    assert (reward, over, cut) == (-1.0, True, False)
    assert f"code {wrong}" in info["illegal"]
    assert not env.action_masks().any()
    with pytest.raises(IllegalAction, match=r"reset\(\) starts the next"):
        env.step(wrong)
    env.reset()
    _, reward, over, _, _ = env.step(np.flatnonzero(env.action_masks())[0])
    assert (reward, over) == (0.0, False)


@pytest.mark.parametrize("seat", [0, 2])
def test_the_learner_has_its_seat_and_bots_the_others(seat: int) -> None:
    env = CarcassonneEnv(
        "base", [lambda seed: by_name("greedy", seed)], players=3, seat=seat, size=15
    )
    seen, info = env.reset(seed=4)
    over = False
    rng = np.random.default_rng(2)
    reward = 0.0
    while not over:
        assert env.game_state.current_player == seat == info["seat"]
        assert (seen["action_mask"] == env.action_masks()).all()
        assert reward == 0.0
        seen, reward, over, cut, info = env.step(rng.choice(np.flatnonzero(env.action_masks())))
        assert not cut
    assert reward == env.game_state.returns()[seat]
    assert info["scores"] == env.game_state.scores
    assert (
        max(env.game_state.scores[p] for p in range(3) if p != seat) > env.game_state.scores[seat]
    )


def test_the_seed_decides_seat_deal_and_bots() -> None:
    def begun(seed: int) -> list[str]:
        env = CarcassonneEnv("base", [lambda seed: by_name("random", seed)])
        found = []
        env.reset(seed=seed)
        for _ in range(3):
            found.append(env.game_state.to_text())
            env.reset()
        return found

    assert begun(1) == begun(1) != begun(2)
    assert len({*begun(1)}) > 1


def test_opponents_are_named_or_made_one_for_all_or_one_each() -> None:
    class Counted(Random):
        made = 0

        def __init__(self, seed: int = 0) -> None:
            super().__init__(seed)
            Counted.made += 1

    ways: list[Any] = [Counted, [Counted], [Counted, "random"], lambda seed: Counted(seed + 1)]
    for opponents in ways:
        Counted.made = 0
        CarcassonneEnv("base", opponents, players=3, size=9).reset(seed=1)
        assert Counted.made == (1 if opponents == [Counted, "random"] else 2)
    env = CarcassonneEnv("base", ["greedy"], seat=0)
    other = CarcassonneEnv("base", seat=0)  # greedy as a rule
    for one in (env, other):
        one.reset(seed=3)
        while not one.game_state.is_terminal:
            one.step(np.flatnonzero(one.action_masks())[0])
    assert env.game_state == other.game_state


def test_a_game_begins_from_a_position() -> None:
    env = CarcassonneEnv("base", "random", seat=1, size=9)
    state = do(start(), "draw:E place:0,-1,2 claim:0,meeple draw:V")
    env.reset(seed=1, options={"position": state.to_text()})
    assert env.game_state == state
    with pytest.raises(BadPosition, match="16 fields"):
        env.reset(options={"position": "here"})
    while not state.is_terminal:
        state.apply(state.legal_actions()[0])
    with pytest.raises(CarcError, match="the game of this position is over"):
        env.reset(options={"position": state.to_text()})
    late = Rules.from_spec("base").start()
    while late.tiles_left or late.current_player != 1:  # nobody but player 1 decides any more
        late.apply(late.legal_actions()[0])
        assert not late.is_terminal
    with pytest.raises(CarcError, match=r"ends before the learner, in seat 0, is to decide"):
        CarcassonneEnv("base", "random", seat=0).reset(options={"position": late.to_text()})
    with pytest.raises(CarcError, match=r"options is a mapping, such as .*, not 3"):
        env.reset(options=3)  # type: ignore[arg-type]
    with pytest.warns(UserWarning, match="unknown option 'place'; the only option is 'position'"):
        env.reset(options={"place": state.to_text()})


def test_a_copy_in_the_middle_of_a_game_goes_on_as_the_game_does() -> None:
    env = CarcassonneEnv("base", "greedy", size=15)
    env.reset(seed=2)
    for _ in range(5):
        env.step(np.flatnonzero(env.action_masks())[0])
    for again in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        one = copy.deepcopy(env)
        for each in (one, again):
            for _ in range(5):
                each.step(np.flatnonzero(each.action_masks())[-1])
        assert again.game_state == one.game_state != env.game_state


def test_wrong_opponents_and_actions_are_refused_in_a_sentence() -> None:
    amiss: list[tuple[dict[str, Any], str]] = [
        ({"opponents": []}, "one for each of the 2, not 0"),
        ({"opponents": ["random"] * 3}, "one for each of the 2, not 3"),
        ({"opponents": "nobody"}, "unknown bot 'nobody'"),
        ({"opponents": Random(1)}, "a bot's name, its class or a function .* not <.*Random"),
        ({"opponents": [7]}, "a bot's name, its class or a function .* not 7"),
        ({"opponents": dict}, "the class dict has no method choose"),
        ({"opponents": lambda seed: None}, "made None, which has no method choose"),
        ({"seat": 3}, "no seat 3; seats are 0 to 2"),
        ({"seat": "x"}, "a seat is a whole number, not 'x'"),
        ({"render_mode": "human"}, "render_mode is 'ansi' or None, not 'human'"),
        ({"illegal": "cheats"}, "'raises' or 'loses', not 'cheats'"),
        ({"rules": Rules.cached("base", 2)}, "base for 2 players, not 3"),
        ({"rules": None}, "a spec, a text such as 'base', not None"),
        ({"players": "3"}, "the number of players is a whole number, not '3'"),
    ]
    for given, says in amiss:
        with pytest.raises(CarcError, match=says):
            CarcassonneEnv(
                **{"rules": "base", "opponents": "random", "players": 3, "size": 9, **given}
            ).reset()
    env = CarcassonneEnv("mists:1", players=1)
    with pytest.raises(
        NoGame, match=r"there is no game_state before the first game: call reset\(\) first"
    ):
        env.step(0)
    with pytest.raises(NoGame):
        env.action_masks()
    env.reset(seed=np.int64(1))  # type: ignore[arg-type]
    before = env.game_state.copy()
    with pytest.raises(IllegalAction):
        env.step(int(np.flatnonzero(~env.action_masks())[0]))
    legal = int(np.flatnonzero(env.action_masks())[0])
    for wrong in (legal + 0.0, str(legal), None, np.array([legal, legal])):
        with pytest.raises(CarcError, match="an action's code is a whole number, not"):
            env.step(wrong)
    for beyond in (-1, env.encoding.num_actions, 10**30):
        with pytest.raises(IllegalAction, match=f"no action has code {beyond}: codes are 0 to"):
            env.step(beyond)
    assert env.game_state == before
    over = False
    while not over:
        _, _, over, _, _ = env.step(np.flatnonzero(env.action_masks())[0])
    with pytest.raises(IllegalAction, match=r"the game is over: reset\(\) starts the next"):
        env.step(legal)
