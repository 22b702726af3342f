"""Error messages about a state, one sentence each, that name what is allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from carc.base.game.actions import Action
    from carc.base.game.state import State

_MOST_LISTED: Final = 12


def not_legal(state: State, action: Action) -> str:
    """Name what is legal instead of an action."""
    if state.is_terminal:
        return f"{action} is not legal: the game is over"
    legal = [str(a) for a in state.legal_actions()]
    more = f" and {len(legal) - _MOST_LISTED} more" if len(legal) > _MOST_LISTED else ""
    return f"{action} is not legal now; legal are {', '.join(legal[:_MOST_LISTED])}{more}"


def no_action_at(state: State, index: int) -> str:
    """Say that an index has no legal action."""
    if state.is_terminal:
        return "no action is legal: the game is over"
    return f"there is no action at {index}: the {state.count_actions()} legal ones are at 0 and on"


def none_in_supply(state: State, owner: int, follower: int) -> str:
    """Say that a follower is not in its supply."""
    kind = state.rules.follower_kinds[follower].name
    return f"owner {owner} has no {kind} in the supply to put on the table"


def nobody_there(state: State, segment: int) -> str:
    """Say that a follower is not where it is to be taken from."""
    kinds = state.rules.follower_kinds
    there = [
        f"a {kinds[kind].name} of owner {owner}"
        for owner, kind in state.board.followers_at(segment)
    ]
    return f"no such follower on segment {segment}; there is {', '.join(there) or 'nobody'}"
