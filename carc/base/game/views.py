"""What people see of a state: data, text, pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.layout import NOTHING
from carc.base.cells import SIDES, WIDTH, xy
from carc.base.game import position
from carc.errors import BadRules

if TYPE_CHECKING:
    from carc.base.game.actions import Action
    from carc.base.game.expansion import Expansion
    from carc.base.game.state import State

_SHOWN: Final = 12
TILES: Final = 4096  # more than any game has


def not_legal(state: State, action: Action) -> str:
    """One sentence that names what is legal instead of `action`."""
    if state.is_terminal:
        return f"{action} is not legal: the game is over"
    legal = [str(a) for a in state.legal_actions()]
    more = f" and {len(legal) - _SHOWN} more" if len(legal) > _SHOWN else ""
    return f"{action} is not legal now; legal are {', '.join(legal[:_SHOWN])}{more}"


def no_action_at(state: State, index: int) -> str:
    """One sentence for an index that is no legal action's."""
    if state.is_terminal:
        return "no action is legal: the game is over"
    return f"there is no action at {index}: the {state.count_actions()} legal ones are at 0 and on"


def bad_draws(state: State, expansion: Expansion, counts: list[int]) -> BadRules:
    """What is wrong with what an expansion lets chance draw."""
    bag = state.bag
    if len(counts) != len(bag):
        return BadRules(
            f"{expansion.name}.draws gives {len(counts)} counts; one for each of {len(bag)} kinds of tile is wanted"
        )
    kind = next(k for k, n in enumerate(counts) if n < 0 or (n and not bag[k]))
    tile, n = state.rules.catalogue.tiles[kind].name, counts[kind]
    if n < 0:
        return BadRules(f"{expansion.name}.draws gives {n} for draw:{tile}; 0 is the least")
    return BadRules(
        f"{expansion.name}.draws lets draw:{tile} come {n} times, but the bag holds {bag[kind]}"
    )


def none_left(state: State, owner: int, follower: int) -> str:
    """One sentence for a follower that is not in its supply."""
    kind = state.rules.follower_kinds[follower].name
    return f"owner {owner} has no {kind} in the supply to put on the table"


def nobody_there(state: State, segment: int) -> str:
    """One sentence for a follower that is not where it is to be taken from."""
    kinds = state.rules.follower_kinds
    there = [f"a {kinds[kind].name} of owner {owner}" for owner, kind in state.all_at(segment)]
    return f"no such follower on segment {segment}; there is {', '.join(there) or 'nobody'}"


def features(state: State) -> list[dict[str, Any]]:
    """Every feature on the table, sorted by kind, then segments."""
    rules = state.rules
    catalogue = rules.catalogue
    found: dict[int, dict[str, Any]] = {}
    segments: dict[int, list[list[int]]] = {}
    tiles: dict[int, list[list[int]]] = {}
    ordered: list[list[dict[str, Any]]] = [[] for _ in catalogue.kinds]
    # Tiles by x, then y: so the first segments, the tiles and the features come in the order they are told in.
    across = sorted([_across(state.cell_of(tile)) * TILES + tile for tile in range(state.tiles)])
    for key in across:
        tile = key % TILES
        x, y = xy(state.cell_of(tile))
        first: i64 = state.first[tile]
        count: i64 = catalogue.segment_count[state.row[tile] >> 2]
        for index in range(count):
            feature: int = state.feature[first + index]
            own = segments.get(feature)
            if own is None:
                own = []
                segments[feature] = own
                on: list[list[int]] = []
                tiles[feature] = on
                told = _feature(state, feature, own, on)
                found[feature] = told
                ordered[state.kind[feature]].append(told)
            own.append([x, y, index])
            on = tiles[feature]
            if not on or on[-1][0] != x or on[-1][1] != y:
                on.append([x, y])
    for feature, n in _open_edges(state).items():
        found[feature]["open_edges"] = n
    names = [kind.name for kind in rules.follower_kinds]
    for segment, owner, follower in position.in_place(state):
        x, y, number = state.place_of(segment)
        there: list[dict[str, Any]] = found[state.feature_of(segment)]["followers"]
        there.append({"owner": owner, "kind": names[follower], "x": x, "y": y, "segment": number})
    by_name = sorted([(kind.name, at) for at, kind in enumerate(catalogue.kinds)])
    return [one for _, at in by_name for one in ordered[at]]


def _across(cell: int) -> int:
    """A cell's number by x, then y."""
    x, y = xy(cell)
    return (x + WIDTH // 2) * WIDTH + y + WIDTH // 2


def _feature(
    state: State, feature: int, segments: list[list[int]], tiles: list[list[int]]
) -> dict[str, Any]:
    """What is told of a feature besides where it is, where it goes on and who is there."""
    catalogue = state.rules.catalogue
    kind = catalogue.kinds[state.kind[feature]]
    marks: dict[str, int] = {}
    for number, name in enumerate(catalogue.marks):
        n = state.mark(feature, number)
        if n:
            marks[name] = n
    return {
        "kind": kind.name,
        "segments": segments,
        "tiles": tiles,
        "open_edges": 0,
        "complete": kind.completed_by != "never" and not state.is_open(feature),
        "marks": marks,
        "followers": [],
    }


def _open_edges(state: State) -> dict[int, int]:
    """By feature, through how many edges (half-edges beside roads) it would go on where no tile lies beyond."""
    catalogue = state.rules.catalogue
    main, left, right = catalogue.main, catalogue.left, catalogue.right
    also, overlay = catalogue.also, catalogue.overlay
    found: dict[int, int] = {}
    here = vec[i64]([0] * 5)
    for tile in range(state.tiles):
        cell: int = state.cell[tile]
        first: i64 = state.first[tile]
        row: i64 = state.row[tile]
        for side in range(4):
            if state.tile_on_cell(cell + SIDES[side]) != NOTHING:
                continue
            at: i64 = row * 4 + side
            here[0] = main[at]
            here[1] = left[at]
            here[2] = right[at]
            here[3] = also[at]
            here[4] = overlay[at]
            for n in range(5):
                index: i64 = here[n]
                if index >= 0:
                    feature: int = state.feature[first + index]
                    found[feature] = found.get(feature, 0) + 1
    return found


PARTS: Final = (
    "rules", "rules_version", "players", "current_player", "decision", "tile_in_hand", "tiles", "features",
    "supplies", "scores", "bag", "discarded", "winners", "engine",
)  # fmt: skip


def part(state: State, name: str) -> Any:
    """One of `PARTS`."""
    if name == "current_player":
        return state.current_player
    if name == "decision":
        return position.decision(state)
    if name == "features":
        return features(state)
    if name == "winners":
        return state.winners if state.is_terminal else None
    return position.basic(state, name)


def to_dict(state: State, parts: Sequence[str]) -> dict[str, Any]:
    """Everything visible as plain JSON data (`docs/positions.md`), or the parts named."""
    if parts and all(name in PARTS for name in parts):
        return {name: part(state, name) for name in parts}
    data = {name: part(state, name) for name in PARTS}
    data["pieces"] = []
    data["out_of_play"] = {}
    for expansion in state.rules.describe:
        data = expansion.describe(state, data)
    data["pieces"].sort(key=lambda one: (one["kind"], one["y"], one["x"], one["segment"] or 0))
    if not parts:
        return data
    for name in parts:
        if name not in data:
            raise KeyError(f"to_dict has no part {name!r}; it has {' '.join(data)}")
    return {name: data[name] for name in parts}


def piece(
    state: State, kind: str, cell: int, segment: int, *, owner: int, count: int, text: str
) -> dict[str, Any]:
    """One of the `pieces` of `to_dict`."""
    x, y = xy(cell)
    index: int | None = None
    if segment >= 0:
        x, y, index = state.place_of(segment)
    return {
        "kind": kind,
        "x": x,
        "y": y,
        "segment": index,
        "owner": owner if owner >= 0 else None,
        "count": count,
        "text": text,
    }


def text(state: State) -> str:
    """The board as text."""
    from carc.drawing import draw_text  # noqa: PLC0415 (only who looks needs it)

    return draw_text(state)


def svg(state: State) -> str:
    """The board as a picture."""
    from carc.drawing import draw_svg  # noqa: PLC0415 (only who looks needs it)

    return draw_svg(state)
