"""The columns of a game's row that have many parts: times of moves, points by kind. Compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from carc.base.turn.scoring import Scored
from carc.match.moves import quote_json

MOST_MOVES: Final = 100_000  # of a game in a ledger; none comes near
LONGEST: Final = 15  # digits of a time in microseconds: 30 years


def microseconds(seconds: float) -> int:
    """Return a time in microseconds, rounded; faster than `round`."""
    return int(seconds * 1e6 + 0.5)


def times_text(seats: Sequence[Sequence[Any]]) -> str:
    """Return JSON of the wall and CPU seconds of each move of each seat, to the microsecond.

    The two are equal for quick bots; then it holds the microseconds, and how many moves in turn
    took as many: `"0x20"`.
    """
    texts: list[str] = []
    for seat in seats:
        moves: list[str] = []
        many = 0
        last: Any = None
        for took in seat:
            # A quick bot's are the same few objects.
            if took is not last:
                if many:
                    moves.append(_moves_text(last, many))
                last = took
                many = 0
            many += 1
        if many:
            moves.append(_moves_text(last, many))
        texts.append("[" + ", ".join(moves) + "]")
    return "[" + ", ".join(texts) + "]"


def _moves_text(took: tuple[float, float], many: int) -> str:
    """Return JSON of the time that each of so many moves took."""
    wall, cpu = took
    if wall != cpu:
        return ", ".join([f"[{wall:.6f}, {cpu:.6f}]"] * many)
    micro = microseconds(wall)
    return str(micro) if many == 1 else f'"{micro}x{many}"'


def read_times(seats: Sequence[Sequence[Any]]) -> tuple[list[tuple[float, float]], ...]:
    """Return the times in what `times_text` wrote, or in the pairs of older ledgers.

    Raises `ValueError` if it is neither, or too much for a game: a stranger may have written it.
    """
    times: list[list[tuple[float, float]]] = []
    moves = 0
    for seat in seats:
        times.append([])
        for part in seat:
            count, took = _read_moves(part)
            moves += count
            if moves > MOST_MOVES:
                raise ValueError(f"times of more than {MOST_MOVES} moves")
            times[-1] += [took] * count
    return tuple(times)


def _read_moves(part: Any) -> tuple[int, tuple[float, float]]:
    """Return how many moves took the same time, and the time of each."""
    if isinstance(part, list):
        wall, cpu = part
        return 1, (wall, cpu)
    micro, _, many = str(part).partition("x")
    count = int(many or 1)
    if count < 1 or len(micro) > LONGEST:
        raise ValueError(f"no time of moves: {part!r:.80}")
    seconds = int(micro) / 1e6
    return count, (seconds, seconds)


def kinds_text(seats: Sequence[dict[str, int]]) -> str:
    """Return JSON of points by kind."""
    texts: list[str] = []
    for points in seats:
        parts = [f"{quote_json(kind)}: {n}" for kind, n in points.items()]
        texts.append("{" + ", ".join(parts) + "}")
    return "[" + ", ".join(texts) + "]"


def points_by_kind(
    scored: Sequence[Scored], owners: int, colours: Sequence[Sequence[int]]
) -> list[dict[str, int]]:
    """Return the points of each player's colours by kind.

    The kind is the first word of what they were scored for.
    """
    points: list[dict[str, int]] = [{} for _ in range(owners)]
    for one in scored:
        kind = one.text.partition(" ")[0]
        # A field is scored by the completed cities it borders.
        kind = "field" if kind == "completed" else kind
        of_owner = points[one.owner]
        of_owner[kind] = of_owner.get(kind, 0) + one.points
    summed: list[dict[str, int]] = []
    for some in colours:
        first = points[some[0]]
        for colour in some[1:]:
            for kind, more in points[colour].items():
                first[kind] = first.get(kind, 0) + more
        summed.append(first)
    return summed
