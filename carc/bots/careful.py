"""`careful`: a team player for `mists:LEVEL` that looks one turn ahead.

It values every placement, the best of them with each claim and scoring, and the best of those with
a sample of the tiles that can come next. `careful_worth.py` says what a position is worth.
"""

import random
from typing import Any

from carc.base.game.state import State
from carc.base.tiles.catalogue import Catalogue
from carc.base.turn.actions import Action, OnCell, Place
from carc.bots.careful_worth import TeamWorth
from carc.mists.actions import Take

_MAX_PLACEMENTS = 10  # placements tried with every claim
_MAX_SAMPLED = 3  # of those, tried with the next tile
_MAX_HAUNTED = 3  # tiles whose ghosts may be taken as a reward

# The decisions at which the look ahead stops.
_STOPS = ("draw", "place", "hide", "hound", "sniff", "markers")

_LOST = -2e6  # less than any position is worth


class Careful:
    """A team player."""

    name = "careful"

    def __init__(self, seed: int = 0, sample: int = 4) -> None:
        """Set the seed, and how many tiles that can come next to try; none is much faster."""
        self._rng = random.Random(seed)
        self._sample = sample
        self._worth: TeamWorth | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_worth": None}

    def choose(self, state: State) -> Action:
        """Return an action after which the team is best off; raise `BadBot` for another game."""
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        if self._worth is None or self._worth.rules is not state.rules:
            self._worth = TeamWorth(state.rules)
        worth = self._worth
        worth.look(state)
        step = state.step.name
        if step == "place":
            ranked = sorted(_valued_placements(worth, state, legal), key=lambda p: (-p[0], p[1]))
            legal = [action for _, _, action in ranked[:_MAX_PLACEMENTS]]
        ends = [_finish_turn(worth, _after(state, action)) for action in legal]
        values = [worth.worth(end) for end in ends]
        if self._sample and step in ("place", "claim"):
            kinds = self._sample_kinds(state)
            best = sorted(range(len(ends)), key=lambda at: -values[at])[:_MAX_SAMPLED]
            for at, end in enumerate(ends):
                values[at] = _next_turn(worth, end, values[at], kinds) if at in best else _LOST
        top = max(values)
        return self._rng.choice([a for a, v in zip(legal, values, strict=True) if v == top])

    def _sample_kinds(self, state: State) -> list[int]:
        """Return kinds of tile that can come next, drawn from those unseen."""
        unseen = [kind for kind, copies in enumerate(state.bag) for _ in range(copies)]
        return self._rng.sample(unseen, min(self._sample, len(unseen)))


def _valued_placements(
    worth: TeamWorth, state: State, legal: list[Action]
) -> list[tuple[float, int, Action]]:
    """Return the worth, the index and the placement of those that look different."""
    seen: set[tuple[int, ...]] = set()
    placements: list[tuple[float, int, Action]] = []
    for index, action in enumerate(legal):
        if isinstance(action, Place):
            oriented_kind = state.tile_in_hand * 4 + action.rotation
            look = (action.cell, *_appearance(state.rules.catalogue, oriented_kind))
            if look not in seen:
                seen.add(look)
                placements.append((worth.worth(_after(state, action)), index, action))
    return placements


def _appearance(catalogue: Catalogue, oriented_kind: int) -> list[int]:
    """Describe an oriented tile so that rotations of a symmetric tile are described alike."""
    number: dict[int, int] = {-1: -1}
    look: list[int] = []
    for at in range(oriented_kind * 4, oriented_kind * 4 + 4):
        for table in (catalogue.main, catalogue.overlay):
            look.append(number.setdefault(table[at], len(number)))
    return look


def _finish_turn(worth: TeamWorth, state: State) -> State:
    """Play the rest of the turn as well as it can be seen here, and return its end."""
    while not state.is_terminal and state.step.name not in _STOPS:
        legal = state.legal_actions()
        step = state.step.name
        if step == "claim":
            return max([_finish_turn(worth, _after(state, a)) for a in legal], key=worth.worth)
        if step == "score":
            state.apply(legal[0])
        elif step == "take":
            state.apply(_most_ghosts(legal))
        elif step == "reward":
            tiles = sorted(legal[1:], key=lambda a: -_ghosts_at(worth, state, a))
            rewards = [legal[0], *tiles[:_MAX_HAUNTED]]
            state.apply(max(rewards, key=lambda a: _reward_worth(worth, state, a)))
        else:
            state.apply(max(legal, key=lambda a: worth.worth(_after(state, a))))
    return state


def _next_turn(worth: TeamWorth, state: State, value: float, kinds: list[int]) -> float:
    """Return the mean worth of the best placement of each of some kinds of tile.

    Where no draw comes next, return `value`.
    """
    if state.is_terminal or state.step.name != "draw" or not kinds:
        return value
    rules = state.rules
    total = 0.0
    for kind in kinds:
        drawn = _after(state, rules.draw(rules.tile_names[kind]))
        if drawn.is_terminal or drawn.step.name != "place":
            total += worth.worth(drawn)
        else:
            total += max(w for w, _, _ in _valued_placements(worth, drawn, drawn.legal_actions()))
    return total / len(kinds)


def _ghosts_at(worth: TeamWorth, state: State, action: Action) -> int:
    """Return the ghosts on the tile that an action names."""
    cell = action.cell if isinstance(action, OnCell) else -1
    ghosts = worth.mists.state_of(state).ghosts
    return sum(n for s, n in ghosts.items() if state.board.cell_under(s) == cell)


def _reward_worth(worth: TeamWorth, state: State, action: Action) -> float:
    """Return the worth after a reward; of ghosts, as many as possible are taken."""
    after = _after(state, action)
    if not after.is_terminal and after.step.name == "take":
        after.apply(_most_ghosts(after.legal_actions()))
    return worth.worth(after)


def _most_ghosts(takes: list[Action]) -> Action:
    """Return the first action that takes most ghosts off a tile."""
    return max(takes, key=lambda action: sum(action.counts) if isinstance(action, Take) else 0)


def _after(state: State, action: Action) -> State:
    after = state.copy()
    after.apply(action)
    return after
