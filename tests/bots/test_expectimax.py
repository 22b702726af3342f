"""`expectimax`: what its pruning may not change, what it sees that one look does not."""

import random

import pytest
from support.notation import do

from carc import CHANCE, Rules, State
from carc.base.game.playout import random_action
from carc.bots.expectimax import Expectimax
from carc.errors import BadBot


def late(spec: str, players: int, left: int) -> State:
    """A position with so many tiles left and one drawn, come to by luck."""
    state, luck = Rules.from_spec(spec, players).start(), random.Random(3)
    while state.tiles_left > left or state.step.name != "place":
        state.apply(random_action(state, luck))
    return state


def plain(bot: Expectimax, state: State, turns: int) -> float:
    """The same without a bound, a probe or an order."""
    if state.is_terminal:
        return bot._static_value(state)
    if state.current_player == CHANCE:
        if state.step.name == "draw":
            if not turns:
                return bot._static_value(state)
            turns -= 1
        total = 0.0
        for outcome, chance in state.chance_outcomes():
            total += chance * plain(bot, after(state, outcome), turns)
        return total
    player = state.current_player
    lookahead = bot._lookahead
    assert lookahead is not None
    if turns:
        found = [plain(bot, after(state, o.action), turns) for o in bot._ordered(state)]
    else:
        bot.evaluations += state.count_actions()
        found = [
            lookahead.turn_values(after(state, a), player)[bot._me] for a in state.legal_actions()
        ]
    return max(found) if player == bot._me else min(found)


def after(state: State, action: object) -> State:
    state = state.copy()
    state.apply(action)  # type: ignore[arg-type]
    return state


@pytest.mark.parametrize(("players", "turns"), [(2, 2), (3, 2)])
def test_pruning_changes_nothing(players: int, turns: int) -> None:
    state = late("base", players, 2)
    bot = Expectimax(1, str(turns))
    chosen = bot.choose(state)
    looked = bot.evaluations
    values = {
        str(option.action): plain(bot, after(state, option.action), turns - 1)
        for option in bot._ordered(state)
    }
    assert values[str(chosen)] == pytest.approx(max(values.values()), abs=1e-9)
    assert bot.evaluations - looked > looked, "and less is looked at"


def test_values_between_the_bounds_are_exact() -> None:
    state = late("base", 2, 2)
    bot = Expectimax(1, "2")
    bot.choose(state)
    for option in bot._ordered(state)[:4]:
        drawn = after(state, option.action)
        if drawn.step.name == "claim":
            drawn.apply(state.rules.parse("pass"))
        exact = plain(bot, drawn, 1)
        assert bot.value(drawn, 1, exact - 0.01, exact + 0.01) == pytest.approx(exact, abs=1e-9)
        assert bot.value(drawn, 1, exact + 0.01, 1.0) <= exact + 0.01
        assert bot.value(drawn, 1, 0.0, exact - 0.01) >= exact - 0.01


def test_it_finishes_its_own_city() -> None:
    state = Rules.from_spec("base", 2).start()
    do(state, "draw:G place:0,-1,0 claim:0,meeple draw:U place:1,0,1 pass draw:E")
    assert str(Expectimax(0, "1").choose(state)) == "place:0,-2,2"


@pytest.mark.parametrize("spec", ["base+ghosts", "base+king"])
def test_it_plays_other_rules(spec: str) -> None:
    state = late(spec, 2, 1)
    bot = Expectimax(1, "2")
    while not state.is_terminal:
        if state.current_player == CHANCE:
            state.apply(state.rules.deal(1).choose(state))
        else:
            state.apply(state.check(bot.choose(state.copy())))


@pytest.mark.parametrize("said", ["0", "9", "deep", "1s"])
def test_another_parameter_is_refused(said: str) -> None:
    with pytest.raises(BadBot, match="not a number of turns"):
        Expectimax(0, said)
