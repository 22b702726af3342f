"""Why an action or a follower is refused: one sentence each, that names what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from carc.base.board.board import Board
from carc.base.turn.actions import Action
from carc.errors import CarcError

_MOST_LISTED: Final = 12
_ROOM: Final = 200  # characters for them


def not_legal(action: Action, legal: Sequence[Action]) -> str:
    """Name what is legal instead of an action; nothing is, once the game is over."""
    if not legal:
        return f"{action} is not legal: the game is over"
    listed = [str(one) for one in legal[:_MOST_LISTED]]
    while len(", ".join(listed)) > _ROOM:
        listed.pop()
    more = f" and {len(legal) - len(listed)} more" if len(legal) > len(listed) else ""
    return f"{action} is not legal now; legal are {', '.join(listed)}{more}"


def no_action_at(index: int, count: int) -> str:
    """Say that an index has no legal action; `count`: how many are legal."""
    if count == 0:
        return "no action is legal: the game is over"
    return f"there is no action at {index}: the {count} legal ones are at 0 and on"


def same_rules(given: object, wanted: object) -> None:
    """Raise `CarcError` if a state is of other rules than wanted."""
    if given != wanted:
        raise CarcError(f"the state is of {given}, not of {wanted}")


def none_in_supply(board: Board, owner: int, follower: int) -> str:
    """Say that a follower is not in its supply."""
    kind = board.components.follower_kinds[follower].name
    return f"owner {owner} has no {kind} in the supply to put on the table"


def nobody_there(board: Board, segment: int) -> str:
    """Say that a follower is not where it is to be taken from."""
    kinds = board.components.follower_kinds
    there = [
        f"a {kinds[kind].name} of owner {owner}" for owner, kind in board.followers_at(segment)
    ]
    return f"no such follower on segment {segment}; there is {', '.join(there) or 'nobody'}"
