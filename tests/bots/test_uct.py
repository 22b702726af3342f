"""`uct` and `mcts-rave`: random games tell them what to do."""

import random

import pytest
from support.notation import do

from carc import CHANCE, Rules, State
from carc.base.game.playout import random_action
from carc.bots.uct import RAVE, UCT, _shares

BOTS = pytest.mark.parametrize("bot", [UCT, RAVE])


def last_turn(spec: str = "base", players: int = 2) -> State:
    """A position in which the last tile was drawn, come to by luck."""
    state, luck = Rules.from_spec(spec, players).start(), random.Random(3)
    while state.tiles_left or state.step.name != "place":
        state.apply(random_action(state, luck))
    return state


def best_lead(state: State, player: int) -> int:
    """Return the largest lead a player can have over the other at the end of the turn."""
    if state.is_terminal:
        return state.scores[player] - state.scores[1 - player]
    found = []
    for action in state.legal_actions():
        after = state.copy()
        after.apply(action)
        found.append(best_lead(after, player))
    return max(found)


@BOTS
def test_in_the_last_turn_it_does_what_alone_wins(bot: type[UCT]) -> None:
    state = last_turn()
    me = state.current_player
    state.scores[me] -= best_lead(state, me) - 1  # by one point, if all that can be had is
    while not state.is_terminal:
        state.apply(state.check(bot(1, "300").choose(state.copy())))
    assert state.winners == [me]


@BOTS
def test_iterations_are_repeatable_from_the_seed(bot: type[UCT]) -> None:
    state = do(Rules.from_spec("base", 2).start(), "draw:U")
    assert len({str(bot(5, "25").choose(state.copy())) for _ in range(3)}) == 1
    assert len({str(bot(seed, "1").choose(state.copy())) for seed in range(12)}) > 1


@BOTS
@pytest.mark.parametrize(("spec", "players"), [("base+ghosts", 3), ("base+dragon", 2)])
def test_it_plays_other_rules(bot: type[UCT], spec: str, players: int) -> None:
    state = last_turn(spec, players)
    while not state.is_terminal:
        if state.current_player == CHANCE:
            state.apply(state.rules.deal(1).choose(state))
        else:
            before = state.to_dict()
            action = bot(1, "5").choose(state)
            assert state.to_dict() == before
            state.apply(state.check(action))


def test_what_came_of_an_action_later_is_noted_where_it_was_possible_before() -> None:
    state = do(Rules.from_spec("base", 2).start(), "draw:U")
    bot = RAVE(1, "40")
    bot.choose(state)
    root = bot._node(state)
    for _ in range(40):
        bot._iterate(root, state)
    assert sum(root.visits) == root.total == 40
    assert sum(root.later_visits) >= 40, "what is done at once counts as done"
    assert all(
        later >= visits for later, visits in zip(root.later_visits, root.visits, strict=True)
    )


def test_a_random_game_counts_the_share_of_the_points() -> None:
    state = last_turn()
    while not state.is_terminal:
        state.apply(state.legal_actions()[0])
    state.scores[:] = [60, 20]
    assert _shares(state) == [0.75, 0.25]
    state.scores[:] = [0, 0]
    assert _shares(state) == [0.5, 0.5]
