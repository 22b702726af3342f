"""Search with copies and chance: the points expected of the next tile, played greedily."""

from carc import Action, Rules, State


def after(state: State, action: Action) -> State:
    new = state.copy()  # takes microseconds; the old state stays as it is
    new.apply(action)
    return new


def expected(state: State, player: int, draws: int) -> float:
    if outcomes := state.chance_outcomes() if draws else []:
        return sum(p * expected(after(state, draw), player, draws - 1) for draw, p in outcomes)
    if state.is_terminal or state.chance_outcomes():
        return state.scores[player]
    return max(expected(after(state, action), player, draws) for action in state.legal_actions())


print(expected(Rules.from_spec("base").start(), player=0, draws=1))
