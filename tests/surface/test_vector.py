"""Many games stepped together: each is a game as it would be played alone, and the arrays say where
it is.
"""

import copy
import random

import numpy as np
import pytest

from carc import CHANCE, Rules
from carc.base.game.chance import Lot
from carc.errors import BadRules, CarcError, IllegalAction
from carc.learn.observation import mask, observation
from carc.learn.vector import Vector


@pytest.mark.parametrize(("spec", "players"), [("base", 2), ("base+ghosts", 3), ("mists:2", 2)])
def test_each_game_is_the_one_that_would_be_played_alone(spec: str, players: int) -> None:
    vector = Vector(spec, 3, players=players, seed=5)
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
            assert (vector.masks[game] == mask(state)).all()
        codes = vector.sample()
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
    assert vector.played == sum(finished)


def test_what_the_players_see_has_the_games_first() -> None:
    vector = Vector("base", 4, seed=1)
    for _ in range(30):
        vector.step(vector.sample())
    into = vector.observe()
    for game in range(4):
        alone = observation(vector.state(game), int(vector.players[game]))
        assert (into["board"][game] == alone["board"]).all()
        assert (into["numbers"][game] == alone["numbers"]).all()
    vector.step(vector.sample())
    assert vector.observe(into) is into
    assert (into["board"][2] == observation(vector.state(2), int(vector.players[2]))["board"]).all()


def test_the_seed_decides_the_games() -> None:
    first, same, other = (Vector("base", 2, seed=seed) for seed in (1, 1, 2))
    states = [[one.state(game) for game in range(2)] for one in (first, same, other)]
    assert states[0] == states[1] != states[2]
    other.reset()  # as they began
    assert [other.state(game) for game in range(2)] == states[2]
    other.reset(np.int64(1))  # type: ignore[arg-type]
    assert [other.state(game) for game in range(2)] == states[0]
    other.step(other.sample())
    other.reset()
    assert [other.state(game) for game in range(2)] == states[0]


def test_an_illegal_code_changes_no_game() -> None:
    vector = Vector(Rules.from_spec("base", 3), 2)
    before = [vector.state(game) for game in range(2)]
    codes = vector.sample()
    wrong = int(np.flatnonzero(vector.masks[1] == 0)[0])
    with pytest.raises(IllegalAction, match=f"game 1: no legal action has code {wrong}"):
        vector.step([int(codes[0]), wrong])
    assert [vector.state(game) for game in range(2)] == before
    for given in ([0], [0, 1, 2], [1.5, 2.5], np.zeros((2, 1), int)):
        with pytest.raises(CarcError, match="2 ints are wanted, a code for each game; given are"):
            vector.step(given)  # type: ignore[arg-type]
    with pytest.raises(CarcError, match=r"board .* given is one of uint8 of shape \(2, 1\)"):
        vector.observe({"board": np.zeros((2, 1), np.uint8), "numbers": np.zeros(1, np.int32)})
    with pytest.raises(CarcError, match="not 0"):
        Vector("base", 0)
    with pytest.raises(CarcError, match="1 to 1000000 games are stepped together"):
        Vector("base", 10**30)
    with pytest.raises(CarcError, match=r"the number of games is a whole number, not 2\.5"):
        Vector("base", 2.5)  # type: ignore[arg-type]
    with pytest.raises(CarcError, match="there is no game 2: they are 0 to 1"):
        vector.state(2)
    with pytest.raises(TypeError, match="its seed and the codes chosen make its games again"):
        copy.deepcopy(vector)
    with pytest.raises(BadRules, match="base for 3 players, not 2"):
        Vector(vector.rules, players=2)
