"""Who claims what on the oracle's table; several figures may stand on one segment."""

from collections.abc import Iterator

Node = tuple[int, int, int]
Who = tuple[int, str]  # whose, kind


class Standing:
    """Figures by segment. A segment comes up once for each figure there, in the order in which
    they came; the first stands for the segment where only one is asked for.
    """

    def __init__(self) -> None:
        self.there: dict[Node, list[Who]] = {}

    def __setitem__(self, node: Node, who: Who) -> None:
        self.there.setdefault(node, []).append(who)

    def __getitem__(self, node: Node) -> Who:
        return self.there[node][0]

    def __contains__(self, node: object) -> bool:
        return node in self.there

    def __iter__(self) -> Iterator[Node]:
        return iter([node for node, _ in self.items()])

    def __bool__(self) -> bool:
        return bool(self.there)

    def items(self) -> list[tuple[Node, Who]]:
        return [(node, who) for node, crowd in self.there.items() for who in crowd]

    def at(self, node: Node) -> list[Who]:
        return self.there.get(node, [])

    def pop(self, node: Node) -> Who:
        """Take the first figure from a segment."""
        crowd = self.there[node]
        who = crowd.pop(0)
        if not crowd:
            del self.there[node]
        return who

    def bring_forward(self, node: Node, who: Who) -> None:
        """Make this figure the first of its segment."""
        crowd = self.there[node]
        crowd.remove(who)
        crowd.insert(0, who)
