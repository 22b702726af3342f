"""The tile sets of the base game and of every installed expansion."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import attrs

from carc.base.expansions.expansion import Expansion
from carc.base.expansions.spec import load, registered
from carc.base.game.rules import Rules
from carc.base.tiles.tile import SegmentKind, TileSet
from carc.base.tiles.tile_file import read_tiles
from carc.errors import BadRules, CarcError


@attrs.frozen
class InstalledTiles:
    """All installed tile sets and kinds of segment, and the expansions that know facts of them."""

    sets: Mapping[str, TileSet]
    kinds: tuple[SegmentKind, ...]
    expansions: tuple[Expansion, ...]

    @property
    def overlays(self) -> set[str]:
        """The names of the kinds of segment that lie over others."""
        return {kind.name for kind in self.kinds if kind.overlay}

    @property
    def marks(self) -> list[str]:
        """The names of the marks on all tiles, sorted."""
        tiles = (tile for tile_set in self.sets.values() for tile in tile_set.tiles)
        return sorted({mark for tile in tiles for s in tile.segments for mark, _ in s.marks})


class _Collector:
    """Collects tile sets from the rules of specs."""

    def __init__(self) -> None:
        self.sets: dict[str, TileSet] = {}
        self.kinds: dict[str, SegmentKind] = {}
        self.expansions: dict[str, Expansion] = {}

    def add(self, spec: str) -> bool:
        """Add the tiles of a spec. Return False if it cannot be played."""
        try:
            rules = Rules.from_spec(spec, 2)
        except BadRules:
            return False
        for tile_set in rules.tile_sets:
            known = self.sets.get(tile_set.name)
            if known is None or _size(tile_set) > _size(known):  # some play with part of a set
                self.sets[tile_set.name] = tile_set
        for kind in rules.catalogue.kinds:
            self.kinds.setdefault(kind.name, kind)
        for expansion in rules.expansions:
            self.expansions.setdefault(expansion.name, expansion)
        return True


@cache
def installed() -> InstalledTiles:
    """Return the installed tiles.

    Every expansion is tried with each of its options. One that needs another expansion is tried
    beside each of them. At last all are tried together.
    """
    collector = _Collector()
    games, others = _specs()
    for game in games:
        collector.add(game[0])
    for first, *variants in others:
        playable = [game[0] for game in games if collector.add(f"{game[0]}+{first}")]
        if playable:
            for variant in variants:
                collector.add(f"{playable[0]}+{variant}")
        else:
            for other, *_ in others:
                collector.add(f"base+{first}+{other}")
    collector.add("+".join(["base", *(first for first, *_ in others)]))  # sets of two together
    return InstalledTiles(
        collector.sets, tuple(collector.kinds.values()), tuple(collector.expansions.values())
    )


def _size(tile_set: TileSet) -> int:
    return sum(tile.copies for tile in tile_set.tiles)


def _specs() -> tuple[list[list[str]], list[list[str]]]:
    """Return the specs of games and of additions: each plain, then with each other option value."""
    games: list[list[str]] = [["base"]]
    additions: list[list[str]] = []
    for name, point in sorted(registered().items()):
        try:
            expansion = load(point)
        except BadRules:
            continue  # a broken package has no tiles
        plain = ":".join([name, *list(expansion.arguments())[:1]])
        options = expansion.options().items()
        variants = [f"{plain}({key}={value})" for key, values in options for value in values[1:]]
        (games if type(expansion).STANDALONE else additions).append([plain, *variants])
    return games, additions


def read_file(path: Path) -> TileSet:
    """Return the tile set in a file, with every installed kind of segment, or `TileError`."""
    return read_tiles(path, installed().kinds)


def by_name(name: str) -> TileSet:
    """Return an installed tile set; raise `CarcError` if no expansion has a set of this name."""
    sets = installed().sets
    if name not in sets:
        raise CarcError(f"there is no tile set {name!r}; the sets are {' '.join(sets)}")
    return sets[name]


def contradictions(tile_set: TileSet) -> list[str]:
    """Return what in a set contradicts the known facts about the printed tiles, one sentence each.

    Raises `CarcError` if no expansion knows facts about a set of this name.
    """
    for expansion in installed().expansions:
        sentences = expansion.contradictions(tile_set)
        if sentences is not None:
            return sentences
    raise CarcError(f"no known facts to check a set {tile_set.name!r} against")
