"""The weights of `LearnedEvaluation`, and where they are read from."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from carc.base.evaluation.evaluation import Evaluation
from carc.base.evaluation.learned import LearnedEvaluation
from carc.base.game.outcome import is_team
from carc.errors import CarcError

if TYPE_CHECKING:
    from carc.base.game.rules import Rules

# By the least number of players. One line for each descriptor: its name, then its weight at each
# knot. `#` begins a comment.
SHIPPED: Final = {
    players: Path(__file__).with_name(f"learned_weights_{players}_players.txt")
    for players in (2, 3, 5)
}


@cache
def shipped_weights(players: int) -> dict[str, list[float]]:
    """Return the weights in the package for so many players."""
    fitted_to = max(number for number in SHIPPED if number <= max(players, 2))
    return read_weights(SHIPPED[fitted_to].read_text(encoding="utf-8"))


def best_evaluation(rules: Rules, *, blind: bool = False) -> Evaluation:
    """Return the evaluation that bots play best by: the learned one, except for teams.

    Args:
        rules: The rules.
        blind: See `Evaluation`.
    """
    if is_team(rules):
        return Evaluation(rules, blind=blind)
    return LearnedEvaluation(rules, shipped_weights(rules.players), blind)


def read_weights(text: str) -> dict[str, list[float]]:
    """Return the weights of each descriptor, one for each knot.

    Raises:
        CarcError: A line holds something else.
    """
    weights: dict[str, list[float]] = {}
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            weights[words[0]] = [float(word) for word in words[1:]]
        except ValueError:
            raise CarcError(
                f"{line!r} is not a line of weights; that is a name, then numbers"
            ) from None
    return weights


def write_weights(weights: dict[str, list[float]], comments: list[str]) -> str:
    """Return a text that `read_weights` reads."""
    lines = [f"# {comment}" for comment in comments]
    for name, values in weights.items():
        lines.append(" ".join([f"{name:18}", *(f"{value:8.4f}" for value in values)]))
    return "\n".join(lines) + "\n"
