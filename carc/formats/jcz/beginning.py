"""How a saved game of JCloisterZone begins: the position before the first draw."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.errors import BadPosition, BadRecord, CarcError
from carc.formats.jcz.places import check_reach
from carc.formats.jcz.saved_game import position_in, text_in
from carc.formats.jcz.tiles import TileNames

QUARTER_TURN: Final = 90
CITY: Final = "CO/"  # how the names of the tiles of Carcassonne begin
Laid = tuple[str, int, int, int]  # kind of tile, x, y, quarter turns clockwise


def first_position(setup: Mapping[str, Any], rules: Rules) -> State:
    """Return the position before the first draw, with the tiles that lie at the start.

    Raises `BadRecord` if they cannot lie so.
    """
    placed = setup.get("start")
    if not isinstance(placed, list) or not placed:
        raise BadRecord("'start' is not a list of tiles")
    theirs = [
        (text_in(tile, "tile"), *_place_of(tile), _turn(tile)) for tile in map(_object, placed)
    ]
    usual = rules.start()
    if sorted(theirs) == sorted(start_of(usual)):
        return usual
    city = {one for one in start_of(usual) if one[0].startswith(CITY)}
    if not city <= {*theirs}:
        raise BadRecord("the city of Carcassonne does not lie at the start as carc has it")
    names = TileNames(rules)
    try:
        laid = [
            (names.named(name), x, y, (turns + names.turns(names.named(name))) % 4)
            for name, x, y, turns in theirs
        ]
        return begin_with(rules, laid)
    except CarcError as error:
        usually = ", ".join(f"{name} at {x},{y}" for name, x, y, _ in start_of(usual))
        raise BadRecord(
            f"the tiles at the start cannot be: {error}; carc begins {rules.spec} with {usually}"
        ) from None


def with_tiles_to_draw(state: State, drawn: Sequence[str]) -> State:
    """Return a first position whose bag has only the tiles that will be drawn.

    One more lies there for each that goes unseen under a hill.
    """
    rules = state.rules
    bag = Counter(drawn)
    hills = [tile.name for tile in rules.catalogue.tiles if tile.symbol("hill") is not None]
    unseen = sum(bag[name] for name in hills)
    data = state.to_dict("tiles", "bag")
    rest = Counter(data["bag"]) - bag
    bag.update(islice(rest.elements(), unseen))
    laid = [(tile["kind"], tile["x"], tile["y"], tile["rotation"]) for tile in data["tiles"]]
    return begin_with(rules, laid, bag)


def _object(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise BadRecord("a tile of the start is not a JSON object")
    return value


def _place_of(tile: Mapping[str, Any]) -> tuple[int, int]:
    x, y = position_in(tile)
    check_reach(x, y)
    return x, y


def _turn(tile: Mapping[str, Any]) -> int:
    return position_in([tile.get("rotation", 0), 0])[0] // QUARTER_TURN % 4


def start_of(state: State) -> list[tuple[str, int, int, int]]:
    """Return the tiles on the table, by their names, with quarter turns."""
    names = TileNames(state.rules)
    return [
        (
            names.theirs(tile["kind"]) or "",
            tile["x"],
            tile["y"],
            (tile["rotation"] - names.turns(tile["kind"])) % 4,
        )
        for tile in state.to_dict("tiles")["tiles"]
    ]


def begin_with(rules: Rules, laid: Iterable[Laid], bag: Mapping[str, int] | None = None) -> State:
    """Return a position before the first draw.

    Args:
        rules: What is played.
        laid: The tiles on the table, in place of the usual ones.
        bag: How many tiles of each kind can be drawn. Default: all that are not on the table.

    Raises:
        BadPosition: The tiles cannot lie so, or there are not so many of a kind.
    """
    tiles = list(laid)
    catalogue = rules.catalogue
    names = rules.tile_names
    have = Counter(dict(zip(names, catalogue.copies, strict=True)))
    have.update(names[kind] for kind, _, _ in catalogue.start)
    on_table = Counter(name for name, *_ in tiles)
    for name, n in on_table.items():
        if n > have[name]:
            raise BadPosition(f"{n} tiles {name} lie on the table; {rules.spec} has {have[name]}")
    rest = have - on_table
    state = State(rules)
    state._begin([(catalogue.index[name], x, y, turns) for name, x, y, turns in tiles])
    data = state.to_dict()
    data["bag"] = {name: n for name, n in (rest if bag is None else bag).items() if n}
    return State.from_dict(data, rules)
