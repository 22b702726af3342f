"""`greedy`: one ply. Plays out each way to take this turn and keeps the one with the best prospects in final points."""

import random

from carc import Action, Place, State, majority, points_for

# Chance that a city or road with so many open edges is closed in time, early in the game.
_CLOSING = (1.0, 0.75, 0.5, 0.3, 0.2, 0.1)
# What a follower in the supply is worth: the first is worth most.
_SPARE = (2.4, 1.2, 0.6, 0.4, 0.2, 0.2, 0.1)
# Losing a point or two to a rival is worth avoiding, but less than winning them is.
_RIVAL = 0.9


class Greedy:
    """Weighs every placement with every claim by expected final points: own less the best rival's.

    Sees what expansions tell through `points_for`: values and penalties. `ghost_blind` ignores the ghosts that may
    still come.
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
        rules = state.rules
        kinds = rules.catalogue.kinds
        early = state.left / (state.left + 12) if state.current_player != -4 else 0.0
        expected = [float(score) for score in state.scores]
        if state.is_terminal:
            return expected
        for feature in state.occupied():
            kind = kinds[state.kind[feature]]
            for owner in majority(state, feature):
                now = points_for(state, feature, owner, True)
                if kind.completed_by == "never":
                    expected[owner] += now + 3.0 * early * early
                    continue
                if kind.completed_by == "edges":
                    gaps = int(state.open[feature])
                    closing = _CLOSING[min(gaps, len(_CLOSING) - 1)] * early
                    full = points_for(state, feature, owner, False)
                    full += min(gaps, 2) * (2 if kind.name == "city" else 1)
                else:
                    missing = state.centres.get(state.cell[state.tile_of[feature]], 0)
                    closing = max(0.0, 1.0 - missing / (2 + state.left / 4)) * early
                    full = points_for(state, feature, owner, False) + missing
                expected[owner] += closing * full + (1.0 - closing) * now
        n = len(rules.follower_kinds)
        for owner in range(len(expected)):
            spare = sum(state.supply[owner * n : owner * n + n])
            expected[owner] += early * sum(_SPARE[:spare])
        return expected


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
