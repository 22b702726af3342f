"""A random action without the list of all: the same, as likely, as one chosen from the list; and
what random play is made of.
"""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import attrs
import pytest

from carc import CHANCE, Action, Expansion, Rules, State, playout
from carc.base.game.playout import random_action
from carc.base.small_set import TileKinds
from carc.base.tiles.tile import TileSet
from carc.base.turn.actions import PASS, Draw
from carc.base.turn.choices import Choices
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
    state = Rules.from_spec(spec, 2).start()
    rng = random.Random(3)
    while state.board.tile_count < 12 or state.step.name != decision:
        state.apply(random_action(state, rng))
    return state


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("decision", ["place", "claim"])
def test_each_action_has_an_equal_share(spec: str, decision: str) -> None:
    state = midway(spec, decision)
    n = state.count_actions()
    found = [random_action(state, At((i + 0.5) / n)) for i in range(n)]
    assert n > 1
    assert found == state.legal_actions()


def test_nothing_is_done_at_the_end() -> None:
    state = Rules.from_spec("base").start()
    playout(state, random.Random(1))
    assert state.count_actions() == 0
    with pytest.raises(IllegalAction, match="the game is over"):
        random_action(state, random.Random(1))
    with pytest.raises(IllegalAction, match="the game is over"):
        state.action_at(0)
    with pytest.raises(IllegalAction, match="pass is not legal: the game is over"):
        state.apply(PASS)


@pytest.mark.parametrize("decision", ["draw", "place", "claim"])
def test_an_index_beyond_the_actions_is_refused_in_a_sentence(decision: str) -> None:
    state = midway("base", decision)
    n = state.count_actions()
    assert state.action_at(n - 1) == state.legal_actions()[-1]
    for index in (n, -1):
        with pytest.raises(IllegalAction, match=f"no action at {index}: the {n} legal ones"):
            state.action_at(index)


def test_a_random_draw_is_as_likely_as_its_copies() -> None:
    state = midway("base", "draw")
    assert state.current_player == CHANCE
    shares: Counter[str] = Counter()
    for i in range(state.tiles_left):
        action = random_action(state, At((i + 0.5) / state.tiles_left))
        assert isinstance(action, Draw)
        shares[action.tile] += 1
    assert shares == state.to_dict()["bag"]


def test_playouts_deal_all_tiles_in_every_order_alike() -> None:
    """The last tile of a playout is any of the bag's; each tile comes once."""
    rules = Rules.from_spec("base")
    rng = random.Random(5)
    first: Counter[str] = Counter()
    for _ in range(300):
        state = rules.start()
        playout(state, rng)
        laid = [tile["kind"] for tile in state.to_dict()["tiles"]]
        gone = Counter(laid) + Counter(state.to_dict()["discarded"])
        assert gone == Counter({tile.name: tile.copies for tile in rules.catalogue.tiles})
        first[laid[1]] += 1
    # 24 kinds; V (9 copies of 71) is drawn first 38 times in 300 on average, with a deviation of
    # 5.8.
    assert len(first) > 20
    assert 15 < first["V"] < 61


class CheerChoices(Choices):
    """Two cheers; `listed`: how often they were listed."""

    def __init__(self) -> None:
        super().__init__(2)
        self.cheers = [Action("cheer"), Action("hurrah")]
        self.listed = 0

    def action(self, state: State, index: int) -> Action:
        return self.cheers[index]

    def actions(self, state: State) -> list[Action]:
        self.listed += 1
        return list(self.cheers)


class Cheers(Expansion):
    """Offers two actions after tiles with a church, counted and picked without a list."""

    ONLY_FOR: ClassVar = {"claims": ("church",)}

    def __init__(self) -> None:
        super().__init__()
        self.cheers = CheerChoices()
        self.asked = 0

    def tile_sets(self, sets: list[TileSet], read: Callable[[Path], TileSet]) -> list[TileSet]:
        church = (("church", ""),)
        tiles = [
            attrs.evolve(tile, symbols=church) if tile.name in "AB" else tile
            for tile in sets[0].tiles
        ]
        return [attrs.evolve(sets[0], tiles=tuple(tiles))]

    def claims(self, state: State, player: int) -> Choices:
        self.asked += 1
        return self.cheers


def test_actions_of_an_expansion_are_counted_and_picked_unlisted() -> None:
    """After a church: its claims, the two, pass; after another tile nobody asks."""
    expansion = Cheers()
    cheers = expansion.cheers
    state = Rules([expansion], 2).start()
    for text, more in (("draw:B place:0,1,0", ["cheer", "hurrah"]), ("draw:U place:1,0,1", [])):
        for action in text.split():
            state.apply(state.rules.parse(action))
        assert expansion.asked == (1 if more else 0)
        picked = [str(state.action_at(index)) for index in range(state.count_actions())]
        assert cheers.listed == 0
        listed = [str(action) for action in state.legal_actions()]
        assert picked == listed
        assert [text for text in listed if not text.startswith("claim")] == [*more, "pass"]
        assert cheers.listed == (1 if more else 0)
        cheers.listed = expansion.asked = 0
        state.apply(PASS)


def test_what_several_expansions_offer_is_picked_as_it_is_listed() -> None:
    """In a random game with abbots to be called back, the fairy and portals beside claims."""
    state, rng = Rules.from_spec("base+abbot+dragon").start(), random.Random(2)
    offered: Counter[str] = Counter()
    while not state.is_terminal:
        if state.step.name == "claim":
            picked = [state.action_at(index) for index in range(state.count_actions())]
            assert picked == state.legal_actions()
            offered["+".join(sorted({str(action).split(":")[0] for action in picked}))] += 1
        state.apply(random_action(state, rng))
    assert offered["abbot+claim+fairy+pass"] > 0 and offered["claim+fairy+pass+portal"] > 0, offered


class Late(Expansion):
    """Lets no monastery come before ten tiles lie."""

    def bind(self, rules: Rules) -> None:
        tiles = enumerate(rules.catalogue.tiles)
        self.kinds = [i for i, tile in tiles if tile.name in ("A", "B")]

    def held_back(self, state: State, held: TileKinds) -> TileKinds:
        late = TileKinds([kind in self.kinds for kind in range(len(state.bag))])
        return held if state.board.tile_count >= 10 else held | late


def test_what_is_held_back_comes_when_it_is_held_back_no_more() -> None:
    state = Rules([Late()], 2).start()
    rng = random.Random(5)
    while state.board.tile_count < 10:
        assert not {"draw:A", "draw:B"} & {str(a) for a, _ in state.chance_outcomes()}
        state.apply(random_action(state, rng))
    playout(state, rng)
    assert "A" in {tile["kind"] for tile in state.to_dict()["tiles"]}
