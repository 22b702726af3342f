"""Positions near the end of random games, and matches that begin there."""

from functools import cache

from carc import CHANCE, Match, Rules, State, play
from carc.bots import by_name


@cache
def before_draw(spec: str, players: int, tiles: int, seed: int) -> State:
    """A position of a random game in which a tile is to be drawn and so many are left."""
    state = Rules.cached(spec, players).start()
    deal = state.rules.deal(seed)
    bot = by_name("random", seed=seed)
    while state.tiles_left > tiles or state.step.name != "draw":
        state.apply(deal.choose(state) if state.current_player == CHANCE else bot.choose(state))
    return state


def match_from(tiles: int, bots: str, spec: str = "base", seed: int = 4) -> Match:
    """A match of bots, separated by commas, in the last turns of a random game."""
    names = bots.split(",")
    start = before_draw(spec, len(names), tiles, seed)
    players = [by_name(name, seed=seed) for name in names]
    return play(start.rules, players, seed=seed, names=names, start=start)
