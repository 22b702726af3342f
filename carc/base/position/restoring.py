"""Makes a state of a `Position`: each part is checked against the rules, then set.

Every function raises `BadPosition`, in a sentence that names what is wrong, if its part cannot be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board import tile_laying
from carc.base.board.arrays import NOTHING, OWNER_MASK
from carc.base.board.place_order import segment_of
from carc.base.board.tile_laying import CLOSED, CONNECTED, LINKED, OPENED
from carc.base.cells import SIDES, cell_at, xy
from carc.base.position.data import shown
from carc.base.position.expansion_state import hidden_fields
from carc.base.position.position import Position
from carc.base.position.state_data import decision, forgets
from carc.base.position.state_fields import UNKNOWN
from carc.base.turn.steps import CHANCE, PlaceStep, Step
from carc.errors import BadPosition, BadRules

if TYPE_CHECKING:
    from carc.base.game.rules import Rules
    from carc.base.game.state import State

MOST_FOLLOWERS: Final = 63  # of a kind and an owner, on the table and in the supply
_makers: Final[list[Callable[[str, int], Rules]]] = []  # one, once rules can be made


def make_rules_with(maker: Callable[[str, int], Rules]) -> None:
    """Let `maker` return the rules of a spec and a number of players, where a position names them.

    `carc.base.game.rules` calls it: rules start states, and states are read here.
    """
    _makers.append(maker)


def rules_of(position: Position) -> Rules:
    """Return the rules that a position names."""
    try:
        return _makers[-1](position.rules, position.players)
    except BadRules as error:
        raise BadPosition(str(error)) from None


def state_from_dict(rules: Rules, data: Mapping[str, Any]) -> State:
    """Return the state that `State.to_dict` described."""
    return state_from(rules, Position.from_dict(data))


def state_from(rules: Rules, position: Position) -> State:
    """Return the state at a position."""
    _check_rules(rules, position)
    supplies, scores = _supplies(rules, position), _scores(rules, position)
    bag, discarded = _bag(rules, position), [_kind(rules, name) for name in position.discarded]
    tile_in_hand = -1 if position.tile_in_hand is None else _kind(rules, position.tile_in_hand)
    active_player = _player(rules, position.active_player, 0)
    agenda = _agenda(rules, position)

    state = rules.start()
    state.board._clear()
    _place_tiles(state, position)
    _override_edges(state, position)
    _put_followers(state, position)
    state.board._supply = vec[i64](supplies)
    state.scores = scores
    state.bag = bag
    state.discarded = discarded
    state.tile_in_hand = tile_in_hand
    _check_tiles(state)
    _check_followers(state)
    state.tiles_left = sum(bag) - _unseen(position)
    state._dealt = _dealt(rules, position)
    _set_last_tile(state, position)
    _read_expansion_states(state, position)
    state.active_player = active_player
    _set_agenda(state, agenda)
    _check_claims(state, position)
    return state


# -- parts that need no table ----------------------------------------------------------------------


def _check_rules(rules: Rules, position: Position) -> None:
    """Check the players and the version; a spec may name its expansions in another order."""
    if position.players != rules.players or position.version != rules.version:
        raise BadPosition(
            f"the position cannot be read: it is of {position.rules} for {position.players}"
            f" players, rules version {position.version}; these are {rules.spec} for"
            f" {rules.players}, rules version {rules.version}"
        )


def _supplies(rules: Rules, position: Position) -> list[int]:
    kinds = [kind.name for kind in rules.follower_kinds]
    supplies: list[int] = []
    for owner in range(len(position.supplies)):
        supplies += [_count(n, "in a supply") for n in position.supply(owner, kinds)]
    _check_length(position.supplies, rules.owners, "supplies")
    return supplies


def _scores(rules: Rules, position: Position) -> list[int]:
    _check_length(position.scores, rules.owners, "scores")
    return [int(score) for score in position.scores]


def _bag(rules: Rules, position: Position) -> list[int]:
    bag = [0] * len(rules.catalogue.tiles)
    for name, n in position.bag.items():
        bag[_kind(rules, name)] = _count(n, f"of tile {name}")
    return bag


def _unseen(position: Position) -> int:
    unseen = _count(position.unseen, "unseen")
    face_down, most = len(position.face_down), sum(position.bag.values())
    if not face_down <= unseen <= most:
        raise BadPosition(
            f"{unseen} tiles are unseen; as the bag holds {most} and {face_down} lie face down,"
            f" {face_down} to {most} may be"
        )
    return unseen


def _dealt(rules: Rules, position: Position) -> int:
    if position.dealt is not None:
        return _count(position.dealt, "dealt")
    placed = len(position.tiles) - len(rules.catalogue.start)
    in_hand = position.tile_in_hand is not None
    return _count(len(position.discarded) + placed + in_hand + position.unseen, "dealt")


def _agenda(rules: Rules, position: Position) -> list[tuple[Step, int]]:
    agenda: list[tuple[Step, int]] = []
    for name, player in position.agenda:
        step = rules._steps.by_name.get(name)
        if step is None:
            steps = " ".join(rules._steps.names)
            raise BadPosition(f"{shown(name)} names no step; steps are {steps}")
        if step.by_chance and player != CHANCE:
            raise BadPosition(f"chance decides {name}, not player {player!r}")
        agenda.append((step, _player(rules, player, CHANCE)))
    return agenda


def _kind(rules: Rules, name: str) -> int:
    kind = rules.catalogue.index.get(name)
    if kind is None:
        raise BadPosition(
            f"{shown(name)} names no tile; tiles are {' '.join(rules.catalogue.index)}"
        )
    return kind


def _count(n: int, what: str) -> int:
    if n < 0:
        raise BadPosition(f"{n!r} {what} is no count")
    return n


def _player(rules: Rules, player: int, lowest: int) -> int:
    if not lowest <= player < rules.players:
        raise BadPosition(f"there is no player {player!r}")
    return player


def _check_length(items: Sequence[Any], n: int, what: str) -> None:
    if len(items) != n:
        raise BadPosition(f"{len(items)} {what}; {n} are wanted")


# -- the table -------------------------------------------------------------------------------------


def _place_tiles(state: State, position: Position) -> None:
    most = state.rules.catalogue.most_tiles
    if not position.tiles:
        raise BadPosition("no tile lies on the table")
    if len(position.tiles) > most:
        raise BadPosition(f"there are {most} tiles, not {len(position.tiles)}")
    # The last tile has the highest number, as in play; the others may come in any order.
    last = position.last_tile
    for tile in sorted(position.tiles, key=lambda tile: (tile[1], tile[2]) == last):
        _place_tile(state, *tile)
    for x, y in position.face_down:
        tile_laying.lay_face_down(state.board, _free_cell(state, x, y))
    state.board.completed.clear()
    _check_connected(state)


def _place_tile(state: State, name: str, x: int, y: int, rotation: int) -> None:
    kind = _kind(state.rules, name)
    cell = _free_cell(state, x, y)
    if not 0 <= rotation < 4:
        raise BadPosition(f"{name} at {x},{y} is turned by {rotation}; 0 to 3 are allowed")
    demands = state.board.demand_of(cell)
    if demands and rotation not in state.rules.catalogue.fits(kind, demands):
        raise BadPosition(f"{name} at {x},{y} does not fit beside its neighbours")
    tile_laying.lay(state.board, kind, cell, rotation)  # what expansions made of it is read later


def _free_cell(state: State, x: int, y: int) -> int:
    if max(abs(x), abs(y)) > state.rules.catalogue.most_tiles + 1:
        raise BadPosition(f"{x},{y} is off the table")
    if state.board.tile_at(x, y) != NOTHING:
        raise BadPosition(f"two tiles lie at {x},{y}")
    return cell_at(x, y)


def _check_connected(state: State) -> None:
    """Check that every tile touches another, unless it is a start tile."""
    start = [(x, y) for _, x, y in state.rules.catalogue.start]
    for tile in range(state.board.tile_count):
        cell = state.board.cell_of(tile)
        alone = all(state.board.tile_on_cell(cell + side) == NOTHING for side in SIDES)
        if alone and xy(cell) not in start:
            x, y = xy(cell)
            raise BadPosition(f"the tile at {x},{y} touches no other")


def _override_edges(state: State, position: Position) -> None:
    """Repeat what expansions did to features."""
    for what, first, second in position.edge_overrides:
        a, b = segment_of(state.board, first), segment_of(state.board, second)
        if what == OPENED:
            state.board.open_edge(a)
        elif what == CLOSED:
            state.board.close_edge(a)
        elif what == CONNECTED:
            state.board.connect(a, b)
        elif what == LINKED:
            state.board.link(a, b)
        else:
            raise BadPosition(f"there is no way {what}; ways are {OPENED} to {LINKED}")
    state.board._never_complete = ()
    for place in position.never_complete:
        state.board.keep_open(state.board.feature_of(segment_of(state.board, place)))


def _put_followers(state: State, position: Position) -> None:
    rules = state.rules
    numbers: dict[int | str, int] = {}
    for number, kind in enumerate(rules.follower_kinds):
        numbers[number] = number
        numbers[kind.name] = number
    for x, y, index, owner, named in position.followers:
        if named not in numbers or not 0 <= owner < rules.owners:
            kinds = " ".join([kind.name for kind in rules.follower_kinds])
            raise BadPosition(
                f"the position's followers are wrong: nobody has follower {named} of owner {owner};"
                f" owners are 0 to {rules.owners - 1}, kinds are {kinds}"
            )
        state.board._put(segment_of(state.board, (x, y, index)), owner, numbers[named])


def _check_tiles(state: State) -> None:
    """Check the number of all tiles; of which kinds they are, expansions may change."""
    catalogue = state.rules.catalogue
    in_hand = state.tile_in_hand >= 0
    total = state.board.tile_count + len(state.discarded) + in_hand + sum(state.bag)
    if total > catalogue.most_tiles:
        raise BadPosition(f"the position has {total} tiles; there are {catalogue.most_tiles}")
    counts = catalogue.segment_count
    segments = state.board.segment_count
    segments += sum([n * counts[kind] for kind, n in enumerate(state.bag)])
    segments += counts[state.tile_in_hand] if in_hand else 0
    if segments > catalogue.most_segments:
        raise BadPosition(
            "the position's tiles are not those of these rules: more of some than there are"
        )


def _check_followers(state: State) -> None:
    """Check that no owner has more followers than the board can count."""
    kinds = state.rules.follower_kinds
    counts = list(state.board._supply)
    for _, owner, kind in state.board.all_followers():
        counts[owner * len(kinds) + kind] += 1
    for owner in range(state.rules.owners):
        own = counts[owner * len(kinds) : (owner + 1) * len(kinds)]
        power = sum([n * max(kind.power, 0) for n, kind in zip(own, kinds, strict=True)])
        if max(own) > MOST_FOLLOWERS or power > OWNER_MASK:
            raise BadPosition(
                f"owner {owner} has {max(own)} followers of a kind, and all count {power};"
                f" at most {MOST_FOLLOWERS} of a kind are allowed, that count {OWNER_MASK} together"
            )


def _set_last_tile(state: State, position: Position) -> None:
    board = state.board
    last = position.last_tile
    board.last_tile = NOTHING if last is None else board.tile_at(last[0], last[1])
    board._overlays_met = int(position.overlays_met)
    board.completed = [board.feature_of(segment_of(board, place)) for place in position.completed]


# -- expansions and the agenda ---------------------------------------------------------------------


def _read_expansion_states(state: State, position: Position) -> None:
    _check_length(position.expansion_states, len(state.expansion_states), "slices")
    for own, data in zip(state.expansion_states, position.expansion_states, strict=True):
        try:
            own.from_data(state, data)
            valid = own.is_valid(state)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):
            valid = False  # raised by a stranger's method
        if not valid:
            raise BadPosition(f"a {type(own).__name__} cannot keep {shown(data)}")
        hands = [hand for name in hidden_fields(type(own)) for hand in getattr(own, name)]
        state._hidden += sum([hand.count(UNKNOWN) for hand in hands])
    if len(position.face_down) + state._hidden > _unseen(position):
        raise BadPosition(
            f"{position.unseen} tiles are unseen, fewer than lie face down or in hands"
        )


def _set_agenda(state: State, agenda: Sequence[tuple[Step, int]]) -> None:
    """Put the steps on the agenda; the first must leave something to decide."""
    state.end()
    for step, player in agenda:
        state.push(step, player)
    waiting = state.agenda
    if not waiting and state.tiles_left and len(state.rules.hooks.outcome) == 0:
        raise BadPosition("no step waits, as if the game were over, but tiles may be drawn")
    if state.board.last_tile < 0 and not forgets(state):
        raise BadPosition("the position does not say which tile was laid last")
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


def _check_claims(state: State, position: Position) -> None:
    """Check what data say of the decision against what follows from the agenda."""
    values = {"current_player": state.current_player, "decision": decision(state)}
    for name, value in values.items():
        if position.claims.get(name, value) != value:
            raise BadPosition(
                f"the position's {name} is {shown(position.claims[name])}; by its agenda it is"
                f" {value!r}"
            )
