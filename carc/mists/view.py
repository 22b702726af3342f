"""What is visible of the team's game besides tiles and followers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carc.base.board.place_order import first_place
from carc.base.game.rules import COLOURS
from carc.base.position.state_data import piece
from carc.expansion_ghosts.mist import standing
from carc.mists.mists_state import NO_MARKER, MistsState
from carc.mists.turn.hounds import HOUNDS

if TYPE_CHECKING:
    from carc.base.game.state import State
    from carc.mists.team_game import TeamGame


def describe(mists: TeamGame, state: State, data: dict[str, Any]) -> dict[str, Any]:
    """Add level, piles, ghosts, hounds, graves and markers."""
    level, own = mists.level, mists.state_of(state)
    data["pieces"] += _pieces(state, own)
    for follower, n in zip(state.rules.follower_kinds, own.out, strict=True):
        if n:
            data["out_of_play"][follower.name] = n
    later = mists.pile_sizes[own.pile + 1 :]
    scoring = None
    if own.scoring >= 0:
        place = first_place(state.board, own.scoring)
        scoring = dict(zip(("x", "y", "segment"), place, strict=True))
    return {
        **data,
        "level": level.number,
        "goal": level.goal,
        "milestones": list(level.milestones),
        "pile": own.pile + 1,
        "piles": [0] * own.pile + [own.left, *later],
        "ghost_stock": own.stock,
        "markers": {COLOURS[o]: n for o, n in enumerate(own.markers) if n != NO_MARKER},
        "scoring": scoring,
        "outcome": state.outcome or None,
    }


def _pieces(state: State, own: MistsState) -> list[dict[str, Any]]:
    """Return what is on the board besides tiles and followers."""
    pieces = standing(state, "ghost", own.ghosts) + standing(state, "bound ghost", own.bound)
    for segment in own.closing:
        pieces.append(piece(state, "grave", segment=segment))
    for segment, owner in own.buried.items():
        pieces.append(piece(state, "grave", segment=segment, owner=owner))
    for name, segment in zip(HOUNDS, own.hounds, strict=False):
        if segment >= 0:
            pieces.append(piece(state, "hound", segment=segment, text=name))
    for cell in state.board.face_down_cells():
        pieces.append(piece(state, "face-down", cell))
    return pieces
