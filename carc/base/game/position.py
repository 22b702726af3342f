"""What a state says of itself, as JSON data and as text.

Tiles and segments are numbered in the order of placement, so neither form contains such a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from carc.base.cells import HALF, WIDTH, WIDTH_BITS, xy
from carc.base.game.expansion_data import ordered_state_data
from carc.base.game.places import first_place, followers_by_place
from carc.base.position import text

if TYPE_CHECKING:
    from carc.base.game.state import State

BASICS: Final = (
    "rules", "rules_version", "players", "tile_in_hand", "tiles", "supplies", "scores", "bag",
    "discarded", "engine",
)  # fmt: skip
"""The parts of `State.to_dict` from which a state is made again."""


def decision(state: State) -> str | None:
    """Return the name of the step that is to be decided; None at the end."""
    return None if state.is_terminal else state.step.name


def forgets(state: State) -> bool:
    """Return True if the last tile no longer matters.

    The game is over, or the next tile is drawn or about to be.
    """
    if state._agenda is None or state.tile_in_hand >= 0:
        return True
    return state._agenda.step is state.rules._draw_step


# -- as data ---------------------------------------------------------------------------------------


def basics(state: State) -> dict[str, Any]:
    """Return `BASICS` by name."""
    return {name: basic(state, name) for name in BASICS}


def basic(state: State, name: str) -> Any:
    """Return one of `BASICS`, as `to_dict` has it."""
    rules = state.rules
    names = rules.tile_names
    if name == "rules":
        return rules.spec
    if name == "rules_version":
        return rules.version
    if name == "players":
        return rules.players
    if name == "supplies":
        return _supplies(state)
    if name == "scores":
        return state.scores.copy()
    if name == "engine":
        return _engine(state)
    if name == "tile_in_hand":
        return names[state.tile_in_hand] if state.tile_in_hand >= 0 else None
    if name == "bag":
        return {names[kind]: n for kind, n in enumerate(state.bag) if n}
    if name == "discarded":
        return [names[kind] for kind in state.discarded]
    return _tiles(state)


def _supplies(state: State) -> list[dict[str, int]]:
    kinds = [kind.name for kind in state.rules.follower_kinds]
    return [
        {name: state.board.supply_of(owner, kind) for kind, name in enumerate(kinds)}
        for owner in range(state.rules.owners)
    ]


def _tiles(state: State) -> list[dict[str, Any]]:
    board = state.board
    tiles: list[dict[str, Any]] = []
    for tile in range(board.tile_count):
        data = state.rules.catalogue.tile_data[board._oriented_kind[tile]].copy()
        cell = board._cell[tile]
        data["x"] = (cell & WIDTH - 1) - HALF
        data["y"] = (cell >> WIDTH_BITS) - HALF
        tiles.append(data)
    return tiles


def _engine(state: State) -> dict[str, Any]:
    """Return what is needed to play on and not visible on the table."""
    board = state.board
    last = board.last_tile
    return {
        "active": state.active_player,
        "agenda": [[state.rules._steps.name(step), player] for step, player in state.agenda],
        "last": list(xy(board.cell_of(last))) if last >= 0 else None,
        "met": board._overlays_met,
        "completed": [list(first_place(board, feature)) for feature in board.completed],
        "ways": [
            [what, list(board.place_of(a)), list(board.place_of(b))]
            for what, a, b in board._edge_overrides
        ],
        "never_complete": [list(first_place(board, feature)) for feature in board._never_complete],
        "followers": _followers(state),
        "face_down": [list(xy(cell)) for cell in board.face_down_cells()],
        "unseen": sum(state.bag) - state.tiles_left,
        "dealt": state._dealt,
        "slices": [own.to_data(state) for own in state.expansion_states],
    }


def _followers(state: State) -> list[list[int]]:
    """Return the followers in the order of the board: x, y, segment, owner, kind."""
    followers: list[list[int]] = []
    for segment, owner, kind in state.board.all_followers():
        x, y, index = state.board.place_of(segment)
        followers.append([x, y, index, owner, kind])
    return followers


# -- as text ---------------------------------------------------------------------------------------


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
