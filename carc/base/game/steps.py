"""Steps: the beats of a turn, each the actions one player may take now and their effect.

The base's turn: draw, place, claim, score, end (BASE-03..BASE-15). Expansions put theirs between, put steps of their own
in place of these, or push steps on the agenda when they are due: of any player, of chance too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from carc.base.cells import bits
from carc.base.game.actions import PASS, Action, Claim
from carc.base.game.scoring import score_completed, score_rest

if TYPE_CHECKING:
    from carc.base.game.state import State

CHANCE: Final = -1
TERMINAL: Final = -4
LISTED: Final = -1  # how many actions there are is told by their list


@mypyc_attr(allow_interpreted_subclasses=True)
class Step:
    """One beat of a turn. `name` is its decision's name in `State.to_dict()`; steps hold no play state.

    A step of chance, in a turn (`by_chance`) or pushed for the player `CHANCE`, says with `weights` how likely its actions are.
    One that knows how many actions there are without listing them may say so with `count` and `pick`.
    """

    def __init__(self, name: str, by_chance: bool = False) -> None:
        self.name: Final = name
        self.by_chance: Final = by_chance
        self.listed: Final = _lists(type(self))

    def actions(self, state: State, player: int) -> list[Action]:
        """What may be done now, in order; empty: there is nothing to decide. Changes nothing."""
        return []

    def count(self, state: State, player: int) -> int:
        """How many `actions` there are, or `LISTED`; not asked of a class that overrides `actions` alone. Changes nothing."""
        return 0

    def pick(self, state: State, player: int, index: int) -> Action:
        """The one of `actions` at an index, where `count` told how many there are."""
        return self.actions(state, player)[index]

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        """Of chance: how likely each action is, in proportion; 0: it cannot happen now. As written here all are alike."""
        return [1] * len(actions)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        """Do it. `action` is None where there was nothing to decide. The step is off the agenda already."""
        if action is not None:
            action.perform(state, player)


def _lists(step: type) -> bool:
    """Whether a class of step says by a list alone what may be done: it overrides `actions` below the `count` it has."""
    for one in step.__mro__:
        has = vars(one)
        if "count" in has:
            return False
        if "actions" in has:
            return True
    return True


class Beat:
    """A step that waits on the agenda, who decides in it, and what comes after. Frozen, so that copies of a state share it."""

    def __init__(self, step: Step, player: int, after: Beat | None) -> None:
        self.step: Final = step
        self.player: Final = player
        self.after: Final = after


def waiting(top: Beat | None) -> list[Beat]:
    """The beats of an agenda, the next one first."""
    found: list[Beat] = []
    while top is not None:
        found.append(top)
        top = top.after
    return found


def put_over(beats: Sequence[Beat], rest: Beat | None) -> Beat | None:
    """The agenda on which these come before the rest."""
    for beat in reversed(beats):
        rest = Beat(beat.step, beat.player, rest)
    return rest


def put_before(beat: Beat, before: Step, top: Beat | None) -> Beat:
    """The agenda on which a beat comes right before the step named; if that does not wait, last."""
    if top is None or top.step is before:
        return Beat(beat.step, beat.player, top)
    return Beat(top.step, top.player, put_before(beat, before, top.after))


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
        if state.left == 0:
            return []
        if len(rules.draws):
            counts = state.coming()
            if counts and not any(counts):
                return []
        return rules.every_draw

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        return state.drawable()

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if action is None:
            state.finish()
        else:
            action.perform(state, player)


def may_come(state: State, listed: list[Action], at: int) -> bool:
    """Whether chance may now do the action at an index of all it may ever do at this step."""
    if type(state.step) is DrawStep and len(state.rules.draws) == 0:
        return state.bag[at] > 0  # all kinds, by number
    return state.step.weights(state, listed)[at] != 0


@mypyc_attr(allow_interpreted_subclasses=True)
class PlaceStep(Step):
    """The active player lays the tile (BASE-03); one that fits nowhere leaves the game (BASE-04)."""

    def __init__(self) -> None:
        super().__init__("place")

    def actions(self, state: State, player: int) -> list[Action]:
        found = state.placements(state.hand)
        for expansion in state.rules.limiting[state.hand]:
            found = expansion.placements(state, state.hand, found)
        return found

    def count(self, state: State, player: int) -> int:
        limited = state.rules.limiting[state.hand]
        return LISTED if len(limited) else state.count_placements(state.hand)

    def pick(self, state: State, player: int, index: int) -> Action:
        return state.placement(state.hand, index)

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
        admitted = len(rules.admits) == 0 or state.admits(state.last)
        codes = able(state, player)
        kinds: i64 = len(rules.follower_kinds)
        free = state.unclaimed() if codes and admitted else 0
        found: list[Action] = []
        index: i64 = 0
        while free >> index:
            if free >> index & 1:
                takers = rules.takers[state.kind[state.first[state.last] + index]]
                here = rules.claim_actions[index]
                for code in codes:
                    at: i64 = code
                    if takers >> at % kinds & 1:
                        found.append(here[code])
            index += 1
        for expansion in rules.claiming[state.row[state.last] >> 2]:
            found = expansion.claims(state, player, found)
        if not admitted:
            found = [action for action in found if not isinstance(action, Claim)]
        if found:
            found.append(PASS)
        return found

    def count(self, state: State, player: int) -> int:
        rules = state.rules
        found = _count_free(state, player)
        if found and len(rules.admits) and not state.admits(state.last):
            found = 0
        state.noted = found
        for expansion in rules.claiming[state.row[state.last] >> 2]:
            more: i64 = expansion.count_claims(state, player)
            if more < 0:
                return LISTED
            found += more
        return found + 1 if found else 0

    def pick(self, state: State, player: int, index: int) -> Action:
        if index == state.count_actions() - 1:
            return PASS
        rules = state.rules
        at: i64 = index
        if at < state.noted:
            kinds: i64 = len(rules.follower_kinds)
            first = state.first[state.last]
            free = state.unclaimed()
            segment: i64 = 0
            while free >> segment:
                takers = rules.takers[state.kind[first + segment]]
                owners: i64 = rules.commands[player] if free >> segment & 1 else 0
                code: i64 = 0
                while owners:
                    for kind in range(kinds):
                        if owners & takers >> kind & 1 and state.supply[code + kind]:
                            if at == 0:
                                return rules.claim_actions[segment][code + kind]
                            at -= 1
                    owners >>= 1
                    code += kinds
                segment += 1
        at -= state.noted
        claiming = rules.claiming[state.row[state.last] >> 2]
        last = len(claiming) - 1
        for one in range(last):
            more: i64 = claiming[one].count_claims(state, player)
            if at < more:
                return claiming[one].claim_at(state, player, at)
            at -= more
        return claiming[last].claim_at(state, player, at)


def _count_free(state: State, player: int) -> i64:
    """How many claims of what is unclaimed on the tile just laid there are."""
    rules = state.rules
    free = state.unclaimed()
    if not free:
        return 0
    found: i64 = 0
    kinds: i64 = len(rules.follower_kinds)
    first = state.first[state.last]
    owners: i64 = rules.commands[player]
    at: i64 = 0
    while owners:
        mine: i64 = 0
        for kind in range(kinds):
            if owners & 1 and state.supply[at + kind]:
                mine |= 1 << kind
        if not rules.choosy:
            found += bits(free) * bits(mine)
            mine = 0
        segment: i64 = 0
        while mine and free >> segment:
            if free >> segment & 1:
                found += bits(mine & rules.takers[state.kind[first + segment]])
            segment += 1
        owners >>= 1
        at += kinds
    return found


def able(state: State, player: int) -> list[int]:
    """What a player has in the supply: owner * kinds of follower + kind."""
    kinds: i64 = len(state.rules.follower_kinds)
    found: list[int] = []
    for owner in state.rules.colours[player]:
        for code in range(owner * kinds, owner * kinds + kinds):
            if state.supply[code]:
                found.append(code)
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
