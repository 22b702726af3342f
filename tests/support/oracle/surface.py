"""What the oracle shows: who decides what, and the whole board, from networkx's components."""

from collections import Counter
from typing import Any

import networkx as nx

from support.oracle.table import TERMINAL, Node, OracleTable


class OracleSurface(OracleTable):
    """A table that can be asked and told what happens."""

    def current_player(self) -> int:
        return self.decide[0]

    def decision(self) -> str | None:
        return self.decide[1]

    def legal(self) -> list[str]:
        return self.decide[2]

    def apply(self, action: str) -> None:
        if self.hasty and action.startswith("place:"):
            x, y, rotation = (int(n) for n in action.removeprefix("place:").split(","))
            assert self.hand is not None
            assert self.fits(self.hand, rotation, (x, y)), f"{action} does not fit"
        else:
            assert action in self.legal(), f"{action} is not among {self.legal()}"
        try:
            self.decide = self.turn.send(action)
        except StopIteration:
            self.decide = (TERMINAL, None, [])

    def winners(self) -> list[int] | None:
        if self.decide[0] != TERMINAL:
            return None
        return [p for p in range(self.players) if self.scores[p] == max(self.scores)]

    def open_edges(self, feature: set[Node]) -> int:
        """Return the open edges and half-edges beside roads; a field's whole edge counts once, or
        twice where a set has tiles on which two fields share one.
        """
        count = 0
        for x, y, index in feature:
            part = self.parts((x, y))[index]
            edges = [(edge, 1) for edge in part.edges]
            kind, rotation = self.board[x, y]
            for edge in range(4):
                here = len(part.halves & {2 * edge, 2 * edge + 1})
                if here:
                    halves = self.split_edges or self.letter(kind, rotation, edge) in "RI"
                    edges.append((edge, here if halves else 1))
            count += sum(n for edge, n in edges if not self.taken(self.beyond((x, y), edge)))
        return count

    def standing(self) -> list[tuple[Node, int, str]]:
        """All figures on the table, by y, x, segment; those that claim nothing are last there."""
        found = [(node, *who) for node, crowd in self.crowds.items() for who in crowd]
        found += [(node, *who) for node, who in self.followers.items()]
        last = ("builder", "pig", "shepherd")
        return sorted(found, key=lambda one: (one[0][1], one[0][0], one[0][2], one[2] in last))

    def features(self) -> list[dict[str, Any]]:
        graph: nx.Graph[Node] = nx.Graph()
        for x, y in self.board:
            for index, part in enumerate(self.parts((x, y))):
                if part.kind == "_":
                    continue
                graph.add_node((x, y, index))
                graph.add_edges_from(((x, y, index), other) for other in self.joined((x, y, index)))
        found = []
        standing = self.standing()
        for feature in nx.connected_components(graph):
            marks: Counter[str] = Counter()
            for node in feature:
                marks.update(self.part(node).marks)
            found.append(
                {
                    "kind": self.part(next(iter(feature))).kind,
                    "segments": [list(node) for node in sorted(feature)],
                    "tiles": [list(cell) for cell in sorted({(x, y) for x, y, _ in feature})],
                    "open_edges": self.open_edges(feature),
                    "complete": self.complete(feature),
                    "marks": dict(marks),
                    "followers": [
                        {
                            "owner": owner,
                            "kind": figure,
                            "x": node[0],
                            "y": node[1],
                            "segment": node[2],
                        }
                        for node, owner, figure in standing
                        if node in feature
                    ],
                }
            )
        return sorted(found, key=lambda f: (f["kind"], f["segments"]))

    def pieces(self) -> list[dict[str, Any]]:
        """What stands on the table besides tiles and followers: nothing in the base game."""
        return []

    def to_dict(self) -> dict[str, Any]:
        return {
            "pieces": sorted(
                self.pieces(), key=lambda p: (p["kind"], p["y"], p["x"], p["segment"] or 0)
            ),
            "players": self.players,
            "current_player": self.current_player(),
            "decision": self.decision(),
            "tile_in_hand": self.hand,
            "tiles": [
                {"x": x, "y": y, "kind": self.board[x, y][0], "rotation": self.board[x, y][1]}
                for x, y in self.order
            ],
            "features": self.features(),
            "supplies": self.supply,
            "scores": self.scores,
            "bag": {kind: n for kind, n in self.bag.items() if n},
            "discarded": self.discarded,
            "winners": self.winners(),
        }
