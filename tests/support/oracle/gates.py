"""The City Gates for the oracle (docs/rules.md, GAT-01)."""

from support.oracle.classics import ClassicsOracle
from support.oracle.table import Cell, Node


class GatesOracle(ClassicsOracle):
    """`base+city_gates`."""

    split_edges = True  # on both sides of a gate

    def closes(self, there: Cell, kind: str, side: int) -> bool:
        """A road ends at a gate."""
        ends = self.is_gate(there, side) and kind != "mist"  # MIST-05
        return ends or super().closes(there, kind, side)

    def is_gate(self, cell: Cell, side: int) -> bool:
        return self.letter(*self.board[cell], side) == "G"

    def extended(self, cell: Cell) -> list[Node]:
        """The gates of a tile end the roads that lead to them."""
        found = super().extended(cell)
        for side in range(4):
            there = self.beyond(cell, side)
            if there in self.board and self.is_gate(cell, side):
                parts = enumerate(self.parts(there))
                found += [(*there, index) for index, part in parts if (side + 2) % 4 in part.edges]
        return found
