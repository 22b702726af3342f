"""Positions of base+ghosts on the small tile set of `conftest.py`."""

from pathlib import Path
from typing import Any

from carc import State
from support import notation
from support.notation import standing

KNIGHTS = "draw:CITY place:0,-1,0 claim:0,meeple draw:CITY place:1,-1,0 claim:0,meeple"


def begin(tiles: Path, options: str = "", players: int = 2) -> State:
    return notation.begin(f"base+ghosts({options})" if options else "base+ghosts", players, tiles)


def ghosts(state: State) -> dict[tuple[int, int, int], int]:
    return standing(state, "ghost")


def features(state: State, kind: str) -> list[dict[str, Any]]:
    return [f for f in state.to_dict("features")["features"] if f["kind"] == kind]
