"""`greedy`: one ply. Plays out each way to take this turn and keeps the one with the best prospects in final points."""

import random

from carc import CHANCE, Action, Place, State, majority, points_for, value
from carc.expansion_ghosts import Ghosts

# Chance that a city or road with so many open edges is closed in time, early in the game.
_CLOSING = (1.0, 0.75, 0.5, 0.3, 0.2, 0.1)
# What a follower in the supply is worth: the first is worth most.
_SPARE = (14.0, 7.0, 3.6, 2.4, 1.2, 1.2, 0.6)
# Chance that a meeple with so many ghosts is scared off in time, early in the game.
_SCARE = (0.01, 0.05, 0.2, 0.2)
# A guard in the supply is worth so much more than a meeple there: it is kept for where ghosts would cost.
_GUARD = 0.06
# Losing a point or two to a rival is worth avoiding, but less than winning them is.
_RIVAL = 0.9


class Greedy:
    """Weighs every placement with every claim by expected final points: own less the best rival's.

    Sees what expansions tell through `points_for`: values and penalties. Ghosts may also scare off whom they stand with;
    `ghost_blind` neither counts nor fears them.
    """

    name = "greedy"
    ghost_blind = False

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)

    def choose(self, state: State) -> Action:
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        me = state.current_player
        best: list[Action] = []
        top = float("-inf")
        seen: set[tuple[int, ...]] = set()
        for action in legal:
            if isinstance(action, Place):
                look = _look(state, action)
                if look in seen:
                    continue
                seen.add(look)
            worth = self._after(state, action, me)
            if worth > top:
                best, top = [action], worth
            elif worth == top:
                best.append(action)
        return self._rng.choice(best)

    def _after(self, state: State, action: Action, me: int) -> float:
        """The prospects when the rest of the turn is played as well as one ply sees."""
        after = state.copy()
        after.apply(action)
        if after.current_player != me or after.step.name == "place":
            return self.prospects(after, me)
        if after.step.name != "claim":
            chosen = max(after.legal_actions(), key=lambda a: self._at_once(after, a, me))
            return self._after(after, chosen, me)
        return max(self._at_once(after, a, me) for a in after.legal_actions())

    def _at_once(self, state: State, action: Action, me: int) -> float:
        after = state.copy()
        after.apply(action)
        if (
            after.current_player == CHANCE and after.step.name != "draw"
        ):  # a die: what it brings on average
            return sum(
                chance * self._at_once(after, throw, me)
                for throw, chance in after.chance_outcomes()
            )
        return self.prospects(after, me)

    def prospects(self, state: State, me: int) -> float:
        """Expected final points: own less the best rival's."""
        expected = self.expected(state)
        if len(expected) == 1:
            return expected[0]
        rival = max(points for player, points in enumerate(expected) if player != me)
        return expected[me] - _RIVAL * rival

    def expected(self, state: State) -> list[float]:
        """Each player's expected final points."""
        expected = [float(score) for score in state.scores]
        if state.is_terminal:
            return expected
        rules = state.rules
        kinds = {kind.name: kind for kind in rules.catalogue.kinds}
        followers = [at for at, kind in enumerate(rules.follower_kinds) if kind.power]
        early = state.left / (state.left + 12)
        haunted = self._haunted(state)
        for feature in state.occupied():
            kind = kinds[state.kind_of(feature)]
            for owner in majority(state, feature):
                ghosts, most = haunted.get((feature, owner), (0, -1))
                now = self._points(state, feature, owner, True) - ghosts
                if kind.completed_by == "never":
                    worth = now + 3.0 * early * early
                else:
                    full = self._points(state, feature, owner, False)
                    if kind.completed_by == "edges":
                        gaps = state.open_edges(feature)
                        closing = _CLOSING[min(gaps, len(_CLOSING) - 1)] * early
                        full += min(gaps, 2) * (2 if kind.name == "city" else 1)
                    else:
                        missing = state.free_around(feature)
                        closing = max(0.0, 1.0 - missing / (2 + state.left / 4)) * early
                        full += missing
                    worth = closing * full + (1.0 - closing) * now
                if most >= 0:
                    worth *= 1.0 - _SCARE[most] * early
                expected[owner] += worth
        for owner in range(len(expected)):
            supply = [state.supply_of(owner, follower) for follower in followers]
            expected[owner] += early * (sum(_SPARE[: sum(supply)]) + _GUARD * sum(supply[1:]))
        for expansion in rules.outlook:
            expected = expansion.outlook(state, expected)
        return expected

    def _points(self, state: State, feature: int, owner: int, final: bool) -> int:
        if self.ghost_blind:
            return value(state, feature, final)
        return points_for(state, feature, owner, final)

    def _haunted(self, state: State) -> dict[tuple[int, int], tuple[int, int]]:
        """By feature and owner: ghosts there, and with the owner's safest meeple; -1 with a guard, who stays for good."""
        ghosts = next((e for e in state.rules.expansions if isinstance(e, Ghosts)), None)
        if ghosts is None or self.ghost_blind or not ghosts.on("ghosts"):
            return {}
        count = ghosts.slice_of(state).ghosts
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for segment in state.followers:
            key = (state.feature_of(segment), state.owner_at(segment))
            here = count.get(segment, 0)
            total, least = found.get(key, (0, 3))
            found[key] = (total + here, min(least, -1 if state.follower_at(segment) else here))
        return found


def _look(state: State, action: Place) -> tuple[int, ...]:
    """What a placement looks like on the table: rotations of a symmetric tile look the same."""
    tables = state.rules.catalogue
    row = state.hand * 4 + action.rotation
    number: dict[int, int] = {-1: -1}
    look = [action.cell]
    for at in range(row * 4, row * 4 + 4):
        look.append(tables.terrain[at])
        for table in (tables.main, tables.left, tables.right, tables.overlay):
            look.append(number.setdefault(table[at], len(number)))
    return tuple(look)


class GhostBlind(Greedy):
    """A greedy that plays ghosts as if they meant nothing: the yardstick for the ghost play of `greedy`."""

    name = "greedy-blind"
    ghost_blind = True
