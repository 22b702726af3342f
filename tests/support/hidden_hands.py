"""Positions of games with `Hands`, and what can be reached from them."""

import random
from collections.abc import Iterator

from carc import CHANCE, Action, Rules, State
from carc.base.position.instance_attributes import attributes
from carc.testing import _dealt_otherwise
from support.hands import HandsState

SPEC = "base+hands"
dealt_otherwise = _dealt_otherwise


def held(state: State) -> list[list[int]]:
    (own,) = state.expansion_states
    assert isinstance(own, HandsState)
    return own.tiles


def late(tiles: int = 6) -> State:
    """A position near the end of a random game, at the beginning of the first player's turn."""
    state = Rules.cached(SPEC).start()
    rng, deal = random.Random(3), state.rules.deal(3)
    while state.tiles_left > tiles or state.step.name != "choose" or state.current_player:
        legal = state.legal_actions()
        state.apply(deal.choose(state) if state.current_player == CHANCE else rng.choice(legal))
    return state


def decisions(seed: int = 5, every: int = 1) -> Iterator[State]:
    """The decisions of a random game."""
    state = Rules.cached(SPEC).start()
    rng, n = random.Random(seed), 0
    while not state.is_terminal:
        n += 1
        if n % every == 0:
            yield state.copy()
        state.apply(rng.choice(state.legal_actions()))


def everything(thing: object, known: dict[int, int] | None = None) -> object:
    """All that can be reached from a thing by attributes and items, as text; rules are one word."""
    known = {} if known is None else known
    if thing is None or isinstance(thing, bool | int | float | str | bytes | type):
        return repr(thing)
    if isinstance(thing, Rules):
        return "rules"
    if id(thing) in known:
        return f"as {known[id(thing)]}"
    known[id(thing)] = len(known)
    if isinstance(thing, dict):
        return [[everything(k, known), everything(v, known)] for k, v in thing.items()]
    if isinstance(thing, list | tuple | set | frozenset) or type(thing).__name__ == "vec":
        return [everything(item, known) for item in thing]  # type: ignore[attr-defined]
    inside = {name: everything(value, known) for name, value in attributes(thing).items()}
    return [type(thing).__name__, inside]


def noted(state: State) -> list[object]:
    """All that a state gives away."""
    return [everything(state), state.to_text(), repr(state.to_dict())]


class Watcher:
    """A bot that notes all it is given."""

    def __init__(self) -> None:
        self.given: list[object] = []

    def choose(self, state: State) -> Action:
        self.given.append(noted(state))
        return state.legal_actions()[0]
