"""Many games stepped together: each as it would be played alone, and the arrays say where it is."""

import copy
import multiprocessing
import random
from collections.abc import Iterator

import numpy as np
import pytest

from carc import CHANCE, Rules
from carc.base.game.chance import Lot
from carc.errors import BadRules, CarcError, IllegalAction
from carc.learn.observation import action_mask, observation
from carc.learn.vector import VectorEnv


@pytest.mark.parametrize(("spec", "players"), [("base", 2), ("base+ghosts", 3), ("mists:2", 2)])
def test_each_game_is_the_one_that_would_be_played_alone(spec: str, players: int) -> None:
    vector = VectorEnv(spec, 3, players=players, seed=5)
    rules = vector.rules
    alone = [rules.start() for _ in range(3)]
    lots = [Lot(rules) for _ in range(3)]
    rngs = [random.Random(f"5 {game}") for game in range(3)]
    finished = [0, 0, 0]
    while min(finished) < 2:
        for game, state in enumerate(alone):
            while state.current_player == CHANCE:
                state.apply(lots[game].choose(state, rngs[game].random()))
            assert vector.state(game) == state
            assert vector.players[game] == state.current_player
            assert (vector.action_masks[game] == action_mask(state)).all()
        codes = vector.sample_actions()
        for game, state in enumerate(alone):
            state.apply(vector.encoding.action(state, int(codes[game])))
        vector.step(codes)
        for game, state in enumerate(alone):
            while state.current_player == CHANCE:
                state.apply(lots[game].choose(state, rngs[game].random()))
            assert vector.ended[game] == state.is_terminal
            if state.is_terminal:
                assert vector.returns[game].tolist() == state.returns()
                assert vector.scores[game].tolist() == state.scores
                finished[game] += 1
                alone[game] = rules.start()
    assert vector.games_played == sum(finished)


def test_what_the_players_see_has_the_games_first() -> None:
    vector = VectorEnv("base", 4, seed=1)
    for _ in range(30):
        vector.step(vector.sample_actions())
    into = vector.observe()
    for game in range(4):
        alone = observation(vector.state(game), int(vector.players[game]))
        assert (into["board"][game] == alone["board"]).all()
        assert (into["numbers"][game] == alone["numbers"]).all()
    vector.step(vector.sample_actions())
    assert vector.observe(into) is into
    assert (into["board"][2] == observation(vector.state(2), int(vector.players[2]))["board"]).all()


def test_the_seed_decides_the_games() -> None:
    first, same, other = (VectorEnv("base", 2, seed=seed) for seed in (1, 1, 2))
    states = [[one.state(game) for game in range(2)] for one in (first, same, other)]
    assert states[0] == states[1] != states[2]
    other.reset()  # as they began
    assert [other.state(game) for game in range(2)] == states[2]
    other.reset(np.int64(1))  # type: ignore[arg-type]
    assert [other.state(game) for game in range(2)] == states[0]
    other.step(other.sample_actions())
    other.reset()
    assert [other.state(game) for game in range(2)] == states[0]


def test_an_illegal_code_changes_no_game() -> None:
    vector = VectorEnv(Rules.from_spec("base", 3), 2)
    before = [vector.state(game) for game in range(2)]
    codes = vector.sample_actions()
    wrong = int(np.flatnonzero(vector.action_masks[1] == 0)[0])
    with pytest.raises(IllegalAction, match=f"game 1: no legal action has code {wrong}"):
        vector.step([int(codes[0]), wrong])
    assert [vector.state(game) for game in range(2)] == before
    for given in ([0], [0, 1, 2], [1.5, 2.5], np.zeros((2, 1), int)):
        with pytest.raises(CarcError, match="step takes 2 ints, a code for each game, not"):
            vector.step(given)  # type: ignore[arg-type]
    with pytest.raises(CarcError, match=r"'board' .* it is uint8 of shape \(2, 1\)"):
        vector.observe({"board": np.zeros((2, 1), np.uint8), "numbers": np.zeros(1, np.int32)})
    with pytest.raises(CarcError, match="not 0"):
        VectorEnv("base", 0)
    with pytest.raises(CarcError, match="num_envs is from 1 to 1000000"):
        VectorEnv("base", 10**30)
    with pytest.raises(CarcError, match=r"the number of games is a whole number, not 2\.5"):
        VectorEnv("base", 2.5)  # type: ignore[arg-type]
    with pytest.raises(CarcError, match="there is no game 2; games are 0 to 1"):
        vector.state(2)
    with pytest.raises(TypeError, match="make another with the same seed"):
        copy.deepcopy(vector)
    with pytest.raises(BadRules, match="base for 3 players, not 2"):
        VectorEnv(vector.rules, players=2)


@pytest.fixture
def three_jobs() -> Iterator[VectorEnv]:
    vector = VectorEnv("base+ghosts", 8, players=2, seed=3, jobs=3)
    yield vector
    vector.close()


def test_the_games_are_the_same_however_many_processes_play_them(three_jobs: VectorEnv) -> None:
    alone, shared = VectorEnv("base+ghosts", 8, players=2, seed=3), three_jobs
    while alone.games_played < 3:
        codes = alone.sample_actions()
        assert (shared.sample_actions() == codes).all()
        alone.step(codes)
        shared.step(codes)
        assert (alone.ended == shared.ended).all()
        assert (alone.players == shared.players).all()
    assert shared.games_played == alone.games_played
    assert (alone.action_masks == shared.action_masks).all()
    assert (alone.returns == shared.returns).all()
    assert (alone.scores == shared.scores).all()
    assert [alone.state(game) for game in range(8)] == [shared.state(game) for game in range(8)]
    planes, same = alone.observe(), shared.observe()
    assert (planes["board"] == same["board"]).all()
    assert (planes["numbers"] == same["numbers"]).all()
    tokens, others = alone.observe_tokens(), shared.observe_tokens()
    for game in range(8):
        for name, rows in tokens.of(game).items():
            assert (others.of(game)[name] == rows).all()
    assert (tokens.padded("actions")[0] == others.padded("actions")[0]).all()
    alone.reset(9)
    shared.reset(9)
    assert [alone.state(game) for game in range(8)] == [shared.state(game) for game in range(8)]
    assert (alone.sample_actions() == shared.sample_actions()).all()


def test_an_illegal_code_changes_no_game_in_any_process(three_jobs: VectorEnv) -> None:
    before = [three_jobs.state(game) for game in range(8)]
    codes = three_jobs.sample_actions()
    codes[7] = np.flatnonzero(three_jobs.action_masks[7] == 0)[0]
    with pytest.raises(IllegalAction, match=f"game 7: no legal action has code {codes[7]}"):
        three_jobs.step(codes)
    assert [three_jobs.state(game) for game in range(8)] == before
    three_jobs.step(three_jobs.sample_actions())


def test_a_process_that_ends_is_told_of(three_jobs: VectorEnv) -> None:
    (victim, *_) = [
        child for child in multiprocessing.active_children() if child.daemon and child.is_alive()
    ]
    victim.kill()
    victim.join()
    with pytest.raises(CarcError, match="a process that plays the games has ended"):
        three_jobs.step(np.zeros(8, np.int64))
    with pytest.raises(CarcError, match="this VectorEnv is closed: make another"):
        three_jobs.sample_actions()


def test_jobs_are_at_least_one() -> None:
    with pytest.raises(CarcError, match="jobs is at least 1, not 0"):
        VectorEnv("base", 4, jobs=0)
