"""A small tile set to build positions with, and a table to play them at, in notation."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.notation import begin, do, legal, standing, written

from carc import Expansion, State

# name -> (edges, segments, copies). `home` lies on the table; 60 others, so that piles are of 20.
TILES: dict[str, tuple[str, tuple[str, ...], int]] = {
    "home": ("FFFF", ("field N E S W",), 1),
    "plain": ("FFFF", ("field N E S W",), 8),
    "cap": ("CFFF", ("city N coat_of_arms=1", "field E S W touches=0"), 6),  # two make 8 points
    "town": ("CFFF", ("city N", "field E S W touches=0"), 4),
    "tube": ("CFCF", ("city N S", "field E touches=0", "field W touches=0"), 2),
    "road": ("RFRF", ("road N S", "field NR E SL", "field SR W NL"), 4),
    "end": ("FFRF", ("road S", "field N E SL SR W"), 6),
    # Mist, by its symbols: none, 1, 2, 3.
    "haze": ("FFFF", ("mist S", "field N E W"), 6),
    "wisp": ("FFFF", ("mist S ghosts=1", "field N E W"), 4),
    "pair": ("FFFF", ("mist E S ghosts=2", "field N W"), 4),
    "fog": ("FFFF", ("mist N E S W ghosts=3",), 6),
    "twin": ("FFFF", ("mist N ghosts=1", "mist S ghosts=2", "field E W"), 2),
    "fogroad": ("RFRF", ("road N S", "mist N S ghosts=2", "field E", "field W"), 2),
    "castle": ("FFFF", ("castle", "mist N", "field E S W"), 2),
    "cemetery": ("FFFF", ("cemetery", "field N E S W"), 2),
    # Not among the usual 60.
    "palace": ("CFFF", ("city N coat_of_arms=9", "field E S W touches=0"), 0),  # two make 40
    "hall": ("CFCF", ("city N S coat_of_arms=9", "field E touches=0", "field W touches=0"), 0),
    "hinge": ("CFCF", ("city N", "city S", "field E W touches=0,1"), 0),
    "keep": ("CCCC", ("city N E S W",), 0),
    "crypt": ("CFFF", ("city N", "cemetery", "field E S W touches=0"), 2),
}


def tile_file(copies: dict[str, int]) -> str:
    """The text of a set `mists`; `copies` in place of the usual ones, where any are given."""
    lines = ["carc-tiles 1", "set mists", ""]
    assert copies.keys() <= TILES.keys()
    for name, (edges, segments, usual) in TILES.items():
        n = usual if not copies or name == "home" else copies.get(name, 0)
        if n:
            lines += [f"tile {name} {n} {edges}", *(f"  {segment}" for segment in segments), ""]
    return "\n".join([*lines, "start home 0,0", ""])


class Table:
    """A game played in notation; every action is checked."""

    def __init__(self, state: State) -> None:
        self.state = state

    def do(self, *texts: str) -> "Table":
        """Play actions."""
        do(self.state, " ".join(texts))
        return self

    def put(self, kind: str, x: int, y: int, rotation: int = 0) -> "Table":
        """Draw a tile and lay it; no more."""
        return self.do(f"draw:{kind}", f"place:{x},{y},{rotation}")

    def lay(self, kind: str, x: int, y: int, rotation: int = 0, claim: str = "pass") -> "Table":
        """Draw a tile, lay it, claim (`0` for segment 0, `0,red` where it is named) or pass."""
        self.put(kind, x, y, rotation)
        if claim != "pass":
            segment, _, colour = claim.partition(",")
            return self.do(f"claim:{segment},meeple" + (f",{colour}" if colour else ""))
        return self.do("pass") if self.decision == "claim" else self

    @property
    def decision(self) -> str | None:
        return self.data["decision"]

    @property
    def legal(self) -> list[str]:
        return legal(self.state)

    @property
    def data(self) -> dict[str, Any]:
        return self.state.to_dict()

    @property
    def score(self) -> int:
        return self.data["scores"][0]

    @property
    def ended(self) -> tuple[bool, str]:
        """Whether the game was won, and by which rule it ended."""
        outcome = self.data["outcome"]
        return outcome["won"], outcome["rule"]

    def ghosts(self, x: int, y: int) -> int:
        """The ghosts on a tile."""
        there = standing(self.state, "ghost").items()
        return sum(n for (gx, gy, _), n in there if (gx, gy) == (x, y))

    @property
    def on_board(self) -> int:
        return sum(standing(self.state, "ghost").values())

    @property
    def graves(self) -> dict[tuple[int, int], int | None]:
        """Whose follower lies in each closed cemetery."""
        pieces = self.data["pieces"]
        return {(p["x"], p["y"]): p["owner"] for p in pieces if p["kind"] == "grave"}

    @property
    def hounds(self) -> dict[str, tuple[int, int, int]]:
        """Where the hounds on the table are: x, y, segment."""
        pieces = self.data["pieces"]
        return {p["text"]: (p["x"], p["y"], p["segment"]) for p in pieces if p["kind"] == "hound"}

    @property
    def hidden(self) -> list[tuple[int, int]]:
        """The cells of the face-down tiles, by y, x."""
        return [(p["x"], p["y"]) for p in self.data["pieces"] if p["kind"] == "face-down"]

    def feature(self, kind: str, x: int, y: int) -> dict[str, Any]:
        """The first feature of this kind with a segment on a tile."""
        for one in self.data["features"]:
            if one["kind"] == kind and [x, y] in one["tiles"]:
                return one
        raise AssertionError(f"no {kind} at {x},{y}")


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Table]:
    """`table("mists:2", players=3, fog=1, plain=9)`: a game with the small set, or with so many
    copies of its tiles.

    `text`: a whole tile file instead; `beside`: expansions played with.
    """

    def start(
        spec: str, players: int = 3, text: str = "", beside: Sequence[Expansion] = (), **copies: int
    ) -> Table:
        files = written(tmp_path, text or tile_file(copies))
        return Table(begin(spec, players, *files, beside=beside))

    return start


@pytest.fixture
def nearly_won(table: Callable[..., Table]) -> Table:
    """A drawn palace that closes a city of 40 points, which wins, if it is laid there."""
    t: Table = table("mists:1", palace=2, hall=1, wisp=1, plain=5)
    return t.lay("wisp", 1, 0).lay("palace", 0, -1, 0, "0").lay("hall", 0, -2).do("draw:palace")
