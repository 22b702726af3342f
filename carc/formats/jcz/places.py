"""Places on the board, which JCloisterZone names by the edges or half-edges they reach."""

from carc.base.cells import REACH
from carc.base.game.state import State
from carc.base.tiles.tile import HALVES, Segment
from carc.classics.bridges.bridges_state import CASTLE
from carc.errors import BadRecord
from carc.formats.jcz.saved_game import brief

Place = tuple[int, int, int]  # x, y, index of the segment in its tile's data

# Their words for kinds of feature that are not simply ours with a capital letter.
_OURS = {
    "SoloveiRazboynik": "razboynik",
    "YagaHut": "yaga_hut",
    "Castle": "city",
}
_THEIRS = {"razboynik": "SoloveiRazboynik", "yaga_hut": "YagaHut"}
_INSIDE = {
    "I": 0,
    "II": 1,
    "AS_ABBOT": 0,
    "CLOISTER": 0,
    "MONASTERY": 0,
    "TOWER": 0,
    "INNER_FARM": 0,
    "INNER_FIELD": 0,
    "INNER_FARM_B": 1,
    "INNER_FIELD_B": 1,
}
# The quarters of Carcassonne, each on a tile of its own here; theirs are all on one.
QUARTERS = {
    "QUARTER_CASTLE": (0, -1, 0),
    "QUARTER_MARKET": (0, 1, 0),
    "QUARTER_BLACKSMITH": (-1, 1, 0),
    "QUARTER_CATHEDRAL": (-1, -1, 0),
}
QUARTER_OF = {  # by their word for a kind of feature: whose followers may go there
    "City": "QUARTER_CASTLE",
    "Field": "QUARTER_MARKET",
    "Road": "QUARTER_BLACKSMITH",
    "Monastery": "QUARTER_CATHEDRAL",
}
QUARTERS_AT = (0, 0)  # where their tile with the quarters lies
# Their names of sets of whole edges.
_EDGE_NAMES = "N E S W NW SW SE NE WE NS NWSE _N _W _S _E"


def halves_of(location: str) -> set[int]:
    """Return the half-edges of a location, clockwise from north: of `NW`, `_N` or `NL.WR`.

    Raises:
        BadRecord: It is no location.
    """
    if location.startswith("_"):
        return set(range(8)) - _halves_named(location[1:], location)
    return _halves_named(location, location)


def _halves_named(names: str, location: str) -> set[int]:
    reached: set[int] = set()
    words = names.split(".") if names[-1:] in ("L", "R") else list(names)
    for word in words:
        if word in HALVES:
            reached.add(HALVES.index(word))
        elif len(word) == 1 and word in "NESW":
            edge = "NESW".index(word)
            reached |= {2 * edge, 2 * edge + 1}
        else:
            raise BadRecord(
                f"{brief(location)} is no location; it is written as N, NW, _E or NL.WR"
            )
    if not reached:
        raise BadRecord("a location is empty; it is written as N, NW, _E or NL.WR")
    return reached


_EDGES = {frozenset(halves_of(name)): name for name in _EDGE_NAMES.split()}


def _is_inside(segment: Segment) -> bool:
    """Return True if a segment reaches no edge."""
    return not (segment.edges or segment.halves)


def _reached(segment: Segment, rotation: int) -> set[int]:
    """Return the half-edges that a segment of a turned tile reaches."""
    halves = {2 * edge + side for edge in segment.edges for side in (0, 1)} | set(segment.halves)
    return {(half + 2 * rotation) % 8 for half in halves}


def kind_of_feature(feature: str) -> str:
    """Return the kind of segment that their word for a kind of feature means."""
    return _OURS.get(feature, feature.lower())


def place_at(state: State, x: int, y: int, feature: str, location: str) -> Place:
    """Return the place that they name.

    Args:
        state: The position.
        x: How far east the tile lies.
        y: How far south the tile lies.
        feature: Their word for its kind; empty in old files, which name the location only.
        location: Their name of the location.

    Raises:
        BadRecord: There is no such place.
    """
    if location in QUARTERS:
        return QUARTERS[location]
    tile = state.board.tile_at(x, y) if max(abs(x), abs(y)) <= REACH else -1
    if tile < 0:
        raise BadRecord(f"there is no tile at {x},{y}")
    rotation = state.board.rotation_of(tile)
    segments = state.board.tile_data(tile).segments
    kind = kind_of_feature(feature)
    wanted = [i for i, segment in enumerate(segments) if feature == "" or segment.kind == kind]
    if location in _INSIDE:
        found = [i for i in wanted if _is_inside(segments[i])][_INSIDE[location] :]
    else:
        halves = halves_of(location)
        found = [i for i in wanted if _reached(segments[i], rotation) == halves]
    if not found:
        named = brief(f"{feature or 'feature'} {location}")[1:-1]
        raise BadRecord(f"there is no {named} on the tile at {x},{y}")
    return x, y, found[0]


def pointer_to_quarter(place: Place) -> dict[str, object]:
    """Return how they name a quarter of Carcassonne."""
    location = next(name for name, at in QUARTERS.items() if at == place)
    return {"position": list(QUARTERS_AT), "location": location, "feature": "Quarter"}


def pointer_to(state: State, segment: int) -> dict[str, object]:
    """Return how they name the place of a segment: position, location, kind of feature."""
    x, y, index = state.board.place_of(segment)
    tile = state.board.tile_under(segment)
    segments = state.board.tile_data(tile).segments
    kind = segments[index].kind
    if _is_inside(segments[index]):
        inside = [i for i, s in enumerate(segments) if s.kind == kind and _is_inside(s)]
        location = "I" * (inside.index(index) + 1)
    else:
        reached = _reached(segments[index], state.board.rotation_of(tile))
        location = ".".join(HALVES[half] for half in sorted(reached))
        if kind != "field":
            location = _EDGES.get(frozenset(reached), location)
    now = state.board.kind_of(segment)
    feature = "Castle" if now == CASTLE.name else _THEIRS.get(kind, kind.capitalize())
    return {"position": [x, y], "location": location, "feature": feature}


def segment_in(state: State, text: str) -> int:
    """Return the segment that an action names."""
    x, y, index = map(int, text.partition(":")[2].split(",")[:3])
    return state.board.segment_at(x, y, index)


def check_reach(x: int, y: int) -> None:
    """Raise `BadRecord` unless a place is on the table."""
    if max(abs(x), abs(y)) > REACH:
        raise BadRecord(f"{x},{y} is off the table; it reaches {REACH} tiles to each side")
