"""Why the answer of a puzzle is best, in sentences."""

from collections.abc import Iterator
from typing import Final

from carc.puzzles.deeper import NOW
from carc.puzzles.puzzle import Puzzle

_LEAST: Final = 0.5  # points that are worth a sentence


def reasons(puzzle: Puzzle) -> list[str]:
    """Return what the answer gains on the turn that comes closest, the largest part first."""
    parts = [
        (amount, sentence)
        for kind, (own, others) in puzzle.gains.items()
        for amount, sentence in _sentences(kind, own, others)
        if abs(amount) >= _LEAST
    ]
    return [sentence for _, sentence in sorted(parts, key=lambda each: -abs(each[0]))]


def _sentences(kind: str, own: float, others: float) -> Iterator[tuple[float, str]]:
    """Yield what one kind of points gains for the player, with a sentence each."""
    if kind == NOW:
        yield own, f"The turn itself scores {_points(own)}."
        yield -others, f"The turn itself scores {_points(others)} for the others."
    else:
        yield own, f"Later you score {_points(own)} for {_plural(kind)}."
        yield -others, f"The others score {_points(others)} for {_plural(kind)}."


def _points(number: float) -> str:
    return f"{abs(number):.1f} points {'more' if number > 0 else 'less'}"


def _plural(kind: str) -> str:
    return f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
