"""What chance does in JCloisterZone: its numbers, and the order in which tiles are drawn.

Since version 5.7 each move that ends a turn carries a random number from 0 to 1. What is drawn next
follows from it and from the order of the tiles: by group, then by name.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import Final

from carc.base.game.state import State
from carc.base.turn.bag import drawable
from carc.errors import BadRecord
from carc.formats.jcz.figures import SHEEP
from carc.formats.jcz.tiles import TileNames

_MASK: Final = 2**48 - 1
_FACTOR: Final = 25214903917
_GROUPS: Final = {"spring": "river-spring", "fork": "river-fork", "lake": "river-lake"}
_EARLY: Final = ("token", "flight")  # drawn before the turn is confirmed
FLIGHTS: Final = 3
_TRIED: Final = 1_000_003  # how many numbers are tried to find one that fits


class RandomNumbers:
    """Their generator: a number given by a move, then those that follow from it.

    The next number is made of the bits of the last one by a linear congruence.
    """

    def __init__(self, number: float) -> None:
        """Begin with a number from 0 to 1."""
        self.number = number

    def below(self, limit: int) -> int:
        """Return the next whole number from 0 to `limit` - 1."""
        drawn = int(self.number * limit)
        (bits,) = struct.unpack("<Q", struct.pack("<d", self.number))
        self.number = (_FACTOR * (bits & _MASK) + 11 & _MASK) / 2**48
        return min(drawn, limit - 1)


def is_early(state: State) -> bool:
    """Return True if chance decides now what the player still sees in this turn."""
    return state.step.name in _EARLY


def ways(state: State) -> list[str]:
    """Return what chance may do now besides drawing tiles, as often as it is likely, in order."""
    step = state.step.name
    if step == "flight":
        return [f"flight:{distance + 1}" for distance in range(FLIGHTS)]
    data = state.to_dict()
    if step == "token":
        bag: Sequence[int] = data["sheep_bag"]
        return [f"token:{sheep or 'wolf'}" for sheep in SHEEP for _ in range(bag[sheep])]
    tokens: Sequence[int] = data["tent_tokens"]
    return [f"tent:{points}" for points, n in enumerate(tokens) for _ in range(n)]


def tiles_in_order(state: State, names: TileNames) -> list[str]:
    """Return our names of the tiles that may be drawn now, in their order."""
    tiles = state.rules.catalogue.tiles
    in_order = []
    for kind, copies in enumerate(drawable(state)):
        tile = tiles[kind]
        group = _GROUPS.get(tile.group, "river" if "I" in tile.edges else "default")
        if tile.symbol("dragon") is not None:
            group = "dragon"
        in_order += [(group, names.theirs(tile.name) or "", tile.name)] * copies
    return [ours for _, _, ours in sorted(in_order)]


class Deck:
    """Foretells which tile is drawn next, as long as the file allows it.

    `is_known`: what was foretold has always come true; `is_in_order`: the file names the tile
    foretold last.
    """

    def __init__(self, order: Iterator[str], numbers: RandomNumbers | None) -> None:
        """Draw tiles of this order first, by our names, then by random numbers."""
        self._order = order
        self.numbers = numbers
        self.is_known = True
        self.is_in_order = False

    def next_tile(self, state: State, names: TileNames) -> str | None:
        """Return our name of the tile that is drawn now; None if that is not known."""
        if not self.is_known:
            return None
        ordered = next(self._order, None)
        self.is_in_order = ordered is not None
        if ordered is not None or self.numbers is None:
            return ordered
        tiles = tiles_in_order(state, names)
        return tiles[self.numbers.below(len(tiles))] if tiles else None


def fitting_number(draws: Sequence[tuple[int, int]]) -> float:
    """Return a number from 0 to 1 by which chance draws this.

    Of each draw it gets how many there are to choose from and which is drawn.
    """
    if not draws:
        return 0.5
    limit, wanted = draws[0]
    for tried in range(1, _TRIED):
        number = (wanted + tried / _TRIED) / limit
        numbers = RandomNumbers(number)
        if all(numbers.below(limit) == wanted for limit, wanted in draws):
            return number
    raise BadRecord(f"no random number draws {draws}")
