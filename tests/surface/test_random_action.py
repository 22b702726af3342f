"""A random action without the list of all: the same, as likely, as one chosen from the list; and what random play is made of."""

import random
from collections import Counter

import pytest

from carc import CHANCE, Rules, State, playout
from carc.base.actions import PASS, Draw
from carc.errors import IllegalAction

SPECS = ["base", "base+ghosts", "mists:1"]


class At(random.Random):
    """A generator whose next number is known."""

    def __init__(self, where: float) -> None:
        super().__init__(0)
        self.where = where

    def random(self) -> float:
        return self.where


def midway(spec: str, decision: str) -> State:
    state = Rules.named(spec, 2).start()
    rng = random.Random(3)
    while state.tiles < 12 or state.step.name != decision:
        state.apply(state.random_action(rng))
    return state


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("decision", ["place", "claim"])
def test_each_action_has_an_equal_share(spec: str, decision: str) -> None:
    state = midway(spec, decision)
    n = state.count_actions()
    found = [state.random_action(At((i + 0.5) / n)) for i in range(n)]
    assert n > 1
    assert found == state.legal_actions()


def test_nothing_is_done_at_the_end() -> None:
    state = Rules.named("base").start()
    playout(state, random.Random(1))
    assert state.count_actions() == 0
    with pytest.raises(IndexError):
        state.random_action(random.Random(1))
    with pytest.raises(IllegalAction, match="pass is not legal: the game is over"):
        state.apply(PASS)


def test_a_random_draw_is_as_likely_as_its_copies() -> None:
    state = midway("base", "draw")
    assert state.current_player == CHANCE
    shares: Counter[str] = Counter()
    for i in range(state.left):
        action = state.random_action(At((i + 0.5) / state.left))
        assert isinstance(action, Draw)
        shares[action.tile] += 1
    assert shares == state.to_dict()["bag"]


def test_playouts_deal_all_tiles_in_every_order_alike() -> None:
    """The last tile of a playout is any of the bag's; each tile comes once."""
    rules = Rules.named("base")
    rng = random.Random(5)
    first: Counter[str] = Counter()
    for _ in range(300):
        state = rules.start()
        playout(state, rng)
        laid = [tile["kind"] for tile in state.to_dict()["tiles"]]
        gone = Counter(laid) + Counter(state.to_dict()["discarded"])
        assert gone == Counter({tile.name: tile.copies for tile in rules.catalogue.tiles})
        first[laid[1]] += 1
    # 24 kinds; V (9 copies of 71) is drawn first 38 times in 300 on average, with a deviation of 5.8.
    assert len(first) > 20
    assert 15 < first["V"] < 61
