"""Greedy bots use what expansions bring, and are ahead of chance: up to 32 tiles of one deal."""

import pytest

from carc import Rules
from carc.bots import by_name

# The expansion, a deal, and what greedy then does with its pieces.
USED = [
    ("abbey", 2, {"abbey", "wagon", "barn", "mayor"}),
    ("tower", 0, {"tower", "capture"}),
    ("bigtop", 0, {"acrobat", "ringmaster"}),
    ("siege", 15, {"escape"}),
    ("russian", 70, {"free"}),
    ("ferries", 0, {"ferry"}),
    ("bridges", 0, {"bridge", "auction"}),
    ("bridges", 59, {"castle"}),
]


@pytest.mark.parametrize(
    ("name", "deal", "used"), USED, ids=[f"{name}-{deal}" for name, deal, _ in USED]
)
def test_greedy_uses_an_expansion_and_is_ahead_of_chance(
    name: str, deal: int, used: set[str]
) -> None:
    rules = Rules.from_spec(f"base+{name}")
    state, drawn = rules.start(), rules.deal(deal)
    bots = [by_name("greedy", 1), by_name("random", 1)]
    words: set[str] = set()
    while state.board.tile_count < 32:
        player = state.current_player
        action = drawn.choose(state) if player < 0 else bots[player].choose(state.copy())
        if player == 0:
            verb, _, rest = str(action).partition(":")
            words |= {verb, rest.rpartition(",")[2]}
        state.apply(action)
    assert used <= words
    assert state.scores[0] > 10 + state.scores[1]


@pytest.mark.parametrize("bot", ["mcts:2", "expectimax:1", "uct:2"])
@pytest.mark.parametrize(
    "name", [*dict.fromkeys(name for name, *_ in USED), "count", "bigtop+bridges+count"]
)
def test_searching_bots_play_it(name: str, bot: str) -> None:
    """They do something legal at each decision of the first turns of one deal."""
    rules = Rules.from_spec(f"base+{name}")
    state, drawn = rules.start(), rules.deal(3)
    bots = [by_name(bot, 1), by_name(bot, 2)]
    start = state.board.tile_count
    while state.board.tile_count < start + 3:
        player = state.current_player
        action = drawn.choose(state) if player < 0 else bots[player].choose(state.copy())
        state.apply(state.check(action))
    assert min(state.scores) >= 0
