"""The columns of a game's row that have many parts: what each move took, what the points were scored with. Compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from carc.referee import Move, Scored, quote

_SHORT: Final = 4096  # microseconds; moves of bots that are quick
_short: Final[list[str]] = [""] * _SHORT


def times_text(seats: Sequence[Sequence[tuple[float, float]]]) -> str:
    """JSON of the wall and CPU seconds of each move of each seat, to the microsecond."""
    texts: list[str] = []
    for seat in seats:
        pairs: list[str] = []
        for wall, cpu in seat:
            at = int(wall * 1e6 + 0.5)
            if wall != cpu or at >= _SHORT:
                pairs.append(f"[{wall:.6f}, {cpu:.6f}]")
                continue
            found = _short[at]
            if not found:
                found = _short[at] = f"[{at / 1e6:.6f}, {at / 1e6:.6f}]"
            pairs.append(found)
        texts.append("[" + ", ".join(pairs) + "]")
    return "[" + ", ".join(texts) + "]"


def spent(times: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Seconds of wall and of CPU time in all, to the microsecond."""
    wall = cpu = 0.0
    for one in times:
        wall += one[0]
        cpu += one[1]
    return int(wall * 1e6 + 0.5) / 1e6, int(cpu * 1e6 + 0.5) / 1e6


def kinds_text(seats: Sequence[dict[str, int]]) -> str:
    """JSON of points by kind."""
    texts: list[str] = []
    for points in seats:
        parts = [f"{quote(kind)}: {n}" for kind, n in points.items()]
        texts.append("{" + ", ".join(parts) + "}")
    return "[" + ", ".join(texts) + "]"


def points_by_kind(
    moves: Sequence[Move], final: Sequence[Scored], owners: int, colours: Sequence[Sequence[int]]
) -> list[dict[str, int]]:
    """By player, the points of the colours it commands by the first word of what they were scored for."""
    points: list[dict[str, int]] = [{} for _ in range(owners)]
    for move in moves:
        if move.scored:
            _add(points, move.scored)
    _add(points, final)
    found: list[dict[str, int]] = []
    for some in colours:
        first = points[some[0]]
        for colour in some[1:]:
            for kind, more in points[colour].items():
                first[kind] = first.get(kind, 0) + more
        found.append(first)
    return found


def _add(points: list[dict[str, int]], scored: Sequence[Scored]) -> None:
    for one in scored:
        kind = one.text.partition(" ")[0]
        # A field is scored by the completed cities it borders.
        kind = "field" if kind == "completed" else kind
        of_owner = points[one.owner]
        of_owner[kind] = of_owner.get(kind, 0) + one.points
