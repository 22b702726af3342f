"""Playing positions in notation, for scenarios."""

from carc import State


def do(state: State, moves: str) -> State:
    """Play moves, each checked; where a claim is offered and none is named, pass."""
    for text in moves.split():
        if state.step.name == "claim" and not text.startswith(("claim", "pass")):
            state.apply(state.check(state.rules.parse("pass")))
        state.apply(state.check(state.rules.parse(text)))
    return state


def skip(state: State) -> State:
    """Pass the claim that waits, if one does."""
    if state.step.name == "claim" and state.current_player >= 0:
        state.apply(state.check(state.rules.parse("pass")))
    return state


def legal(state: State) -> list[str]:
    """The legal actions in notation."""
    return [str(action) for action in state.legal_actions()]


def standing(state: State, key: str) -> dict[tuple[int, int, int], int]:
    """The ghosts that `to_dict()[key]` lists, by x, y, segment."""
    return {(g["x"], g["y"], g["segment"]): g["ghosts"] for g in state.to_dict()[key]}


def scored(state: State) -> list[str]:
    """What was scored so far, itemised, by owner; the state has a journal."""
    assert state.journal is not None
    return [f"{s.owner}: {s.text}" for s in state.journal.scorings]


def finish(state: State) -> State:
    """End the game here: score what stands on the board."""
    state.end()
    state.push(state.rules.final_score, 0)
    state._advance()
    return state
