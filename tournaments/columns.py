"""The columns of a game's row that have many parts: what each move took, what the points were scored with. Compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from carc.base.scoring import Scored
from carc.referee import quote

_SHORT: Final = 1024  # microseconds; moves of bots that are quick
_short: Final = [str(n) for n in range(_SHORT)]


def times_text(seats: Sequence[Sequence[tuple[float, float]]]) -> str:
    """JSON of the wall and CPU seconds of each move of each seat, to the microsecond; of a quick bot's, which are the same,
    the microseconds."""
    texts: list[str] = []
    for seat in seats:
        moves: list[str] = []
        for wall, cpu in seat:
            at = int(wall * 1e6 + 0.5)
            if wall == cpu and at < _SHORT:
                moves.append(_short[at])
            else:
                moves.append(f"[{wall:.6f}, {cpu:.6f}]")
        texts.append("[" + ", ".join(moves) + "]")
    return "[" + ", ".join(texts) + "]"


def read_times(seats: Sequence[Sequence[Any]]) -> tuple[list[tuple[float, float]], ...]:
    """What `times_text` wrote, and what ledgers of before hold: pairs of seconds alone."""
    return tuple(
        [(one / 1e6, one / 1e6) if isinstance(one, int) else tuple(one) for one in seat]
        for seat in seats
    )


def kinds_text(seats: Sequence[dict[str, int]]) -> str:
    """JSON of points by kind."""
    texts: list[str] = []
    for points in seats:
        parts = [f"{quote(kind)}: {n}" for kind, n in points.items()]
        texts.append("{" + ", ".join(parts) + "}")
    return "[" + ", ".join(texts) + "]"


def points_by_kind(
    scored: Sequence[Scored], owners: int, colours: Sequence[Sequence[int]]
) -> list[dict[str, int]]:
    """By player, the points of the colours it commands by the first word of what they were scored for."""
    points: list[dict[str, int]] = [{} for _ in range(owners)]
    for one in scored:
        kind = one.text.partition(" ")[0]
        # A field is scored by the completed cities it borders.
        kind = "field" if kind == "completed" else kind
        of_owner = points[one.owner]
        of_owner[kind] = of_owner.get(kind, 0) + one.points
    found: list[dict[str, int]] = []
    for some in colours:
        first = points[some[0]]
        for colour in some[1:]:
            for kind, more in points[colour].items():
                first[kind] = first.get(kind, 0) + more
        found.append(first)
    return found
