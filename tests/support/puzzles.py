"""Puzzles for tests, made from games without looking for the best turn."""

from functools import cache

from carc import Rules, State, play
from carc.base.turn.steps import CHANCE
from carc.bots import by_name
from carc.puzzles.puzzle import Puzzle, Rival
from carc.puzzles.turns import after_turn, look_of, turn_of


@cache
def game(spec: str = "base", seed: int = 3) -> tuple[str, ...]:
    """The actions of a game between two bots."""
    return play(spec, [by_name("greedy", 1), by_name("random", 2)], seed=seed).actions


def positions(spec: str = "base", seed: int = 3) -> list[int]:
    """How many actions lead to each position of a game in which a player has drawn a tile."""
    state = Rules.cached(spec, 2).start()
    found = []
    for number, action in enumerate(game(spec, seed)):
        if state.current_player != CHANCE and state.step.name == "place":
            found.append(number)
        state.apply(state.rules.parse(action))
    return found


def position(number: int, spec: str = "base", seed: int = 3) -> State:
    """The position after so many actions of a game."""
    return after_turn(Rules.cached(spec, 2).start(), game(spec, seed)[:number])


@cache
def puzzle(turn: int = 10, spec: str = "base", seed: int = 3) -> Puzzle:
    """A puzzle whose answer is what `greedy` plays, and whose rivals are other turns."""
    number = positions(spec, seed)[turn]
    state = position(number, spec, seed)
    answer = turn_of(by_name("greedy", 0), state)
    others = {}
    for bot in range(20):
        other = turn_of(by_name("random", bot), state)
        others[look_of(state, other)] = other
    others.pop(look_of(state, answer), None)
    close, far, *_ = others.values()
    return Puzzle(
        rules=spec,
        players=2,
        moves=game(spec, seed)[:number],
        answer=answer,
        rivals=(Rival(close, 4.25, 2.0), Rival(far, 6.0, 1.5)),
        greedy=answer,
        played=close,
        gains={"field": (3.0, -0.5), "now": (-2.0, 0.0), "city": (0.0, -2.75)},
    )
