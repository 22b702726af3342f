"""Writes a state as one line of text, like FEN in chess (its form: `carc.base.position.text`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carc.base.board.place_order import first_place, followers_by_place
from carc.base.cells import xy
from carc.base.position import text
from carc.base.position.expansion_state import ordered_state_data
from carc.base.position.state_data import forgets

if TYPE_CHECKING:
    from carc.base.game.state import State


def to_text(state: State) -> str:
    """Return the position as a line, the same for equal states whatever the order of their tiles.

    It is written from the board at once, without a `Position` in between: bots ask for it often.
    """
    rules, board = state.rules, state.board
    names = rules.tile_names
    kinds = [kind.name for kind in rules.follower_kinds]
    return text.compose(
        rules=rules.spec,
        players=rules.players,
        version=rules.version,
        tiles=_tiles_text(state, names),
        followers=_followers_text(state, kinds),
        supplies=[
            ",".join([str(board.supply_of(owner, kind)) for kind in range(len(kinds))])
            for owner in range(rules.owners)
        ],
        scores=[str(score) for score in state.scores],
        bag=[text.count_text(names[kind], n) for kind, n in enumerate(state.bag) if n],
        unseen=sum(state.bag) - state.tiles_left,
        discarded=[names[kind] for kind in sorted(state.discarded)],
        hand=names[state.tile_in_hand] if state.tile_in_hand >= 0 else text.NONE,
        turn=[
            str(state.active_player),
            *[text.turn_text(rules._steps.name(step), player) for step, player in state.agenda],
        ],
        last=_last_text(state),
        never_complete=[_feature_text(state, feature) for feature in board._never_complete],
        ways=[
            text.override_text(what, board.place_of(a), board.place_of(b))
            for what, a, b in board._edge_overrides
        ],
        slices=ordered_state_data(state),
    )


def _tiles_text(state: State, names: list[str]) -> list[str]:
    board = state.board
    tiles: list[str] = []
    for tile in board._tiles_in_place():
        x, y = xy(board.cell_of(tile))
        name = names[board.kind_of_tile(tile)]
        tiles.append(text.tile_text(name, x, y, board.rotation_of(tile)))
    for cell in board.face_down_cells():
        x, y = xy(cell)
        tiles.append(text.face_down_text(x, y))
    return tiles


def _followers_text(state: State, kinds: list[str]) -> list[str]:
    followers: list[str] = []
    for segment, owner, kind in followers_by_place(state.board):
        x, y, index = state.board.place_of(segment)
        followers.append(text.follower_text(x, y, index, owner, kinds[kind]))
    return followers


def _last_text(state: State) -> list[str]:
    """Return the last tile and what it completed, if it still matters."""
    board = state.board
    if board.last_tile < 0 or forgets(state):
        return []
    x, y = xy(board.cell_of(board.last_tile))
    last = text.place_text(x, y, board._overlays_met)
    return [last, *[_feature_text(state, feature) for feature in board.completed]]


def _feature_text(state: State, feature: int) -> str:
    x, y, index = first_place(state.board, feature)
    return text.place_text(x, y, index)
