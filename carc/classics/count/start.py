"""Where the start tiles of other expansions lie beside the city (CNT-01)."""

from __future__ import annotations

from typing import Final

import attrs

from carc.base.tiles.tile import TileSet, without_start
from carc.errors import BadRules

# Where a single start tile of another expansion lies: east of the city, or north of it if its
# western edge is no field.
BESIDE: Final = (2, -1)
NORTH: Final = (-1, -2)


def beside_city(tile_set: TileSet) -> TileSet:
    """Return a set with a single start tile moved beside the city; without several ones.

    Raises `BadRules` if it is a spring that cannot lie there.
    """
    if len(tile_set.start) != 1:
        return without_start(tile_set)
    name, _, _ = tile_set.start[0]
    (tile,) = (one for one in tile_set.tiles if one.name == name)
    fits = tile.edges[3] == "F"
    if "I" in tile.edges and not fits:
        raise BadRules(
            f"count: the spring {name} cannot lie beside Carcassonne, for its river would run along"
            " the city; leave out spring=own"
        )
    return attrs.evolve(tile_set, start=((name, *(BESIDE if fits else NORTH)),))
