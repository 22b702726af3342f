"""Print the league's table: `python tools/make_league.py runs/league`.

The folder holds the boards that `make league` played.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import mean

from carc.tournaments.tournament import board


def table(folder: Path) -> str:
    """Return the table: for each spec the share of opponents that each bot was ahead of."""
    rows: dict[str, dict[str, float]] = {}
    games: set[int] = set()
    for spec in sorted(path.name for path in folder.iterdir() if path.is_dir()):
        one = board(str(folder / spec))
        games.add(one.games)
        rows[spec] = {line.bot: mean(line.seats.values()) for line in one.standings}
    bots = sorted(
        next(iter(rows.values())), key=lambda bot: -mean(row[bot] for row in rows.values())
    )
    lines = [
        f"{' or '.join(map(str, sorted(games)))} games under each, two at a table.\n",
        f"| rules | {' | '.join(f'`{bot}`' for bot in bots)} |",
        f"|---|{'---|' * len(bots)}",
    ]
    for spec, row in rows.items():
        cells = [
            f"**{row[bot]:.2f}**" if row[bot] == max(row.values()) else f"{row[bot]:.2f}"
            for bot in bots
        ]
        lines.append(f"| `{spec}` | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    print(table(Path(sys.argv[1])))
