"""What people see of a state: data, text, pictures. Not in the hot path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carc.base.cells import SIDES, xy
from carc.base.layout import NOTHING
from carc.errors import BadRules

if TYPE_CHECKING:
    from carc.base.actions import Action
    from carc.base.expansion import Expansion
    from carc.base.state import State

_SHOWN = 12


def not_legal(state: State, action: Action) -> str:
    """One sentence that names what is legal instead of `action`."""
    if state.is_terminal:
        return f"{action} is not legal: the game is over"
    legal = [str(a) for a in state.legal_actions()]
    more = f" and {len(legal) - _SHOWN} more" if len(legal) > _SHOWN else ""
    return f"{action} is not legal now; legal are {', '.join(legal[:_SHOWN])}{more}"


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


def _open_edges(state: State, segment: int) -> int:
    """Through how many edges (half-edges beside roads) of its tile a segment would go on, with no tile beyond."""
    catalogue = state.rules.catalogue
    tile = state.tile_of[segment]
    index = segment - state.first[tile]
    count = 0
    for side in range(4):
        if state.tile_on_cell(state.cell[tile] + SIDES[side]) != NOTHING:
            continue
        at = state.row[tile] * 4 + side
        tables = (
            catalogue.main,
            catalogue.left,
            catalogue.right,
            catalogue.overlay,
            catalogue.also,
        )
        for table in tables:
            count += table[at] == index
    return count


def features(state: State) -> list[dict[str, Any]]:
    """Every feature on the table, sorted by kind, then segments."""
    rules = state.rules
    catalogue = rules.catalogue
    found: list[dict[str, Any]] = []

    def place_of(segment: int) -> tuple[int, int, int]:
        tile = state.tile_of[segment]
        x, y = xy(state.cell[tile])
        return y, x, segment - state.first[tile]

    for feature in state.features_laid():
        kind = catalogue.kinds[state.kind[feature]]
        members = sorted(state.members(feature), key=place_of)
        where = [place_of(segment) for segment in members]
        open_edges = sum(_open_edges(state, segment) for segment in members)
        complete = kind.completed_by != "never" and state.open[feature] == 0
        followers = []
        for segment, (y, x, index) in zip(members, where, strict=True):
            for owner, follower in state.all_at(segment):
                followers.append(
                    {
                        "owner": owner,
                        "kind": rules.follower_kinds[follower].name,
                        "x": x,
                        "y": y,
                        "segment": index,
                    }
                )
        marks = {name: state.mark(feature, n) for n, name in enumerate(catalogue.marks)}
        found.append(
            {
                "kind": kind.name,
                "segments": sorted([x, y, index] for y, x, index in where),
                "tiles": [list(t) for t in sorted({(x, y) for y, x, _ in where})],
                "open_edges": open_edges,
                "complete": complete,
                "marks": {name: n for name, n in marks.items() if n},
                "followers": followers,
            }
        )
    return sorted(found, key=lambda f: (f["kind"], f["segments"]))


def laid(state: State) -> dict[str, Any]:
    """The tiles on the table and the one in hand, as `to_dict` has them: enough to say an action in words."""
    names = [tile.name for tile in state.rules.catalogue.tiles]
    tiles = []
    for tile in range(state.tiles):
        x, y = xy(state.cell[tile])
        kind, rotation = divmod(state.row[tile], 4)
        tiles.append({"x": x, "y": y, "kind": names[kind], "rotation": rotation})
    return {"tile_in_hand": names[state.hand] if state.hand >= 0 else None, "tiles": tiles}


def to_dict(state: State) -> dict[str, Any]:
    """Everything visible as plain JSON data (`docs/concepts.md`)."""
    rules = state.rules
    names = [tile.name for tile in rules.catalogue.tiles]
    data: dict[str, Any] = {
        "rules": rules.spec,
        "rules_version": rules.version,
        "players": rules.players,
        "current_player": state.current_player,
        "decision": None if state.is_terminal else state.step.name,
        **laid(state),
        "features": features(state),
        "supplies": [
            {kind.name: state.supply_of(owner, i) for i, kind in enumerate(rules.follower_kinds)}
            for owner in range(rules.owners)
        ],
        "scores": list(state.scores),
        "bag": {names[kind]: n for kind, n in enumerate(state.bag) if n},
        "discarded": [names[kind] for kind in state.discarded],
        "pieces": [],
        "out_of_play": {},
        "winners": list(state.winners) if state.is_terminal else None,
    }
    for expansion in rules.describe:
        data = expansion.describe(state, data)
    data["pieces"].sort(key=lambda one: (one["kind"], one["y"], one["x"], one["segment"] or 0))
    return data


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
