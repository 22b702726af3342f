"""One HTML page with everything about a tournament; it needs no other file."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from carc.drawing.style import asset
from carc.escape import escape_unprintable
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.verdicts import OK
from carc.tournaments.rating.ratings import Leaderboard, Range
from carc.tournaments.rating.tally import against_level
from carc.tournaments.reports.board_table import heading, notes
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.tournament import board as board_in

BINS = 12  # of a distribution of scores

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;
margin:auto;padding:1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th:nth-child(-n+1),td:nth-child(-n+1){text-align:left}
svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:var(--ink)}
.bar,.dot{fill:var(--main)}.line{stroke:var(--main);stroke-width:2}.axis{stroke:var(--line)}
pre{border:1px solid var(--line);padding:.5rem}
"""


def page(folder: Path, found: Leaderboard | None = None) -> str:
    """Return the page of the tournament in a folder.

    Args:
        folder: The tournament's.
        found: Its board, if that is known already.

    Raises:
        BadLedger: There is no ledger that can be read.
    """
    found = board_in(folder) if found is None else found
    head = heading(folder)
    with Ledger.reading(folder) as ledger:
        configuration = ledger.configuration
        scores: dict[str, Counter[int]] = {}
        for game in ledger.outcomes():
            if game.verdict == OK and not configuration.exclusion_reason(
                game.seats, game.digests, game.deal
            ):
                told = against_level(game) if configuration.levels else game
                for bot, score in zip(told.seats, told.scores, strict=True):
                    scores.setdefault(bot, Counter())[score] += 1
    title = _text(configuration.title or "Tournament")
    parts = [f"<h1>{title}</h1><p>{_text(head)}</p>", *_sections(found, configuration, scores)]
    return (
        '<!doctype html><html lang="en" class="carc-theme"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<title>{title}</title><link rel="icon" href="data:,">'
        f"<style>{asset('theme.css')}{_STYLE}</style></head><body><main>\n"
        + "\n".join(parts)
        + "\n</main></body></html>\n"
    )


def _sections(
    board: Leaderboard, configuration: Configuration, scores: dict[str, Counter[int]]
) -> Iterator[str]:
    bots = [line.bot for line in board.standings]
    if bots:
        yield _section("Board", _board(board))
        yield _section("Strength, with 95 % intervals", _plot(board))
    if len(bots) > 1:
        yield _section(
            "Probability that the bot on the left is better than",
            _table(
                ["", *bots],
                ([a, *("" if a == b else f"{board.better[a][b]:.2f}" for b in bots)] for a in bots),
            ),
        )
        yield _section(
            "Share of the games of both in which the bot on the left came in ahead of",
            _table(
                ["", *bots],
                ([a, *(_range(board.ahead.get(a, {}).get(b)) for b in bots)] for a in bots),
            ),
        )
    for size, by_seat in board.first_seats.items():
        rows: list[Sequence[object]] = [
            [
                line.bot,
                *(
                    f"{line.seats[size, seat]:.2f}" if (size, seat) in line.seats else ""
                    for seat in range(size)
                ),
            ]
            for line in board.standings
        ]
        rows.append(["all bots", *(f"{share:.2f}" for share in by_seat)])
        yield _section(
            f"Share of the others that were beaten, by seat, at tables of {size}",
            _table(["", *(f"seat {seat}" for seat in range(size))], rows),
        )
    if told := {bot: scores[bot] for bot in bots if bot in scores}:
        yield _section("Scores", _distributions(told))
    yield from _details(board)
    yield _section("Notes", "".join(f"<p>{_text(note)}</p>" for note in notes(board)))
    known = configuration.to_dict()
    del known["seed"]  # who knows it knows the deals to come
    yield _section("Configuration", f"<pre>{escape(json.dumps(known, indent=1))}</pre>")


def _details(board: Leaderboard) -> Iterator[str]:
    """Return what bots scored with, their faults, and how long they took."""
    kinds = sorted({kind for line in board.standings for kind in line.kinds})
    if kinds:
        yield _section(
            "Points a game, by what they were scored with",
            _table(
                ["", *kinds],
                (
                    [b.bot, *(f"{b.kinds.get(kind, 0):.1f}" for kind in kinds)]
                    for b in board.standings
                ),
            ),
        )
    if board.standings:
        yield _section(
            "Faults, and milliseconds a move",
            _table(
                ["", "faults", "wall", "CPU"],
                (
                    [
                        line.bot,
                        ", ".join(f"{n} {verdict}" for verdict, n in line.verdicts.items())
                        or "none",
                        f"{1000 * line.wall:.2f}",
                        f"{1000 * line.cpu:.2f}",
                    ]
                    for line in board.standings
                ),
            ),
        )


def _board(board: Leaderboard) -> str:
    return _table(
        ["bot", "#", "games", "wins", "score", "TrueSkill", "strength", "ranks"],
        (
            [
                line.bot,
                line.rank,
                line.games,
                line.wins,
                f"{line.score.value:.1f}",
                "" if line.mu is None else f"{line.mu:.2f} ± {line.sigma:.2f}",
                _range(line.strength),
                "-".join(map(str, sorted(set(line.ranks)))),
            ]
            for line in board.standings
        ),
    )


def _plot(board: Leaderboard) -> str:
    """Return dots and intervals of what the board is sorted by."""
    figures = [(b.bot, b.score if board.by_score else b.strength) for b in board.standings]
    low = min(figure.low for _, figure in figures)
    high = max(figure.high for _, figure in figures)
    left, width, row = 150, 430, 24

    def x(value: float) -> float:
        return left + width * (value - low) / ((high - low) or 1)

    marks = []
    for number, (bot, figure) in enumerate(figures):
        y = row * number + row / 2
        marks.append(
            f'<text x="0" y="{y + 4}">{_text(bot[:20])}</text>'
            f'<line class="line" x1="{x(figure.low):.1f}" x2="{x(figure.high):.1f}" '
            f'y1="{y}" y2="{y}"/>'
            f'<circle class="dot" cx="{x(figure.value):.1f}" cy="{y}" r="4"/>'
        )
    height = row * len(figures) + 20
    ends = "".join(
        f'<text x="{x(value):.1f}" y="{height - 4}" text-anchor="middle">{value:.2f}</text>'
        for value in (low, high)
    )
    wide = left + width + 40
    return f'<svg viewBox="0 0 {wide} {height}" width="{wide}">{"".join(marks)}{ends}</svg>'


def _distributions(scores: dict[str, Counter[int]]) -> str:
    """Return a histogram for each bot, all on the same scale."""
    low = min(min(counts) for counts in scores.values())
    high = max(max(counts) for counts in scores.values())
    step = max(1, -(-(high - low + 1) // BINS))
    width, height = 18, 60
    drawn = []
    for bot, counts in scores.items():
        bins = Counter(dict.fromkeys(range((high - low) // step + 1), 0))
        for score, count in counts.items():
            bins[(score - low) // step] += count
        most = max(bins.values())
        bars = "".join(
            f'<rect class="bar" x="{at * width}" y="{height - height * n / most:.1f}" '
            f'width="{width - 2}" height="{height * n / most:.1f}"/>'
            for at, n in sorted(bins.items())
        )
        end = len(bins) * width
        drawn.append(
            f'<p>{_text(bot)}<br><svg viewBox="0 0 {end} {height + 16}" width="{end}">{bars}'
            f'<text x="0" y="{height + 13}">{low}</text>'
            f'<text x="{end}" y="{height + 13}" text-anchor="end">{high}</text></svg></p>'
        )
    return "".join(drawn)


def _section(title: str, body: str) -> str:
    group = f'class="wide" tabindex="0" role="group" aria-label="{_text(title)}"'
    return f"<h2>{_text(title)}</h2><div {group}>{body}</div>"


def _table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    def cells(values: Sequence[object], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{_text(value)}</{tag}>" for value in values) + "</tr>"

    body = "".join(cells(row, "td") for row in rows)
    return f"<table><thead>{cells(head, 'th')}</thead><tbody>{body}</tbody></table>"


def _range(figure: Range | None) -> str:
    return "" if figure is None else f"{figure.value:.2f} [{figure.low:.2f}, {figure.high:.2f}]"


def _text(value: object) -> str:
    return escape(escape_unprintable(value))
