"""Moves that carc makes itself where there is only one, and that JCloisterZone asks for."""

from __future__ import annotations

from typing import Final

from carc.base.cells import SIDES, cell_at, xy
from carc.base.game.rules import Rules
from carc.base.game.state import State

_Pieces = dict[str, dict[int, int]]  # kind -> cell -> how many


class ForcedMoves:
    """Notices where the dragon or an ingot had only one way to go."""

    def __init__(self, rules: Rules) -> None:
        """Begin a game."""
        self._is_watching: Final = any(each.name in ("dragon", "gold") for each in rules.expansions)
        self._visited: list[int] = []  # where the dragon was since it began to move

    def after(self, before: State, state: State, text: str) -> list[str]:
        """Return what else happened with an action, as the actions that were not asked for."""
        if not self._is_watching or text.startswith("draw:"):
            return []
        verb, _, rest = text.partition(":")
        chosen = cell_at(*map(int, rest.split(",")[:2])) if verb in ("place", "dragon") else -1
        was, now = _pieces(before), _pieces(state)
        moves: list[tuple[str, int]] = []
        if "dragon" in was and "dragon" in now:
            ((start, _),), ((end, _),) = was["dragon"].items(), now["dragon"].items()
            if verb == "dragon":
                self._visited.append(chosen)
            else:
                self._visited = [start]
            if end != chosen:
                moves += [("dragon", cell) for cell in self._path(state, end, now)]
        if verb == "place" and "gold" in now:
            lay = was.get("gold", {})
            grown = [cell for cell, n in now["gold"].items() if n > lay.get(cell, 0)]
            moves += [("gold", cell) for cell in grown if cell != chosen]
        return [f"{what}:{x},{y}" for what, (x, y) in ((what, xy(cell)) for what, cell in moves)]

    def _path(self, state: State, end: int, pieces: _Pieces) -> list[int]:
        """Return the cells over which the dragon went on to its place without a choice."""
        path: list[int] = []
        while self._visited[-1] != end:
            barred = {*self._visited, *pieces.get("fairy", ())}
            around = [self._visited[-1] + side for side in SIDES]
            ways = [c for c in around if state.board.tile_on_cell(c) >= 0 and c not in barred]
            if len(ways) != 1:
                break
            self._visited += ways
            path += ways
        return path


def _pieces(state: State) -> _Pieces:
    """Return the pieces on the board."""
    pieces: _Pieces = {}
    for each in state.to_dict("pieces")["pieces"]:
        cells = pieces.setdefault(each["kind"], {})
        cell = cell_at(each["x"], each["y"])
        cells[cell] = cells.get(cell, 0) + each["count"]
    return pieces
