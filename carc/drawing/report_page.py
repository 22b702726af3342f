"""A player's report as one HTML page that needs no other file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from carc.base.game.rules import COLOURS
from carc.drawing import board_svg, plain_page
from carc.drawing.descriptions import after_placing, describe_line
from carc.drawing.history import MatchHistory, with_scores
from carc.drawing.plain_page import section, text

if TYPE_CHECKING:
    from carc.analysis.report import PlayerReport, Position

_STYLE = "figure{margin:1rem 0}figure svg{max-width:100%;max-height:70vh;height:auto}"


def report_page(
    report: PlayerReport, histories: Mapping[str, MatchHistory], kinds: Mapping[str, str]
) -> str:
    """Return the page, with pictures of games by name, and what kinds of decisions are about."""
    title = f"{report.player} in {_count(len(report.games), 'game')}"
    return plain_page.page(title, _sections(report, histories, kinds), _STYLE)


def _sections(
    report: PlayerReport, histories: Mapping[str, MatchHistory], kinds: Mapping[str, str]
) -> Iterator[str]:
    games = len(report.games)
    yield (
        f"<p>Accuracy {report.accuracy:.0f} of 100 over {_count(report.moves, 'move')} with a"
        f" choice. Lost {report.points_lost / games:.1f} points a game; the tiles brought"
        f" {report.luck.margin / games:+.1f} points a game.</p>"
    )
    rows: list[Sequence[object]] = []
    for what, parts in (("decision", report.kinds), ("phase", report.phases)):
        rows = [
            [
                f"{name}: {kinds[name]}" if name in kinds else name,
                part.moves,
                f"{part.points_lost / games:.1f}",
                f"{part.points_lost / part.moves:.2f}" if part.moves else "",
            ]
            for name, part in parts.items()
        ]
        table = plain_page.table([what, "moves", "points a game", "points a move"], rows)
        yield section(f"Points lost by {what}", table)
    rows = [
        [
            each.name,
            with_scores(each.seats, each.scores),
            f"{each.accuracy:.0f}",
            f"{each.points_lost:.1f}",
            f"{each.luck.margin:+.1f}",
        ]
        for each in report.games
    ]
    table = plain_page.table(["game", "players", "accuracy", "points lost", "luck"], rows)
    yield section("Games", table)
    if report.positions:
        yield "<h2>Positions to learn from</h2>"
    for number, position in enumerate(report.positions, start=1):
        yield _position(number, position, histories[position.game])


def _position(number: int, position: Position, history: MatchHistory) -> str:
    """Return a position with the tile in the better place, and both lines in words."""
    move = position.move
    before = history.positions[move.first_action]
    after = after_placing(move.best[0], before)
    lines = (describe_line(line, before, history.rules) for line in (move.played, move.best))
    played, best = map(text, lines)
    lost = f"{move.points_lost_text} points"
    if move.chance_lost:
        lost += f", {move.chance_lost_text} of the chance to win"
    heading = f"{number}. {text(position.game)}, move {move.number}: {position.kind}"
    return (
        f"<figure><h3>{heading}{f', {move.mark}' if move.mark else ''}</h3>"
        f"{board_svg.board(after, history.tiles, size=40)}"
        f"<figcaption>{COLOURS[history.rules.colours[move.player][0]].capitalize()} {played}."
        f" Better, and shown: {best}. Lost: {lost}.</figcaption></figure>"
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
