"""One HTML page with everything about a tournament; it needs no other file."""

import json
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path

from carc.drawing import plain_page, plot
from carc.drawing.plain_page import section, text
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.verdicts import OK
from carc.tournaments.rating.ratings import Leaderboard
from carc.tournaments.rating.tally import against_level
from carc.tournaments.reports import sheets
from carc.tournaments.reports.board_table import heading, notes
from carc.tournaments.reports.sheets import Sheet
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.tournament import board as board_in

BINS = 12  # of a distribution of scores

_STYLE = """
th,td{white-space:nowrap}svg{max-width:100%;height:auto}
svg text{font:12px system-ui,sans-serif;fill:var(--ink)}rect{fill:var(--main)}
.interval{fill:var(--main);overflow:visible}.interval path{stroke:var(--line)}
.interval rect{fill-opacity:.35}pre{border:1px solid var(--line);padding:.5rem}
"""


def page(folder: Path, found: Leaderboard | None = None) -> str:
    """Return the page of the tournament in a folder, by its board if known, or `BadLedger`."""
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
    parts = _sections(found, configuration, scores)
    title = configuration.title or "Tournament"
    return plain_page.page(title, [f"<p>{text(head)}</p>", *parts], _STYLE)


def _sections(
    board: Leaderboard, configuration: Configuration, scores: dict[str, Counter[int]]
) -> Iterator[str]:
    if board.standings:
        columns = "bot", "#", "games", "wins", "score", "TrueSkill", "strength", "ranks", "faults"
        yield _sheet(sheets.standings(board).only(*columns))
        yield section("Strength, with 95 % intervals", _plot(board))
    yield from map(_sheet, sheets.comparisons(board))
    if told := {line.bot: scores[line.bot] for line in board.standings if line.bot in scores}:
        yield section("Scores", _distributions(told))
    if board.standings:
        yield from map(_sheet, sheets.details(board))
    yield section("Notes", "".join(f"<p>{text(note)}</p>" for note in notes(board)))
    known = configuration.to_dict()
    del known["seed"]  # who knows it knows the deals to come
    yield section("Configuration", f"<pre>{escape(json.dumps(known, indent=1))}</pre>")


def _sheet(sheet: Sheet) -> str:
    return section(sheet.title, plain_page.table(sheet.heads, sheet.rows))


def _plot(board: Leaderboard) -> str:
    """Return bars of what the board is sorted by."""
    bars = {b.bot: b.score if board.by_score else b.strength for b in board.standings}
    ends = plot.span(bars.values())
    rows = (f"<tr><td>{text(bot)}</td><td>{plot.bar(bar, ends, 430)}" for bot, bar in bars.items())
    return f"<table>{'</td></tr>'.join(rows)}</td></tr></table>"


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
            f'<rect x="{at * width}" y="{height - height * n / most:.1f}" '
            f'width="{width - 2}" height="{height * n / most:.1f}"/>'
            for at, n in sorted(bins.items())
        )
        end = len(bins) * width
        drawn.append(
            f'<p>{text(bot)}<br><svg viewBox="0 0 {end} {height + 16}" width="{end}">{bars}'
            f'<text x="0" y="{height + 13}">{low}</text>'
            f'<text x="{end}" y="{height + 13}" text-anchor="end">{high}</text></svg></p>'
        )
    return "".join(drawn)
