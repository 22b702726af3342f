"""A position as a value: its key, its text, and the data it is made again from.

Numbers of tiles and segments follow the order of laying, so none of them is written down: a tile is its cell, a segment
its cell and its index, a step its name. What expansions keep is written by what a `ExpansionState` says of itself.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board import laying
from carc.base.board.arrays import NOTHING, OWNER_MASK
from carc.base.board.laying import CLOSED, CONNECTED, OPENED
from carc.base.cells import SIDES, cell_at, xy
from carc.base.game.expansion_data import segment_of, slices_text, step_name, step_number
from carc.base.game.schema import DATA, shown
from carc.base.game.steps import CHANCE, PlaceStep
from carc.errors import BadPosition, BadRules

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

KEY_BYTES: Final = 16
MOST_FIGURES: Final = 63  # of a kind and an owner, on the table and in the supply


# -- the data -------------------------------------------------------------------------------------


def engine(state: State) -> dict[str, Any]:
    """What a state holds that is on no table: who is to do what next, and what the parts that all see leave open."""
    last = state.board.last_tile
    return {
        "active": state.active_player,
        "agenda": [[step_name(state, step), player] for step, player in state.agenda],
        "last": list(xy(state.board.cell_of(last))) if last >= 0 else None,
        "met": state.board._overlays_met,
        "completed": [list(state.board.place_of(feature)) for feature in state.board.completed],
        "ways": [
            [what, list(state.board.place_of(a)), list(state.board.place_of(b))]
            for what, a, b in state.board._edge_overrides
        ],
        "never_complete": [
            list(state.board.place_of(feature)) for feature in state.board._never_complete
        ],
        "followers": [
            [*state.board.place_of(s), owner, kind]
            for s, owner, kind in state.board.all_followers()
        ],
        "face_down": [list(xy(cell)) for cell in state.board.face_down_cells()],
        "unseen": sum(state.bag) - state.tiles_left,
        "dealt": state._dealt,
        "slices": [own.to_data(state) for own in state.expansion_states],
    }


BASICS: Final = (
    "rules", "rules_version", "players", "tile_in_hand", "tiles", "supplies", "scores", "bag", "discarded", "engine",
)  # fmt: skip


def basics(state: State) -> dict[str, Any]:
    """All that makes a state what it is, as JSON data: what `state_from` makes it again from."""
    return {name: basic(state, name) for name in BASICS}


def basic(state: State, name: str) -> Any:
    """One of `BASICS`, as `to_dict` has it."""
    rules = state.rules
    if name == "rules":
        return rules.spec
    if name == "rules_version":
        return rules.version
    if name == "players":
        return rules.players
    if name == "supplies":
        return [
            {
                kind.name: state.board.supply_of(owner, i)
                for i, kind in enumerate(rules.follower_kinds)
            }
            for owner in range(rules.owners)
        ]
    if name == "scores":
        return state.scores.copy()
    if name == "engine":
        return engine(state)
    names = rules.tile_names
    if name == "tile_in_hand":
        return names[state.tile_in_hand] if state.tile_in_hand >= 0 else None
    if name == "bag":
        return {names[kind]: n for kind, n in enumerate(state.bag) if n}
    if name == "discarded":
        return [names[kind] for kind in state.discarded]
    tiles: list[dict[str, Any]] = []
    for tile in range(state.board.tile_count):
        x, y = xy(state.board.cell_of(tile))
        kind = names[state.board.kind_of_tile(tile)]
        tiles.append({"x": x, "y": y, "kind": kind, "rotation": state.board.rotation_of(tile)})
    return tiles


def state_from(rules: Rules, data: Mapping[str, Any]) -> State:
    """The state that `basics` tells of. Raises `BadPosition`, saying what is wrong, if there is none."""
    _check_mapping(data)
    check_rules(rules, data.get("rules"), data.get("players"), data.get("rules_version"))
    DATA.check(data, "data")
    state = _made(rules, data)
    for name, value in (("current_player", state.current_player), ("decision", decision(state))):
        if data.get(name, value) != value:
            raise BadPosition(
                f"the position's {name} is told to be {shown(data[name])}; by what waits it is {value!r}"
            )
    return state


def _check_mapping(data: object) -> None:
    if not isinstance(data, Mapping):
        raise BadPosition(
            f"a position's data is a mapping, as `to_dict()` gives it, not {shown(data)}"
        )


def decision(state: State) -> str | None:
    """The name of the step that somebody is to decide in; None at the end."""
    return None if state.is_terminal else state.step.name


def check_rules(rules: Rules, spec: Any, players: Any, version: Any) -> None:
    """Raises `BadPosition` if a position is not of these rules, whose names may be written in another order."""
    if players != rules.players or version != rules.version:
        raise BadPosition(
            f"the position cannot be read: it is of {spec} for {players} players, rules version {version}; these are "
            f"{rules.spec} for {rules.players}, rules version {rules.version}"
        )


def _made(rules: Rules, data: Mapping[str, Any]) -> State:
    kept = data["engine"]
    state = rules.start()
    state.board._clear()
    # The tile laid last has the highest number, as in play; the others may come in any order.
    tiles = sorted(data["tiles"], key=lambda tile: [tile["x"], tile["y"]] == kept["last"])
    _lay(state, tiles, kept["face_down"])
    for what, one, other in kept["ways"]:
        _lead(state, what, segment_of(state, one), segment_of(state, other))
    state.board.completed.clear()
    for x, y, index, owner, kind in kept["followers"]:
        if not (0 <= owner < rules.owners and 0 <= kind < len(rules.follower_kinds)):
            raise BadPosition(f"nobody has follower {kind} of owner {owner}")
        state.board._put(segment_of(state, (x, y, index)), owner, kind)
    state.board._never_complete = ()
    for place in kept["never_complete"]:
        state.board.keep_open(state.board.feature_of(segment_of(state, place)))
    kinds = [kind.name for kind in rules.follower_kinds]
    for supply in data["supplies"]:
        if set(supply) != set(kinds):
            raise BadPosition(
                f"a supply is of {' '.join(kinds)}, not of {' '.join(supply) or 'none'}"
            )
    supplies = [
        _count(supply[kind], "in a supply") for supply in data["supplies"] for kind in kinds
    ]
    _check_length(supplies, len(state.board._supply), "supplies")
    state.board._supply = vec[i64](supplies)
    _check_length(data["scores"], rules.owners, "scores")
    state.scores = [int(score) for score in data["scores"]]
    state.bag = [0] * len(rules.catalogue.tiles)
    for name, n in data["bag"].items():
        state.bag[_kind(rules, name)] = _count(n, f"of tile {name}")
    state.discarded = [_kind(rules, name) for name in data["discarded"]]
    state.tile_in_hand = -1 if data["tile_in_hand"] is None else _kind(rules, data["tile_in_hand"])
    _check_total(state)
    _check_figures(state)
    unseen = _count(kept["unseen"], "unseen")
    hidden, most = len(kept["face_down"]), sum(state.bag)
    if not hidden <= unseen <= most:
        raise BadPosition(
            f"{unseen} tiles are unseen; as the bag holds {most} and {hidden} lie face down, {hidden} to {most} may be"
        )
    state.tiles_left = most - unseen
    state._dealt = _count(kept["dealt"], "dealt")
    state.board.last_tile = (
        -1 if kept["last"] is None else state.board.tile_at(kept["last"][0], kept["last"][1])
    )
    state.board._overlays_met = int(kept["met"])
    state.board.completed = [
        state.board.feature_of(segment_of(state, place)) for place in kept["completed"]
    ]
    _check_length(kept["slices"], len(state.expansion_states), "slices")
    for own, its in zip(state.expansion_states, kept["slices"], strict=True):
        try:
            own.from_data(state, its)
            may = own.is_valid(state)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):  # a stranger's
            may = False
        if not may:
            raise BadPosition(f"a {type(own).__name__} cannot keep {shown(its)}")
    state.active_player = _seat(rules, kept["active"], 0)
    state.end()
    for name, player in kept["agenda"]:
        if name not in rules._steps:
            raise BadPosition(f"{shown(name)} names no step; steps are {' '.join(rules._steps)}")
        step = rules._steps[name]
        if step.by_chance and player != CHANCE:
            raise BadPosition(f"chance decides {name}, not player {player!r}")
        state.push(step, _seat(rules, player, CHANCE))
    waiting = state.agenda
    if not waiting and state.tiles_left and len(rules.hooks.outcome) == 0:
        raise BadPosition("no step waits, as if the game were over, but tiles may be drawn")
    if state.board.last_tile < 0 and not forgets(state):
        raise BadPosition("it is not told which tile was laid last")
    held = state.tile_in_hand >= 0
    for step, player in reversed(waiting):
        if player == CHANCE:
            held = True  # it may draw one
        elif isinstance(step, PlaceStep):
            if not held:
                raise BadPosition("a tile is to be laid, and none is in the hand")
            held = False
    state._advance()
    if state.agenda != waiting:
        raise BadPosition("nothing is to be decided by what waits first")
    return state


def _lay(state: State, tiles: Sequence[Mapping[str, Any]], hidden: Sequence[Sequence[int]]) -> None:
    catalogue = state.rules.catalogue
    if not tiles:
        raise BadPosition("no tile lies on the table")
    if len(tiles) > catalogue.most_tiles:
        raise BadPosition(f"there are {catalogue.most_tiles} tiles, not {len(tiles)}")
    for one in tiles:
        name, x, y, rotation = one["kind"], one["x"], one["y"], one["rotation"]
        kind = _kind(state.rules, name)
        cell = _free_cell(state, x, y)
        if not 0 <= rotation < 4:
            raise BadPosition(f"{name} at {x},{y} is turned by {rotation}; 0 to 3 are allowed")
        demands = state.board.demand_of(cell)
        if demands and rotation not in catalogue.fits[kind][demands]:
            raise BadPosition(f"{name} at {x},{y} does not fit beside its neighbours")
        state._lay(kind, cell, rotation)
    for x, y in hidden:
        laying.lay_face_down(state.board, _free_cell(state, x, y))
    state.board.completed.clear()
    start = [(x, y) for _, x, y in catalogue.start]
    for tile in range(state.board.tile_count):
        cell = state.board.cell_of(tile)
        x, y = xy(cell)
        alone = all(state.board.tile_on_cell(cell + side) == NOTHING for side in SIDES)
        if alone and (x, y) not in start:
            raise BadPosition(f"the tile at {x},{y} touches no other")


def _lead(state: State, what: int, a: int, b: int) -> None:
    """What an expansion did to features."""
    if what == OPENED:
        state.board.open_edge(a)
    elif what == CLOSED:
        state.board.close_edge(a)
    elif what == CONNECTED:
        state.board.connect(a, b)
    else:
        raise BadPosition(f"there is no way {what}; ways are {OPENED} to {CONNECTED}")


def _free_cell(state: State, x: int, y: int) -> int:
    if max(abs(x), abs(y)) > state.rules.catalogue.most_tiles + 1:
        raise BadPosition(f"{x},{y} is off the table")
    if state.board.tile_at(x, y) != -1:
        raise BadPosition(f"two tiles lie at {x},{y}")
    return cell_at(x, y)


def _kind(rules: Rules, name: str) -> int:
    kind = rules.catalogue.index.get(name)
    if kind is None:
        raise BadPosition(
            f"{shown(name)} names no tile; tiles are {' '.join(rules.catalogue.index)}"
        )
    return kind


def _check_figures(state: State) -> None:
    """Of an owner's followers those of a kind, and what all count together, are no more than can be kept."""
    kinds = state.rules.follower_kinds
    counts = list(state.board._supply)
    for _, owner, kind in state.board.all_followers():
        counts[owner * len(kinds) + kind] += 1
    for owner in range(state.rules.owners):
        own = counts[owner * len(kinds) : (owner + 1) * len(kinds)]
        power = sum([n * max(kind.power, 0) for n, kind in zip(own, kinds, strict=True)])
        if max(own) > MOST_FIGURES or power > OWNER_MASK:
            raise BadPosition(
                f"owner {owner} has {max(own)} followers of a kind, and all count {power}; at most {MOST_FIGURES} of a "
                f"kind are allowed, that count {OWNER_MASK} together"
            )


def _check_total(state: State) -> None:
    """Tiles laid, discarded, in the hand and in the bag are no more than there are: of which kinds, expansions may change."""
    total = (
        state.board.tile_count + len(state.discarded) + (state.tile_in_hand >= 0) + sum(state.bag)
    )
    if total > state.rules.catalogue.most_tiles:
        raise BadPosition(
            f"{total} tiles are told of; there are {state.rules.catalogue.most_tiles}"
        )
    counts = state.rules.catalogue.segment_count
    segments = state.board.segment_count + sum(
        [n * counts[kind] for kind, n in enumerate(state.bag)]
    )
    segments += counts[state.tile_in_hand] if state.tile_in_hand >= 0 else 0
    if segments > state.rules.catalogue.most_segments:
        raise BadPosition(
            "the tiles told of are not those of these rules: more of some than there are"
        )


def _count(n: Any, what: str) -> int:
    if type(n) is not int or n < 0:
        raise BadPosition(f"{n!r} {what} is no count")
    return n


def _seat(rules: Rules, player: Any, lowest: int) -> int:
    if type(player) is not int or not lowest <= player < rules.players:
        raise BadPosition(f"there is no player {player!r}")
    return player


def _check_length(some: Sequence[Any], n: int, what: str) -> None:
    if len(some) != n:
        raise BadPosition(f"{len(some)} {what}; {n} are wanted")


def rules_in(data: Mapping[str, Any]) -> Rules:
    """The rules that data names. Raises `BadPosition`."""
    from carc.base.game.rules import Rules  # noqa: PLC0415 (which imports this module)

    _check_mapping(data)
    spec, players = data.get("rules"), data.get("players")
    if not isinstance(spec, str) or type(players) is not int:
        raise BadPosition(
            f"the position is of {shown(spec)} for {shown(players)} players, which are no rules"
        )
    try:
        return Rules.cached(spec, players)
    except BadRules as error:
        raise BadPosition(str(error)) from None


# -- the key --------------------------------------------------------------------------------------


def forgets(state: State) -> bool:
    """Whether the tile laid last matters no more: the game is over, or the next is drawn or about to be."""
    if state._agenda is None or state.tile_in_hand >= 0:
        return True
    return state._agenda.step is state.rules._draw_step


def key(state: State) -> bytes:
    """16 bytes, equal for equal positions and in every process; made anew at each call."""
    rules = state.rules
    numbers: list[int] = []
    for tile in state.board._tiles_in_place():
        numbers.append(state.board._cell[tile] * 4096 + state.board._oriented_kind[tile])
    numbers.append(-1)
    numbers.extend(state.board.face_down_cells())
    numbers.append(-1)
    for segment, owner, kind in in_place(state):
        numbers.append(place_number(state, segment))
        numbers.append(owner * 4096 + kind)
    numbers.append(-1)
    numbers.extend(state.board._supply)
    numbers.extend(state.scores)
    numbers.extend(state.bag)
    numbers.extend(
        (state.tiles_left, state.tile_in_hand, state.active_player, state.current_player)
    )
    numbers.extend(sorted(state.discarded))
    numbers.append(-1)
    for step, player in state.agenda:
        numbers.append(step_number(state, step) * 64 + player)
    if not forgets(state):
        numbers.append(-1)
        numbers.append(
            state.board.cell_of(state.board.last_tile) if state.board.last_tile >= 0 else -1
        )
        numbers.append(state.board._overlays_met)
        for feature in state.board.completed:
            numbers.append(_lowest(state, feature))
    for what, one, other in state.board._edge_overrides:
        numbers.extend((-3 - what, place_number(state, one), place_number(state, other)))
    if state.board._never_complete:
        numbers.append(-2)
        numbers.extend(sorted([_lowest(state, feature) for feature in state.board._never_complete]))
    told = array("q", numbers).tobytes()
    if state.expansion_states:
        told += slices_text(state).encode()
    return blake2b(told, digest_size=KEY_BYTES, key=rules.digest).digest()


def place_number(state: State, segment: int) -> int:
    """Where a segment is as one number; they are in order by y, x, index."""
    return (
        state.board.cell_under(segment) * 256
        + segment
        - state.board._first_segment[state.board._tile_of[segment]]
    )


def in_place(state: State) -> list[tuple[int, int, int]]:
    """The followers on the table by y, x, segment, those of one segment as they came."""
    figures = state.board.all_followers()
    figures.sort(key=lambda one: place_number(state, one[0]))
    return figures


def _lowest(state: State, feature: int) -> int:
    return min([place_number(state, segment) for segment in state.board.members(feature)])
