"""Tile files: tile sets as text, written by hand (`docs/tile-files.md`)."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NoReturn

import attrs

from carc.base.tiles.tile import (
    EDGES,
    GATE,
    HALVES,
    WILD,
    Segment,
    SegmentKind,
    Tile,
    TileSet,
    match_edges,
)
from carc.bounded import read_text
from carc.errors import TileError

HEADER = "carc-tiles 1"
MOST_BYTES = 1 << 20
MOST_TILES = 1000
MOST_LINES = 100  # that describe a tile
MOST_COLUMNS = 1000
_SHOWN = 300  # characters of a message

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_SYMBOL = re.compile(r"([a-z][a-z0-9_]*)(?:=([A-Za-z0-9_/+-]+))?")
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # to the cell beyond each edge


def read_tiles(path: Path, kinds: Iterable[SegmentKind]) -> TileSet:
    """Read a tile file.

    Args:
        path: The file.
        kinds: The kinds of segment that its tiles may have.

    Raises:
        TileError: The file cannot be read, or a line is wrong.
    """
    try:
        text = read_text(path, MOST_BYTES)
    except OSError as error:
        raise TileError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise TileError(f"{path}:{line}: not UTF-8 text; is this a tile file?") from None
    except ValueError as error:
        raise TileError(f"{path}: {error}; is this a tile file?") from None
    return parse_tiles(text, kinds, str(path))


def parse_tiles(text: str, kinds: Iterable[SegmentKind], source: str) -> TileSet:
    """Parse the text of a tile file.

    Args:
        text: The text.
        kinds: The kinds of segment that its tiles may have.
        source: The name of the file, for messages.

    Raises:
        TileError: A line is wrong; the message says what is allowed.
    """
    return _Reader(source, {kind.name: kind for kind in kinds}).read(text)


@attrs.define
class _Block:
    """A tile being read."""

    line: int
    name: str
    copies: int
    edges: str
    segments: list[Segment] = attrs.Factory(list)
    lines: list[int] = attrs.Factory(list)  # the lines of the segments
    details: int = 0  # lines read
    laid: int = 0  # copies that are start tiles
    number: int | None = None
    known: list[str] = attrs.Factory(list)
    reconstructed: list[str] = attrs.Factory(list)
    group: str = ""
    symbols: list[tuple[str, str]] = attrs.Factory(list)
    hand: int = 0
    meets: list[tuple[int, ...]] = attrs.Factory(list)
    wall: set[str] = attrs.Factory(set)  # half-edges that belong to no segment


class _Reader:
    """Reads one tile file, line by line."""

    def __init__(self, source: str, kinds: Mapping[str, SegmentKind]) -> None:
        self.source = source
        self.kinds = kinds
        self.line = 0
        # The letters of edges that are divided into two half-edges of field.
        self.dividing = {GATE, *(kind.terrain for kind in kinds.values() if kind.divides)}

    def wrong(self, reason: str) -> NoReturn:
        cut = f"{reason[:_SHOWN]} …" if len(reason) > _SHOWN else reason
        raise TileError(f"{self.source}:{self.line}: {cut}")

    def read(self, text: str) -> TileSet:
        name = ""
        headed = False
        blocks: dict[str, _Block] = {}
        start: dict[tuple[int, int], str] = {}
        for self.line, raw in enumerate(text.splitlines(), start=1):
            if len(raw) > MOST_COLUMNS:
                self.wrong(f"more than {MOST_COLUMNS} characters; a line has no more")
            line = raw.partition("#")[0].rstrip()
            words = line.split()
            if not words:
                continue
            if not headed:
                if line != HEADER:
                    self.wrong(f"a tile file starts with the line {HEADER!r}")
                headed = True
            elif words[0] == "set":
                if name or len(words) != 2:
                    self.wrong("the set is named once: set NAME")
                name = words[1]
            elif words[0] == "tile":
                block = self.tile(words, blocks)
                blocks[block.name] = block
            elif words[0] == "start":
                name_there, cell = self.start(words, blocks, start)
                start[cell] = name_there
            elif not blocks:
                self.wrong(
                    f"{words[0]!r} outside a tile; a tile starts with: tile NAME COPIES EDGES"
                )
            else:
                self.detail(block, line.strip(), words)
        if not headed or not name or not blocks:
            self.line = max(self.line, 1)
            self.wrong(f"the file ends before it has a line {HEADER!r}, a set and a tile")
        return TileSet(
            name,
            tuple(map(self.finish, blocks.values())),
            tuple((tile, *cell) for cell, tile in start.items()),
        )

    def tile(self, words: list[str], taken: Mapping[str, _Block]) -> _Block:
        if len(words) != 4:
            self.wrong("a tile starts with: tile NAME COPIES EDGES")
        _, name, copies, edges = words
        if not _NAME.fullmatch(name):
            self.wrong(f"{name!r} is not a tile name; letters, digits, - and _ are allowed")
        if name in taken:
            self.wrong(f"there is a tile {name!r} already; every tile has a different name")
        if len(taken) == MOST_TILES:
            self.wrong(f"more than {MOST_TILES} tiles; a tile file has no more")
        if not re.fullmatch(r"[1-9]\d?", copies):
            self.wrong(f"{copies!r} copies; a whole number from 1 to 99 is allowed")
        letters = "".join(sorted({kind.terrain for kind in self.kinds.values()})) + GATE + WILD
        if len(edges) != 4 or any(letter not in letters for letter in edges):
            self.wrong(
                f"edges {edges!r}; four letters of {letters} clockwise from north are allowed"
            )
        return _Block(self.line, name, int(copies), edges)

    def start(
        self, words: list[str], above: Mapping[str, _Block], at: Mapping[tuple[int, int], str]
    ) -> tuple[str, tuple[int, int]]:
        match = re.fullmatch(r"(-?\d{1,2}),(-?\d{1,2})", words[2]) if len(words) == 3 else None
        if match is None:
            self.wrong("a start tile is written: start NAME X,Y")
        name, x, y = words[1], int(match[1]), int(match[2])
        if name not in above:
            self.wrong(f"there is no tile {name!r} above; tiles are {' '.join(above) or 'none'}")
        copies = above[name].copies
        if above[name].laid == copies:
            self.wrong(f"all copies of {name!r} are on the table already; the tile has {copies}")
        above[name].laid += 1
        if (x, y) in at:
            self.wrong(f"there is a start tile at {x},{y} already; a cell has one tile")
        for edge, (east, south) in enumerate(_STEPS):
            beyond = at.get((x + east, y + south))
            if beyond and not match_edges(above[name].edges[edge], above[beyond].edges[edge ^ 2]):
                self.wrong(
                    f"edge {EDGES[edge]} of {name!r} does not match {beyond!r} beside it; start"
                    " tiles match like any others"
                )
        return name, (x, y)

    def detail(self, block: _Block, line: str, words: list[str]) -> None:
        """Read a line of a tile's block."""
        block.details += 1
        if block.details > MOST_LINES:
            self.wrong(f"more than {MOST_LINES} lines describe tile {block.name!r}; write fewer")
        if words[0] in ("known:", "reconstructed:"):
            into = block.known if words[0] == "known:" else block.reconstructed
            into.extend(part.strip() for part in line.partition(":")[2].split(",") if part.strip())
        elif words[0] == "number":
            if len(words) != 2 or not re.fullmatch(r"\d{1,4}", words[1]):
                self.wrong(
                    f"{line.strip()!r}; the publisher's number is written number 14, up to four"
                    " digits"
                )
            block.number = int(words[1])
        elif words[0] == "group":
            if len(words) != 2 or block.group or not _NAME.fullmatch(words[1]):
                self.wrong(f"{line!r}; a tile's group is written once: group NAME")
            block.group = words[1]
        elif words[0] == "symbol":
            block.symbols.append(self.symbol(words, dict(block.symbols)))
        elif words[0] == "hand":
            if len(words) != 2 or block.hand or not re.fullmatch("[1-9]", words[1]):
                self.wrong(f"{line!r}; what each player holds is written once: hand 1, up to 9")
            block.hand = int(words[1])
        elif words[0] == "meets":
            block.meets.append(self.meets(words[1:], len(block.segments)))
        elif words[0] == "wall":
            block.wall |= self.wall(words[1:])
        elif words[0] in self.kinds:
            block.segments.append(self.segment(self.kinds[words[0]], block.edges, words[1:]))
            block.lines.append(self.line)
        else:
            self.wrong(f"unknown kind of segment {words[0]!r}; known are {' '.join(self.kinds)}")

    def symbol(self, words: list[str], before: Mapping[str, str]) -> tuple[str, str]:
        match = _SYMBOL.fullmatch(words[1]) if len(words) == 2 else None
        if match is None or match[1] in before:
            self.wrong(
                f"{' '.join(words)!r}; a symbol is written symbol NAME or symbol NAME=VALUE, once"
                " each"
            )
        return match[1], match[2] or ""

    def meets(self, words: list[str], segments: int) -> tuple[int, ...]:
        """Return the indices of segments that touch one another."""
        indices = sorted({int(word) for word in words if re.fullmatch(r"\d{1,2}", word)})
        if len(indices) < max(2, len(words)) or indices[-1] >= segments:
            self.wrong(
                f"meets {' '.join(words)}; segments that touch are written meets 0 2, by their"
                " indices, after them"
            )
        return tuple(indices)

    def wall(self, words: list[str]) -> set[str]:
        """Return the half-edges along which a wall runs: no field reaches them."""
        halves = [h for word in words for h in HALVES if word in (h, h[0])]
        if not halves or any(word not in (*EDGES, *HALVES) for word in words):
            self.wrong(f"{' '.join(words)!r}; a wall is written wall N EL, by edges and half-edges")
        return set(halves)

    def segment(self, kind: SegmentKind, letters: str, words: list[str]) -> Segment:
        edges: list[int] = []
        halves: list[int] = []
        touches: tuple[int, ...] = ()
        marks: list[tuple[str, int]] = []
        shares: tuple[int, ...] = ()
        for word in words:
            key, equals, value = word.partition("=")
            if equals and key == "touches" and kind.terrain == "F":
                if touches or not re.fullmatch(r"\d{1,2}(,\d{1,2})*", value):
                    self.wrong(f"{word!r}; touches=0,1 names segments by index, once")
                touches = tuple(int(part) for part in value.split(","))
            elif equals and key == "shares" and kind.completed_by == "edges" and not kind.overlay:
                if shares or not re.fullmatch("[NESW]", value):
                    self.wrong(f"{word!r}; shares=N names one edge that another segment carries")
                shares = (EDGES.index(value),)
            elif equals:
                if (
                    not _NAME.fullmatch(key)
                    or key in ("touches", "shares")
                    or not re.fullmatch("[1-9]", value)
                ):
                    self.wrong(
                        f"{word!r} on a {kind.name}; a mark is written name=N with N from 1 to 9"
                    )
                if key in dict(marks):
                    self.wrong(f"{key!r} twice on a {kind.name}; each mark is written once")
                marks.append((key, int(value)))
            elif word in EDGES:
                edge = EDGES.index(word)
                if kind.terrain == "F" and letters[edge] in self.dividing:
                    # Beside a road, a whole edge stands for both its halves.
                    halves += [2 * edge, 2 * edge + 1]
                else:
                    edges.append(edge)
            elif word in HALVES and kind.terrain == "F":
                half = HALVES.index(word)
                letter = letters[half // 2]
                # Without a road, two fields may share an edge; one with both halves has it whole.
                if letter not in self.dividing and (letter != "F" or HALVES[half ^ 1] in words):
                    self.wrong(f"half-edge {word}, but no road crosses that edge: write {word[0]}")
                halves.append(half)
            else:
                allowed = " ".join(EDGES + (HALVES if kind.terrain == "F" else ()))
                self.wrong(f"{word!r} is not an edge of a {kind.name}; edges are {allowed}")
        self.check_reach(kind, letters, edges, halves)
        return Segment(kind.name, tuple(edges), tuple(halves), touches, tuple(marks), shares)

    def check_reach(
        self, kind: SegmentKind, letters: str, edges: list[int], halves: list[int]
    ) -> None:
        """Refuse edges that a segment of this kind cannot have, and the lack of any."""
        for edge in edges:
            if kind.overlay and letters[edge] == "C":
                self.wrong(
                    f"{kind.name} over the city edge {EDGES[edge]}; it lies over F and R only"
                )
            if kind.terrain and letters[edge] != kind.terrain:
                self.wrong(
                    f"a {kind.name} at {EDGES[edge]}, but the tile's edges {letters} have"
                    f" {letters[edge]} there"
                )
        if not kind.terrain and not kind.overlay and (edges or halves):
            self.wrong(f"a {kind.name} reaches no edge")
        within_gates = not {GATE, WILD}.isdisjoint(letters)
        if kind.terrain and kind.completed_by == "edges" and not edges and not within_gates:
            self.wrong(f"a {kind.name} reaches at least one edge")
        if kind.overlay and not edges:
            self.wrong(f"{kind.name} reaches at least one edge")

    def finish(self, block: _Block) -> Tile:
        """Make the tile of a block."""
        # By edge: the kind of the overlay that lies over it.
        covered = {
            edge: segment.kind
            for segment in block.segments
            if self.kinds[segment.kind].overlay
            for edge in segment.edges
        }
        taken: set[str] = set()
        for segment, self.line in zip(block.segments, block.lines, strict=True):
            self.take_edges(segment, covered, taken)
            self.check_references(segment, block.segments)
        self.line = block.line
        for edge in range(len(EDGES)):
            self.check_edge(block, edge, covered, taken)
        return Tile(
            name=block.name,
            copies=block.copies,
            edges=block.edges,
            segments=tuple(block.segments),
            number=block.number,
            known=tuple(block.known),
            reconstructed=tuple(block.reconstructed),
            group=block.group,
            symbols=tuple(block.symbols),
            hand=block.hand,
            meets=tuple(block.meets),
        )

    def take_edges(self, segment: Segment, covered: Mapping[int, str], taken: set[str]) -> None:
        """Add the edges and half-edges of a segment to those taken; refuse any that were."""
        places = [(EDGES[edge], edge) for edge in segment.edges]
        places += [(HALVES[half], half // 2) for half in segment.halves]
        for name, edge in places:
            label = f"{segment.kind} {name}" if self.kinds[segment.kind].overlay else name
            if label in taken:
                self.wrong(f"{name} belongs to two segments; each edge belongs to one")
            taken.add(label)
            if segment.kind == "field" and edge in covered:
                self.wrong(f"a field at {name}, which is under {covered[edge]}; fields end there")

    def check_references(self, segment: Segment, segments: list[Segment]) -> None:
        """Check the segments and edges that `touches` and `shares` name."""
        cities = [str(index) for index, each in enumerate(segments) if each.kind == "city"]
        for index in segment.touches:
            if str(index) not in cities:
                self.wrong(
                    f"touches={index} is not the index of a city; this tile's cities are"
                    f" {' '.join(cities) or 'none'}"
                )
        for edge in segment.shares:
            carriers = [each for each in segments if edge in each.edges]
            if segment in carriers or [each.kind for each in carriers] != [segment.kind]:
                self.wrong(f"shares={EDGES[edge]} is not an edge of another {segment.kind}")

    def check_edge(
        self, block: _Block, edge: int, covered: Mapping[int, str], taken: set[str]
    ) -> None:
        """Check that an edge, or each of its halves, belongs to a segment."""
        letter = block.edges[edge]
        halves = HALVES[2 * edge : 2 * edge + 2]
        needed: tuple[str, ...] = () if letter == GATE else (EDGES[edge],)
        if letter in self.dividing and edge not in covered:
            needed += halves
        elif letter == WILD or (letter == "F" and edge in covered):
            needed = ()
        if letter == "F" and not (taken | block.wall).isdisjoint(halves):
            needed = halves  # two fields meet at the edge, or a field and a wall
            if EDGES[edge] in taken:
                self.wrong(f"{EDGES[edge]} belongs to two segments; each edge belongs to one")
        for name in needed:
            if name in taken & block.wall:
                self.wrong(f"{name} belongs to a segment and to the wall")
            if name not in taken | block.wall:
                self.wrong(
                    f"tile {block.name!r}: {name} belongs to no segment; every edge belongs to one"
                )
