"""Steps: the beats of a turn, each the actions one player may take now and their effect.

The base's turn: draw, place, claim, score, end (BASE-03..BASE-15). Expansions put theirs between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64, mypyc_attr

from carc.base.actions import PASS, Action, Claim, Draw, Place
from carc.base.scoring import score_completed, score_rest

if TYPE_CHECKING:
    from carc.base.state import State

CHANCE: Final = -1
TERMINAL: Final = -4


@mypyc_attr(allow_interpreted_subclasses=True)
class Step:
    """One beat of a turn. `name` is its decision's name in `State.to_dict()`; steps hold no play state."""

    def __init__(self, name: str, by_chance: bool = False) -> None:
        self.name: Final = name
        self.by_chance: Final = by_chance

    def actions(self, state: State, player: int) -> list[Action]:
        """What may be done now, in order; empty: there is nothing to decide. Changes nothing."""
        return []

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Do it. `action` is None where there was nothing to decide. The step is off the agenda already."""


class DrawStep(Step):
    """Chance turns up a tile (BASE-03, BASE-20); with an empty bag the game ends (BASE-15)."""

    def __init__(self) -> None:
        super().__init__("draw", by_chance=True)

    def actions(self, state: State, player: int) -> list[Action]:
        # All kinds, the same list each time: those of which none is left are sorted out when somebody asks.
        return state.rules.every_draw if state.left else []

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if action is None:
            state.agenda.clear()
            state.agenda.append((state.rules.final_score, state.active))
            return
        state.draw(cast(Draw, action).kind)


class PlaceStep(Step):
    """The active player lays the tile (BASE-03); one that fits nowhere leaves the game (BASE-04)."""

    def __init__(self) -> None:
        super().__init__("place")

    def actions(self, state: State, player: int) -> list[Action]:
        rules = state.rules
        kind = state.hand
        fits = rules.catalogue.fits[kind]
        found: list[Action] = [
            here[rotation]
            for key, here in zip(state.open_keys, state.open_places)  # noqa: B905 (mypyc: plain zip is fast)
            if fits[key]
            for rotation in fits[key]
        ]
        for expansion in rules.placements:
            found = expansion.placements(state, kind, found)
        return found

    def apply(self, state: State, player: int, action: Action | None) -> None:
        kind = state.hand
        state.hand = -1
        if action is None:
            state.discarded.append(kind)
            state.agenda.append((self, player))
            state.agenda.append((state.rules.draw, CHANCE))
            return
        placement = cast(Place, action)
        state.lay(kind, placement.cell, placement.rotation)


class ClaimStep(Step):
    """The active player may put one follower on a segment of the tile just laid (BASE-05, BASE-06)."""

    def __init__(self) -> None:
        super().__init__("claim")

    def actions(self, state: State, player: int) -> list[Action]:
        rules = state.rules
        catalogue = rules.catalogue
        supply = state.supply
        n_kinds: i64 = len(rules.follower_kinds)
        hands: list[int] = [
            hand
            for owner in rules.colours[player]
            for hand in range(owner * n_kinds, owner * n_kinds + n_kinds)
            if supply[hand]
        ]
        found: list[Action] = []
        if hands:
            tile: i64 = state.last
            first: i64 = state.first[tile]
            count: i64 = catalogue.segment_count[state.row[tile] >> 2]
            claimable = catalogue.claimable
            for index in range(count):
                segment = first + index
                if claimable[state.kind[segment]] and not state.claimed[state.feature[segment]]:
                    here = rules.claim_actions[index]
                    for hand in hands:
                        found.append(here[hand])
        for expansion in rules.claims:
            found = expansion.claims(state, player, found)
        if found:
            found.append(PASS)
        return found

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if action is None or action is PASS:
            return
        claim = cast(Claim, action)
        owner = claim.owner if claim.owner >= 0 else state.rules.colours[player][0]
        state.put_follower(state.first[state.last] + claim.segment, owner, claim.follower)


class ScoreStep(Step):
    """Features the tile completed are scored and their followers go home (BASE-07..BASE-13)."""

    def __init__(self) -> None:
        super().__init__("score")

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if state.completed:
            score_completed(state)


class EndStep(Step):
    """The turn ends; the next player's begins."""

    def __init__(self) -> None:
        super().__init__("end")

    def apply(self, state: State, player: int, action: Action | None) -> None:
        state.begin_turn((player + 1) % state.rules.players)


class FinalScoreStep(Step):
    """Final scoring of what stands on the board (BASE-16, BASE-17)."""

    def __init__(self) -> None:
        super().__init__("final")

    def apply(self, state: State, player: int, action: Action | None) -> None:
        score_rest(state)
