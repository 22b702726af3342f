"""States compared by what is seen of them and by how play goes on from them."""

import random
from collections.abc import Iterator
from typing import Any

from carc import CHANCE, Rules, State
from support.notation import do, start


def play_on(states: list[State], seed: int) -> None:
    """The same random actions on each: all go on alike."""
    rng = random.Random(seed)
    while not states[0].is_terminal:
        legal = states[0].legal_actions()
        assert all(state.legal_actions() == legal for state in states)
        action = rng.choice(legal)
        for state in states:
            state.apply(state.check(action))
    shown = [seen(state) for state in states]
    assert all(one == shown[0] for one in shown)


def seen(state: State) -> dict[str, Any]:
    """What is seen of a state, whatever the order in which its tiles came."""
    data = state.to_dict()
    del data["engine"]
    data["tiles"].sort(key=lambda tile: (tile["y"], tile["x"]))
    data["discarded"].sort()
    # At the end, in the order of features' numbers.
    data.get("carnival", {}).get("scored", []).sort()
    return data


def in_play(spec: str, players: int, seed: int) -> Iterator[State]:
    """The one state of a random game, before each action."""
    state, rng = Rules.cached(spec, players).start(), random.Random(seed)
    while not state.is_terminal:
        yield state
        state.apply(rng.choice(state.legal_actions()))


def positions(rules: Rules, seed: int, every: int = 1) -> list[State]:
    """Positions of a random game, as copies."""
    rng = random.Random(seed)
    state = rules.start()
    found = []
    while not state.is_terminal:
        if rng.random() * every < 1:
            found.append(state.copy())
        state.apply(rng.choice(state.legal_actions()))
    return [*found, state]


def decisions(count: int, seed: int = 1) -> list[State]:
    """The first positions of a random base game in which a player decides, as copies."""
    rules = Rules.cached("base", 2)
    rng, state, deal = random.Random(seed), rules.start(), rules.deal(seed)
    found: list[State] = []
    while len(found) < count:
        if state.current_player == CHANCE:
            state.apply(deal.choose(state))
        else:
            found.append(state.copy())
            state.apply(rng.choice(state.legal_actions()))
    return found


def reached(*turns: str) -> State:
    """The position after these turns of the base game: TILE PLACE CLAIM."""
    return do(start(), " ".join(f"draw:{turn}" for turn in turns))
