"""The chances to win over a match, with the moves that lost much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from carc.base.game.rules import COLOURS
from carc.drawing import artwork, plot
from carc.drawing.replay_moves import SIGNS
from carc.escape import escape_unprintable

if TYPE_CHECKING:
    from carc.analysis.results import GameAnalysis, MoveAnalysis

# A mark has a shape of its own, so that it can be told without colour.
_SHAPES = {
    "blunder": '<path d="M-7-7h14L0 7z" fill="#c2255c" stroke="#fff"/>',
    "mistake": '<path d="M0-7 7 0 0 7-7 0z" fill="#e8590c" stroke="#fff"/>',
    "inaccuracy": '<circle r="4.5" fill="#f7c948" stroke="#333"/>',
}


def as_svg(
    analysis: GameAnalysis,
    owners: Sequence[Sequence[int]],
    plies: int,
    theme: str = "auto",
) -> str:
    """Return a picture with one line for each player, or one for a team."""
    parts = [plot.grid_line(plot.up(share / 100), f"{share}") for share in (0, 50, 100)]
    seats = [
        f"{COLOURS[of[0]]} {escape_unprintable(seat)}"
        for of, seat in zip(owners, analysis.seats, strict=True)
    ]
    for player, points in enumerate(_series(analysis)):
        owner = owners[player][0]
        name = "the team" if analysis.team else seats[player]
        placed = [(plot.across(number, plies), plot.up(chance)) for number, chance in points]
        parts.append(plot.line(placed, owner, artwork.OWNERS[owner % 6][0], name))
    parts += [_mark(move, plies, seats[move.player]) for move in analysis.moves if move.mark]
    return plot.plot("chance to win in percent over time", parts, theme)


def chances(analysis: GameAnalysis, owners: Sequence[Sequence[int]]) -> Iterator[tuple[int, str]]:
    """Yield numbers of positions, and the chances to win that are known there, in words."""
    known: dict[int, float] = {}
    series = enumerate(_series(analysis))
    found = sorted((number, player, chance) for player, line in series for number, chance in line)
    for number, same in groupby(found, key=lambda each: each[0]):
        known.update((player, chance) for _, player, chance in same)
        words = (
            f"{'the team' if analysis.team else COLOURS[owners[player][0]]} {100 * chance:.0f}"
            for player, chance in known.items()
        )
        yield number, ", ".join(words)


def _series(analysis: GameAnalysis) -> Iterator[list[tuple[int, float]]]:
    """Yield the known chances of each player: numbers of positions, and chances.

    A move tells the chance of the player who made it. With two players that is the other's chance,
    too, and a team has one chance.
    """
    for player in range(1 if analysis.team else len(analysis.seats)):
        points = []
        for move in analysis.moves:
            if analysis.team or move.player == player:
                points.append((move.last_action, move.chance_after))
            elif len(analysis.seats) == 2:
                points.append((move.last_action, 1 - move.chance_after))
        yield points


def _mark(move: MoveAnalysis, plies: int, name: str) -> str:
    """Return the mark of a move: a page jumps to the position in `data-to`."""
    at = f"{plot.across(move.last_action, plies):.1f} {plot.up(move.chance_after):.1f}"
    title = f"{SIGNS[move.mark]} {name}: {move.mark}, {move.chance_lost_text} lost"
    return (
        f'<g class="carc-spot" data-to="{move.last_action}" transform="translate({at})">'
        f"<title>{escape(title)}</title>{_SHAPES[move.mark]}</g>"
    )
