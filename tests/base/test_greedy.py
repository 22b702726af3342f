"""`greedy` plays the base game sensibly, whatever its seed, and far better than `random`."""

from support.notation import do

from carc import Rules, State, play
from carc.bots import by_name

SEEDS = range(8)


def choices(state: State) -> set[str]:
    """What the bot chooses, whatever its seed."""
    return {str(by_name("greedy", seed).choose(state.copy())) for seed in SEEDS}


def begin() -> State:
    return Rules.from_spec("base", 2).start()


def test_it_finishes_its_own_city() -> None:
    state = do(begin(), "draw:G place:0,-1,0 claim:0,meeple draw:U place:1,0,1 pass draw:E")
    assert choices(state) == {"place:0,-2,2"}


def test_it_keeps_its_last_meeple_for_better_than_a_short_road() -> None:
    state = begin()
    do(state, "draw:U")
    state.board._supply[0] = 1
    assert choices(do(state, "place:1,0,1")) == {"pass"}
    state.board._supply[0] = 7
    assert choices(state) != {"pass"}


def test_it_beats_random() -> None:
    rules = Rules.from_spec("base", 2)
    won = 0
    for seed in range(5):
        for seat in (0, 1):
            bots = [by_name("random", seed), by_name("random", seed)]
            bots[seat] = by_name("greedy", seed)
            won += play(rules, bots, seed=seed).result.winners == (seat,)
    assert won >= 9
