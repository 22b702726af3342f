"""Steps: the beats of a turn, each the actions one player may take now and their effect.

The base's turn: draw, place, claim, score, end (BASE-03..BASE-15). Expansions put theirs between, put steps of their own
in place of these, or push steps on the agenda when they are due: of any player, of chance too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from carc.base.actions import PASS, Action, Claim
from carc.base.scoring import score_completed, score_rest

if TYPE_CHECKING:
    from carc.base.state import State

CHANCE: Final = -1
TERMINAL: Final = -4


@mypyc_attr(allow_interpreted_subclasses=True)
class Step:
    """One beat of a turn. `name` is its decision's name in `State.to_dict()`; steps hold no play state.

    A step of chance, in a turn (`by_chance`) or pushed for the player `CHANCE`, says with `weights` how likely its actions are.
    """

    def __init__(self, name: str, by_chance: bool = False) -> None:
        self.name: Final = name
        self.by_chance: Final = by_chance

    def actions(self, state: State, player: int) -> list[Action]:
        """What may be done now, in order; empty: there is nothing to decide. Changes nothing."""
        return []

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        """Of chance: how likely each action is, in proportion; 0: it cannot happen now. As written here all are alike."""
        return [1] * len(actions)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Do it. `action` is None where there was nothing to decide. The step is off the agenda already."""
        if action is not None:
            action.perform(state, player)


def index_of(steps: Sequence[Step], kind: type[Step]) -> int:
    """Where the first step of a kind stands in a turn, for `Expansion.turn`. Raises `ValueError` if there is none."""
    for at, step in enumerate(steps):
        if isinstance(step, kind):
            return at
    raise ValueError(f"the turn has no {kind.__name__}; it has {[type(s).__name__ for s in steps]}")


@mypyc_attr(allow_interpreted_subclasses=True)
class DrawStep(Step):
    """Chance turns up a tile (BASE-03, BASE-20); with an empty bag the game ends (BASE-15)."""

    def __init__(self) -> None:
        super().__init__("draw", by_chance=True)

    def actions(self, state: State, player: int) -> list[Action]:
        # All kinds, the same list each time: those that cannot come are sorted out when somebody asks.
        rules = state.rules
        if state.left and (not rules.draws or sum(state.drawable())):
            return rules.every_draw
        return []

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        return state.drawable()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if action is None:
            state.finish()
        else:
            action.perform(state, player)


@mypyc_attr(allow_interpreted_subclasses=True)
class PlaceStep(Step):
    """The active player lays the tile (BASE-03); one that fits nowhere leaves the game (BASE-04)."""

    def __init__(self) -> None:
        super().__init__("place")

    def actions(self, state: State, player: int) -> list[Action]:
        found = state.placements()
        for expansion in state.rules.placements:
            found = expansion.placements(state, state.hand, found)
        return found

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if action is None:
            state.discard()
            state.push(self, player)
            state.push(state.rules.draw, CHANCE)
        else:
            action.perform(state, player)


@mypyc_attr(allow_interpreted_subclasses=True)
class ClaimStep(Step):
    """The active player may put one follower on a segment of the tile just laid (BASE-05, BASE-06)."""

    def __init__(self) -> None:
        super().__init__("claim")

    def actions(self, state: State, player: int) -> list[Action]:
        rules = state.rules
        kinds: i64 = len(rules.follower_kinds)
        supply = state.supply
        codes: list[int] = [
            code
            for owner in rules.colours[player]
            for code in range(owner * kinds, owner * kinds + kinds)
            if supply[code]
        ]
        found: list[Action] = []
        admitted = not rules.admits or state.admits(state.last)
        if codes and admitted:
            tile: i64 = state.last
            first: i64 = state.first[tile]
            count: i64 = rules.catalogue.segment_count[state.row[tile] >> 2]
            for index in range(count):
                segment = first + index
                takes = rules.takes[state.kind[segment]]
                if takes and not state.claimed[state.feature[segment]]:
                    here = rules.claim_actions[index]
                    for code in codes:
                        if not rules.choosy or takes[code]:
                            found.append(here[code])
        for expansion in rules.claims:
            found = expansion.claims(state, player, found)
        if not admitted:
            found = [action for action in found if not isinstance(action, Claim)]
        if found:
            found.append(PASS)
        return found


@mypyc_attr(allow_interpreted_subclasses=True)
class ScoreStep(Step):
    """Features the tile completed are scored and their followers go home (BASE-07..BASE-13)."""

    def __init__(self) -> None:
        super().__init__("score")

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if state.completed:
            score_completed(state)


@mypyc_attr(allow_interpreted_subclasses=True)
class EndStep(Step):
    """The turn ends; the next player's begins."""

    def __init__(self) -> None:
        super().__init__("end")

    def apply(self, state: State, player: int, action: Action | None) -> None:
        rules = state.rules
        following = (player + 1) % rules.players
        for expansion in rules.next_player:
            following = expansion.next_player(state, player, following)
        state.begin_turn(following)


class FinalScoreStep(Step):
    """Final scoring of what stands on the board (BASE-16, BASE-17)."""

    def __init__(self) -> None:
        super().__init__("final")

    def apply(self, state: State, player: int, action: Action | None) -> None:
        score_rest(state)
