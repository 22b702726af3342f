"""When JCloisterZone asks for a phantom, and carc does not: after any action but a few."""

from carc.base.board.figures import unclaimed_on_last_tile
from carc.base.game.state import State

PHANTOM = "phantom"
_PLACED = ("claim", "lie", "fly", "portal")  # by these a phantom is put down
_AWAY = ("claim", "lie", "portal", "top")  # it is not at home then; it may fly and land nowhere
# After these it is not, or the player is asked again first.
_NONE_AFTER = ("pass", "princess", "rob", "bridge", "tunnel", "ransom")


def may_follow(state: State, text: str) -> bool:
    """Return whether there is a place for a phantom after an action, if it is at home then."""
    verb, _, rest = text.partition(":")
    words = rest.split(",")
    if verb == "capture":
        return _frees_last_tile(state, words)
    if state.step.name != "claim" or verb in _NONE_AFTER:
        return False
    if verb in _AWAY and words[-1] == PHANTOM:
        return False
    taken = _feature(state, text)
    if any(feature != taken for feature in free_features(state)):
        return True
    if verb in ("festival", "free"):
        return _frees_last_tile(state, words)
    placed = [str(action) for action in state.legal_actions()]
    ways = {
        each.partition(":")[0]
        for each in placed
        if each.endswith(PHANTOM) and (taken < 0 or _feature(state, each) != taken)
    }
    return bool(ways & {*_PLACED} - {verb, "claim"})


def free_features(state: State) -> list[int]:
    """Return the features of the tile just laid that a phantom may claim."""
    board = state.board
    free = unclaimed_on_last_tile(board) if state.allows_figures(board.last_tile) else 0
    kind = state.rules.follower_number(PHANTOM)
    return [
        board.feature_of(segment)
        for index, segment in enumerate(board.segments_of(board.last_tile))
        if free >> index & 1 and board.claim_allowed(segment, kind)
    ]


def _frees_last_tile(state: State, words: list[str]) -> bool:
    """Return whether the last follower is captured on a feature of the tile just laid."""
    board = state.board
    x, y, index = map(int, words[:3])
    feature = board.feature_of(board.segment_at(x, y, index))
    here = [board.feature_of(segment) for segment in board.segments_of(board.last_tile)]
    return feature in here and len(board.followers_of(feature)) == 1


def _feature(state: State, text: str) -> int:
    """Return the feature that an action takes; -1: none. A shepherd leaves it free."""
    verb, _, rest = text.partition(":")
    words = rest.split(",")
    if words[-1] == "shepherd":
        return -1
    board = state.board
    if verb in ("claim", "lie"):
        return board.feature_of(board.segment_of(board.last_tile, int(words[0])))
    if verb == "portal":
        x, y, index = map(int, words[:3])
        return board.feature_of(board.segment_at(x, y, index))
    return -1
