"""Every shipped game as values, planes and codes: what holds for the base holds for all."""

import copy
import json
import pickle
import random

import numpy as np
import pytest
from support.fuzzed import CLASSICS
from support.modes import LONG_WHEN_INTERPRETED
from support.values import play_on, seen

from carc import CHANCE, Rules, State
from carc.base.game.playout import random_action
from carc.learn.observation import action_mask, encoding_for, observation

EVERY = [
    "base",
    *(f"base+{name}" for name in [*CLASSICS, "ghosts", "ghosts+spellcircles"]),
    *(f"mists:{level}+spellcircles" for level in range(1, 7)),
    "+".join(("base", *CLASSICS)),
    "+".join(("base", *CLASSICS, "ghosts", "spellcircles")),
]
# Interpreted, one in five: what the long ones show, others show in a tenth of the time.
CASES = [
    pytest.param(spec, marks=() if number % 5 == 0 and len(spec) < 99 else LONG_WHEN_INTERPRETED)
    for number, spec in enumerate(EVERY)
]


def at_random(spec: str, seed: int, wanted: int = 4, chance: bool = False) -> list[State]:
    """Positions of a random game, at decisions of players, or also of chance; the end too."""
    rng = random.Random(seed)
    state = Rules.cached(spec, 3).start()
    found = []
    while not state.is_terminal:
        if chance or state.current_player != CHANCE:
            found.append(state.copy())
        state.apply(random_action(state, rng))
    return [*rng.sample(found, wanted), state]


@pytest.mark.parametrize("spec", CASES)
def test_a_position_is_a_value(spec: str) -> None:
    for state in at_random(spec, 11, wanted=1, chance=True):
        data = json.loads(json.dumps(state.to_dict()))
        again = [
            State.from_dict(data),
            State.from_text(state.to_text()),
            pickle.loads(pickle.dumps(state)),
            copy.deepcopy(state),
        ]
        assert again[0].to_dict() == again[2].to_dict() == state.to_dict()
        for one in again:
            assert (one, one.key(), one.to_text()) == (state, state.key(), state.to_text())
            assert seen(one) == seen(state)
        assert len({state, *again}) == 1
        play_on([state.copy(), *again], 3)


@pytest.mark.parametrize("spec", CASES)
def test_a_position_is_seen_alike_however_it_came_about(spec: str) -> None:
    """Tiles laid in another order have other numbers within; the same planes, numbers and codes."""
    for state in at_random(spec, 13):
        of = encoding_for(state.rules)
        other = State.from_text(state.to_text())
        assert np.count_nonzero(action_mask(state)) == state.count_actions()
        assert (action_mask(other) == action_mask(state)).all()
        for player in range(3):
            one, same = observation(state, player), observation(other, player)
            assert one["board"].shape == (len(of.plane_names), of.size, of.size)
            assert not (one["board"] != same["board"]).any(axis=(1, 2)).any()
            assert (one["numbers"] == same["numbers"]).all()
        for action, code in zip(state.legal_actions(), of.legal_codes(state), strict=True):
            assert of.action(state, code) is action
