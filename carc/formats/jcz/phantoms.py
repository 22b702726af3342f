"""When JCloisterZone asks for a phantom, and carc does not: after any action but a few."""

from __future__ import annotations

from carc.base.game.state import State

PHANTOM = "phantom"
# After these no phantom is put down there, or the player is asked again first.
_NONE_AFTER = ("pass", "princess", "rob", "bridge", "tunnel", "ransom")


def may_follow(state: State, text: str) -> bool:
    """Return whether a phantom could be put down after an action.

    Args:
        state: The position in which the action is chosen.
        text: The action.
    """
    verb, _, rest = text.partition(":")
    if state.step.name != "claim" or verb in _NONE_AFTER:
        return False
    words = rest.split(",")
    if verb in ("claim", "lie", "fly", "portal", "top") and words[-1] == PHANTOM:
        return False
    comes_back = PHANTOM in words  # it was taken back; it may go where others may
    kinds = ("meeple", PHANTOM) if comes_back else (PHANTOM,)
    legal = [str(action) for action in state.legal_actions()]
    places = {each for each in legal if each.partition(":")[0] in ("claim", "lie", "portal", "fly")}
    free = {each for each in places if each.split(",")[-1].rpartition(":")[2] in kinds}
    taken = _feature(state, text)
    return any(
        each.partition(":")[0] != verb or verb in ("claim", "lie")
        for each in free
        if taken < 0 or _feature(state, each) != taken
    )


def _feature(state: State, text: str) -> int:
    """Return the feature on which an action puts a figure; -1: none."""
    verb, _, rest = text.partition(":")
    words = rest.split(",")
    board = state.board
    if verb in ("claim", "lie"):
        return board.feature_of(board.segment_of(board.last_tile, int(words[0])))
    if verb == "portal":
        x, y, index = map(int, words[:3])
        return board.feature_of(board.segment_at(x, y, index))
    return -1
