"""Which fields a tile has, worked out from its cities, roads, rivers and mist alone (BASE-17,
BASE-18, MIST-06).

The tile is a disc. Each feature joins its places on the border by lines inside; what the lines part
are the fields. So two stretches of grass are one field unless some feature has places on both sides
of the chord between them.
"""

from itertools import combinations

from carc.base.tiles.tile import EDGES, HALVES, Tile

# The edges and half-edges it holds, the cities it borders.
Field = tuple[frozenset[str], frozenset[int]]


def fields(tile: Tile) -> set[Field]:
    """The fields a tile must have.

    Roads that end on it meet at its castle, cemetery or monastery, else with each other at a
    village, else at its first city.
    """
    same = list(range(len(tile.segments)))  # segments whose lines meet

    def meet(a: int, b: int) -> None:
        old, new = same[a], same[b]
        same[:] = [new if one == old else one for one in same]

    on_edge: dict[int, int] = {}
    misty: dict[int, int] = {}
    for i, segment in enumerate(tile.segments):
        for edge in segment.edges:
            if segment.kind == "mist":
                misty[edge] = i
            elif segment.kind in ("city", "road", "river"):
                on_edge[edge] = i
    ends = [i for i, s in enumerate(tile.segments) if s.kind == "road" and len(s.edges) == 1]
    cities = [i for i, s in enumerate(tile.segments) if s.kind == "city"]
    centre = {"castle", "cemetery", "monastery"} & {s.kind for s in tile.segments}
    hub = ends if centre or len(ends) > 1 else cities
    for end in ends:
        meet(end, hub[0] if hub else end)

    # Round the border: the segments met, and the grass after each of them.
    met: list[int] = []
    grass: list[list[str]] = [[]]
    for edge, letter in enumerate(tile.edges):
        if edge in misty:
            met.append(misty[edge])
            grass.append([])
            if edge in on_edge:
                meet(on_edge[edge], misty[edge])
        elif letter == "F":
            grass[-1].append(EDGES[edge])
        else:
            grass[-1] += [HALVES[2 * edge]] if letter in "RI" else []
            met.append(on_edge[edge])
            grass.append([HALVES[2 * edge + 1]] if letter in "RI" else [])
    before = grass.pop(0)
    if not met:
        return {(frozenset(before), frozenset())}
    grass[-1] += before

    n = len(met)
    for a, b, c, d in combinations(range(n), 4):
        if same[met[a]] == same[met[c]] and same[met[b]] == same[met[d]]:
            meet(met[a], met[b])  # lines that cross: mist over a road

    found = _faces([same[i] for i in met])
    return {
        (
            frozenset(place for gap in face for place in grass[gap]),
            frozenset(i for gap in face for i in (met[gap], met[(gap + 1) % n]) if i in cities),
        )
        for face in found
        if any(grass[gap] for gap in face)
    }


def _faces(lines: list[int]) -> list[list[int]]:
    """The gaps between the lines met round the border, those together that no line parts."""
    n = len(lines)

    def parted(a: int, b: int) -> bool:
        return bool({*lines[a + 1 : b + 1]} & {*lines[b + 1 :], *lines[: a + 1]})

    found: list[list[int]] = []
    for gap in range(n):
        for face in found:
            if not parted(face[0], gap):
                face.append(gap)
                break
        else:
            found.append([gap])
    return found


def fields_written(tile: Tile) -> set[Field]:
    """The fields as the tile's data has them."""
    return {
        (
            frozenset([EDGES[e] for e in s.edges] + [HALVES[h] for h in s.halves]),
            frozenset(s.touches),
        )
        for s in tile.segments
        if s.kind == "field"
    }
