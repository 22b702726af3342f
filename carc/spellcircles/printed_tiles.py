"""What is known of the printed tiles of The Spell Circles, and what contradicts it."""

from carc.base.tiles.tile import TileSet
from carc.tilesets.tiles import bag_tiles, count_marks, has_segment


def check_circles(tile_set: TileSet) -> list[str]:
    """Return what contradicts the known facts of the circle tiles (SPC-01), a sentence each."""
    if tile_set.name != "circles":
        return [f"the set is named {tile_set.name!r}; these tiles' set is named 'circles'"]
    drawn = bag_tiles(tile_set)
    contradictions = [] if len(drawn) == 9 else [f"tiles: {len(drawn)}; known: 9"]
    for tile in drawn:
        if not count_marks(tile, "circles"):
            contradictions.append(
                f"{tile.name} shows no circles; known: mist and circles on every tile"
            )
    if not any(count_marks(tile, "circles") == 3 for tile in drawn):
        contradictions.append("no tile shows 3 circles; known: at least one")
    if not any(count_marks(tile, "circles") == 1 and has_segment(tile, "city") for tile in drawn):
        contradictions.append("no tile shows 1 circle and a city; known: at least one")
    return contradictions
