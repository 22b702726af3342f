"""Who met whom, as a graph.

Bots that no game connects cannot be compared, and A may beat B, B beat C, and C beat A.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from carc.tournaments.rating.ratings import Leaderboard

if TYPE_CHECKING:
    import networkx as nx

MOST = 5  # circles that are told


def islands(board: Leaderboard) -> list[list[str]]:
    """Return the groups of bots that met each other, directly or through others.

    The largest comes first; there is one group if all bots are connected.
    """
    bots = [line.bot for line in board.standings]
    if any(len(met) == len(bots) - 1 for met in board.ahead.values()):
        return [sorted(bots)]
    import networkx as nx  # noqa: PLC0415 (a tenth of a second; most boards need none of it)

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(bots)
    graph.add_edges_from((a, b) for a, met in board.ahead.items() for b in met)
    return sorted((sorted(group) for group in nx.connected_components(graph)), key=len)[::-1]


def circles(board: Leaderboard) -> list[list[str]]:
    """Return circles of three bots, each of which came in ahead of the next more often than not.

    The clearest come first.
    """
    if len(board.standings) < 3:
        return []
    import networkx as nx  # noqa: PLC0415 (as above)

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_weighted_edges_from(
        (a, b, figure.value)
        for a, met in board.ahead.items()
        for b, figure in met.items()
        if figure.value > 0.5
    )
    circles = [_turned(circle) for circle in nx.simple_cycles(graph, length_bound=3)]
    clear = {
        tuple(circle): min(graph[a][b]["weight"] for a, b in pairwise([*circle, circle[0]]))
        for circle in circles
    }
    return sorted(circles, key=lambda circle: (-clear[tuple(circle)], circle))[:MOST]


def _turned(circle: list[str]) -> list[str]:
    """Return a circle that begins with the first name in the alphabet."""
    at = circle.index(min(circle))
    return circle[at:] + circle[:at]
